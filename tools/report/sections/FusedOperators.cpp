//===- FusedOperators.cpp - operators in generated kernels -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/FusedOperators.h"

#include "report/sections/CountedWork.h"
#include "report/sections/TorchRecords.h"
#include "run/join/FusedOperators.h"
#include "run/join/NodeWork.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

/// Kernels of the text without --top.
constexpr size_t UsualKernels = 5;

const GeneratedKernel *generated(const ReportContext &In, const KernelRow &Row) {
  return In.Input.Torch ? In.Input.Torch->kernel(Row.Site) : nullptr;
}

/// Whether the row is a generated kernel with counted work.
bool hasLines(const ReportContext &In, const KernelRow &Row) {
  return generated(In, Row) && countedWork(In, Row);
}

/// An operator of a kernel, with what names it.
struct OperatorRow {
  const CompiledGraphs *Graphs;
  const GeneratedKernel *Kernel;
  const FusedOperator &Of;

  const CompiledGraph &graph() const { return Graphs->graphOf(use(0)); }
  const KernelUse &use(size_t I) const { return Graphs->uses()[Kernel->Uses[I]]; }
  /// The first node of the first call; null: the rest.
  const FxNode *node() const {
    return Of.isRest() ? nullptr : &graph().PostGrad.Nodes[Of.Nodes[0][0]];
  }
};

std::vector<OperatorRow> rowsOf(const ReportContext &In, const KernelRow &Row) {
  std::vector<OperatorRow> Rows;
  if (const FusedKernel *const Found = In.fusedKernel(Row))
    for (const FusedOperator &Each : Found->Operators)
      Rows.push_back({&In.Input.Torch->Graphs, generated(In, Row), Each});
  return Rows;
}

/// "exp", or "exp, exp_1" of nodes with one value.
std::string nameOf(const OperatorRow &Row) {
  return Row.Of.isRest() ? std::string() : nodeNames(Row.graph().PostGrad, Row.Of.Nodes[0]);
}

/// "aten::exp" of torch.ops.aten.exp.default; targets of other kinds unchanged.
std::string operatorOf(const FxNode &Node) {
  const std::string Operator = operatorOfNode(Node);
  return Operator.empty() ? Node.Target : Operator;
}

/// The line of the program: of the captured node, else of the graph's own node.
const SourceLine *nodeLine(const CompiledGraph &Graph, uint32_t Node) {
  for (const uint32_t Captured : nodesFor(Graph, Node))
    if (const SourceLine *const Line = Graph.PreGrad->lineOf(Captured))
      return Line;
  return Graph.PostGrad.lineOf(Node);
}

/// In the first call.
const SourceLine *lineOf(const OperatorRow &Row) {
  return Row.Of.isRest() ? nullptr : nodeLine(Row.graph(), Row.Of.Nodes[0][0]);
}

/// That of all nodes in all calls; nothing: there are several, or one is not known.
std::optional<SourceLine> onlyLineOf(const OperatorRow &Row) {
  std::optional<SourceLine> Only;
  for (size_t Call = 0; Call < Row.Of.Nodes.size(); ++Call)
    for (const uint32_t Node : Row.Of.Nodes[Call]) {
      const SourceLine *const Line = nodeLine(Row.Graphs->graphOf(Row.use(Call)), Node);
      if (!Line || !Line->Line || (Only && (Only->File != Line->File || Only->Line != Line->Line)))
        return std::nullopt;
      Only = *Line;
    }
  return Only;
}

/// The nodes in one call of the kernel.
struct OperatorCall {
  const KernelUse *Use;
  std::vector<uint32_t> Nodes;
};

std::vector<OperatorCall> callsOf(const OperatorRow &Row) {
  std::vector<OperatorCall> Calls;
  for (size_t I = 0; I < Row.Of.Nodes.size(); ++I)
    Calls.push_back({&Row.use(I), Row.Of.Nodes[I]});
  return Calls;
}

