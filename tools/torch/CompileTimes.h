//===- CompileTimes.h - where the time of compilation went ----------------===//
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

/// Time of one phase, its inner phases not counted.
struct CompilePhase {
  std::string Name;
  int64_t Ns = 0;
};

/// Adds up the begin and end events that torch writes while it compiles, of one process and in the
/// order written. At each moment the phase that began last, of those not ended, has the moment: the
/// phases add up to the time in which any was open, also where threads overlap.
class CompileTimes {
public:
  /// Takes one event of the record `chromium_event`, as JSON; false when it is none. Events of
  /// other kinds than begin and end are passed over.
  bool add(std::string_view Json);

  /// Time in which any phase was open.
  int64_t totalNs() const { return TotalNs; }

  /// Phases with time of their own, longest first.
  std::vector<CompilePhase> phases() const;

private:
  /// Gives the time since the last event to whom it belongs.
  void advance(int64_t Now);

  std::vector<std::string> Open; ///< in the order in which they began
  std::map<std::string, int64_t, std::less<>> SelfNs;
  int64_t LastNs = 0;
  int64_t TotalNs = 0;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_COMPILETIMES_H
