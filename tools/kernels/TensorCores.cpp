//===- TensorCores.cpp - whether a kernel uses matrix units, by its name --===//
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
/// What the rule says.
enum class Says : uint8_t {
  No,
  Yes,
  ByType,     ///< the element type decides
  ByTypeTF32, ///< so it does, and float32 goes either way
};

struct Rule {
  Match How;
  std::string_view Text;
  Says What;
  std::string_view Reason;
};

constexpr std::string_view Layout = "changes a layout";
constexpr std::string_view Pointwork = "pointwise work and reductions multiply no matrices";
constexpr std::string_view Dot = "tl.dot of a Triton kernel";
constexpr std::string_view Tensorop = "CUTLASS: the operator class is a tensor operation";
constexpr std::string_view Mma = "the name has a tensor core instruction's shape";
constexpr std::string_view Simt = "the name says SIMT: multiply-adds of the ordinary units";
constexpr std::string_view Helper = "helps a multiplication, multiplies nothing itself";

// The first rule that fits decides: what is more particular stands first.
constexpr Rule Rules[] = {
    // Kernels beside the multiplication, whose names hold words of the rules below.
    {Match::Anywhere, "SubTensorOp", Says::No, Layout},
    {Match::Anywhere, "nchwToNhwc", Says::No, Layout},
    {Match::Anywhere, "nhwcToNchw", Says::No, Layout},
    {Match::Anywhere, "nhwcToFoldedNhwc", Says::No, Layout},
    {Match::Anywhere, "batched_transpose", Says::No, Layout},
    {Match::Anywhere, "im2col", Says::No, Layout},
    {Match::Anywhere, "Im2d2Col", Says::No, Layout},
    {Match::Anywhere, "col2im", Says::No, Layout},
    {Match::Anywhere, "epilogue::impl::globalKernel", Says::No, Helper},
    {Match::Anywhere, "rotary_embedding", Says::No, Pointwork},
    {Match::Anywhere, "Rmsnorm", Says::No, Pointwork},
    {Match::Anywhere, "Layernorm", Says::No, Pointwork},
    {Match::Anywhere, "splitKreduce", Says::No, Helper},
    {Match::Anywhere, "splitkreduce", Says::No, Helper},
    {Match::Anywhere, "splitk_combine", Says::No, Helper},
    {Match::Anywhere, "splitkv_combine", Says::No, Helper},
    {Match::Anywhere, "reduce_segments", Says::No, Helper},
    {Match::Anywhere, "matmul_scatter", Says::No, Helper},
    {Match::Anywhere, "PostGSU", Says::No, Helper},
    {Match::Anywhere, "convert_dq", Says::No, Helper},
    {Match::Anywhere, "convert_dkv", Says::No, Helper},
    {Match::Anywhere, "bwd_preprocess", Says::No, Helper},
    {Match::Anywhere, "bwd_dot_do_o", Says::No, Helper},
    {Match::Anywhere, "computeOffsetsKernel", Says::No, Helper},
    {Match::Anywhere, "winogradForwardFilter", Says::No, Helper},
    {Match::Anywhere, "winogradForwardData", Says::No, Helper},
    {Match::Anywhere, "winogradForwardOutput", Says::No, Helper},
    {Match::Anywhere, "reshape_and_cache", Says::No, Helper},
    // Inductor's fused kernels have no tl.dot; its templates do.
    {Match::Start, "triton_poi_", Says::No, "a fused pointwise kernel"},
    {Match::Start, "triton_red_", Says::No, "a fused reduction"},
    {Match::Start, "triton_per_", Says::No, "a fused reduction"},
    {Match::Start, "triton_for_", Says::No, "a fused kernel over a list of tensors"},
    {Match::Start, "triton_spl", Says::No, "a fused scan"},
    {Match::Start, "triton_tem_", Says::ByTypeTF32, Dot},
    {Match::Start, "triton_mm", Says::ByTypeTF32, Dot},
    {Match::Start, "triton_bmm", Says::ByTypeTF32, Dot},
    {Match::Start, "triton_convolution", Says::ByTypeTF32, Dot},
    {Match::Start, "triton_flex_attention", Says::ByTypeTF32, Dot},
    {Match::Start, "triton_flex_decoding", Says::ByTypeTF32, Dot},
    // CUTLASS says how it multiplies, and so do the libraries built on it.
    {Match::Anywhere, "OpClassTensorOp", Says::Yes, Tensorop},
    {Match::Anywhere, "tensorop", Says::Yes, Tensorop},
    {Match::Anywhere, "OpClassSimt", Says::No, Simt},
    {Match::Anywhere, "simt_", Says::No, Simt},
    {Match::Anywhere, "MmaSimt", Says::No, Simt},
    {Match::Anywhere, "_sm50", Says::No, "built for devices without tensor cores"},
    {Match::Anywhere, "Gmma", Says::Yes, "the name has Hopper's warp group instruction"},
    {Match::Anywhere, "GMMA", Says::Yes, "the name has Hopper's warp group instruction"},
    {Match::Anywhere, "SM90_64x", Says::Yes, "the name has Hopper's warp group instruction"},
    {Match::Anywhere, "Umma", Says::Yes, "the name has Blackwell's instruction"},
    {Match::Anywhere, "UMMA", Says::Yes, "the name has Blackwell's instruction"},
    {Match::Anywhere, "SM100_MMA", Says::Yes, "the name has Blackwell's instruction"},
    {Match::Anywhere, "SM80_16x8", Says::Yes, Mma},
    {Match::Anywhere, "m16n8k", Says::Yes, Mma},
    {Match::Anywhere, "wgmma", Says::Yes, "the name has Hopper's warp group instruction"},
    {Match::Anywhere, "tcgen05", Says::Yes, "the name has Blackwell's instruction"},
    {Match::Anywhere, "utcmma", Says::Yes, "the name has Blackwell's instruction"},
    // cuBLAS and cuDNN before Hopper: an instruction's letter and its m, n, k in one word.
    {Match::Anywhere, "h884", Says::Yes, Mma},
    {Match::Anywhere, "s884", Says::Yes, Mma},
    {Match::Anywhere, "i8816", Says::Yes, Mma},
    {Match::Anywhere, "i16832", Says::Yes, Mma},
    {Match::Anywhere, "16816", Says::Yes, Mma},
    {Match::Anywhere, "161616gemm", Says::Yes, Mma},
    {Match::Anywhere, "16864", Says::Yes, Mma},
    {Match::Anywhere, "s1688", Says::Yes, Mma},
    {Match::Anywhere, "h1688", Says::Yes, Mma},
    {Match::Anywhere, "c1688", Says::Yes, Mma},
    {Match::Anywhere, "z884", Says::Yes, Mma},
    {Match::Anywhere, "d884", Says::Yes, Mma},
    {Match::Anywhere, "tensor16x8x", Says::Yes, Mma},
    {Match::Anywhere, "tensor8x8x", Says::Yes, Mma},
    {Match::Anywhere, "tensor64x", Says::Yes, Mma},
    {Match::Anywhere, "tensor128x", Says::Yes, Mma},
    {Match::Anywhere, "hmma", Says::Yes, Mma},
    {Match::Anywhere, "imma", Says::Yes, Mma},
    {Match::Anywhere, "bmma", Says::Yes, Mma},
    {Match::Anywhere, "dmma", Says::Yes, Mma},
    {Match::Anywhere, "qmma", Says::Yes, Mma},
    {Match::Anywhere, "tf32f32", Says::Yes, "TF32, a format of tensor cores"},
    {Match::Anywhere, "_tf32", Says::Yes, "TF32, a format of tensor cores"},
    {Match::Anywhere, "f32f32_f32f32_f32", Says::No, Simt},
    {Match::Anywhere, "_ffma_", Says::No, Simt},
    {Match::Anywhere, "xmma_", Says::Yes, "an xmma kernel"},
    {Match::Start, "nvjet_", Says::Yes,
     "cuBLAS of Hopper and Blackwell, which has tensor core kernels only"},
    {Match::Anywhere, "cutlass3x", Says::Yes, "CUTLASS 3, for Hopper and later"},
    {Match::Anywhere, "sm90_", Says::Yes, "a library's kernel for Hopper's tensor cores"},
    {Match::Anywhere, "sm100", Says::Yes, "a library's kernel for Blackwell's tensor cores"},
    {Match::Anywhere, "sm103", Says::Yes, "a library's kernel for Blackwell's tensor cores"},
    {Match::Anywhere, "sm120", Says::Yes, "a library's kernel for Blackwell's tensor cores"},
    {Match::Anywhere, "deep_gemm", Says::Yes, "DeepGEMM, which is made for tensor cores"},
    {Match::Anywhere, "marlin", Says::Yes, "Marlin, which is made for tensor cores"},
    {Match::Anywhere, "Marlin", Says::Yes, "Marlin, which is made for tensor cores"},
    {Match::Anywhere, "first_layer_wgrad_kernel", Says::Yes, "cuDNN's, on tensor cores"},
    {Match::Anywhere, "dgrad_1x1_stride_2x2", Says::Yes, "cuDNN's, on tensor cores"},
    // Attention.
    {Match::Anywhere, "flash_fwd", Says::Yes, "FlashAttention"},
    {Match::Anywhere, "flash_bwd", Says::Yes, "FlashAttention"},
    {Match::Anywhere, "FlashAttnFwd", Says::Yes, "FlashAttention"},
    {Match::Anywhere, "FlashAttnBwd", Says::Yes, "FlashAttention"},
    {Match::Anywhere, "sdpa_sm", Says::Yes, "cuDNN's attention"},
    {Match::Anywhere, "native_sdpa", Says::Yes, "cuDNN's attention"},
    {Match::Anywhere, "fmha_cutlassF_f32", Says::ByTypeTF32, "an attention kernel of CUTLASS"},
    {Match::Anywhere, "fmha_cutlassB_f32", Says::ByTypeTF32, "an attention kernel of CUTLASS"},
    {Match::Anywhere, "fmha", Says::Yes, "a fused attention kernel"},
    {Match::Anywhere, "Fmha", Says::Yes, "a fused attention kernel"},
    // Composable Kernel and MIOpen.
    {Match::Anywhere, "Xdl", Says::Yes, "Composable Kernel: XDL is MFMA"},
    {Match::Anywhere, "_xdl", Says::Yes, "Composable Kernel: XDL is MFMA"},
    {Match::Anywhere, "mfma", Says::Yes, "the name has AMD's matrix instruction"},
    {Match::Anywhere, "MFMA", Says::Yes, "the name has AMD's matrix instruction"},
    {Match::Anywhere, "Mfma", Says::Yes, "the name has AMD's matrix instruction"},
    {Match::Anywhere, "wmma", Says::Yes, "the name has a matrix instruction"},
    {Match::Anywhere, "Wmma", Says::Yes, "the name has a matrix instruction"},
    {Match::Anywhere, "WMMA", Says::Yes, "the name has a matrix instruction"},
    {Match::Anywhere, "DeviceGemmDl", Says::No, "Composable Kernel: DL is the vector units"},
    {Match::Anywhere, "_dl_", Says::No, "Composable Kernel: DL is the vector units"},
    {Match::Anywhere, "gtcx", Says::Yes, "MIOpen's implicit GEMM on MFMA"},
    {Match::Anywhere, "gtcn", Says::No, "MIOpen's implicit GEMM without MFMA"},
    {Match::Anywhere, "miopenSp3AsmConv", Says::No, "MIOpen's Winograd kernel on the vector units"},
    {Match::Anywhere, "wvSplitK", Says::ByType, "a kernel of vLLM for AMD"},
    // AOTriton's and other Triton kernels.
    {Match::Anywhere, "_bf16x", Says::Yes, "a Triton kernel for bfloat16"},
    {Match::Anywhere, "_fp16x", Says::Yes, "a Triton kernel for float16"},
    {Match::Anywhere, "attn_fwd", Says::ByTypeTF32, Dot},
    {Match::Anywhere, "attn_bwd", Says::ByTypeTF32, Dot},
    {Match::Anywhere, "bwd_kernel_dk_dv", Says::ByTypeTF32, Dot},
    {Match::Anywhere, "bwd_kernel_dq", Says::ByTypeTF32, Dot},
    {Match::Anywhere, "kernel_unified_attention", Says::ByTypeTF32, Dot},
    {Match::Anywhere, "_matmul_ogs", Says::ByTypeTF32, Dot},
    {Match::Anywhere, "fused_moe_kernel", Says::ByTypeTF32, Dot},
    // The classic kernels of cuBLAS and cuDNN, named for their type alone.
    {Match::Anywhere, "sgemm", Says::No, "single precision of the ordinary units"},
    {Match::Anywhere, "dgemm", Says::No, "double precision of the ordinary units"},
    {Match::Anywhere, "cgemm", Says::No, "complex numbers on the ordinary units"},
    {Match::Anywhere, "zgemm", Says::No, "complex numbers on the ordinary units"},
    {Match::Anywhere, "scudnn", Says::No, "single precision of the ordinary units"},
    {Match::Anywhere, "gemv", Says::No, "a product with a vector"},
    {Match::Anywhere, "gemmSN", Says::No, "cuBLAS's kernel for small matrices"},
    {Match::Anywhere, "gemmk1", Says::No, "cuBLAS's kernel for an inner size of 1"},
    {Match::Anywhere, "dot_kernel", Says::No, "a product of vectors"},
    {Match::Anywhere, "hgemm", Says::No, "half precision of the ordinary units"},
    {Match::Anywhere, "at::native::", Says::No, "torch's own kernel, which multiplies no matrices"},
    {Match::Anywhere, "implicit_convolve_", Says::No, "cuDNN's kernel on the ordinary units"},
    {Match::Anywhere, "fft2d", Says::No, "a Fourier transform"},
};