Fields<OperatorRow> operatorFields(const CompiledGraphs *Graphs) {
  Fields<OperatorCall> CallFields = fieldsOf<OperatorCall>(callFields(Graphs), &OperatorCall::Use);
  CallFields.push_back({{"nodes", Unit::List, "nodes of torch's graph, with one value"},
                        [Graphs](const OperatorCall &C) {
                          std::vector<std::string> Names;
                          for (const uint32_t Node : C.Nodes)
                            Names.push_back(Graphs->graphOf(*C.Use).PostGrad.Nodes[Node].Name);
                          return listOf(Names);
                        }});
  auto Again = recordField<OperatorRow>(
      "again", "if recomputed, the part of work that was computed before; null: calls differ in it",
      executedFields(), [](const OperatorRow &R) { return R.Of.Again ? &*R.Of.Again : nullptr; });
  return {{{"name", Unit::Name, "nodes in the first call; null: the rest without a node"},
           [](const OperatorRow &R) { return R.Of.isRest() ? Value() : Value(nameOf(R)); }},
          {{"number", Unit::Count,
            "of its statements, behind the colon of their marks; null: the rest"},
           [](const OperatorRow &R) { return R.Of.isRest() ? Value() : Value(R.Of.Number); }},
          {{"operator", Unit::Name, "aten::exp, or what the node calls"},
           [](const OperatorRow &R) { return R.node() ? Value(operatorOf(*R.node())) : Value(); }},
          recordField<OperatorRow>("python", "the line of the program, in the first call",
                                   lineFields(), lineOf),
          rowsField<OperatorRow>("nodes", "by call of the kernel in a graph", std::move(CallFields),
                                 callsOf),
          recordField<OperatorRow>("work", "what its statements executed, over all calls",
                                   executedFields(),
                                   [](const OperatorRow &R) { return &R.Of.Work; }),
          {{"joined", Unit::Flag,
            "the compiler joined its instructions with those of others: it has work of theirs, or "
            "they of it"},
           [](const OperatorRow &R) { return R.Of.IsJoined; }},
          {{"recomputed", Unit::Flag, "other kernels or loops compute the same node, too"},
           [](const OperatorRow &R) { return R.Of.IsRecomputed; }},
          fieldIf([](const OperatorRow &R) { return R.Of.IsRecomputed; }, std::move(Again))};
}

/// The sum of what was computed before; nothing if it is not known.
std::optional<ExecutedWork> againOf(const std::vector<OperatorRow> &Rows) {
  std::optional<ExecutedWork> Sum;
  for (const OperatorRow &Row : Rows) {
    if (!Row.Of.Again)
      return std::nullopt;
    (Sum ? *Sum : Sum.emplace()).add(*Row.Of.Again);
  }
  return Sum;
}

std::string shownPlace(const OperatorRow &Row) {
  const SourceLine *const Line = lineOf(Row);
  return Line ? shortPlace(*Line) + "  " + fit(Line->Code, 40) : std::string();
}

std::vector<std::pair<const char *, Cell>> cellsOf(const ExecutedWork &Of,
                                                   const std::optional<ExecutedWork> &Again) {
  const bool IsWhole = Of.Unknown.empty();
  std::vector<std::pair<const char *, Cell>> Cells = {
      {"flop", boundsCell(Of.flop(), IsWhole, shownFlop)},
      {"bytes_read", boundsCell(Of.bytesRead(), IsWhole, shownBytes)},
      {"bytes_written", boundsCell(Of.bytesWritten(), IsWhole, shownBytes)},
      {"math", shownMath(Of)}};
  if (!Again) {
    Cells.emplace_back("again", Cell(Value(), std::string("unknown")));
  } else if (!Again->Counts.empty()) {
    std::string Text = shownBounds(Again->flop(), true, shownFlop);
    if (const std::string Math = shownMath(*Again); !Math.empty())
      Text += ", " + Math;
    Cells.emplace_back("again", std::move(Text));
  }
  return Cells;
}

} // namespace

const FusedKernel *ReportContext::fusedKernel(const KernelRow &Row) const {
  const auto [Found, New] = Fused.try_emplace(Row.Site);
  if (New) {
    if (auto Known =
            hasLines(*this, Row)
                ? fusedOperators(Input.Torch->Graphs, *generated(*this, Row),
                                 *countedWork(*this, Row), Source.text(site(Row.Site).File))
                : std::nullopt)
      Found->second = std::make_shared<const FusedKernel>(std::move(*Known));
  }
  return Found->second.get();
}

