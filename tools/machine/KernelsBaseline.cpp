//===- KernelsBaseline.cpp - measuring loops of every processor -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "machine/KernelBody.h"

namespace {

#ifdef __x86_64__
inline float root(float Of) { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(Of))); }
inline double root(double Of) {
  const __m128d Value = _mm_set_sd(Of);
  return _mm_cvtsd_f64(_mm_sqrt_sd(Value, Value));
}
inline f32x4 root(f32x4 Of) { return _mm_sqrt_ps(Of); }
inline f64x2 root(f64x2 Of) { return _mm_sqrt_pd(Of); }
// As torch's vectors: all bits are set where an operand is NaN.
inline f32x4 larger(f32x4 A, f32x4 B) { return _mm_or_ps(_mm_max_ps(A, B), _mm_cmpunord_ps(A, B)); }
inline f64x2 larger(f64x2 A, f64x2 B) { return _mm_or_pd(_mm_max_pd(A, B), _mm_cmpunord_pd(A, B)); }
#else
inline float root(float Of) { return __builtin_sqrtf(Of); }
inline double root(double Of) { return __builtin_sqrt(Of); }
inline f32x4 root(f32x4 Of) { return (f32x4)vsqrtq_f32((float32x4_t)Of); }
inline f64x2 root(f64x2 Of) { return (f64x2)vsqrtq_f64((float64x2_t)Of); }
#endif

} // namespace

MULTIPLY_AND_ADD_KERNEL(f32_32, float)
MULTIPLY_AND_ADD_KERNEL(f64_64, double)
MULTIPLY_AND_ADD_KERNEL(f32_128, f32x4)
MULTIPLY_AND_ADD_KERNEL(f64_128, f64x2)
MEMORY_KERNELS(128, f64x2)
ARRAY_KERNELS(f32_32, float, root)
ARRAY_KERNELS(f64_64, double, root)
ARRAY_KERNELS(f32_128, f32x4, root)
ARRAY_KERNELS(f64_128, f64x2, root)
INTEGER_KERNELS(128)
#ifdef __x86_64__
MAXIMUM_KERNELS(f32_128, f32x4, larger)
MAXIMUM_KERNELS(f64_128, f64x2, larger)
#endif
#ifndef __x86_64__
MULTIPLY_ADD_KERNEL(f32_32, float)
MULTIPLY_ADD_KERNEL(f64_64, double)
MULTIPLY_ADD_KERNEL(f32_128, f32x4)
MULTIPLY_ADD_KERNEL(f64_128, f64x2)
#endif

namespace seamscope::tools {

static constexpr ComputeKernel Compute[] = {
    {"f32", 32, false, FlopOfPair<float>, seamscope_roof_muladd_f32_32},
    {"f64", 64, false, FlopOfPair<double>, seamscope_roof_muladd_f64_64},
    {"f32", 128, false, FlopOfPair<f32x4>, seamscope_roof_muladd_f32_128},
    {"f64", 128, false, FlopOfPair<f64x2>, seamscope_roof_muladd_f64_128},
#ifndef __x86_64__
    {"f32", 32, true, FlopOfFma<float>, seamscope_roof_fma_f32_32},
    {"f64", 64, true, FlopOfFma<double>, seamscope_roof_fma_f64_64},
    {"f32", 128, true, FlopOfFma<f32x4>, seamscope_roof_fma_f32_128},
    {"f64", 128, true, FlopOfFma<f64x2>, seamscope_roof_fma_f64_128},
#endif
};
static constexpr ArrayKernel Arrays[] = {
    {"div", "f32", 32, seamscope_roof_div_f32_32},
    {"div", "f64", 64, seamscope_roof_div_f64_64},
    {"div", "f32", 128, seamscope_roof_div_f32_128},
    {"div", "f64", 128, seamscope_roof_div_f64_128},
    {"sqrt", "f32", 32, seamscope_roof_sqrt_f32_32},
    {"sqrt", "f64", 64, seamscope_roof_sqrt_f64_64},
    {"sqrt", "f32", 128, seamscope_roof_sqrt_f32_128},
    {"sqrt", "f64", 128, seamscope_roof_sqrt_f64_128},
    {"sum", "f32", 32, seamscope_roof_sum_f32_32},
    {"sum", "f64", 64, seamscope_roof_sum_f64_64},
    {"sum", "f32", 128, seamscope_roof_sum_f32_128},
    {"sum", "f64", 128, seamscope_roof_sum_f64_128},
    {"stored_sum", "f32", 32, seamscope_roof_storedsum_f32_32},
    {"stored_sum", "f64", 64, seamscope_roof_storedsum_f64_64},
    {"stored_sum", "f32", 128, seamscope_roof_storedsum_f32_128},
    {"stored_sum", "f64", 128, seamscope_roof_storedsum_f64_128},
    INTEGER_SET(128),
#ifdef __x86_64__
    {"max", "f32", 128, seamscope_roof_max_f32_128},
    {"max", "f64", 128, seamscope_roof_max_f64_128},
    {"independent_max", "f32", 128, seamscope_roof_independentmax_f32_128},
    {"independent_max", "f64", 128, seamscope_roof_independentmax_f64_128},
#endif
};

#ifdef __x86_64__
static constexpr const char *Name = "sse2";
#else
static constexpr const char *Name = "asimd";
#endif
const KernelSet BaselineKernels = {
    Name, Compute, COUNT_OF(Compute), {128, MEMORY_SET(128)}, Arrays, COUNT_OF(Arrays), {}, {}};

} // namespace seamscope::tools
