//===- CompileTimes.h - time of the phases of compilation -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_COMPILETIMES_H
#define SEAMSCOPE_TOOLS_TORCH_COMPILETIMES_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Time of one phase without its inner phases.
struct CompilePhase {
  std::string Name;
  int64_t Ns = 0;
};

/// Sums the begin and end events that torch writes while it compiles, of one process and in order.
/// Time goes to the open phase that began last. So the phases add up to the time in which any was
/// open, even if threads overlap.
class CompileTimes {
public:
  /// Adds one event of the record `chromium_event`, as JSON; false if it is not an event. Ignores
  /// events that are neither begin nor end.
  bool add(std::string_view Json);

  /// The time in which any phase was open.
  int64_t totalNs() const { return TotalNs; }

  /// Phases with time of their own, longest first.
  std::vector<CompilePhase> phases() const;

private:
  /// Adds the time since the last event to the phase that was open.
  void advance(int64_t Now);

  std::vector<std::string> Open; ///< in the order in which they began
  std::map<std::string, int64_t, std::less<>> SelfNs;
  int64_t LastNs = 0;
  int64_t TotalNs = 0;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_COMPILETIMES_H
