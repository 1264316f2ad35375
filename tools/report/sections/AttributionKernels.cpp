//===- AttributionKernels.cpp - kernels and what they replaced --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/AttributionRows.h"
#include "report/sections/TorchRecords.h"
#include "run/join/TorchRun.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr size_t OpsWidth = 60;

/// A row of kernels, generated or from a library.
struct Replacing {
  std::string Name, Replaced;
  CallTimes Times;
  Team Of = {};
  bool FallsBack = false;
  size_t Group = 0;         ///< from 1; 0: it does the work of its operators alone
  std::string Members = {}; ///< of a group: its kernels
};

/// "add x3, mul": calls in one step.
std::string operators(const CallTimes &Times, size_t Steps) {
  std::map<std::string, uint64_t> Counts;
  for (const auto &[Op, Known] : Times.Ops) {
    if (isView(Op.first) && Times.Ops.size() > 1)
      continue; // the kernel follows the one that it is for
    Counts[withoutAten(Op.first)] += Known.Calls;
  }
  std::string Text;
  for (const auto &[Name, Calls] : Counts) {
    Text += Text.empty() ? "" : ", ";
    Text += timesText(Name, Calls / Steps);
  }
  if (!Times.LayoutFor.empty())
    return fmt::format("{}{}[layout of inputs for {}]", Text, Text.empty() ? "" : "; ",
                       Times.LayoutFor);
  return Text.empty() ? "[only part of operators]" : Text;
}

/// First those slower than what they replaced, by how much; then the others by time.
void sortRows(std::vector<Replacing> &Rows) {
  const auto Lost = [](const Replacing &R) {
    return R.Times.isSlower() ? R.Times.CompiledNs - R.Times.EagerNs : 0;
  };
  std::ranges::stable_sort(Rows, [&](const Replacing &A, const Replacing &B) {
    const int64_t LostA = Lost(A), LostB = Lost(B);
    return LostA != LostB ? LostA > LostB : A.Times.CompiledNs > B.Times.CompiledNs;
  });
}

/// "2.1 of 7.3": MB that stay inside a kernel, of all that the operators moved.
Cell savedCell(const CallTimes &Times, size_t Steps) {
  const std::optional<SavedBytes> Saved = Times.savedBytes();
  if (!Saved)
    return {};
  const auto MB = [&](int64_t Bytes) {
    return static_cast<double>(Bytes) / 1e6 / static_cast<double>(Steps);
  };
  return {MB(Saved->Eager - Saved->Compiled),
          fmt::format("{:.3g} of {:.3g}", MB(Saved->Eager - Saved->Compiled), MB(Saved->Eager))};
}

Cell speedupCell(const CallTimes &Times) {
  Cell Of =
      Times.LayoutFor.empty() ? ratioCell(Times.EagerNs, Times.CompiledNs, Times.Paired) : Cell();
  if (Times.isSlower())
    Of.Shown = Of.Shown.value_or("-") + " slower";
  return Of;
}

Fields<Replacing> timeColumns(size_t Steps) {
  return {{{"eager_ns", "Eager", Unit::Ns, "of what it replaced, in a step"},
           [=](const Replacing &R) {
             return R.Times.EagerNs && !R.Group ? perStep(R.Times.EagerNs, Steps) : Cell();
           }},
          {{"compiled_ns", "Compiled", Unit::Ns, "of its calls, in a step"},
           [=](const Replacing &R) { return perStep(R.Times.CompiledNs, Steps); }},
          {{"speedup", "Speedup", Unit::Ratio, "eager over compiled, of the trimmed means"},
           [](const Replacing &R) {
             return R.Group ? Cell(Value(), fmt::format("in group {}", R.Group))
                            : speedupCell(R.Times);
           }}};
}

/// If recorded times are not the program's.
Fields<Replacing> shareColumns(const StepTimes &Whole) {
  return {{column::percent("eager_percent", "Of eager %", "of the steps, by what it replaced"),
           [Ns = Whole.EagerNs](const Replacing &R) {
             return R.Group           ? Cell(Value(), fmt::format("in group {}", R.Group))
                    : R.Times.EagerNs ? Cell(percentOf(R.Times.EagerNs, Ns))
                                      : Cell();
           }},
          {column::percent("compiled_percent", "Of compiled %", "of the steps, by its calls"),
           [Ns = Whole.CompiledNs](const Replacing &R) {
             return Cell(percentOf(R.Times.CompiledNs, Ns));
           }}};
}

