//===- TorchLoops.h - what the loops of generated kernels compute ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_TORCHLOOPS_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_TORCHLOOPS_H

#include "report/sections/Context.h"
#include "run/join/TorchRun.h"
#include "torch/LoopNodes.h"

#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// The loops of one kernel of a trace, and the nodes that they compute where the generated code
/// tells.
class TorchLoops {
public:
  /// \p Kernel: a row's site.
  TorchLoops(const ReportInput &Input, SiteId Kernel);

  /// A record for each call of the kernel in a graph, see nodesColumn(). Nothing: it is not known,
  /// or the kernel is none that torch generated.
  Value value(const Site &Loop) const;

  /// "exp, sub", of the first call in a graph; "unknown"; empty where the kernel is none of
  /// torch's.
  std::string text(const Site &Loop) const;

  /// For `seamscope source`: the timed loops with their share of what is around them, nodes and
  /// lines of Python; no rows: no loop of the kernel is timed, or it is none of torch's.
  Table table() const;

private:
  std::optional<LoopNodes> nodesOf(const Site &Loop, const KernelUse &Use) const;

  const ReportInput &Input;
  const SiteId KernelId;
  const Site &Kernel;
  const GeneratedKernel *Generated;
  std::vector<CodeLoop> Loops;
};

/// Column of what TorchLoops::value() gives.
Column nodesColumn();

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_TORCHLOOPS_H
