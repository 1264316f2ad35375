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
  uint32_t Host = NoEvent;     ///< the call that launched it; for a host kernel, itself
  uint32_t Operator = NoEvent; ///< innermost operator around that
  uint32_t Sub = 0;            ///< number of earlier kernels in the operator's call
  TrainingPart Part = TrainingPart::Unknown;
  uint32_t Forward = NoEvent;          ///< for a backward kernel, the forward operator, if proven
  std::optional<int64_t> Sequence;     ///< see Directions::sequenceOf()
  std::optional<int64_t> NodeSequence; ///< see Directions::nodeSequenceOf()
  PathId Layer = 0;                    ///< of KernelLaunches::Layers
  PathId Stack = 0;                    ///< of KernelLaunches::Stacks
  LaunchShape Shape;                   ///< from the device's record, else from the launch
  std::optional<TensorCoreVerdict> TensorCores; ///< only for devices
  std::optional<int64_t> Flop;
  std::optional<int64_t> Bytes;
};

/// All device kernels; in a trace without devices, the compiled host kernels.
struct KernelLaunches {
  KernelLaunches(const Trace &Input);

  Directions Parts;
  PythonStacks Stacks;
  /// Annotations (without the profiler's steps) and torch modules around the launch; for a backward
  /// kernel, those around its forward operator.
  PathTree Layers;
  std::vector<KernelLaunch> Rows; ///< by begin
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_KERNELLAUNCHES_H