void addTable(Section &To, const Context &In, bool Generated, std::vector<Replacing> Rows) {
  if (Rows.empty())
    return;
  const Attribution &All = In->Input.Compared->All;
  const size_t Steps = All.Steps.size();
  sortRows(Rows);
  Fields<Replacing> Columns = {
      {column::name(Generated ? "Fused kernel" : "Library's kernel"), &Replacing::Name},
      {column::calls().helped("in a step"),
       [=](const Replacing &R) { return countCell(R.Times.Calls, Steps); }}};
  append(Columns, disagreement(*In) ? shareColumns(sumOf(All.Steps)) : timeColumns(Steps));
  if (Generated)
    append(Columns, {{{"threads", "Threads", Unit::Count, "of its parallel regions"},
                      [](const Replacing &R) { return unlessZero(R.Of.Threads); }},
                     {column::imbalance(), [](const Replacing &R) { return R.Of.Imbalance; }},
                     {{"saved_mb", "MB saved", Unit::Count,
                       "in a step, that stay inside; of all that the operators moved"},
                      [=](const Replacing &R) { return savedCell(R.Times, Steps); }}});
  else if (std::ranges::any_of(Rows, &Replacing::FallsBack))
    Columns.push_back(
        {Column("note", "Note", Unit::Text, "whether Inductor generates code for the operator")
             .left(),
         [](const Replacing &R) { return R.FallsBack ? Cell("falls back to aten") : Cell(); }});
  Columns.push_back({Column("replaced", Generated ? "Replaced, in a step" : "In eager mode",
                            Unit::Name, "eager operators")
                         .left()
                         .cut(OpsWidth),
                     &Replacing::Replaced});
  auto Held = std::make_shared<const std::vector<Replacing>>(std::move(Rows));
  Table Shown =
      makeTable<Replacing>(Generated ? "fused-kernels" : "library-kernels",
                           Generated ? "Fused kernels and the eager operators they replaced"
                                     : "Library kernels and the eager operators they replaced",
                           std::span(*Held), std::move(Columns));
  Shown.In = ForPeople;
  Shown.Top = In->Input.rowsOf(SIZE_MAX);
  Shown.Stands = [Held](size_t Row) {
    return (*Held)[Row].Times.isSlower() ? Emphasis::Strong : Emphasis::None;
  };
  To.add(std::move(Shown));
}

/// Kernels of both tables that together do the work of operators, the group with most time first.
/// Their rows get its number.
std::vector<Replacing> groupsOf(std::vector<Replacing> &Generated,
                                std::vector<Replacing> &Libraries, size_t Steps) {
  using Members = std::vector<Replacing *>;
  std::vector<Members> Found;
  const auto Shares = [](const Replacing *A, const Replacing *B) {
    return std::ranges::any_of(A->Times.Groups,
                               [&](const auto &Group) { return B->Times.Groups.contains(Group); });
  };
  for (std::vector<Replacing> *const Rows : {&Generated, &Libraries})
    for (Replacing &Row : *Rows) {
      Members Own = {&Row};
      std::erase_if(Found, [&](const Members &Known) {
        const bool Joins =
            std::ranges::any_of(Known, [&](const Replacing *Other) { return Shares(&Row, Other); });
        if (Joins)
          Own.insert(Own.begin(), Known.begin(), Known.end());
        return Joins;
      });
      Found.push_back(std::move(Own));
    }
  std::vector<std::pair<Replacing, Members>> Made;
  for (const Members &Each : Found) {
    if (Each.size() == 1) { // all calls of the group are its own
      Each[0]->Times.Groups.clear();
      continue;
    }
    Replacing Whole;
    for (const Replacing *const Row : Each) {
      Whole.Members += (Whole.Members.empty() ? "" : ", ") + Row->Name;
      Whole.Times.add(Row->Times);
    }
    Whole.Times.Groups.clear();
    Whole.Replaced = operators(Whole.Times, Steps);
    Made.emplace_back(std::move(Whole), Each);
  }
  std::ranges::stable_sort(Made, std::ranges::greater(),
                           [](const auto &Each) { return Each.first.Times.CompiledNs; });
  std::vector<Replacing> Groups;
  for (auto &[Whole, Rows] : Made) {
    const size_t Number = Groups.size() + 1;
    for (Replacing *const Row : Rows)
      Row->Group = Number;
    Whole.Name = fmt::format("group {}", Number);
    Groups.push_back(std::move(Whole));
  }
  return Groups;
}

void addGroups(Section &To, const Context &In, std::vector<Replacing> Groups) {
  if (Groups.empty())
    return;
  const Attribution &All = In->Input.Compared->All;
  Fields<Replacing> Columns = {
      {Column("group", "Group", Unit::Text, "of kernels, each of which does a part of an operator"),
       &Replacing::Name}};
  append(Columns,
         disagreement(*In) ? shareColumns(sumOf(All.Steps)) : timeColumns(All.Steps.size()));
  append(Columns, {{Column("kernels", "Kernels", Unit::Name, "of the group").left().cut(OpsWidth),
                    &Replacing::Members},
                   {Column("replaced", "Replaced, in a step", Unit::Name, "eager operators")
                        .left()
                        .cut(OpsWidth),
                    &Replacing::Replaced}});
  Table Shown =
      makeTable<Replacing>("kernel-groups", "Kernels that do the work of operators together",
                           std::move(Groups), std::move(Columns));
  Shown.In = ForPeople;
  To.add(std::move(Shown));
}

