//===- TorchParts.h - kernels, graphs and lines of torch.compile ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_TORCHPARTS_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_TORCHPARTS_H

#include "report/model/Table.h"
#include "run/join/TorchRun.h"

#include <span>
#include <string>

namespace seamscope::tools {

/// One call of a graph: what tells it from all others.
Fields<const KernelUse *> callFields(const CompiledGraphs *Graphs);

/// The eager operators that the calls \p Uses of graphs replace, and those whose gradients they
/// compute: "add x3, mul; gradient of gelu", in the order of first appearance; empty: none.
std::string operatorsOf(const CompiledGraphs &Graphs, std::span<const uint32_t> Uses);

/// "model.py:12", folders left out.
std::string shortPlace(const SourceLine &Line);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_TORCHPARTS_H
