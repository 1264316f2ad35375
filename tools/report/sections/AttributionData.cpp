//===- AttributionData.cpp - eager against compiled, for scripts ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/PairedSteps.h"
#include "report/sections/AttributionRows.h"
#include "report/sections/Sections.h"
#include "report/sections/TorchRecords.h"

#include <algorithm>
#include <map>

namespace seamscope::tools {
namespace {

Column eagerNs() { return {"eager_ns", Unit::Ns, "in eager mode"}; }
Column compiledNs() { return {"compiled_ns", Unit::Ns, "compiled"}; }
Column bytesMoved() { return {"bytes_moved", Unit::Bytes, "that it reads and writes at least"}; }

struct NamedPart {
  StepPart Which;
  PartTimes Times;
};

std::vector<NamedPart> named(const Parts &Of) {
  std::vector<NamedPart> Rows;
  for (size_t I = 0; I < StepParts; ++I)
    Rows.push_back({static_cast<StepPart>(I), Of[I]});
  return Rows;
}

Fields<NamedPart> partFields() {
  return {{column::name(""), [](const NamedPart &P) { return keyOf(P.Which); }},
          {eagerNs(), [](const NamedPart &P) { return P.Times.EagerNs; }},
          {compiledNs(), [](const NamedPart &P) { return P.Times.CompiledNs; }},
          {{"kernels", Unit::Count, "calls of kernels and operators in the compiled run"},
           [](const NamedPart &P) { return P.Times.Kernels; }},
          {{"ops", Unit::Count, "operators in the eager run"},
           [](const NamedPart &P) { return P.Times.Ops; }}};
}

using OpEntry = OpsByShape::value_type;

Fields<const OpEntry *> opFields() {
  using Op = const OpEntry *;
  return {{column::name(""), [](const Op &O) { return O->first.first; }},
          {{"shapes", Unit::Name, "of its inputs"}, [](const Op &O) { return O->first.second; }},
          {column::calls(), [](const Op &O) { return O->second.Calls; }},
          {{"proven", Unit::Count, "of calls; the others by their order alone"},
           [](const Op &O) { return O->second.Proven; }},
          {column::total(), [](const Op &O) { return O->second.Ns; }},
          {{"bytes", Unit::Bytes, "by formula"}, [](const Op &O) {
             return O->second.BytesCalls == O->second.Calls ? Value(O->second.Bytes) : Value();
           }}};
}

std::vector<const OpEntry *> entries(const OpsByShape &Of) {
  std::vector<const OpEntry *> Rows;
  for (const OpEntry &Each : Of)
    Rows.push_back(&Each);
  return Rows;
}

/// Steps of one function.
struct FunctionSteps {
  std::string Name;
  std::optional<RatioEstimate> Ratio;
  double Median, Min, Max;
};

std::vector<FunctionSteps> functionSteps(const Attribution &All) {
  std::vector<FunctionSteps> Rows;
  for (const std::string &Name : steppedFunctions(All)) {
    std::vector<double> Ratios;
    for (const StepTimes &Step : All.Steps)
      if ((All.By == StepsBy::Mark || Step.Name == Name) && Step.CompiledNs > 0)
        Ratios.push_back(static_cast<double>(Step.EagerNs) / static_cast<double>(Step.CompiledNs));
    if (Ratios.empty())
      continue;
    std::ranges::sort(Ratios);
    const size_t Half = Ratios.size() / 2;
    const double Median = Ratios.size() % 2 ? Ratios[Half] : (Ratios[Half - 1] + Ratios[Half]) / 2;
    Rows.push_back({Name, pairedTimes(All, Name).ratio(), Median, Ratios.front(), Ratios.back()});
  }
  return Rows;
}

/// A call of a graph in the compared steps.
struct ComparedCall {
  const KernelUse *Use;
  const CallTimes *Times;
};

Table callTable(const Context &In) {
  const CompiledGraphs &Graphs = In->Input.Torch->Graphs;
  std::vector<ComparedCall> Rows;
  for (const KernelUse &Use : Graphs.uses())
    if (const CallTimes *Found = In->Input.Compared->All.find(Use.Graph, Use.Call))
      Rows.push_back({&Use, Found});
  Fields<ComparedCall> Columns = fieldsOf<ComparedCall>(callFields(&Graphs), &ComparedCall::Use);
  const Fields<CallTimes> Times = {
      {column::calls(), &CallTimes::Calls},
      {compiledNs(), &CallTimes::CompiledNs},
      {eagerNs(), &CallTimes::EagerNs},
      {bytesMoved(), [](const CallTimes &C) { return Value(C.Bytes); }},
      {{"group", Unit::Count, "first call of those that do the operators' work together"},
       [](const CallTimes &C) {
         return C.Groups.empty() ? Value() : Value(C.Groups.begin()->second);
       }},
      rowsField<CallTimes>("eager_ops", "eager operators that it owns", opFields(),
                           [](const CallTimes &C) { return entries(C.Ops); })};
  append(Columns, fieldsOf<ComparedCall>(
                      Times, [](const ComparedCall &C) -> const CallTimes & { return *C.Times; }));
  return makeTable("attribution.calls", "", std::move(Rows), std::move(Columns));
}

} // namespace

Fields<RatioEstimate> ratioFields() {
  return {{{"value", Unit::Ratio, "first over second"}, &RatioEstimate::Value},
          {{"low", Unit::Ratio, "of the interval of 95 %"}, &RatioEstimate::Low},
          {{"high", Unit::Ratio, "of the interval of 95 %"}, &RatioEstimate::High}};
}

Value ratioValue(const std::optional<RatioEstimate> &Ratio) {
  if (!Ratio)
    return {};
  return recordOf(*Ratio, ratioFields());
}

Column ratioColumn(std::string Key, std::string Help) {
  Column Made(std::move(Key), "", Unit::Record, std::move(Help));
  Made.Nested = std::make_shared<const std::vector<Column>>(columnsOf(ratioFields()));
  return Made;
}

Fields<KernelRow> attributionFields(const Context &In) {
  if (!In->Input.Compared || !In->Input.Torch)
    return {};
  // Several columns need it for each kernel.
  const auto Known = std::make_shared<std::map<SiteId, CallTimes>>();
  const auto Times = [In, Known](const KernelRow &R) -> const CallTimes * {
    const TorchRun &Torch = *In->Input.Torch;
    const GeneratedKernel *const Kernel = Torch.kernel(R.Site);
    if (!Kernel)
      return nullptr;
    const auto [Entry, New] = Known->try_emplace(R.Site);
    if (New)
      Entry->second = timesOf(In->Input.Compared->All, Torch, *Kernel);
    return Entry->second.Calls ? &Entry->second : nullptr;
  };
  const auto Get = [Times](auto Of) {
    return [Times, Of](const KernelRow &R) -> Cell {
      const CallTimes *const Compared = Times(R);
      return Compared ? Cell(Value(Of(R, *Compared))) : Cell(Value(Absent()));
    };
  };
  using Row = const KernelRow &;
  using Call = const CallTimes &;
  Fields<KernelRow> Made = {
      {{"threads", Unit::Count, "of its parallel regions"},
       Get([In](Row R, Call) { return unlessZero(teamOf(In->Source, R).Threads); })},
      {column::imbalance(), Get([In](Row R, Call) { return teamOf(In->Source, R).Imbalance; })},
      {eagerNs(), Get([](Row, Call T) { return T.EagerNs; })},
      {{"compared_calls", Unit::Count, "calls in the compared steps"},
       Get([](Row, Call T) { return T.Calls; })},
      {{"compared_ns", Unit::Ns, "their time"}, Get([](Row, Call T) { return T.CompiledNs; })},
      {{"layout_for", Unit::Name, "operator for which it lays inputs out again"},
       Get([](Row, Call T) { return textOrNull(T.LayoutFor); })},
      {{"shares_operators", Unit::Flag, "other kernels do a part of its operators"},
       Get([](Row, Call T) { return !T.Groups.empty(); })},
      {ratioColumn("ratio", "eager_ns over compared_ns"),
       Get([](Row, Call T) { return T.compares() ? ratioValue(T.Paired.ratio()) : Value(); })},
      {bytesMoved(), Get([](Row, Call T) { return Value(T.Bytes); })},
      {{"bytes_saved", Unit::Bytes, "of the operators, that stay inside"}, Get([](Row, Call T) {
         const std::optional<SavedBytes> Saved = T.savedBytes();
         return Saved ? Value(Saved->Eager - Saved->Compiled) : Value();
       })},
  };
  for (Field<KernelRow> &Each : Made) {
    Each.In = ForJson;
    Each.Optional = true;
  }
  return Made;
}

void addAttributionData(Section &To, const Context &In) {
  const ComparedRuns &Runs = *In->Input.Compared;
  const Attribution &All = Runs.All;
  const StepTimes Sum = sumOf(All.Steps);
  const auto Add = [&](const char *Key, Unit Of, const char *Help, Cell What) {
    To.fact({std::string("attribution.") + Key, "", Of, Help}, std::move(What));
  };
  const auto AddPass = [&](const std::string &Key, const PassTimes &Of) {
    To.fact(eagerNs().keyed("attribution." + Key + ".eager_ns"), Of.EagerNs);
    To.fact(compiledNs().keyed("attribution." + Key + ".compiled_ns"), Of.CompiledNs);
  };
  const auto AddTable = [&](Table Rows) { To.add(forJson(std::move(Rows))); };
  Add("runs", Unit::Count, "pairs of runs", Runs.Pairs);
  Add("compiler", Unit::Name, "of the kernels", textOrNull(Runs.Tools.Compiler));
  Add("openmp", Unit::Name, "library of both runs", textOrNull(Runs.Tools.OpenMP));
  Add("steps_marked", Unit::Flag, "by the program", All.By == StepsBy::Mark);
  Add("steps_by", Unit::Text, StepsByHelp, keyOf(All.By));
  Add("time_of", Unit::Text, "device or host", All.OnDevice ? "device" : "host");
  AddPass("total", {Sum.EagerNs, Sum.CompiledNs});
  AddTable(makeTable("attribution.parts", "", named(Sum.Of), partFields()));
  Add("guards_ns", Unit::Ns, "of the compiled runs' overhead", Sum.GuardsNs);
  AddPass("backward", Sum.Backward);
  AddTable(makeTable("attribution.unplaced", "", entries(All.Unplaced), opFields()));
  using Counted = std::pair<std::string, uint64_t>;
  AddTable(makeTable<Counted>(
      "attribution.without_event", "",
      std::vector<Counted>(All.WithoutEvent.begin(), All.WithoutEvent.end()),
      {{column::name(""), &Counted::first}, {column::calls(), &Counted::second}}));
  AddTable(makeTable<FunctionSteps>(
      "attribution.functions", "", functionSteps(All),
      {{column::name(""), orNull(&FunctionSteps::Name)},
       {ratioColumn("ratio", "eager over compiled, mean of the steps"),
        [](const FunctionSteps &F) { return ratioValue(F.Ratio); }},
       {{"speedup", Unit::Ratio, "median of the steps"}, &FunctionSteps::Median},
       {{"speedup_min", Unit::Ratio, "least of them"}, &FunctionSteps::Min},
       {{"speedup_max", Unit::Ratio, "greatest of them"}, &FunctionSteps::Max}}));
  const auto Backward = [](auto Of) { return member(&StepTimes::Backward, Of); };
  AddTable(makeTable<StepTimes>(
      "attribution.steps", "", std::span(All.Steps),
      {{column::name(""), &StepTimes::Name},
       {eagerNs(), &StepTimes::EagerNs},
       {compiledNs(), &StepTimes::CompiledNs},
       {{"guards_ns", Unit::Ns, "of the compiled run's overhead"}, &StepTimes::GuardsNs},
       {eagerNs().keyed("backward.eager_ns"), Backward(&PassTimes::EagerNs)},
       {compiledNs().keyed("backward.compiled_ns"), Backward(&PassTimes::CompiledNs)},
       rowsField<StepTimes>("parts", "of the step", partFields(),
                            [](const StepTimes &S) { return named(S.Of); })}));
  AddTable(callTable(In));
  for (const auto &[Key, Out] :
       {std::pair<std::string, const LeftOut *>("compiling", &All.Compiling),
        {"warm_up", &All.WarmUp}}) {
    Add(("left_out." + Key + ".steps").c_str(), Unit::Count, "steps", Out->Steps);
    AddPass("left_out." + Key, {Out->EagerNs, Out->CompiledNs});
  }
  Add("left_out.unpaired", Unit::Count, "steps of one run alone", All.Unpaired);
  Add("compiling_ns", Unit::Ns, "in the whole compiled run", All.CompilingNs);
  Add("notes", Unit::List, "what could not be compared", listOf(Runs.Notes));
}

} // namespace seamscope::tools
