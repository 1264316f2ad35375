//===- HostLoad.h - load of the machine during a run ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_HOSTLOAD_H
#define SEAMSCOPE_TOOLS_RUN_HOSTLOAD_H

#include <cstdint>
#include <optional>
#include <string>

namespace seamscope::tools {

/// The counts of a machine since its start; nothing: not known. For all processors, and for this
/// process's control group if it has a quota of processor time.
struct HostCounts {
  std::optional<int64_t> BusyNs; ///< processors ran something: /proc/stat, to 10 ms
  unsigned Processors = 0;       ///< of the machine
  /// A processor was ready, but the hypervisor ran another machine.
  std::optional<int64_t> StolenNs;
  std::optional<uint64_t> Periods, HeldPeriods; ///< of the quota; periods that used it up
  std::optional<uint64_t> HeatEvents;           ///< a hot processor lowered its clock

  /// \p Root: where to look for /proc and /sys.
  static HostCounts now(const std::string &Root = "");
};

/// The counts during a program's run.
struct HostLoad {
  unsigned Processors = 0; ///< available to the program
  int64_t WallNs = 0;
  int64_t ProgramNs = 0;  ///< processor time of the program and of processes that it waited for
  uint64_t Preempted = 0; ///< their involuntary context switches
  HostCounts Meanwhile;   ///< of this time

  /// Sets Meanwhile to the difference of \p After and \p Before.
  void setMeanwhile(const HostCounts &Before, const HostCounts &After);
  /// Processor time of other programs and the kernel's own; nothing: not known.
  std::optional<int64_t> othersNs() const;
  /// Whether no other program ran for long; false: not known.
  bool hadTheMachine() const;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_HOSTLOAD_H
