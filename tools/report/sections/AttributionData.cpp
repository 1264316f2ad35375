//===- AttributionData.cpp - eager against compiled, for scripts ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/AttributionRows.h"
#include "report/sections/Sections.h"
#include "report/sections/TorchRecords.h"

#include <algorithm>
#include <map>

namespace seamscope::tools {
namespace {

Column eagerNs() { return {"eager_ns", "", Unit::Ns, "in eager mode"}; }
Column compiledNs() { return {"compiled_ns", "", Unit::Ns, "compiled"}; }

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
          {{"kernels", "", Unit::Count, "calls of kernels and operators in the compiled run"},
           [](const NamedPart &P) { return P.Times.Kernels; }},
          {{"ops", "", Unit::Count, "operators in the eager run"},
           [](const NamedPart &P) { return P.Times.Ops; }}};
}

using OpEntry = OpsByShape::value_type;

Fields<const OpEntry *> opFields() {
  using Op = const OpEntry *;
  return {
      {column::name(""), [](const Op &O) { return O->first.first; }},
      {{"shapes", "", Unit::Name, "of its inputs"}, [](const Op &O) { return O->first.second; }},
      {column::calls(), [](const Op &O) { return O->second.Calls; }},
      {{"proven", "", Unit::Count, "of calls; the others by their order alone"},
       [](const Op &O) { return O->second.Proven; }},
      {column::total(), [](const Op &O) { return O->second.Ns; }},
      {{"bytes", "", Unit::Bytes, "by formula"}, [](const Op &O) {
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
      if ((All.Marked || Step.Name == Name) && Step.CompiledNs > 0)
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
  Fields<ComparedCall> Columns =
      fieldsOf<ComparedCall>(callFields(&Graphs), [](const ComparedCall &C) { return C.Use; });
  append(Columns,
         {{column::calls(), [](const ComparedCall &C) { return C.Times->Calls; }},
          {compiledNs(), [](const ComparedCall &C) { return C.Times->CompiledNs; }},
          {eagerNs(), [](const ComparedCall &C) { return C.Times->EagerNs; }},
          {{"bytes_moved", "", Unit::Bytes, "that it reads and writes at least"},
           [](const ComparedCall &C) { return Value(C.Times->Bytes); }},
          rowsField<ComparedCall>("eager_ops", "eager operators that it owns", opFields(),
                                  [](const ComparedCall &C) { return entries(C.Times->Ops); })});
  return makeTable("attribution.calls", "", std::move(Rows), std::move(Columns));
}

} // namespace

Fields<RatioEstimate> ratioFields() {
  return {{{"value", "", Unit::Ratio, "first over second"},
           [](const RatioEstimate &R) { return R.Value; }},
          {{"low", "", Unit::Ratio, "of the interval of 95 %"},
           [](const RatioEstimate &R) { return R.Low; }},
          {{"high", "", Unit::Ratio, "of the interval of 95 %"},
           [](const RatioEstimate &R) { return R.High; }}};
}

Value ratioValue(const std::optional<RatioEstimate> &Ratio) {
  if (!Ratio)
    return {};
  return Value::Record{std::make_shared<const Table>(
      makeTable("", "", std::vector<RatioEstimate>{*Ratio}, ratioFields()))};
}

Column ratioColumn(std::string Key, std::string Help) {
  Column Made(std::move(Key), "", Unit::Record, std::move(Help));
  Made.Nested = std::make_shared<const std::vector<Column>>(columnsOf(ratioFields()));
  return Made;
}

Fields<KernelRow> attributionFields(const Context &In) {
  if (!In->Input.Compared || !In->Input.Torch)
    return {};
  // Several columns ask for each kernel's.
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
      {{"threads", "", Unit::Count, "of its parallel regions"},
       Get([In](Row R, Call) { return unlessZero(teamOf(In->Source, R).Threads); })},
      {column::imbalance(), Get([In](Row R, Call) { return teamOf(In->Source, R).Imbalance; })},
      {eagerNs(), Get([](Row, Call T) { return T.EagerNs; })},
      {{"compared_calls", "", Unit::Count, "calls in the compared steps"},
       Get([](Row, Call T) { return T.Calls; })},
      {{"compared_ns", "", Unit::Ns, "their time"}, Get([](Row, Call T) { return T.CompiledNs; })},
      {{"layout_for", "", Unit::Name, "operator for which it lays inputs out anew"},
       Get([](Row, Call T) { return textOrNull(T.LayoutFor); })},
      {ratioColumn("ratio", "eager_ns over compared_ns"), Get([](Row, Call T) {
         return T.LayoutFor.empty() ? ratioValue(T.Paired.ratio()) : Value();
       })},
      {{"bytes_moved", "", Unit::Bytes, "that it reads and writes at least"},
       Get([](Row, Call T) { return Value(T.Bytes); })},
      {{"bytes_saved", "", Unit::Bytes, "of the operators, that stay inside"}, Get([](Row, Call T) {
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
    To.Items.emplace_back(Fact{{std::string("attribution.") + Key, "", Of, Help}, std::move(What)});
  };
  const auto AddPass = [&](const std::string &Key, const PassTimes &Of) {
    Add((Key + ".eager_ns").c_str(), Unit::Ns, "in eager mode", Of.EagerNs);
    Add((Key + ".compiled_ns").c_str(), Unit::Ns, "compiled", Of.CompiledNs);
  };
  const auto AddTable = [&](Table Rows) {
    Rows.In = ForJson;
    To.Items.emplace_back(std::move(Rows));
  };
  Add("runs", Unit::Count, "pairs of runs", Runs.Pairs);
  Add("compiler", Unit::Name, "of the kernels", textOrNull(Runs.Tools.Compiler));
  Add("openmp", Unit::Name, "library of both runs", textOrNull(Runs.Tools.OpenMP));
  Add("steps_marked", Unit::Flag, "by the program", All.Marked);
  Add("time_of", Unit::Text, "device or host", All.OnDevice ? "device" : "host");
  AddPass("total", {Sum.EagerNs, Sum.CompiledNs});
  AddTable(makeTable("attribution.parts", "", named(Sum.Of), partFields()));
  Add("guards_ns", Unit::Ns, "of the compiled runs' overhead", Sum.GuardsNs);
  AddPass("backward", Sum.Backward);
  AddTable(makeTable("attribution.unplaced", "", entries(All.Unplaced), opFields()));
  using Counted = std::pair<const std::string, uint64_t>;
  std::vector<const Counted *> WithoutEvent;
  for (const Counted &Each : All.WithoutEvent)
    WithoutEvent.push_back(&Each);
  AddTable(
      makeTable<const Counted *>("attribution.without_event", "", std::move(WithoutEvent),
                                 {{column::name(""), [](const Counted *C) { return C->first; }},
                                  {column::calls(), [](const Counted *C) { return C->second; }}}));
  AddTable(makeTable<FunctionSteps>(
      "attribution.functions", "", functionSteps(All),
      {{column::name(""), [](const FunctionSteps &F) { return textOrNull(F.Name); }},
       {ratioColumn("ratio", "eager over compiled, mean of the steps"),
        [](const FunctionSteps &F) { return ratioValue(F.Ratio); }},
       {{"speedup", "", Unit::Ratio, "median of the steps"},
        [](const FunctionSteps &F) { return F.Median; }},
       {{"speedup_min", "", Unit::Ratio, "least of them"},
        [](const FunctionSteps &F) { return F.Min; }},
       {{"speedup_max", "", Unit::Ratio, "greatest of them"},
        [](const FunctionSteps &F) { return F.Max; }}}));
  AddTable(
      makeTable<StepTimes>("attribution.steps", "", std::span(All.Steps),
                           {{column::name(""), [](const StepTimes &S) { return S.Name; }},
                            {eagerNs(), [](const StepTimes &S) { return S.EagerNs; }},
                            {compiledNs(), [](const StepTimes &S) { return S.CompiledNs; }},
                            {{"guards_ns", "", Unit::Ns, "of the compiled run's overhead"},
                             [](const StepTimes &S) { return S.GuardsNs; }},
                            {eagerNs().keyed("backward.eager_ns"),
                             [](const StepTimes &S) { return S.Backward.EagerNs; }},
                            {compiledNs().keyed("backward.compiled_ns"),
                             [](const StepTimes &S) { return S.Backward.CompiledNs; }},
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
  Add("notes", Unit::List, "what could not be compared",
      Value(Value::List(Runs.Notes.begin(), Runs.Notes.end())));
}

} // namespace seamscope::tools
