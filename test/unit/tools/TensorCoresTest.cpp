//===- TensorCoresTest.cpp - matrix units, by kernels' names --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/TensorCores.h"

#include <gtest/gtest.h>

#include <string>

namespace seamscope::tools {
namespace {

using enum TensorCoreUse;

TEST(TensorCores, NamesOfTheLibraries) {
  const struct {
    const char *Name;
    TensorCoreUse Use;
  } Known[] = {
      // cuBLAS from Volta to Blackwell.
      {"volta_fp16_s884gemm_fp16_64x128_ldg8_f2f_tn", Yes},
      {"volta_h884gemm_256x64_ldg8_nn", Yes},
      {"volta_sgemm_128x32_nt", No},
      {"turing_fp16_s1688gemm_fp16_128x128_ldg8_f2f_tn", Yes},
      {"ampere_fp16_s16816gemm_fp16_64x64_ldg8_f2f_stages_64x5_tn", Yes},
      {"ampere_sgemm_32x32_sliced1x4_tn", No},
      {"ampere_gcgemm_64x64_nt", No},
      {"ampere_dgemm_128x64_tn", No},
      {"turing_int8_i8816gemm_int8_128x128_ldg16_relu_stages_64x3_tn", Yes},
      {"sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x16_stage4_warpsize2x2x1_"
       "tensor16x8x8",
       Yes},
      {"sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8_stage3_warpsize2x2x1_ffma_aligna4",
       No},
      {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_warpgroupsize1x1x1_cublas", Yes},
      {"nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNT", Yes},
      {"nvjet_tst_256x96_64x5_2x1_2cta_v_badd_NNT", Yes},
      {"void cublasLt::splitKreduce_kernel<32, 16, int, float, __half>()", No},
      {"void gemv2T_kernel_val<int, int, float, float, float>()", No},
      // CUTLASS.
      {"void "
       "cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_32x32_128x2_tn_align8>()",
       Yes},
      {"void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x64_16x6_nn_align4>()", Yes},
      {"void cutlass::Kernel<cutlass_80_simt_sgemm_128x64_8x5_nn_align1>()", No},
      {"void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<"
       "cutlass::gemm::collective::CollectiveMma<cutlass::gemm::MainloopSm90TmaGmmaWarpSpecialized>"
       ">>()",
       Yes},
      // cuDNN.
      {"sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw_tilesize128x128x16",
       Yes},
      {"cudnn_ampere_scudnn_128x64_relu_xregs_large_nn_v1", No},
      {"void cask_cudnn::computeOffsetsKernel<false, false>(cask_cudnn::ComputeOffsetsParams)", No},
      {"void cudnn::ops::nchwToNhwcKernel<__half, __half, float>()", No},
      {"void fft2d_r2c_32x32<float, false, 5u, true>()", No},
      {"cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x128", Yes},
      // Attention.
      {"void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128>>()",
       Yes},
      {"void pytorch_flash::flash_fwd_splitkv_combine_kernel<>()", No},
      {"void flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<128>>()", Yes},
      {"fmha_cutlassF_f16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel<>)", Yes},
      {"fmha_cutlassF_f16_notaligned_64x64_rf_sm50(PyTorchMemEffAttention::AttentionKernel<>)", No},
      // AMD.
      {"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x192x64_MI16x16x1_SN_LDSB1", Yes},
      {"Cijk_Ailk_Bljk_HBH_MT128x128x32_MFMA_SE", Yes},
      {"Cijk_Ailk_Bljk_SB_MT64x64x8_SE_APM1_AF0EM1_MIAV0", No},
      {"_ZN2ck16tensor_operation6device22DeviceGemmXdlUniversalE", Yes},
      {"void ck::kernel_gemm_xdl_cshuffle_v3<>()", Yes},
      {"igemm_fwd_gtcx2_nhwc_bf16_bx0_ex1_bt128x128x32", Yes},
      {"miopenSp3AsmConv_v30_3_1_gfx9_fp32_f2x3_stride1", No},
      {"SubTensorOpWithScalar1d", No},
      {"batched_transpose_64x64_pack_4x4_ediv_4x4_half", No},
      // torch's own, Inductor's and others'.
      {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>()",
       No},
      {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>()", No},
      {"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<>()", No},
      {"void at::native::tinygemm_m16n8k16_chunk_kernel<>()", Yes},
      {"triton_poi_fused_add_cos_sin_0", No},
      {"triton_per_fused_native_layer_norm_2", No},
      {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", No},
      {"_matmul_ogs_NNT_bf16xbf16xmxfp4_16x128x256x1", Yes},
      {"something_of_the_user", Unknown},
      {"", Unknown},
  };
  for (const auto &[Name, Use] : Known)
    EXPECT_EQ(tensorCoreUse(Name).Use, Use) << Name << ": " << tensorCoreUse(Name).Reason;
}

TEST(TensorCores, TheTypeDecidesForTriton) {
  for (const char *Name : {"triton_tem_fused_addmm_0", "triton_mm", "attn_fwd"}) {
    EXPECT_EQ(tensorCoreUse(Name).Use, Unknown) << Name;
    EXPECT_EQ(tensorCoreUse(Name, DType::BFloat16).Use, Yes) << Name;
    EXPECT_EQ(tensorCoreUse(Name, DType::Float8).Use, Yes) << Name;
    EXPECT_EQ(tensorCoreUse(Name, DType::Float32).Use, Unknown) << Name;
    EXPECT_NE(tensorCoreUse(Name, DType::Float32).Reason.find("TF32"), std::string_view::npos);
  }
  // Where the name says it, the type says nothing.
  EXPECT_EQ(tensorCoreUse("ampere_sgemm_32x32_tn", DType::BFloat16).Use, No);
  EXPECT_EQ(tensorCoreUse("triton_poi_fused_add_0", DType::BFloat16).Use, No);
}

TEST(TensorCores, EveryAnswerHasAReason) {
  for (const char *Name :
       {"nvjet_x", "volta_sgemm_x", "Cijk_x", "what", "triton_tem_x", "Memcpy DtoD"})
    EXPECT_FALSE(tensorCoreUse(Name).Reason.empty()) << Name;
}

TEST(TensorCores, ALongNameIsNoTrouble) {
  EXPECT_EQ(tensorCoreUse(std::string(10 << 20, 'x')).Use, Unknown);
  EXPECT_EQ(tensorCoreUse("Cijk_" + std::string(10 << 20, '_')).Use, No);
}

} // namespace
} // namespace seamscope::tools
