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

/// What modules are called.
enum class ModuleNames : uint8_t {
  Instances, ///< as torch numbers the objects of a class: "Net_0", "Linear_4"
  Classes,   ///< all objects of a class that stand at one place as one: "Net", "Linear"
};

/// The modules whose operators one call of a compiled graph stands for, as paths of attributes
/// from the module that was compiled: "layers.0.norm". \p Event: the kernel's, or the operator's of
/// a library's call. Empty: not known.
using KernelModules = std::function<std::vector<std::string>(uint32_t Event)>;

/// The nn.Modules around the calls of the host: torch.profiler records calls of modules as frames
/// of Python ("nn.Module: Linear_0"), with with_stack=True. With with_modules=True alone the traces
/// of eager programs have none.
class ModulePaths {
public:
  /// \p Parts: of the same trace. \p OfKernel: a compiled kernel stands below the modules around it
  /// in the deepest module that holds all of those it names.
  ModulePaths(const Trace &Input, const Directions &Parts,
              ModuleNames Named = ModuleNames::Instances, const KernelModules &OfKernel = {});

  const PathTree &tree() const { return Tree; }

  /// Whether the trace says anything of modules.
  bool any() const { return Tree.size() > 1; }

  /// The module that an event of the host ran for: of a backward pass that of the forward operator,
  /// where that is proven, else the innermost around the call. 0: in none.
  PathId of(uint32_t Event) const { return Event == NoEvent ? 0 : Of[Event]; }

  /// The module that a device's work ran for; 0: in none, or its launch is not in the trace.
  PathId ofWork(const Origin &Link) const;

  /// "Net_0 > Block_1 > Linear_4", outermost first; empty for 0. Of a path of more than 100 names
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
  std::vector<PathId> Work; ///< by event of a device, where OfKernel knows it, else 0
};

/// Time of one module or of several together.
struct ModuleTime {
  int64_t HostNs = 0;           ///< in which a call of the host was the innermost of its thread
  int64_t BackwardHostNs = 0;   ///< of that, what the backward pass took
  int64_t DeviceNs = 0;         ///< sum of the durations of kernels, copies and fills
  int64_t BackwardDeviceNs = 0; ///< of that, what the backward pass launched
  uint64_t Kernels = 0;         ///< of the device, without copies and fills

  void add(const ModuleTime &Other);
  bool operator==(const ModuleTime &) const = default;
};

struct ModuleRow {
  PathId Path = 0;    ///< of ModulePaths::tree()
  uint32_t Depth = 0; ///< 1: no other module around it; 0: what ran in no module
  uint64_t Calls = 0; ///< of the module, those included that a checkpoint makes in the backward
                      ///< pass; 0: compiled kernels alone name it
  int64_t CallNs = 0; ///< sum of their durations, with whatever waits they hold
  ModuleTime Self;    ///< without the modules inside
  ModuleTime Total;   ///< with them
};

/// All time of a trace's calls, by module. Threads of the host count each for itself: where two
/// work at once, the time of both counts.
struct ModuleTimes {
  std::vector<ModuleRow> Rows;    ///< each before those inside it, longest total first; the last
                                  ///< is what ran in no module, and has depth 0
  ModuleTime Sum;                 ///< of all Self; and of Total over the rows of depth 0 and 1
  int64_t UnlaunchedDeviceNs = 0; ///< of the last row, work whose launch is not in the trace: it
                                  ///< may have run for any module
};

/// \p Links: linkWork() of the same trace.
ModuleTimes moduleTimes(const Trace &Input, const std::vector<Origin> &Links,
                        const ModulePaths &Paths, const Directions &Parts);

/// The modules of \p Depth (at least 1) with all that is inside, and those further out by
/// themselves: a list whose Total adds up to the sum of \p Times. In the order of its rows.
std::vector<ModuleRow> modulesAtDepth(const ModuleTimes &Times, uint32_t Depth);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_MODULES_H
