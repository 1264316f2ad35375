//===- Operators.cpp - which operators a kernel stands for ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/Operators.h"

#include <algorithm>
#include <cctype>

namespace seamscope::tools {
namespace {

/// ATen operators whose names hold an underscore. A name that is missing here falls apart into its
/// words, which then match no eager operator and show as unmatched.
constexpr std::string_view UnderscoredOperators[] = {"_adaptive_avg_pool2d",
                                                     "_adaptive_avg_pool2d_backward",
                                                     "_embedding_bag",
                                                     "_fft_c2c",
                                                     "_fft_c2r",
                                                     "_fft_r2c",
                                                     "_local_scalar_dense",
                                                     "_log_softmax",
                                                     "_log_softmax_backward_data",
                                                     "_native_batch_norm_legit",
                                                     "_native_batch_norm_legit_no_training",
                                                     "_native_batch_norm_legit_functional",
                                                     "_scaled_dot_product_flash_attention_for_cpu",
                                                     "_softmax",
                                                     "_softmax_backward_data",
                                                     "_to_copy",
                                                     "_unsafe_index",
                                                     "_unsafe_index_put",
                                                     "_unsafe_view",
                                                     "add_relu",
                                                     "adaptive_max_pool2d",
                                                     "arange_start",
                                                     "as_strided",
                                                     "as_strided_scatter",
                                                     "avg_pool2d",
                                                     "avg_pool2d_backward",
                                                     "avg_pool3d",
                                                     "batch_norm",
                                                     "binary_cross_entropy",
                                                     "bitwise_and",
                                                     "bitwise_left_shift",
                                                     "bitwise_not",
                                                     "bitwise_or",
                                                     "bitwise_right_shift",
                                                     "bitwise_xor",
                                                     "bucketize_tensor",
                                                     "clamp_max",
                                                     "clamp_min",
                                                     "col2im_backward",
                                                     "constant_pad_nd",
                                                     "convert_element_type",
                                                     "convolution_backward",
                                                     "cross_entropy_loss",
                                                     "diagonal_scatter",
                                                     "embedding_dense_backward",
                                                     "empty_like",
                                                     "empty_strided",
                                                     "fill_scalar",
                                                     "floor_divide",
                                                     "full_like",
                                                     "gelu_backward",
                                                     "grid_sampler_2d",
                                                     "group_norm",
                                                     "hardsigmoid_backward",
                                                     "hardswish_backward",
                                                     "hardtanh_backward",
                                                     "huber_loss",
                                                     "index_add",
                                                     "index_copy",
                                                     "index_fill",
                                                     "index_put",
                                                     "index_select",
                                                     "layer_norm",
                                                     "leaky_relu",
                                                     "leaky_relu_backward",
                                                     "lift_fresh_copy",
                                                     "log_sigmoid_forward",
                                                     "logical_and",
                                                     "logical_not",
                                                     "logical_or",
                                                     "logical_xor",
                                                     "masked_fill",
                                                     "masked_scatter",
                                                     "max_pool2d",
                                                     "max_pool2d_with_indices",
                                                     "max_pool2d_with_indices_backward",
                                                     "mse_loss",
                                                     "mse_loss_backward",
                                                     "mul_sub",
                                                     "nan_to_num",
                                                     "native_batch_norm",
                                                     "native_batch_norm_backward",
                                                     "native_dropout",
                                                     "native_dropout_backward",
                                                     "native_group_norm",
                                                     "native_group_norm_backward",
                                                     "native_layer_norm",
                                                     "native_layer_norm_backward",
                                                     "new_empty",
                                                     "new_full",
                                                     "new_ones",
                                                     "new_zeros",
                                                     "nll_loss_backward",
                                                     "nll_loss_forward",
                                                     "ones_like",
                                                     "pixel_shuffle",
                                                     "pixel_unshuffle",
                                                     "rand_like",
                                                     "randn_like",
                                                     "reflection_pad1d",
                                                     "reflection_pad2d",
                                                     "replication_pad2d",
                                                     "rms_norm",
                                                     "rsub_scalar",
                                                     "scalar_tensor",
                                                     "scatter_add",
                                                     "scatter_reduce",
                                                     "select_scatter",
                                                     "sigmoid_backward",
                                                     "silu_backward",
                                                     "slice_backward",
                                                     "slice_scatter",
                                                     "smooth_l1_loss",
                                                     "softplus_backward",
                                                     "squeeze_dims",
                                                     "sym_size",
                                                     "tanh_backward",
                                                     "threshold_backward",
                                                     "to_copy",
                                                     "true_divide",
                                                     "unsafe_index",
                                                     "upsample_bicubic2d",
                                                     "upsample_bilinear2d",
                                                     "upsample_nearest2d",
                                                     "var_mean",
                                                     "zeros_like"};

std::string_view withoutOverload(std::string_view Name) { return Name.substr(0, Name.find('.')); }

} // namespace

std::vector<std::string> splitInductorName(std::string_view Middle) {
  std::vector<std::string> Words;
  while (!Middle.empty()) {
    std::string_view Best;
    for (std::string_view Known : UnderscoredOperators)
      if (Middle.starts_with(Known) && Known.size() > Best.size() &&
          (Middle.size() == Known.size() || Middle[Known.size()] == '_'))
        Best = Known;
    if (Best.empty())
      // An operator's own leading underscore belongs to it.
      Best = Middle.substr(0, Middle.find('_', Middle.starts_with('_') ? 1 : 0));
    if (!Best.empty() && Best != "_")
      Words.emplace_back(Best);
    Middle.remove_prefix(std::min(Middle.size(), Best.size() + 1));
  }
  return Words;
}

OperatorList operatorsOf(const Trace &Input, const Site &What) {
  OperatorList Result;
  const auto Add = [&](std::string Name) {
    const auto Found = std::ranges::find(Result.Entries, Name, &OperatorList::Entry::Name);
    if (Found == Result.Entries.end())
      Result.Entries.push_back({std::move(Name), 1});
    else if (Result.CountsKnown)
      ++Found->Count;
  };
  if (std::string_view Ops = Input.text(What.Ops); !Ops.empty()) {
    while (!Ops.empty()) {
      const size_t Comma = Ops.find(',');
      std::string_view Name = Ops.substr(0, Comma);
      while (Name.starts_with(' '))
        Name.remove_prefix(1);
      while (Name.ends_with(' '))
        Name.remove_suffix(1);
      if (!Name.empty())
        Add(std::string(Name));
      Ops.remove_prefix(Comma == Ops.npos ? Ops.size() : Comma + 1);
    }
    return Result;
  }
  std::string_view Name = Input.text(What.Name);
  // torch's own kernel profiling prefixes the graph: graph_0_cpp_fused_add_0.
  if (const size_t At = Name.find("cpp_fused_");
      At != Name.npos && (At == 0 || Name.starts_with("graph_"))) {
    Result.CountsKnown = false;
    Name.remove_prefix(At + std::string_view("cpp_fused_").size());
    const size_t Last = Name.rfind('_');
    if (Last != Name.npos && Last + 1 < Name.size() &&
        std::ranges::all_of(Name.substr(Last + 1), [](unsigned char C) { return std::isdigit(C); }))
      Name = Name.substr(0, Last);
    for (std::string &Word : splitInductorName(Name))
      Add(std::move(Word));
  }
  return Result;
}

bool carriesOperator(const Trace &Input, const Site &Row, std::string_view Operator) {
  if (const std::string_view Ops = Input.text(Row.Ops); !Ops.empty())
    return Ops == Operator;
  std::string_view Name = Input.text(Row.Name);
  if (Name.starts_with("aten::"))
    Name.remove_prefix(6);
  Name = withoutOverload(Name);
  return Name == Operator ||
         (Name.size() == Operator.size() + 1 && Name.starts_with(Operator) && Name.ends_with('_'));
}

} // namespace seamscope::tools
