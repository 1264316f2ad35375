//===- InductorNames.h - operators in Inductor's kernel names -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_KERNELS_INDUCTORNAMES_H
#define SEAMSCOPE_TOOLS_KERNELS_INDUCTORNAMES_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Whether an operator's event is a call of a kernel that Inductor compiled for the host:
/// cpp_fused_add_0, or, with the graph in front as in torch's own kernel profiling,
/// graph_0_cpp_fused_add_0 and graph_0_kernel.
bool isInductorHostKernel(std::string_view Name);

/// Whether \p Name contains the name of a fused host kernel.
bool holdsInductorName(std::string_view Name);

/// The name that Inductor gave to a kernel: \p Kernel without "graph_0_" in front.
std::string_view inductorName(std::string_view Kernel);

/// The operators in the name of a fused host kernel, each once or more: `cpp_fused_add_mul_0` has
/// add and mul. Nothing: it is not such a name.
std::optional<std::vector<std::string>> operatorsInName(std::string_view Kernel);

/// Splits the middle of an Inductor name, `_softmax_add_native_layer_norm`, into operators: at each
/// place the longest known operator name with underscores is taken, else the word up to the next
/// underscore.
std::vector<std::string> splitInductorName(std::string_view Middle);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_KERNELS_INDUCTORNAMES_H
