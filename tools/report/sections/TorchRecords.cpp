//===- TorchRecords.cpp - columns from torch.compile's logs ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/TorchRecords.h"

#include "run/join/ComparedRuns.h"

#include <algorithm>
#include <map>

namespace seamscope::tools {
namespace {

std::vector<FxNode> nodesAt(const FxGraph &Graph, const std::vector<uint32_t> &Numbers) {
  std::vector<FxNode> Nodes;
  for (const uint32_t Number : Numbers)
    Nodes.push_back(Graph.Nodes[Number]);
  return Nodes;
}

} // namespace

Fields<SourceLine> lineFields() {
  return {
      {{"file", Unit::Name, "its file"}, orNull(&SourceLine::File)},
      {{"line", Unit::Count, "number"}, orNull(&SourceLine::Line)},
      {{"function", Unit::Name, "around it"}, orNull(&SourceLine::Function)},
      {{"code", Unit::Name, "its text"}, orNull(&SourceLine::Code)},
  };
}

Fields<CalledLine> calledLineFields() {
  auto Made = fieldsOf<CalledLine>(lineFields(), &CalledLine::line);
  Made.push_back(rowsField<CalledLine>(
      "callers", "what called it, innermost first", lineFields(),
      [](const CalledLine &C) { return std::span(C.Use->Callers[C.Number]); }));
  return Made;
}

Fields<ModulePath> moduleFields() {
  return {{{"path", Unit::Name, "nn.Module path"}, &ModulePath::Path},
          {{"class", Unit::Name, "its class"}, orNull(&ModulePath::Class)}};
}

Fields<FxNode> nodeFields() {
  return {{column::name(""), &FxNode::Name},
          {{"target", Unit::Name, "what it calls"}, orNull(&FxNode::Target)},
          {{"type", Unit::Name, "of its result"}, orNull(&FxNode::Type)}};
}

Fields<OpCount> opCountFields(bool Compared) {
  Fields<OpCount> Made = {
      {column::name(""), &OpCount::Name},
      {column::calls(), &OpCount::Calls},
      {{"partial", Unit::Count, "of which other calls do a part"}, &OpCount::Partial},
      {Column("recomputed", Unit::Count, "of which other kernels compute the same").optional(),
       [](const OpCount &O) { return O.Recomputes ? Value(O.Recomputed) : Value(Absent()); }}};
  if (Compared)
    append(Made, {{Column("compared_calls", Unit::Count, "calls in the compared steps").optional(),
                   [](const OpCount &O) { return orAbsent(O.ComparedCalls); }},
                  {Column("total_ns", Unit::Ns, "eager time of these").optional(),
                   [](const OpCount &O) { return orAbsent(O.TotalNs); }}});
  return Made;
}

Fields<const KernelUse *> callFields(const CompiledGraphs *Graphs) {
  using Use = const KernelUse *;
  const auto OfGraph = [Graphs](auto What) {
    return [=](const Use &U) { return std::invoke(What, Graphs->graphOf(*U)); };
  };
  const auto OfCall = [Graphs](auto What) {
    return [=](const Use &U) { return std::invoke(What, Graphs->callOf(*U)); };
  };
  return {
      {{"graph", Unit::Text, "compile id"}, OfGraph(orNull(&CompiledGraph::Id))},
      {{"direction", Unit::Text, "inference, forward or backward"},
       [Graphs](const Use &U) { return textOrNull(nameOf(Graphs->graphOf(*U).Code.Direction)); }},
      {{"process", Unit::Count, "that compiled it"}, OfGraph(&CompiledGraph::Process)},
      {{"call", Unit::Count, "number in the graph, from 0"}, &KernelUse::Call},
      {{"kernel", Unit::Name, "what is called"}, OfCall(&CodeCall::Kernel)},
      {{"extern", Unit::Flag, "a library's"}, OfCall(&CodeCall::Extern)},
      {{"falls_back", Unit::Flag, "to ATen's own code: Inductor generates none"},
       OfCall(&CodeCall::fallsBack)},
  };
}

Fields<const KernelUse *> useFields(const CompiledGraphs *Graphs) {
  using Use = const KernelUse *;
  Fields<Use> Made = callFields(Graphs);
  append(
      Made,
      {{{"handle", Unit::Count, "provenance handle"},
        [Graphs](const Use &U) { return unlessZero(Graphs->callOf(*U).Handle); }},
       rowsField<Use>(
           "nodes", "of the graph after autograd", nodeFields(),
           [Graphs](const Use &U) { return nodesAt(Graphs->graphOf(*U).PostGrad, U->PostNodes); }),
       rowsField<Use>("captured", "that dynamo captured", nodeFields(),
                      [Graphs](const Use &U) {
                        const CompiledGraph &Graph = Graphs->graphOf(*U);
                        return Graph.PreGrad ? nodesAt(*Graph.PreGrad, U->PreNodes)
                                             : std::vector<FxNode>();
                      }),
       rowsField<Use>("eager_ops", "eager operators that it stands for", opCountFields(false),
                      [](const Use &U) { return countOps(U->Eager); }),
       rowsField<Use>("gradients_of", "operators whose gradients it computes", opCountFields(false),
                      [](const Use &U) { return countOps(U->GradientsOf); }),
       rowsField<Use>("python", "lines of Python", calledLineFields(),
                      [](const Use &U) {
                        std::vector<CalledLine> Lines;
                        for (size_t I = 0; I < U->Python.size(); ++I)
                          Lines.push_back({U, I});
                        return Lines;
                      }),
       rowsField<Use>("modules", "nn.Module paths", moduleFields(),
                      [](const Use &U) { return std::span(U->Modules); }),
       {{"old_lines", Unit::Flag, "lines as they were when the graph was cached"},
        &KernelUse::OldLines}});
  return Made;
}

std::vector<OpCount> countOps(const std::vector<EagerOp> &Ops, std::vector<OpCount> Counts) {
  for (const EagerOp &Op : Ops) {
    auto Known = std::ranges::find(Counts, Op.Name, &OpCount::Name);
    if (Known == Counts.end())
      Known = Counts.insert(Counts.end(), OpCount{Op.Name, 0, 0, 0, true, {}, {}});
    ++Known->Calls;
    Known->Partial += Op.Partial;
    Known->Recomputed += Op.Recomputed;
  }
  return Counts;
}

std::vector<OpCount> eagerOps(const ReportContext &In, const KernelRow &Row) {
  const TorchRun &Torch = *In.Input.Torch;
  const GeneratedKernel *const Kernel = Torch.kernel(Row.Site);
  std::vector<OpCount> Counts;
  if (!Kernel)
    return Counts;
  for (const uint32_t Number : Kernel->Uses)
    Counts = countOps(Torch.Graphs.uses()[Number].Eager, std::move(Counts));
  if (!In.Input.Compared)
    return Counts;
  const CallTimes Times = timesOf(In.Input.Compared->All, Torch, *Kernel);
  if (!Times.Calls)
    return Counts;
  for (OpCount &Op : Counts) {
    Op.ComparedCalls = 0;
    Op.TotalNs = 0;
  }
  // Only in the eager run: views and copies that no node stands for.
  std::map<std::string, OpTimes> More;
  for (const auto &[Name, Known] : Times.Ops) {
    const auto Op = std::ranges::find(Counts, Name.first, &OpCount::Name);
    if (Op == Counts.end()) {
      More[Name.first].Calls += Known.Calls;
      More[Name.first].Ns += Known.Ns;
      continue;
    }
    *Op->ComparedCalls += Known.Calls;
    *Op->TotalNs += Known.Ns;
  }
  for (const auto &[Name, Known] : More)
    Counts.push_back(
        {Name, (Known.Calls + Times.Calls / 2) / Times.Calls, 0, 0, false, Known.Calls, Known.Ns});
  return Counts;
}

} // namespace seamscope::tools
