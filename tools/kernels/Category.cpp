//===- Category.cpp - category of a kernel from its name ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/Category.h"

#include <array>
#include <cstdint>
#include <iterator>

namespace seamscope::tools {
namespace {

enum class Match : uint8_t { Start, Anywhere };
using enum KernelCategory;

struct Rule {
  Match How;
  std::string_view Text;
  KernelCategory Category;
};

// The first matching rule decides, so specific rules come first.
constexpr Rule Rules[] = {
    // NCCL, RCCL, MSCCL, and PyTorch's symmetric-memory and custom all-reduce.
    {Match::Start, "nccl", Collective},
    {Match::Start, "hcom_", Collective},
    {Match::Start, "ncclKernel", Collective},
    {Match::Anywhere, "ncclDevKernel", Collective},
    {Match::Anywhere, "rccl", Collective},
    {Match::Anywhere, "msccl", Collective},
    {Match::Anywhere, "all_reduce", Collective},
    {Match::Anywhere, "cross_device_reduce", Collective},
    {Match::Anywhere, "allreduce_", Collective},
    // Inductor.
    {Match::Start, "triton_poi_", Pointwise},
    {Match::Start, "triton_red_", Reduction},
    {Match::Start, "triton_per_", PersistentReduction},
    {Match::Start, "triton_for_", Foreach},
    {Match::Start, "triton_mm", Template},
    {Match::Start, "triton_bmm", Template},
    {Match::Start, "triton_convolution", Template},
    {Match::Start, "triton_flex_attention", Attention},
    {Match::Start, "triton_tem_fused_flex_attention", Attention},
    {Match::Start, "triton_tem_", Template},
    {Match::Start, "triton_spl", Reduction},
    {Match::Anywhere, "cpp_fused_", Pointwise},
    {Match::Anywhere, "_micro_gemm", Template},
    {Match::Anywhere, "cpp_CppMicroGemm", Template},
    {Match::Anywhere, "cpp_gemm", Template},
    // Attention: FlashAttention, CUTLASS's and cuDNN's, CK's and AOTriton's, vLLM's.
    {Match::Anywhere, "flash_fwd", Attention},
    {Match::Anywhere, "flash_bwd", Attention},
    {Match::Anywhere, "flash::", Attention},
    {Match::Anywhere, "FlashAttn", Attention},
    {Match::Anywhere, "fmha", Attention},
    {Match::Anywhere, "sdpa", Attention}, // cuDNN's names also contain "fprop", as convolutions do
    {Match::Anywhere, "compute_dot_do_o", Attention},
    {Match::Anywhere, "convert_dq_to", Attention},
    {Match::Anywhere, "attn_fwd", Attention},
    {Match::Anywhere, "attn_bwd", Attention},
    {Match::Anywhere, "attention", Attention},
    {Match::Anywhere, "Attention", Attention},
    {Match::Anywhere, "bwd_kernel_dk_dv", Attention},
    {Match::Anywhere, "bwd_kernel_dq", Attention},
    {Match::Anywhere, "bwd_preprocess", Attention},
    // Convolutions: cuDNN, CUTLASS, MIOpen, CK, PyTorch's own.
    {Match::Anywhere, "fprop", Convolution},
    {Match::Anywhere, "dgrad", Convolution},
    {Match::Anywhere, "wgrad", Convolution},
    {Match::Anywhere, "convolve", Convolution},
    {Match::Anywhere, "scudnn", Convolution},
    {Match::Anywhere, "winograd", Convolution},
    {Match::Anywhere, "Winograd", Convolution},
    {Match::Anywhere, "convolution", Convolution},
    {Match::Anywhere, "Convolution", Convolution},
    {Match::Anywhere, "conv1d", Convolution},
    {Match::Anywhere, "conv2d", Convolution},
    {Match::Anywhere, "conv3d", Convolution},
    {Match::Anywhere, "conv_", Convolution},
    {Match::Anywhere, "_conv", Convolution},
    {Match::Anywhere, "ConvFwd", Convolution},
    {Match::Anywhere, "ConvBwd", Convolution},
    {Match::Anywhere, "ConvAsm", Convolution},
    {Match::Anywhere, "AsmConv", Convolution},
    {Match::Anywhere, "igemm_", Convolution},
    {Match::Anywhere, "im2col", Convolution},
    {Match::Anywhere, "col2im", Convolution},
    {Match::Anywhere, "Im2d2Col", Convolution},
    {Match::Anywhere, "cudnn::ops::nchwToNhwc", Convolution},
    {Match::Anywhere, "cudnn::ops::nhwcToNchw", Convolution},
    {Match::Anywhere, "nchwToNhwc", Convolution},
    {Match::Anywhere, "nhwcToNchw", Convolution},
    {Match::Anywhere, "batched_transpose", Convolution}, // MIOpen's layout changes
    {Match::Anywhere, "SubTensorOp", Convolution},
    // Matrix multiplication: cuBLAS, cuBLASLt, CUTLASS, Tensile, CK, oneDNN and MKL, Triton's.
    {Match::Anywhere, "gemm", ExternMM},
    {Match::Anywhere, "Gemm", ExternMM},
    {Match::Anywhere, "GEMM", ExternMM},
    {Match::Anywhere, "gemv", ExternMM},
    {Match::Anywhere, "gemvx", ExternMM},
    {Match::Start, "nvjet", ExternMM},
    {Match::Start, "Cijk_", ExternMM},
    {Match::Anywhere, "splitKreduce", ExternMM},
    {Match::Anywhere, "matmul", ExternMM},
    {Match::Anywhere, "dot_kernel", ExternMM},
    {Match::Anywhere, "reduce_1Block_kernel", ExternMM},
    {Match::Anywhere, "PostGSU", ExternMM},
    {Match::Anywhere, "wvSplitK", ExternMM},
    {Match::Anywhere, "cutlass", ExternMM},
    // Copies.
    {Match::Start, "Memcpy", Copy},
    {Match::Start, "Memset", Copy},
    {Match::Anywhere, "CatArrayBatchedCopy", Copy},
    {Match::Anywhere, "direct_copy_kernel", Copy},
    {Match::Anywhere, "copy_device_to_device", Copy},
    {Match::Anywhere, "__amd_rocclr_copyBuffer", Copy},
    {Match::Anywhere, "__amd_rocclr_fillBuffer", Copy},
    {Match::Anywhere, "reshape_and_cache", Copy},
    // PyTorch's eager kernels.
    {Match::Anywhere, "multi_tensor_apply", Foreach},
    {Match::Anywhere, "softmax", Reduction},
    {Match::Anywhere, "SoftMax", Reduction},
    {Match::Anywhere, "Softmax", Reduction},
    {Match::Anywhere, "layer_norm", Reduction},
    {Match::Anywhere, "LayerNorm", Reduction},
    {Match::Anywhere, "rms_norm", Reduction},
    {Match::Anywhere, "RowwiseMoments", Reduction},
    {Match::Anywhere, "batch_norm", Reduction},
    {Match::Anywhere, "bn_fw", Reduction},
    {Match::Anywhere, "bn_bw", Reduction},
    {Match::Anywhere, "BatchNorm", Reduction},
    {Match::Anywhere, "GammaBeta", Reduction},
    {Match::Anywhere, "reduce", Reduction},
    {Match::Anywhere, "Reduce", Reduction},
    {Match::Anywhere, "nll_loss", Reduction},
    {Match::Anywhere, "elementwise", Pointwise},
    {Match::Anywhere, "act_and_mul", Pointwise},
    {Match::Anywhere, "dropout", Pointwise},
    {Match::Anywhere, "pointwise", Pointwise},
    {Match::Anywhere, "OpTensor", Pointwise},
};

/// The rules by the first two characters of their text, so that one pass over a name does.
class RuleIndex {
public:
  constexpr RuleIndex() {
    First.fill(std::size(Rules));
    for (size_t I = std::size(Rules); I-- > 0;) {
      uint8_t &Chain = First[place(Rules[I].Text)];
      Next[I] = Chain;
      Chain = static_cast<uint8_t>(I);
    }
  }
  /// The first rule that \p Text may begin with, and the next one after it; the number of rules:
  /// none.
  constexpr size_t first(std::string_view Text) const { return First[place(Text)]; }
  constexpr size_t next(size_t Rule) const { return Next[Rule]; }

private:
  static constexpr size_t place(std::string_view Text) {
    return (static_cast<unsigned char>(Text[0]) * 37u + static_cast<unsigned char>(Text[1])) % 1024;
  }
  static_assert(std::size(Rules) < 256);
  std::array<uint8_t, 1024> First{};
  std::array<uint8_t, std::size(Rules)> Next{};
};

} // namespace

std::string_view categoryName(KernelCategory Category) {
  static constexpr std::string_view Names[] = {
      "pointwise", "reduction", "persistent reduction", "foreach", "template", "extern mm", "conv",
      "attention", "copy",      "collective",           "other"};
  return Names[static_cast<size_t>(Category)];
}

KernelCategory categorize(std::string_view KernelName) {
  // Limits the time for very long names; what distinguishes kernels comes early in the name.
  KernelName = KernelName.substr(0, 4096);
  static constexpr RuleIndex Index;
  size_t First = std::size(Rules); // of the rules that match
  for (size_t At = 0; At + 1 < KernelName.size(); ++At)
    for (size_t I = Index.first(KernelName.substr(At)); I < First; I = Index.next(I))
      if ((Rules[I].How == Match::Anywhere || At == 0) &&
          KernelName.substr(At).starts_with(Rules[I].Text))
        First = I;
  return First == std::size(Rules) ? Other : Rules[First].Category;
}

} // namespace seamscope::tools