bool fits(const Rule &Known, std::string_view Name) {
  return Known.How == Match::Start ? Name.starts_with(Known.Text)
                                   : Name.find(Known.Text) != Name.npos;
}

/// Tensile writes the shape of the matrix instruction as MI16x16x1, or none: MI1x... and absence
/// are the vector units.
TensorCoreVerdict ofTensile(std::string_view Name) {
  if (Name.find("_MFMA") != Name.npos)
    return {Yes, "Tensile: MFMA"};
  const size_t At = Name.find("_MI");
  const bool HasShape = At != Name.npos && At + 3 < Name.size() && Name[At + 3] >= '1' &&
                        Name[At + 3] <= '9' && Name.find('x', At) != Name.npos;
  if (HasShape && Name.substr(At + 3, 2) != "1x")
    return {Yes, "Tensile: the name has a matrix instruction's shape"};
  return {No, "Tensile: the name has no matrix instruction"};
}

/// A kernel that is compiled for its type and multiplies on matrix units where they take it.
TensorCoreVerdict byType(DType Elements, bool TF32) {
  switch (Elements) {
  case DType::Float16:
  case DType::BFloat16:
  case DType::Float8:
  case DType::Float4:
  case DType::Int8:
  case DType::UInt8:
    return {Yes, "compiled for its element type, which tensor cores take"};
  case DType::Float32:
    if (TF32)
      return {Unknown,
              "float32 goes to tensor cores where TF32 is allowed, which the name does not "
              "tell"};
    return {No, "compiled for float32"};
  case DType::Unknown:
    return {Unknown, "compiled for its element type, which the trace does not tell"};
  default:
    return {Unknown, "compiled for its element type, which not every device has tensor cores for"};
  }
}

} // namespace

TensorCoreVerdict tensorCoreUse(std::string_view KernelName, DType Elements) {
  // What tells stands early; a name can be of any length.
  KernelName = KernelName.substr(0, 4096);
  if (KernelName.starts_with("Cijk_"))
    return ofTensile(KernelName);
  for (const Rule &Known : Rules)
    if (fits(Known, KernelName))
      switch (Known.What) {
      case Says::No:
        return {No, Known.Reason};
      case Says::Yes:
        return {Yes, Known.Reason};
      case Says::ByType:
        return byType(Elements, false);
      case Says::ByTypeTF32:
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
    return {Unknown, "no rule knows this name"};
  }
}

} // namespace seamscope::tools
