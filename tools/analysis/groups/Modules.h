//===- Modules.h - the time of a trace by nn.Module -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_MODULES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_MODULES_H

#include "analysis/core/PathTree.h"
#include "analysis/devices/Devices.h"
#include "analysis/torch/Direction.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// How modules are named.
enum class ModuleNames : uint8_t {
  Instances, ///< as torch numbers the objects of a class: "Net_0", "Linear_4"
  Classes,   ///< all objects of a class in one place together: "Net", "Linear"
};

/// The modules whose operators one call of a compiled graph replaces, as attribute paths from the
/// compiled module: "layers.0.norm". \p Event: the kernel's or, for a library call, the operator's.
/// Empty: not known.
using KernelModules = std::function<std::vector<std::string>(uint32_t Event)>;

/// The nn.Modules around the host's calls. With with_stack=True, torch.profiler records calls of
/// modules as Python frames ("nn.Module: Linear_0"). With with_modules=True alone, traces of eager
/// programs have none.
class ModulePaths {
public:
  /// \p Parts: of the same trace. \p OfKernel: within the modules around it, a compiled kernel
  /// belongs to the deepest one that contains all modules that it names.
  ModulePaths(const Trace &Input, const Directions &Parts,
              ModuleNames Named = ModuleNames::Instances, const KernelModules &OfKernel = {});

  const PathTree &tree() const { return Tree; }

  /// Whether the trace has modules.
  bool any() const { return Tree.size() > 1; }

  /// The module that a host event ran for: in a backward pass that of the forward operator, if
  /// proven, else the innermost around the call. 0: none.
  PathId of(uint32_t Event) const { return Event == NoEvent ? 0 : Of[Event]; }

  /// The module that device work ran for; 0: none, or its launch is not in the trace.
  PathId ofWork(const Origin &Link) const;

  /// "Net_0 > Block_1 > Linear_4", outermost first; empty for 0. Of a path of more than 100 names,
  /// the outer ones are left out: "... > ".
  std::string text(PathId Path) const;

  /// Whether an event is a call of a module.
  bool isCall(uint32_t Event) const;

private:
  void placeHost(const Directions &Parts);
  PathId push(PathId Outer, std::string_view Name);
  PathId pushCall(PathId Outer, std::string_view Name, bool InBackward);
  PathId pushKernel(PathId Outer, uint32_t Event);

  const Trace &Input;
  const ModuleNames Named;
  const KernelModules OfKernel;
  PathTree Tree;
  std::map<std::pair<PathId, std::string>, PathId> Inside; ///< by outer path and name
  std::vector<PathId> Of;                                  ///< by event of the host
  std::vector<PathId> Work; ///< by event of a device, if OfKernel has it, else 0
};

/// Time of one module or of several together.
struct ModuleTime {
  int64_t HostNs = 0;           ///< time in which a host call was the innermost of its thread and,
                                ///< as far as is known, the thread ran
  int64_t HostOffNs = 0;        ///< the same, in which the thread was blocked or preempted
  int64_t BackwardHostNs = 0;   ///< the part of it in the backward pass
  int64_t DeviceNs = 0;         ///< sum of the durations of kernels, copies and fills
  int64_t BackwardDeviceNs = 0; ///< the part of it launched by the backward pass
  uint64_t Kernels = 0;         ///< of the device, without copies and fills

  void add(const ModuleTime &Other);
  bool operator==(const ModuleTime &) const = default;
};

struct ModuleRow {
  PathId Path = 0;    ///< of ModulePaths::tree()
  uint32_t Depth = 0; ///< 1: no module around it; 0: work in no module
  uint64_t Calls = 0; ///< of the module, including those that a checkpoint makes in the backward
                      ///< pass; 0: only compiled kernels name it
  int64_t CallNs = 0; ///< sum of their durations, including waits
  ModuleTime Self;    ///< without the modules inside
  ModuleTime Total;   ///< with them
};

/// All time of a trace's calls, by module. Each host thread counts separately: if two work at the
/// same time, both count.
struct ModuleTimes {
  /// Each before its inner modules, longest total first; the last row is work in no module, with
  /// depth 0.
  std::vector<ModuleRow> Rows;
  ModuleTime Sum; ///< sum of all Self, which is the sum of Total over the rows of depth 0 and 1
  /// In the last row: work whose launch is not in the trace, which may belong to any module.
  int64_t UnlaunchedDeviceNs = 0;
};

/// \p Links: linkWork() of the same trace.
ModuleTimes moduleTimes(const Trace &Input, const std::vector<Origin> &Links,
                        const ModulePaths &Paths, const Directions &Parts);

/// The modules at \p Depth (at least 1) with their inner modules, and outer ones without: the sum
/// of Total is the sum of \p Times. In the order of its rows.
std::vector<ModuleRow> modulesAtDepth(const ModuleTimes &Times, uint32_t Depth);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_MODULES_H
