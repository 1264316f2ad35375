//===- Ablation.h - a generated kernel with operators left out -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inductor computes each operator into a variable of its own:
//
//   auto tmp4 = tmp3.exp(); // [seamscope 1]
//
// Left out, its value is that of its first input: `auto tmp4 = tmp3;`.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_ABLATION_H
#define SEAMSCOPE_TOOLS_RUN_ABLATION_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// An operator of a kernel: the statements of one variable in one nest of loops. The body for
/// vectors and that for the rest have one each.
struct KernelOperator {
  std::vector<uint32_t> Lines; ///< of the statements, from 1
  std::string Code;            ///< the first one's right side
};

/// The operators in \p Code, C++ of Inductor, in its order. Loads, constants, conversions and
/// sums of reductions are none.
std::vector<KernelOperator> operatorsIn(std::string_view Code);

/// \p Code without \p Operators. Lines stay.
std::string without(std::string_view Code, std::span<const KernelOperator *const> Operators);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_ABLATION_H