Fields<KernelRow> fusedOperatorFields(const Context &In) {
  if (!In->Input.Torch)
    return {};
  auto Operators = rowsField<KernelRow>(
      "operators", "the work of the operators in it; null: their statements are not known",
      operatorFields(&In->Input.Torch->Graphs),
      [In](const KernelRow &R) { return rowsOf(*In, R); });
  Operators.Nullable = true;
  Operators.Get = [In, Inner = std::move(Operators.Get)](const KernelRow &R) -> Cell {
    return In->fusedKernel(R) ? Inner(R) : Cell();
  };
  auto Recomputed = recordField<KernelRow>(
      "recomputed", "what its operators executed though it had been computed before",
      executedFields(),
      [In, Held = std::make_shared<std::optional<ExecutedWork>>()](const KernelRow &R) {
        *Held = againOf(rowsOf(*In, R));
        return *Held ? &**Held : nullptr;
      });
  const auto HasLines = [In](const KernelRow &R) { return hasLines(*In, R); };
  return forJson(Fields<KernelRow>{fieldIf(HasLines, std::move(Operators)),
                                   fieldIf(HasLines, std::move(Recomputed)), estimateField(In)});
}

std::vector<OperatorLine> operatorLines(const ReportContext &In, const KernelRow &Row) {
  std::vector<OperatorLine> Made;
  for (const OperatorRow &Each : rowsOf(In, Row))
    Made.push_back({&Each.Of.Work, onlyLineOf(Each), Each.Of.isRest(), Each.Of.IsJoined});
  return Made;
}

void addFusedOperators(Section &To, const Context &In) {
  const size_t Most = In->Input.rowsOf(UsualKernels);
  std::vector<TreeLine> Lines;
  size_t Found = 0;
  bool AnyAgain = false;
  std::vector<std::string> Sentences;
  for (const KernelRow &Row : In->Numbers.Kernels) {
    const std::vector<OperatorRow> Rows = rowsOf(*In, Row);
    // One operator and the rest say no more than the kernel.
    if (Rows.size() < 3 || Found++ >= Most)
      continue;
    const std::optional<ExecutedWork> Again = againOf(Rows);
    AnyAgain |= !Again || !Again->Counts.empty();
    std::vector<std::string> Joined;
    Lines.push_back({In->name(Row.Site), cellsOf(countedWork(*In, Row)->All, Again)});
    for (const OperatorRow &Each : Rows) {
      if (Each.Of.IsJoined)
        Joined.push_back(nameOf(Each));
      if (Each.Of.Work.Counts.empty())
        continue;
      Lines.push_back({Each.Of.isRest() ? "[loops, addresses, shared loads]" : nameOf(Each),
                       cellsOf(Each.Of.Work, Each.Of.Again), 1});
      Lines.back().Cells.emplace_back("python", shownPlace(Each));
    }
    if (!Joined.empty())
      Sentences.push_back(fmt::format(
          "{}: the compiler joined instructions of {}; each may have work of the others",
          fit(In->name(Row.Site), 60), fmt::join(Joined, ", ")));
  }
  if (!Found)
    return;
  std::vector<Column> Columns = {
      column::name("Kernel, operator").cut(56),
      Column("flop", "FLOPs", Unit::Flop, "executed by its statements, over all calls"),
      Column("bytes_read", "Read", Unit::Bytes, "loaded, also from caches"),
      Column("bytes_written", "Written", Unit::Bytes, "stored"),
      Column("math", "Math functions", Unit::Text, "values that they computed").left()};
  if (AnyAgain)
    Columns.push_back(Column("again", "Again", Unit::Text,
                             "FLOPs and values that had been computed before, by an earlier "
                             "kernel or loop")
                          .left());
  Columns.push_back(Column("python", "Python", Unit::Name, "line of the program").left().cut(80));
  Table Made =
      treeTable("", "Operators in fused kernels (counted)", std::move(Columns), std::move(Lines));
  Made.In = ForPeople;
  Made.leaveOut(Found, Most, "more kernels");
  To.add(std::move(Made));
  for (const std::string &Each : Sentences)
    To.say(Each);
}

} // namespace seamscope::tools
