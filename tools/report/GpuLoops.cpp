//===- GpuLoops.cpp - the loops of GPUs' kernels, in a report --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/GpuLoops.h"

#include "analysis/core/LoopTree.h"
#include "analysis/devices/GpuLoops.h"
#include "report/FileNames.h"
#include "report/SiteJson.h"
#include "report/Table.h"
#include "trace/io/Escape.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

constexpr size_t NameWidth = 60, PlaceWidth = 40;
/// Kernels where --top does not say, with --loops and without it.
constexpr size_t UsualKernels = 20, FewKernels = 5;

using Json = nlohmann::ordered_json;

const GpuKernelLoops *find(const ReportInput &Input, const Site &Kernel) {
  if (!Input.Devices)
    return nullptr;
  const auto Found = Input.Devices->Loops.find({Kernel.Name, Kernel.Device});
  return Found == Input.Devices->Loops.end() ? nullptr : &Found->second;
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

void addGpuLoops(Json &Into, const ReportInput &Input, const Site &Kernel) {
  const GpuKernelLoops *const Of = find(Input, Kernel);
  if (!Of)
    return;
  const Trace &Source = *Input.Source;
  const size_t First = firstId(Input, Of);
  for (size_t I = 0; I < Of->Loops.size(); ++I) {
    const GpuLoop &Loop = Of->Loops[I];
    const Site &What = Source.Sites[Loop.Site];
    Into.push_back({{"id", First + I},
                    {"parent", Loop.Parent == GpuLoop::None ? Json() : Json(First + Loop.Parent)},
                    {"region", Json()},
                    {"name", Source.text(What.Name)},
                    {"source", sourceJson(Source, What)},
                    {"inlined_from", inlinedFrom(Source, What)},
                    {"calls", Loop.Calls},
                    {"total_ns", Loop.TotalNs},
                    {"self_ns", Loop.SelfNs},
                    {"wait_ns", 0},
                    {"untimed", 0},
                    {"open", 0},
                    {"imbalance", Json()},
                    {"threads", Json::array()},
                    {"nodes", Json()},
                    {"launches", Of->Launches},
                    {"clocks", Loop.Clocks}});
  }
}

std::string gpuLoopsText(const ReportInput &Input, bool Colours) {
  if (!Input.Devices)
    return {};
  const Trace &Source = *Input.Source;
  const FileNames Files(Source);
  Table Rows(
      {"GPU kernel, loop", "Calls", "Total", "Self", "Of parent %", "Clocks a warp", "Source"},
      {6});
  Rows.cut(0, NameWidth);
  Rows.cut(6, PlaceWidth);
  const size_t Most = Input.rowsOf(Input.AllLoops ? UsualKernels : FewKernels);
  size_t Shown = 0;
  for (const KernelRow &Row : Input.Numbers->Kernels) {
    const Site &Kernel = Source.Sites[Row.Site];
    const GpuKernelLoops *const Of = find(Input, Kernel);
    if (!Of || (!Input.AllLoops && Of->Loops.size() < 2) || Shown++ >= Most)
      continue;
    Rows.add({escaped(Source.text(Kernel.Name)), fmt::to_string(Of->Launches),
              shownTime(Of->TotalNs), shownTime(Of->SelfNs), "", "", ""});
    for (const GpuLoop &Loop : Of->Loops) {
      const Site &What = Source.Sites[Loop.Site];
      const int64_t Around =
          Loop.Parent == GpuLoop::None ? Of->TotalNs : Of->Loops[Loop.Parent].TotalNs;
      Rows.add({std::string(2 * size_t{Loop.Depth}, ' ') + escaped(Source.text(What.Name)),
                fmt::to_string(Loop.Calls), shownTime(Loop.TotalNs), shownTime(Loop.SelfNs),
                shownShare(Loop.TotalNs, Around), fmt::format("{:.0f}", Loop.Clocks),
                Files.place(What)});
    }
  }
  return textOfFirst(Rows, Colours, Input.Width, Most, Shown, "more kernels");
}

} // namespace seamscope::tools
