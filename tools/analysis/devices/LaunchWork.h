//===- LaunchWork.h - the counted work of launches of GPU kernels ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_LAUNCHWORK_H
#define SEAMSCOPE_TOOLS_ANALYSIS_LAUNCHWORK_H

#include "analysis/work/ExecutedWork.h"
#include "work/WorkFigures.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace seamscope::tools {

/// What one launch executed.
struct LaunchWork {
  std::optional<int64_t> Flop, Bytes;    ///< bytes of global memory, also from caches
  DType Compute = DType::Unknown;        ///< that 99 % of the FLOPs are of, by units of one kind
  OpWorkKind Kind = OpWorkKind::Unknown; ///< MatMul: by matrix units
  std::set<std::string> Unknown;         ///< why figures are missing
};

/// The work of all counted launches of each kernel, by name and device. `Calls` are these launches.
std::map<std::pair<StringId, int32_t>, KernelWork> launchWorkByKernel(const Trace &Source);

/// By event. Launches of kernels that count nothing are not in it.
std::unordered_map<uint32_t, LaunchWork> launchWork(const Trace &Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_LAUNCHWORK_H
