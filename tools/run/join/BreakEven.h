//===- BreakEven.h - after how many steps compilation pays off ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_BREAKEVEN_H
#define SEAMSCOPE_TOOLS_RUN_BREAKEVEN_H

#include "analysis/compare/Attribution.h"
#include "analysis/groups/Advice.h"
#include "run/join/Unrecorded.h"

#include <cstdint>
#include <optional>
#include <string>

namespace seamscope::tools {

/// A value and its 95 % confidence interval.
struct Estimate {
  double Value = 0;
  double Low = 0, High = 0;
};

/// When the time that compilation took has been saved by compiled steps.
struct BreakEven {
  int64_t CompileNs = 0;
  Estimate SavedNs; ///< a step
  Estimate Steps;

  /// "Compilation took 47.0 s; a step saves 3.9 ms (95 % 3.1 to 4.7 ms): it pays off after ..."
  std::string text() const;
};

/// Nothing if the saving of a step is not significant in the unrecorded runs (null: there are
/// none), or the recorded steps \p All contradict it. \p CompileNs: of one run.
std::optional<BreakEven> breakEven(int64_t CompileNs, const Unrecorded *Beside,
                                   const Attribution &All);

/// The finding "compile-time", if that takes many steps.
std::optional<Advice> adviseOnCompileTime(const BreakEven &Of);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_BREAKEVEN_H
