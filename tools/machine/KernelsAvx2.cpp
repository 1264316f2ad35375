//===- KernelsAvx2.cpp - measuring loops of AVX2 and FMA ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "machine/KernelBody.h"

namespace {

inline f32x8 root(f32x8 Of) { return _mm256_sqrt_ps(Of); }
inline f64x4 root(f64x4 Of) { return _mm256_sqrt_pd(Of); }
// As torch's vectors: all bits are set where an operand is NaN.
inline f32x8 larger(f32x8 A, f32x8 B) {
  return _mm256_or_ps(_mm256_max_ps(A, B), _mm256_cmp_ps(A, B, _CMP_UNORD_Q));
}
inline f64x4 larger(f64x4 A, f64x4 B) {
  return _mm256_or_pd(_mm256_max_pd(A, B), _mm256_cmp_pd(A, B, _CMP_UNORD_Q));
}

} // namespace

MULTIPLY_ADD_KERNEL(f32_32, float)
MULTIPLY_ADD_KERNEL(f64_64, double)
MULTIPLY_ADD_KERNEL(f32_128, f32x4)
MULTIPLY_ADD_KERNEL(f64_128, f64x2)
MULTIPLY_ADD_KERNEL(f32_256, f32x8)
MULTIPLY_ADD_KERNEL(f64_256, f64x4)
MULTIPLY_AND_ADD_KERNEL(f32_256, f32x8)
MULTIPLY_AND_ADD_KERNEL(f64_256, f64x4)
MEMORY_KERNELS(256, f64x4)
ARRAY_KERNELS(f32_256, f32x8, root)
ARRAY_KERNELS(f64_256, f64x4, root)
MAXIMUM_KERNELS(f32_256, f32x8, larger)
MAXIMUM_KERNELS(f64_256, f64x4, larger)
INTEGER_KERNELS(256)

namespace seamscope::tools {

static constexpr ComputeKernel Compute[] = {
    {"f32", 32, true, FlopOfFma<float>, seamscope_roof_fma_f32_32},
    {"f64", 64, true, FlopOfFma<double>, seamscope_roof_fma_f64_64},
    {"f32", 128, true, FlopOfFma<f32x4>, seamscope_roof_fma_f32_128},
    {"f64", 128, true, FlopOfFma<f64x2>, seamscope_roof_fma_f64_128},
    {"f32", 256, true, FlopOfFma<f32x8>, seamscope_roof_fma_f32_256},
    {"f64", 256, true, FlopOfFma<f64x4>, seamscope_roof_fma_f64_256},
    {"f32", 256, false, FlopOfPair<f32x8>, seamscope_roof_muladd_f32_256},
    {"f64", 256, false, FlopOfPair<f64x4>, seamscope_roof_muladd_f64_256},
};
static constexpr ArrayKernel Arrays[] = {
    {"div", "f32", 256, seamscope_roof_div_f32_256},
    {"div", "f64", 256, seamscope_roof_div_f64_256},
    {"sqrt", "f32", 256, seamscope_roof_sqrt_f32_256},
    {"sqrt", "f64", 256, seamscope_roof_sqrt_f64_256},
    {"sum", "f32", 256, seamscope_roof_sum_f32_256},
    {"sum", "f64", 256, seamscope_roof_sum_f64_256},
    {"stored_sum", "f32", 256, seamscope_roof_storedsum_f32_256},
    {"stored_sum", "f64", 256, seamscope_roof_storedsum_f64_256},
    {"max", "f32", 256, seamscope_roof_max_f32_256},
    {"max", "f64", 256, seamscope_roof_max_f64_256},
    {"independent_max", "f32", 256, seamscope_roof_independentmax_f32_256},
    {"independent_max", "f64", 256, seamscope_roof_independentmax_f64_256},
    INTEGER_SET(256),
};

const KernelSet Avx2Kernels = {"avx2",
                               Compute,
                               COUNT_OF(Compute),
                               {256, MEMORY_SET(256)},
                               Arrays,
                               COUNT_OF(Arrays),
                               {callOne<f32x8>, callTwo<f32x8>},
                               {callOne<f64x4>, callTwo<f64x4>}};

} // namespace seamscope::tools
