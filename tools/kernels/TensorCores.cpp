//===- TensorCores.cpp - use of matrix units, from a kernel's name --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/TensorCores.h"

#include "kernels/Category.h"

namespace seamscope::tools {
namespace {

using enum TensorCoreUse;

enum class Match : uint8_t { Start, Anywhere };
/// Whether kernels that match a rule use matrix units.
enum class Answer : uint8_t {
  No,
  Yes,
  ByType,     ///< depends on the element type
  ByTypeTF32, ///< depends on the element type; float32 may use them
};

struct Rule {
  Match How;
  std::string_view Text;
  Answer Use;
  std::string_view Reason;
};

constexpr std::string_view Layout = "changes a layout";
constexpr std::string_view Pointwork = "pointwise and reduction kernels do not multiply matrices";
constexpr std::string_view Dot = "a Triton kernel with tl.dot";
constexpr std::string_view Tensorop = "CUTLASS: the operator class is a tensor operation";
constexpr std::string_view Mma = "the name contains the shape of a tensor core instruction";
constexpr std::string_view Simt = "the name says SIMT: multiply-adds on the ordinary units";
constexpr std::string_view Helper = "prepares or finishes a matrix multiplication";

// The first matching rule decides, so specific rules come first.
constexpr Rule Rules[] = {
    // Kernels around a multiplication, whose names contain words of the rules below.
    {Match::Anywhere, "SubTensorOp", Answer::No, Layout},
    {Match::Anywhere, "nchwToNhwc", Answer::No, Layout},
    {Match::Anywhere, "nhwcToNchw", Answer::No, Layout},
    {Match::Anywhere, "nhwcToFoldedNhwc", Answer::No, Layout},
    {Match::Anywhere, "batched_transpose", Answer::No, Layout},
    {Match::Anywhere, "im2col", Answer::No, Layout},
    {Match::Anywhere, "Im2d2Col", Answer::No, Layout},
    {Match::Anywhere, "col2im", Answer::No, Layout},
    {Match::Anywhere, "epilogue::impl::globalKernel", Answer::No, Helper},
    {Match::Anywhere, "rotary_embedding", Answer::No, Pointwork},
    {Match::Anywhere, "Rmsnorm", Answer::No, Pointwork},
    {Match::Anywhere, "Layernorm", Answer::No, Pointwork},
    {Match::Anywhere, "splitKreduce", Answer::No, Helper},
    {Match::Anywhere, "splitkreduce", Answer::No, Helper},
    {Match::Anywhere, "splitk_combine", Answer::No, Helper},
    {Match::Anywhere, "splitkv_combine", Answer::No, Helper},
    {Match::Anywhere, "reduce_segments", Answer::No, Helper},
    {Match::Anywhere, "matmul_scatter", Answer::No, Helper},
    {Match::Anywhere, "PostGSU", Answer::No, Helper},
    {Match::Anywhere, "convert_dq", Answer::No, Helper},
    {Match::Anywhere, "convert_dkv", Answer::No, Helper},
    {Match::Anywhere, "bwd_preprocess", Answer::No, Helper},
    {Match::Anywhere, "bwd_dot_do_o", Answer::No, Helper},
    {Match::Anywhere, "computeOffsetsKernel", Answer::No, Helper},
    {Match::Anywhere, "winogradForwardFilter", Answer::No, Helper},
    {Match::Anywhere, "winogradForwardData", Answer::No, Helper},
    {Match::Anywhere, "winogradForwardOutput", Answer::No, Helper},
    {Match::Anywhere, "reshape_and_cache", Answer::No, Helper},
    // Inductor's fused kernels have no tl.dot; its templates do.
    {Match::Start, "triton_poi_", Answer::No, "a fused pointwise kernel"},
    {Match::Start, "triton_red_", Answer::No, "a fused reduction"},
    {Match::Start, "triton_per_", Answer::No, "a fused reduction"},
    {Match::Start, "triton_for_", Answer::No, "a fused kernel over a list of tensors"},
    {Match::Start, "triton_spl", Answer::No, "a fused scan"},
    {Match::Start, "triton_tem_", Answer::ByTypeTF32, Dot},
    {Match::Start, "triton_mm", Answer::ByTypeTF32, Dot},
    {Match::Start, "triton_bmm", Answer::ByTypeTF32, Dot},
    {Match::Start, "triton_convolution", Answer::ByTypeTF32, Dot},
    {Match::Start, "triton_flex_attention", Answer::ByTypeTF32, Dot},
    {Match::Start, "triton_flex_decoding", Answer::ByTypeTF32, Dot},
    // CUTLASS and the libraries built on it name the kind of multiplication.
    {Match::Anywhere, "OpClassTensorOp", Answer::Yes, Tensorop},
    {Match::Anywhere, "tensorop", Answer::Yes, Tensorop},
    {Match::Anywhere, "OpClassSimt", Answer::No, Simt},
    {Match::Anywhere, "simt_", Answer::No, Simt},
    {Match::Anywhere, "MmaSimt", Answer::No, Simt},
    {Match::Anywhere, "_sm50", Answer::No, "built for devices without tensor cores"},
    {Match::Anywhere, "Gmma", Answer::Yes, "the name contains Hopper's warp group instruction"},
    {Match::Anywhere, "GMMA", Answer::Yes, "the name contains Hopper's warp group instruction"},
    {Match::Anywhere, "SM90_64x", Answer::Yes, "the name contains Hopper's warp group instruction"},
    {Match::Anywhere, "Umma", Answer::Yes, "the name contains Blackwell's instruction"},
    {Match::Anywhere, "UMMA", Answer::Yes, "the name contains Blackwell's instruction"},
    {Match::Anywhere, "SM100_MMA", Answer::Yes, "the name contains Blackwell's instruction"},
    {Match::Anywhere, "SM80_16x8", Answer::Yes, Mma},
    {Match::Anywhere, "m16n8k", Answer::Yes, Mma},
    {Match::Anywhere, "wgmma", Answer::Yes, "the name contains Hopper's warp group instruction"},
    {Match::Anywhere, "tcgen05", Answer::Yes, "the name contains Blackwell's instruction"},
    {Match::Anywhere, "utcmma", Answer::Yes, "the name contains Blackwell's instruction"},
    // cuBLAS and cuDNN before Hopper: an instruction's letter and its m, n, k in one word.
    {Match::Anywhere, "h884", Answer::Yes, Mma},
    {Match::Anywhere, "s884", Answer::Yes, Mma},
    {Match::Anywhere, "i8816", Answer::Yes, Mma},
    {Match::Anywhere, "i16832", Answer::Yes, Mma},
    {Match::Anywhere, "16816", Answer::Yes, Mma},
    {Match::Anywhere, "161616gemm", Answer::Yes, Mma},
    {Match::Anywhere, "16864", Answer::Yes, Mma},
    {Match::Anywhere, "s1688", Answer::Yes, Mma},
    {Match::Anywhere, "h1688", Answer::Yes, Mma},
    {Match::Anywhere, "c1688", Answer::Yes, Mma},
    {Match::Anywhere, "z884", Answer::Yes, Mma},
    {Match::Anywhere, "d884", Answer::Yes, Mma},
    {Match::Anywhere, "tensor16x8x", Answer::Yes, Mma},
    {Match::Anywhere, "tensor8x8x", Answer::Yes, Mma},
    {Match::Anywhere, "tensor64x", Answer::Yes, Mma},
    {Match::Anywhere, "tensor128x", Answer::Yes, Mma},
    {Match::Anywhere, "hmma", Answer::Yes, Mma},
    {Match::Anywhere, "imma", Answer::Yes, Mma},
    {Match::Anywhere, "bmma", Answer::Yes, Mma},
    {Match::Anywhere, "dmma", Answer::Yes, Mma},
    {Match::Anywhere, "qmma", Answer::Yes, Mma},
    {Match::Anywhere, "tf32f32", Answer::Yes, "TF32, a format of tensor cores"},
    {Match::Anywhere, "_tf32", Answer::Yes, "TF32, a format of tensor cores"},
    {Match::Anywhere, "f32f32_f32f32_f32", Answer::No, Simt},
    {Match::Anywhere, "_ffma_", Answer::No, Simt},
    {Match::Anywhere, "xmma_", Answer::Yes, "an xmma kernel"},
    {Match::Start, "nvjet_", Answer::Yes,
     "cuBLAS for Hopper and Blackwell, which has only tensor core kernels"},
    {Match::Anywhere, "cutlass3x", Answer::Yes, "CUTLASS 3, for Hopper and later"},
    {Match::Anywhere, "sm90_", Answer::Yes, "a library's kernel for Hopper's tensor cores"},
    {Match::Anywhere, "sm100", Answer::Yes, "a library's kernel for Blackwell's tensor cores"},
    {Match::Anywhere, "sm103", Answer::Yes, "a library's kernel for Blackwell's tensor cores"},
    {Match::Anywhere, "sm120", Answer::Yes, "a library's kernel for Blackwell's tensor cores"},
    {Match::Anywhere, "deep_gemm", Answer::Yes, "DeepGEMM, which is for tensor cores"},
    {Match::Anywhere, "marlin", Answer::Yes, "Marlin, which is for tensor cores"},
    {Match::Anywhere, "Marlin", Answer::Yes, "Marlin, which is for tensor cores"},
    {Match::Anywhere, "first_layer_wgrad_kernel", Answer::Yes, "a cuDNN kernel on tensor cores"},
    {Match::Anywhere, "dgrad_1x1_stride_2x2", Answer::Yes, "a cuDNN kernel on tensor cores"},
    // Attention.
    {Match::Anywhere, "flash_fwd", Answer::Yes, "FlashAttention"},
    {Match::Anywhere, "flash_bwd", Answer::Yes, "FlashAttention"},
    {Match::Anywhere, "FlashAttnFwd", Answer::Yes, "FlashAttention"},
    {Match::Anywhere, "FlashAttnBwd", Answer::Yes, "FlashAttention"},
    {Match::Anywhere, "sdpa_sm", Answer::Yes, "cuDNN's attention"},
    {Match::Anywhere, "native_sdpa", Answer::Yes, "cuDNN's attention"},
    {Match::Anywhere, "fmha_cutlassF_f32", Answer::ByTypeTF32, "an attention kernel of CUTLASS"},
    {Match::Anywhere, "fmha_cutlassB_f32", Answer::ByTypeTF32, "an attention kernel of CUTLASS"},
    {Match::Anywhere, "fmha", Answer::Yes, "a fused attention kernel"},
    {Match::Anywhere, "Fmha", Answer::Yes, "a fused attention kernel"},
    // Composable Kernel and MIOpen.
    {Match::Anywhere, "Xdl", Answer::Yes, "Composable Kernel: XDL means MFMA"},
    {Match::Anywhere, "_xdl", Answer::Yes, "Composable Kernel: XDL means MFMA"},
    {Match::Anywhere, "mfma", Answer::Yes, "the name contains AMD's matrix instruction"},
    {Match::Anywhere, "MFMA", Answer::Yes, "the name contains AMD's matrix instruction"},
    {Match::Anywhere, "Mfma", Answer::Yes, "the name contains AMD's matrix instruction"},
    {Match::Anywhere, "wmma", Answer::Yes, "the name contains a matrix instruction"},
    {Match::Anywhere, "Wmma", Answer::Yes, "the name contains a matrix instruction"},
    {Match::Anywhere, "WMMA", Answer::Yes, "the name contains a matrix instruction"},
    {Match::Anywhere, "DeviceGemmDl", Answer::No, "Composable Kernel: DL means the vector units"},
    {Match::Anywhere, "_dl_", Answer::No, "Composable Kernel: DL means the vector units"},
    {Match::Anywhere, "gtcx", Answer::Yes, "MIOpen's implicit GEMM on MFMA"},
    {Match::Anywhere, "gtcn", Answer::No, "MIOpen's implicit GEMM without MFMA"},
    {Match::Anywhere, "miopenSp3AsmConv", Answer::No,
     "MIOpen's Winograd kernel on the vector units"},
    {Match::Anywhere, "wvSplitK", Answer::ByType, "a kernel of vLLM for AMD"},
    // AOTriton's and other Triton kernels.
    {Match::Anywhere, "_bf16x", Answer::Yes, "a Triton kernel for bfloat16"},
    {Match::Anywhere, "_fp16x", Answer::Yes, "a Triton kernel for float16"},
    {Match::Anywhere, "attn_fwd", Answer::ByTypeTF32, Dot},
    {Match::Anywhere, "attn_bwd", Answer::ByTypeTF32, Dot},
    {Match::Anywhere, "bwd_kernel_dk_dv", Answer::ByTypeTF32, Dot},
    {Match::Anywhere, "bwd_kernel_dq", Answer::ByTypeTF32, Dot},
    {Match::Anywhere, "kernel_unified_attention", Answer::ByTypeTF32, Dot},
    {Match::Anywhere, "_matmul_ogs", Answer::ByTypeTF32, Dot},
    {Match::Anywhere, "fused_moe_kernel", Answer::ByTypeTF32, Dot},
    // The classic kernels of cuBLAS and cuDNN, named after their type alone.
    {Match::Anywhere, "sgemm", Answer::No, "single precision on the ordinary units"},
    {Match::Anywhere, "dgemm", Answer::No, "double precision on the ordinary units"},
    {Match::Anywhere, "cgemm", Answer::No, "complex numbers on the ordinary units"},
    {Match::Anywhere, "zgemm", Answer::No, "complex numbers on the ordinary units"},
    {Match::Anywhere, "scudnn", Answer::No, "single precision on the ordinary units"},
    {Match::Anywhere, "gemv", Answer::No, "a product with a vector"},
    {Match::Anywhere, "gemmSN", Answer::No, "cuBLAS's kernel for small matrices"},
    {Match::Anywhere, "gemmk1", Answer::No, "cuBLAS's kernel for an inner size of 1"},
    {Match::Anywhere, "dot_kernel", Answer::No, "a product of vectors"},
    {Match::Anywhere, "hgemm", Answer::No, "half precision on the ordinary units"},
    {Match::Anywhere, "at::native::", Answer::No,
     "torch's own kernel, which multiplies no matrices"},
    {Match::Anywhere, "implicit_convolve_", Answer::No, "cuDNN's kernel on the ordinary units"},
    {Match::Anywhere, "fft2d", Answer::No, "a Fourier transform"},
};

bool fits(const Rule &Known, std::string_view Name) {
  return Known.How == Match::Start ? Name.starts_with(Known.Text)
                                   : Name.find(Known.Text) != Name.npos;
}

/// Tensile names the shape of the matrix instruction, as in MI16x16x1. MI1x... or no shape means
/// the vector units.
TensorCoreVerdict tensileVerdict(std::string_view Name) {
  if (Name.find("_MFMA") != Name.npos)
    return {Yes, "Tensile: MFMA"};
  const size_t At = Name.find("_MI");
  const bool HasShape = At != Name.npos && At + 3 < Name.size() && Name[At + 3] >= '1' &&
                        Name[At + 3] <= '9' && Name.find('x', At) != Name.npos;
  if (HasShape && Name.substr(At + 3, 2) != "1x")
    return {Yes, "Tensile: the name contains the shape of a matrix instruction"};
  return {No, "Tensile: the name does not contain a matrix instruction"};
}

/// The verdict for a kernel that is compiled for its element type and uses matrix units if they
/// support that type.
TensorCoreVerdict byType(DType Elements, bool TF32) {
  switch (Elements) {
  case DType::Float16:
  case DType::BFloat16:
  case DType::Float8:
  case DType::Float4:
  case DType::Int8:
  case DType::UInt8:
    return {Yes, "compiled for its element type, which tensor cores support"};
  case DType::Float32:
    if (TF32)
      return {Unknown, "float32 uses tensor cores if TF32 is allowed, which the name does not say"};
    return {No, "compiled for float32"};
  case DType::Unknown:
    return {Unknown, "compiled for its element type, which the trace does not record"};
  default:
    return {Unknown, "compiled for its element type, for which not every device has tensor cores"};
  }
}

} // namespace

TensorCoreVerdict tensorCoreUse(std::string_view KernelName, DType Elements) {
  // Limits the time for very long names; what distinguishes kernels comes early in the name.
  KernelName = KernelName.substr(0, 4096);
  if (KernelName.starts_with("Cijk_"))
    return tensileVerdict(KernelName);
  for (const Rule &Known : Rules)
    if (fits(Known, KernelName))
      switch (Known.Use) {
      case Answer::No:
        return {No, Known.Reason};
      case Answer::Yes:
        return {Yes, Known.Reason};
      case Answer::ByType:
        return byType(Elements, false);
      case Answer::ByTypeTF32:
        return byType(Elements, true);
      }
  switch (categorize(KernelName)) {
  case KernelCategory::Pointwise:
  case KernelCategory::Reduction:
  case KernelCategory::PersistentReduction:
  case KernelCategory::Foreach:
    return {No, Pointwork};
  case KernelCategory::Copy:
    return {No, "a copy"};
  case KernelCategory::Collective:
    return {No, "communication"};
  default:
    return {Unknown, "no rule for this name"};
  }
}

} // namespace seamscope::tools
