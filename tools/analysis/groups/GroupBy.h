//===- GroupBy.h - the time of a trace split by one property --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_GROUPBY_H
#define SEAMSCOPE_TOOLS_ANALYSIS_GROUPBY_H

#include "analysis/core/Statistics.h"
#include "analysis/devices/Devices.h"
#include "analysis/groups/Modules.h"
#include "trace/model/ReadOptions.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// The property.
enum class GroupKey : uint8_t {
  Kernel,        ///< name of the kernel
  Operator,      ///< innermost operator around the launch
  OperatorShape, ///< the same with the dimensions of its inputs
  Category,      ///< kind of work, see kernels/Category.h
  Device,
  Stream,     ///< device and stream; on the host the thread
  Step,       ///< the ProfilerStep around the launch
  Region,     ///< innermost region of torch.compile around the launch, else its graph
  Annotation, ///< innermost other annotation around the launch
  Line,       ///< source line of the kernel, or of the Python code that led to it
  Stack,      ///< innermost frame of the user's Python code
  Module,     ///< innermost nn.Module around the launch, with those around it; for a backward pass
              ///< that of the forward operator, for a compiled kernel the one that holds all that
              ///< the kernel stands for
};

/// Read options that a key needs.
ReadOptions detailsFor(GroupKey Key);

/// The key with this option name ("op+shape"); nothing: no such key.
std::optional<GroupKey> groupKeyOf(std::string_view Name);
/// All names that groupKeyOf() knows.
std::vector<std::string> groupKeyNames();

/// The work that is split.
enum class GroupedTime : uint8_t {
  DeviceWork, ///< kernels, copies and fills of devices
  Kernels,    ///< without a device: kernels of the host
  Operators,  ///< without kernels: operators
  Compiled,   ///< for modules: host kernels, and library calls of compiled code
  Lines,      ///< kernels, regions and loops without what is nested, and waits; over all threads
};

struct GroupRow {
  /// "[unattributed]": not known from the trace; "[no module]": known that there was none.
  std::string Key;
  uint64_t Calls = 0;  ///< for operators without repeats, see OperatorNesting
  int64_t TotalNs = 0; ///< sum of durations; for recursive kernels, of the outermost calls
  int64_t SumNs = 0;   ///< sum of the durations of all Calls
  int64_t SelfNs = 0;  ///< for operators their own time, for others the same as SumNs; without
  ///< the time in which the thread did not run
  int64_t WaitNs =
      0; ///< time that threads waited, in addition to SelfNs; of lines, also for a team
  int64_t PreemptedNs = 0;          ///< time in which threads were ready, in addition to SelfNs
  int64_t MinNs = 0, MaxNs = 0;     ///< shortest and longest duration
  std::vector<std::string> Kernels; ///< GroupedTime::Lines: kernels that have the line, by name
};

struct Grouping {
  GroupedTime What = GroupedTime::DeviceWork;
  std::vector<GroupRow> Rows; ///< longest SelfNs first
  uint64_t Calls = 0;
  int64_t SelfNs = 0;       ///< of all rows: each call is in exactly one
  bool HasSwitches = false; ///< of threads: else WaitNs is only that for teams
};

/// Splits a trace by \p Key. \p Links: linkWork() of the same trace. \p OfKernel: see ModulePaths.
Grouping groupBy(const Trace &Input, const std::vector<Origin> &Links, GroupKey Key,
                 const KernelModules &OfKernel = {});

/// Largest first; names in alphabetical order. False: rows have no such figure.
bool sortGroups(std::vector<GroupRow> &Rows, SortKey Key);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_GROUPBY_H
