//===- KernelLaunches.h - every kernel, and what led to it ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_KERNELLAUNCHES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_KERNELLAUNCHES_H

#include "analysis/torch/Direction.h"
#include "analysis/torch/PythonStacks.h"
#include "kernels/TensorCores.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// One kernel that ran.
struct KernelLaunch {
  uint32_t Event = NoEvent;
  uint32_t Host = NoEvent;     ///< the call that launched it; of a kernel of the host itself
  uint32_t Operator = NoEvent; ///< innermost operator around that
  uint32_t Sub = 0;            ///< how many kernels of the operator's call came before
  TrainingPart Part = TrainingPart::Unknown;
  uint32_t Forward = NoEvent; ///< of a backward kernel, the forward operator, where it is proven
  std::optional<int64_t> Sequence;              ///< see Directions::sequenceOf()
  std::optional<int64_t> NodeSequence;          ///< see Directions::nodeSequenceOf()
  PathId Layer = 0;                             ///< of KernelLaunches::Layers
  PathId Stack = 0;                             ///< of KernelLaunches::Stacks
  LaunchShape Shape;                            ///< of the device's record, else of the launch
  std::optional<TensorCoreVerdict> TensorCores; ///< only of a device
  std::optional<int64_t> Flop;
  std::optional<int64_t> Bytes;
};

/// All kernels of devices, or of a trace without devices the compiled kernels of the host.
struct KernelLaunches {
  KernelLaunches(const Trace &Input);

  Directions Parts;
  PythonStacks Stacks;
  /// Annotations, without the profiler's steps, and modules of torch around the launch; of a
  /// backward kernel those around its forward operator.
  PathTree Layers;
  std::vector<KernelLaunch> Rows; ///< by begin
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_KERNELLAUNCHES_H
