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

/// The loops of one kernel of a trace, and the nodes that they compute, if the generated code says
/// so.
class TorchLoops {
public:
  /// \p Kernel: a row's site.
  TorchLoops(const ReportInput &Input, SiteId Kernel);

  /// A record for each call of the kernel in a graph, see nodesColumn(). Nothing: not known, or
  /// torch did not generate the kernel.
  Value value(const Site &Loop) const;

  /// "exp, sub", for the first call in a graph; "unknown"; empty if torch did not generate the
  /// kernel.
  std::string text(const Site &Loop) const;

  /// For `seamscope source`: the timed loops with their share of the time around them, nodes and
  /// Python lines; no rows: no loop is timed, or torch did not generate the kernel.
  Table table() const;

private:
  std::optional<LoopNodes> nodesOf(const Site &Loop, const KernelUse &Use) const;

  const ReportInput &Input;
  const SiteId KernelId;
  const Site &Kernel;
  const GeneratedKernel *Generated;
  std::vector<CodeLoop> Loops;
};

/// The column for TorchLoops::value().
Column nodesColumn();

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_TORCHLOOPS_H