/// The change of the mean step by each kernel, the largest first; with the change outside kernels,
/// they add up to the change of the step.
Chart waterfallByKernel(const Attribution &All, const std::vector<Replacing> &Generated,
                        const std::vector<Replacing> &Libraries,
                        const std::vector<Replacing> &Groups) {
  constexpr size_t Most = 12;
  const auto Steps = static_cast<int64_t>(All.Steps.size());
  const StepTimes Sum = sumOf(All.Steps);
  Waterfall Of = {"Eager step", "Compiled step", Sum.EagerNs / Steps, Sum.CompiledNs / Steps, {}};
  int64_t Rest = Of.EndNs - Of.BeginNs;
  const auto Add = [&](std::string Name, const CallTimes &Times) {
    const int64_t Change = (Times.CompiledNs - Times.EagerNs) / Steps;
    if (Change)
      Of.Steps.emplace_back(std::move(Name), Change);
    Rest -= Change;
  };
  for (const Replacing &Each : Generated)
    if (!Each.Group)
      Add(Each.Name, Each.Times);
  for (const Replacing &Each : Libraries)
    if (!Each.Group)
      Add(fmt::format("{}: {}", Each.Name, fit(Each.Replaced, OpsWidth)), Each.Times);
  for (const Replacing &Each : Groups)
    Add(fmt::format("{}: {}", Each.Name, fit(Each.Members, OpsWidth)), Each.Times);
  std::ranges::stable_sort(Of.Steps, std::greater(),
                           [](const auto &Step) { return std::abs(Step.second); });
  if (Of.Steps.size() > Most) {
    int64_t Others = 0;
    for (size_t I = Most; I < Of.Steps.size(); ++I)
      Others += Of.Steps[I].second;
    const size_t Count = Of.Steps.size() - Most;
    Of.Steps.resize(Most);
    Of.Steps.emplace_back(fmt::format("[{} more]", Count), Others);
  }
  if (Rest)
    Of.Steps.emplace_back("[outside kernels]", Rest);
  return {"waterfall-kernels", "From eager to compiled: the mean step, by kernel", std::move(Of)};
}

} // namespace

void addReplaced(Section &To, const Context &In) {
  const Attribution &All = In->Input.Compared->All;
  const TorchRun &Torch = *In->Input.Torch;
  const size_t Steps = All.Steps.size();
  std::vector<Replacing> Generated;
  for (const KernelRow &Each : In->Numbers.Kernels)
    if (const GeneratedKernel *Kernel = Torch.kernel(Each.Site)) {
      CallTimes Times = timesOf(All, Torch, *Kernel);
      if (!Times.Calls)
        continue;
      std::string Ops = operators(Times, Steps);
      Generated.push_back({std::string(In->name(Each.Site)), std::move(Ops), std::move(Times),
                           teamOf(In->Source, Each)});
    }

  std::map<std::pair<std::string, std::string>, Replacing> Extern;
  for (const KernelUse &Use : Torch.Graphs.uses()) {
    const CodeCall &Call = Torch.Graphs.callOf(Use);
    const CallTimes *Found = All.find(Use.Graph, Use.Call);
    if (!Call.Extern || !Found)
      continue;
    const CallTimes &Times = *Found;
    const auto Main =
        std::ranges::max_element(Times.Ops, {}, [](const auto &Op) { return Op.second.Ns; });
    std::string Key = Main == Times.Ops.end() ? "" : Main->first.first + " " + Main->first.second;
    Replacing &Known = Extern[{Call.Kernel, Key}];
    Known.Name = Call.Kernel;
    Known.Replaced = Key.empty() ? "[only part of operators]" : Key;
    Known.Times.add(Times);
    Known.FallsBack = Call.fallsBack();
  }
  std::vector<Replacing> Rows;
  for (auto &[Key, Each] : Extern)
    Rows.push_back(std::move(Each));
  std::vector<Replacing> Groups = groupsOf(Generated, Rows, Steps);
  if (In->Input.Page && !All.Steps.empty() && !disagreement(*In))
    To.Items.emplace_back(waterfallByKernel(All, Generated, Rows, Groups));
  addTable(To, In, true, std::move(Generated));
  addTable(To, In, false, std::move(Rows));
  addGroups(To, In, std::move(Groups));
}

} // namespace seamscope::tools
