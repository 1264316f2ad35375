//===- AttributionKernels.cpp - kernels beside what they replaced --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Attribution.h"
#include "report/Table.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr size_t NameWidth = 48;
constexpr size_t OpsWidth = 60;

/// A row of kernels, generated or a library's.
struct Row {
  std::string Name, Replaced;
  CallTimes Times;
  const KernelRow *Kernel = nullptr; ///< null: a library's
};

/// "add x3, mul": calls in one step.
std::string operators(const CallTimes &Times, size_t Steps) {
  std::map<std::string, uint64_t> Counts;
  for (const auto &[Op, Known] : Times.Ops) {
    if (isView(Op.first) && Times.Ops.size() > 1)
      continue; // beside what it is for
    Counts[Op.first.starts_with("aten::") ? Op.first.substr(6) : Op.first] += Known.Calls;
  }
  std::string Text;
  for (const auto &[Name, Calls] : Counts) {
    Text += Text.empty() ? "" : ", ";
    const uint64_t InStep = Calls / Steps;
    Text += InStep > 1 ? fmt::format("{} x{}", Name, InStep) : Name;
  }
  if (!Times.LayoutFor.empty())
    return fmt::format("{}{}[layout of inputs for {}]", Text, Text.empty() ? "" : "; ",
                       Times.LayoutFor);
  return Text.empty() ? "[only part of operators]" : Text;
}

/// Slower than what they replaced first, by how much; then the others by time.
void sortRows(std::vector<Row> &Rows) {
  const auto Lost = [](const Row &R) {
    return R.Times.isSlower() ? R.Times.CompiledNs - R.Times.EagerNs : 0;
  };
  std::ranges::stable_sort(Rows, [&](const Row &A, const Row &B) {
    const int64_t LostA = Lost(A), LostB = Lost(B);
    return LostA != LostB ? LostA > LostB : A.Times.CompiledNs > B.Times.CompiledNs;
  });
}

/// "2.1 MB of 7.3": what stays inside of a kernel, of all that the operators moved.
std::string savedText(const CallTimes &Times, size_t Steps) {
  const std::optional<SavedBytes> Saved = Times.savedBytes();
  if (!Saved)
    return "-";
  const auto MB = [&](int64_t Bytes) {
    return static_cast<double>(Bytes) / 1e6 / static_cast<double>(Steps);
  };
  return fmt::format("{:.3g} of {:.3g}", MB(Saved->Eager - Saved->Compiled), MB(Saved->Eager));
}

std::string ratioText(const CallTimes &Times) {
  return !Times.LayoutFor.empty() ? "-"
                                  : shownRatio(Times.EagerNs, Times.CompiledNs, Times.Paired) +
                                        (Times.isSlower() ? " slower" : "");
}

void kernelRows(std::string &Text, const ReportInput &Input, bool Generated, std::vector<Row> Rows,
                bool Colours) {
  if (Rows.empty())
    return;
  const size_t Steps = Input.Compared->All.Steps.size(), Top = Input.rowsOf(SIZE_MAX);
  sortRows(Rows);
  Table Shown(Generated ? std::vector<std::string>{"Fused kernel", "Calls", "Eager", "Compiled",
                                                   "Speedup", "Threads", "Imbalance", "MB saved",
                                                   "Replaced, in a step"}
                        : std::vector<std::string>{"Library's kernel", "Calls", "Eager", "Compiled",
                                                   "Speedup", "In eager mode"},
              {Generated ? 8UL : 5UL});
  Shown.cut(0, NameWidth);
  Shown.cut(Generated ? 8 : 5, OpsWidth);
  for (size_t I = 0; I < std::min(Top, Rows.size()); ++I) {
    const CallTimes &Times = Rows[I].Times;
    const bool Slower = Times.isSlower();
    std::vector<std::string> Cells = {escaped(Rows[I].Name), shownCount(Times.Calls, Steps),
                                      Times.EagerNs ? shownPerStep(Times.EagerNs, Steps) : "-",
                                      shownPerStep(Times.CompiledNs, Steps), ratioText(Times)};
    if (const KernelRow *Kernel = Rows[I].Kernel) {
      const Team Of = teamOf(*Input.Source, *Kernel);
      Cells.push_back(Of.Threads ? std::to_string(Of.Threads) : "-");
      Cells.push_back(Of.Imbalance ? fmt::format("{:.2f}", *Of.Imbalance) : "-");
      Cells.push_back(savedText(Times, Steps));
    }
    Cells.push_back(escaped(Rows[I].Replaced));
    Shown.add(std::move(Cells), Slower ? Emphasis::Strong : Emphasis::None);
  }
  if (Rows.size() > Top)
    Shown.add({fmt::format("[{} more]", Rows.size() - Top)}, Emphasis::Faint);
  Text += '\n' + Shown.text(Colours, Input.Width);
}

} // namespace

std::string replacedText(const ReportInput &Input, bool Colours) {
  std::string Text;
  const Attribution &All = Input.Compared->All;
  const TorchRun &Torch = *Input.Torch;
  const size_t Steps = All.Steps.size();
  std::vector<Row> Generated;
  for (const KernelRow &Each : Input.Numbers->Kernels)
    if (const GeneratedKernel *Kernel = Torch.kernel(Each.Site)) {
      CallTimes Times = timesOf(All, Torch, *Kernel);
      if (!Times.Calls)
        continue;
      std::string Ops = operators(Times, Steps);
      Generated.push_back({std::string(Input.Source->text(Input.Source->Sites[Each.Site].Name)),
                           std::move(Ops), std::move(Times), &Each});
    }
  kernelRows(Text, Input, true, std::move(Generated), Colours);

  std::map<std::pair<std::string, std::string>, Row> Extern;
  for (const KernelUse &Use : Torch.Graphs.uses()) {
    const CodeCall &Call = Torch.Graphs.callOf(Use);
    const CallTimes *Found = All.find(Use.Graph, Use.Call);
    if (!Call.Extern || !Found)
      continue;
    const CallTimes &Times = *Found;
    const auto Main =
        std::ranges::max_element(Times.Ops, {}, [](const auto &Op) { return Op.second.Ns; });
    std::string Key = Main == Times.Ops.end() ? "" : Main->first.first + " " + Main->first.second;
    Row &Known = Extern[{Call.Kernel, Key}];
    Known.Name = Call.Kernel;
    Known.Replaced = Key.empty() ? "[only part of operators]" : Key;
    Known.Times.add(Times);
  }
  std::vector<Row> Rows;
  for (auto &[Key, Each] : Extern)
    Rows.push_back(std::move(Each));
  kernelRows(Text, Input, false, std::move(Rows), Colours);
  return Text;
}

} // namespace seamscope::tools
