//===- GpuLoops.cpp - the loops of GPUs' kernels ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/GpuLoops.h"
#include "analysis/core/LoopTree.h"
#include "report/sections/Sections.h"

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Kernels where --top does not say, with --loops and without it.
constexpr size_t UsualKernels = 20, FewKernels = 5;

const GpuKernelLoops *find(const ReportContext &In, const Site &Kernel) {
  if (!In.Input.Devices)
    return nullptr;
  const auto Found = In.Input.Devices->Loops.find({Kernel.Name, Kernel.Device});
  return Found == In.Input.Devices->Loops.end() ? nullptr : &Found->second;
}

/// What the first loop of \p Kernel is called among all loops of the report.
size_t firstId(const ReportInput &Input, const GpuKernelLoops *Kernel) {
  size_t Id = Input.Loops ? Input.Loops->Nodes.size() : 0;
  for (const auto &[Key, Each] : Input.Devices->Loops) {
    if (&Each == Kernel)
      break;
    Id += Each.Loops.size();
  }
  return Id;
}

} // namespace

void addGpuLoopRows(std::vector<LoopRow> &To, const ReportContext &In, const Site &Kernel) {
  const GpuKernelLoops *const Of = find(In, Kernel);
  if (!Of)
    return;
  const size_t First = firstId(In.Input, Of);
  for (size_t I = 0; I < Of->Loops.size(); ++I) {
    const GpuLoop &Loop = Of->Loops[I];
    LoopRow Row;
    Row.Id = First + I;
    if (Loop.Parent != GpuLoop::None)
      Row.Parent = First + Loop.Parent;
    Row.Site = Loop.Site;
    Row.Calls = Loop.Calls;
    Row.TotalNs = Loop.TotalNs;
    Row.SelfNs = Loop.SelfNs;
    Row.Launches = Of->Launches;
    Row.Clocks = Loop.Clocks;
    To.push_back(std::move(Row));
  }
}

void addGpuLoops(Section &To, const Context &In) {
  const ReportInput &Input = In->Input;
  if (!Input.Devices)
    return;
  const size_t Most = Input.rowsOf(Input.AllLoops ? UsualKernels : FewKernels);
  std::vector<TreeLine> Lines;
  size_t Found = 0;
  for (const KernelRow &Row : In->Numbers.Kernels) {
    const Site &Kernel = In->site(Row.Site);
    const GpuKernelLoops *const Of = find(*In, Kernel);
    if (!Of || (!Input.AllLoops && Of->Loops.size() < 2) || Found++ >= Most)
      continue;
    Lines.push_back(
        {In->Source.text(Kernel.Name),
         {{"calls", Of->Launches}, {"total_ns", Of->TotalNs}, {"self_ns", Of->SelfNs}}});
    for (const GpuLoop &Loop : Of->Loops) {
      const int64_t Around =
          Loop.Parent == GpuLoop::None ? Of->TotalNs : Of->Loops[Loop.Parent].TotalNs;
      Lines.push_back({In->name(Loop.Site),
                       {{"calls", Loop.Calls},
                        {"total_ns", Loop.TotalNs},
                        {"self_ns", Loop.SelfNs},
                        {"parent_percent", percentOf(Loop.TotalNs, Around)},
                        {"clocks", Cell(Loop.Clocks, fmt::format("{:.0f}", Loop.Clocks))},
                        {"source", In->source(In->site(Loop.Site))}},
                       Loop.Depth});
    }
  }
  if (!Found)
    return;
  Table Rows = treeTable(
      "gpu-loops", "Loops of GPU kernels",
      {column::name("GPU kernel, loop").cut(60), column::calls(), column::total(), column::self(),
       column::percent("parent_percent", "Of parent %", "total of what is around it"),
       Column("clocks", "Clocks a warp", Unit::Count, "SM clocks of a thread in one launch"),
       column::source()},
      std::move(Lines));
  Rows.leaveOut(Found, Most, "more kernels");
  To.add(std::move(Rows));
}

} // namespace seamscope::tools
