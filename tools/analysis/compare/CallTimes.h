//===- CallTimes.h - times of a graph's calls and of operators ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CALLTIMES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CALLTIMES_H

#include "analysis/compare/PairedTimes.h"
#include "analysis/devices/WholeWork.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace seamscope::tools {

/// Calls and time of one operator.
struct OpTimes {
  uint64_t Calls = 0;
  int64_t Ns = 0;
  uint64_t Proven = 0; ///< of Calls, those that are proven; the others are matched by order alone
  int64_t Bytes = 0;   ///< by formula, for the calls of which they are known
  uint64_t BytesCalls = 0;
  WholeWorkSum Work = {}; ///< of the calls of which FLOPs and bytes are completely known
};

/// Adds up calls, times and bytes.
OpTimes &operator+=(OpTimes &To, const OpTimes &Other);

/// Bytes that a kernel saves, in all its calls: tensors that the operators passed from one to the
/// next and that now stay inside the kernel.
struct SavedBytes {
  int64_t Eager = 0;
  int64_t Compiled = 0;
};

/// By name and input shapes.
using OpsByShape = std::map<std::pair<std::string, std::string>, OpTimes>;

/// One call of a graph over all compared steps.
struct CallTimes {
  uint64_t Calls = 0;
  int64_t CompiledNs = 0;
  int64_t EagerNs = 0; ///< of the operators that it owns
  OpsByShape Ops;
  std::optional<int64_t> Bytes = 0; ///< over all calls, see PlannedCall; nothing: unknown
  bool Shared = false;              ///< see PlannedCall
  std::string LayoutFor;            ///< see PlannedCall
  /// Graphs and first calls of the groups of calls that it is in: only together do they the
  /// operators' work. Empty: it does the work of its operators alone.
  std::set<std::pair<uint32_t, uint32_t>> Groups;
  PairedTimes Paired; ///< EagerNs and CompiledNs by step

  /// Whether CompiledNs replaced EagerNs. Not so for a call that also changes the layout of inputs,
  /// or for a call of a group, which does a part.
  bool compares() const { return LayoutFor.empty() && Groups.empty(); }
  /// CompiledNs without the extra time of a few very long calls.
  int64_t usualNs() const { return Paired.steps() ? Paired.usualCompiledNs() : CompiledNs; }
  /// Whether it takes more than \p Factor times as long as what it replaced, as far as can be told.
  bool isSlower(double Factor = 1) const;

  /// Nothing if other calls do a part of the work, or if bytes are not known.
  std::optional<SavedBytes> savedBytes() const;

  /// Adds calls that do the same, in the same steps.
  void add(const CallTimes &Other);
  /// Adds the same call in steps of other runs, whose numbers are at least \p Before.
  void addSteps(const CallTimes &Other, uint32_t Before);
};

/// The sum of all.
OpTimes sumOf(const OpsByShape &Ops);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CALLTIMES_H
