//===- KernelsAvx512.cpp - measuring loops of AVX-512 ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "machine/KernelBody.h"

namespace {

inline f32x16 root(f32x16 Of) { return _mm512_maskz_sqrt_ps(0xffff, Of); }
inline f64x8 root(f64x8 Of) { return _mm512_maskz_sqrt_pd(0xff, Of); }
// As torch's vectors: all bits are set where an operand is NaN.
inline f32x16 larger(f32x16 A, f32x16 B) {
  const __mmask16 IsNan = _mm512_cmp_ps_mask(A, B, _CMP_UNORD_Q);
  return _mm512_mask_mov_ps(_mm512_maskz_max_ps(0xffff, A, B), IsNan,
                            _mm512_castsi512_ps(_mm512_set1_epi32(-1)));
}
inline f64x8 larger(f64x8 A, f64x8 B) {
  const __mmask8 IsNan = _mm512_cmp_pd_mask(A, B, _CMP_UNORD_Q);
  return _mm512_mask_mov_pd(_mm512_maskz_max_pd(0xff, A, B), IsNan,
                            _mm512_castsi512_pd(_mm512_set1_epi64(-1)));
}

} // namespace

MULTIPLY_ADD_KERNEL(f32_512, f32x16)
MULTIPLY_ADD_KERNEL(f64_512, f64x8)
MULTIPLY_AND_ADD_KERNEL(f32_512, f32x16)
MULTIPLY_AND_ADD_KERNEL(f64_512, f64x8)
MEMORY_KERNELS(512, f64x8)
ARRAY_KERNELS(f32_512, f32x16, root)
ARRAY_KERNELS(f64_512, f64x8, root)
MAXIMUM_KERNELS(f32_512, f32x16, larger)
MAXIMUM_KERNELS(f64_512, f64x8, larger)
INTEGER_KERNELS(512)

namespace seamscope::tools {

static constexpr ComputeKernel Compute[] = {
    {"f32", 512, true, FlopOfFma<f32x16>, seamscope_roof_fma_f32_512},
    {"f64", 512, true, FlopOfFma<f64x8>, seamscope_roof_fma_f64_512},
    {"f32", 512, false, FlopOfPair<f32x16>, seamscope_roof_muladd_f32_512},
    {"f64", 512, false, FlopOfPair<f64x8>, seamscope_roof_muladd_f64_512},
};
static constexpr ArrayKernel Arrays[] = {
    {"div", "f32", 512, seamscope_roof_div_f32_512},
    {"div", "f64", 512, seamscope_roof_div_f64_512},
    {"sqrt", "f32", 512, seamscope_roof_sqrt_f32_512},
    {"sqrt", "f64", 512, seamscope_roof_sqrt_f64_512},
    {"sum", "f32", 512, seamscope_roof_sum_f32_512},
    {"sum", "f64", 512, seamscope_roof_sum_f64_512},
    {"stored_sum", "f32", 512, seamscope_roof_storedsum_f32_512},
    {"stored_sum", "f64", 512, seamscope_roof_storedsum_f64_512},
    {"max", "f32", 512, seamscope_roof_max_f32_512},
    {"max", "f64", 512, seamscope_roof_max_f64_512},
    {"independent_max", "f32", 512, seamscope_roof_independentmax_f32_512},
    {"independent_max", "f64", 512, seamscope_roof_independentmax_f64_512},
    INTEGER_SET(512),
};

const KernelSet Avx512Kernels = {"avx512f",
                                 Compute,
                                 COUNT_OF(Compute),
                                 {512, MEMORY_SET(512)},
                                 Arrays,
                                 COUNT_OF(Arrays),
                                 {callOne<f32x16>, callTwo<f32x16>},
                                 {callOne<f64x8>, callTwo<f64x8>}};

} // namespace seamscope::tools
