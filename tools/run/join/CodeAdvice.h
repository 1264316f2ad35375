//===- CodeAdvice.h - what makes generated C++ slow -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_CODEADVICE_H
#define SEAMSCOPE_TOOLS_RUN_CODEADVICE_H

#include "analysis/groups/Advice.h"
#include "run/join/ComparedRuns.h"
#include "run/join/TorchRun.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Whether a kernel's C++ divides its work among threads.
bool isForTeams(std::string_view Source);

/// What a kernel's C++ does one element at a time.
struct ScalarCode {
  bool Atomics = false;        ///< adds to elements that other threads may add to
  bool Scalar = false;         ///< it has loops, and Inductor vectorised none of them
  std::string_view LaneByLane; ///< a function without a vector form, such as "randn_cpu"; or empty
};

/// \p Source: the C++ that Inductor generated. Templates are not searched.
ScalarCode scalarCodeOf(std::string_view Source);

/// Whether clang vectorised the loops of a kernel that Inductor did not vectorise, as part of a
/// sentence: "; clang vectorised 1 of 2 loops, not that of line 12 (cannot identify array bounds)".
/// \p Loops: of the kernel's file. Empty if nothing is known about them; no value if clang
/// vectorised all.
std::optional<std::string> clangOnLoops(std::span<const LoopRemark> Loops, std::string_view Source);

/// Findings "atomics" and "scalar-code", for kernels with a relevant share of the compared steps.
std::vector<Advice> adviseOnCode(const Trace &Source, const TorchRun &Torch,
                                 const Attribution &All);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_CODEADVICE_H
