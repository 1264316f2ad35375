//===- CategoryTest.cpp - what kernels do, by their names -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/Category.h"

#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

TEST(Category, NamesOfTheLibraries) {
  using enum KernelCategory;
  const struct {
    const char *Name;
    KernelCategory Category;
  } Known[] = {
      {"triton_poi_fused_add_cos_sin_0", Pointwise},
      {"triton_red_fused_mean_1", Reduction},
      {"triton_per_fused_native_layer_norm_2", PersistentReduction},
      {"triton_for_fused_3", Foreach},
      {"triton_tem_fused_mm_4", Template},
      {"cpp_fused_add_mul_0", Pointwise},
      {"graph_0_cpp_fused_mean_1", Pointwise},
      {"ampere_sgemm_32x32_sliced1x4_tn", ExternMM},
      {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_cublas", ExternMM},
      {"nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNT", ExternMM},
      {"void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_32x32_128x2_tn_align8>"
       "(cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_32x32_128x2_tn_align8::Params)",
       ExternMM},
      {"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x192x64_MI16x16x1", ExternMM},
      {"sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw", Convolution},
      {"cudnn_ampere_scudnn_128x64_relu_xregs_large_nn_v1", Convolution},
      {"void cudnn::winograd_nonfused::winogradForwardData4x4<float, float>()", Convolution},
      {"miopenSp3AsmConv_v30_3_1_gfx9_fp32_f2x3_stride1", Convolution},
      {"igemm_fwd_gtcx2_nhwc_fp16_bx0_ex1", Convolution},
      {"void pytorch_flash::flash_fwd_splitkv_kernel<>()", Attention},
      {"fmha_cutlassF_f16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel<>)",
       Attention},
      {"attn_fwd", Attention},
      {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", Collective},
      {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", Collective},
      {"Memcpy HtoD (Pageable -> Device)", Copy},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
       "at::detail::Array<char*, 1> >(int)",
       Pointwise},
      {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>(int)", Reduction},
      {"void (anonymous namespace)::softmax_warp_forward<float, float, float, 8, false>()",
       Reduction},
      {"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<>()", Foreach},
      {"void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, unsigned int, 2>()",
       Copy},
      {"my_own_kernel", Other},
      {"", Other},
  };
  for (const auto &[Name, Category] : Known)
    EXPECT_EQ(categoryName(categorize(Name)), categoryName(Category)) << Name;
}

} // namespace
} // namespace seamscope::tools
