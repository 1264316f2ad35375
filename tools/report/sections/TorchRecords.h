//===- TorchRecords.h - columns from torch.compile's logs --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_TORCHRECORDS_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_TORCHRECORDS_H

#include "report/sections/Context.h"
#include "run/join/TorchRun.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace seamscope::tools {

/// All operators of one name. The fields of compared runs are of these alone.
struct OpCount {
  std::string Name;
  uint64_t Calls = 0, Partial = 0, Recomputed = 0;
  bool Recomputes = true; ///< known whether it is recomputed
  std::optional<uint64_t> ComparedCalls;
  std::optional<int64_t> TotalNs;
};

/// One of a use's Python lines, and its callers.
struct CalledLine {
  const KernelUse *Use;
  size_t Number;
  const SourceLine &line() const { return Use->Python[Number]; }
};

Fields<SourceLine> lineFields();
Fields<CalledLine> calledLineFields();
Fields<ModulePath> moduleFields();
Fields<FxNode> nodeFields();
/// \p Compared: with the fields of compared runs, if a row has them.
Fields<OpCount> opCountFields(bool Compared);
/// One call of a graph: what distinguishes it from all others.
Fields<const KernelUse *> callFields(const CompiledGraphs *Graphs);
/// The same with everything known about it.
Fields<const KernelUse *> useFields(const CompiledGraphs *Graphs);

/// By name, in the order of first appearance.
std::vector<OpCount> countOps(const std::vector<EagerOp> &Ops, std::vector<OpCount> Counts = {});
/// For all uses of a kernel, with their times if runs were compared.
std::vector<OpCount> eagerOps(const ReportContext &In, const KernelRow &Row);

/// The eager operators that the graph calls \p Uses replace, and those whose gradients they
/// compute: "add x3, mul; gradient of gelu", in the order of first appearance; empty: none.
std::string operatorsOf(const CompiledGraphs &Graphs, std::span<const uint32_t> Uses);

/// "add" for "aten::add"; other names unchanged.
std::string withoutAten(const std::string &Operator);
/// "add x3", or "add" for a single one.
std::string timesText(const std::string &Operator, uint64_t Count);

/// "model.py:12", without folders.
std::string shortPlace(const SourceLine &Line);

/// `torch`, `graphs`, `graph_breaks`, `recompiles`, `compile` and their tables.
void addTorchKernels(Section &To, const Context &In);
void addGraphs(Section &To, const Context &In);
void addBreaks(Section &To, const Context &In);
void addCompileTimes(Section &To, const Context &In);
void addCompiledFiles(Section &To, const Context &In);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_TORCHRECORDS_H
