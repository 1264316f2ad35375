//===- FusedGroups.cpp - fused groups of operators -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Operators.h"
#include "report/sections/Sections.h"
#include "trace/model/GroupText.h"

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Rows of the text without --top; operators of one group.
constexpr size_t UsualGroups = 20, UsualOps = 24;

/// A number, or the formula if sizes are not known.
Cell amount(const GroupAmount &Of) {
  if (Of.Value)
    return *Of.Value;
  return Of.Expression.empty() ? Cell(Value(), std::string("unknown")) : Cell(Of.Expression);
}

std::string placeOf(const GroupOp &Op) {
  if (Op.File.empty())
    return "";
  std::string Place = Op.File.substr(Op.File.rfind('/') + 1);
  if (Op.Line)
    Place += fmt::format(":{}", Op.Line);
  if (Op.Line && Op.Column)
    Place += fmt::format(":{}", Op.Column);
  return Place;
}

std::optional<GroupText> groupOf(const ReportContext &In, const KernelRow &Row) {
  return parseGroupText(In.Source.text(In.site(Row.Site).Group));
}

} // namespace

Fields<KernelRow> groupFields(const Context &In) {
  const auto Amount = [In](auto Get) {
    return [In, Get](const KernelRow &R) -> Cell {
      const auto Group = groupOf(*In, R);
      return Group ? Cell(std::invoke(Get, *Group)) : Cell(Value(Absent()));
    };
  };
  // For a group, records of its operators; for others, their names.
  auto Ops = rowsField<KernelRow>(
      "ops", "the operators that it stands for",
      Fields<GroupOp>{{column::name(""), &GroupOp::Name},
                      {{"op", Unit::Name, "operation"}, &GroupOp::Op},
                      {{"type", Unit::Name, "of its result"}, &GroupOp::Type},
                      {{"source.file", Unit::Name, "file of its line"}, orNull(&GroupOp::File)},
                      {{"source.line", Unit::Count, "line"}, orNull(&GroupOp::Line)},
                      {{"source.column", Unit::Count, "column"}, orNull(&GroupOp::Column)}},
      [In](const KernelRow &R) { return groupOf(*In, R)->Ops; });
  Ops.Type = "string"; // or their names
  Ops.Get = [In, OfGroup = Ops.Get](const KernelRow &R) -> Cell {
    const Site &What = In->site(R.Site);
    if (groupOf(*In, R))
      return OfGroup(R);
    return listOf(operatorsOf(In->Source, What).Sequence);
  };
  Fields<KernelRow> Made = {
      std::move(Ops),
      {Column("group.more_ops", Unit::Count, "operators that are not listed"),
       Amount(&GroupText::More)},
      {{"group.flops", "FLOPs a call", Unit::Flop, "of one call, or a formula"},
       Amount(member(&GroupText::Flop, amount))},
      {{"group.bytes", "Bytes a call", Unit::Bytes, "read from outside and written for others"},
       Amount(member(&GroupText::Bytes, amount))},
      {{"group.unfused_bytes", "Unfused bytes", Unit::Bytes,
        "had each operator read and written everything"},
       Amount(member(&GroupText::UnfusedBytes, amount))},
  };
  for (Field<KernelRow> &Each : Made)
    if (Each.Of == Unit::Flop || Each.Of == Unit::Bytes)
      Each.Type = "integer|string"; // a formula
  for (size_t I = 1; I < Made.size(); ++I) {
    Made[I].In = ForJson;
    Made[I].Optional = true;
  }
  return Made;
}

void addFusedGroups(Section &To, const Context &In, const Table &Kernels) {
  constexpr const char *Amounts[] = {"group.flops", "group.bytes", "group.unfused_bytes"};
  const size_t Most = In->Input.rowsOf(UsualGroups);
  std::vector<TreeLine> Lines;
  size_t Found = 0;
  for (size_t I = 0; I < In->Numbers.Kernels.size(); ++I) {
    const KernelRow &Row = In->Numbers.Kernels[I];
    const auto Group = groupOf(*In, Row);
    if (!Group || Found++ >= Most)
      continue;
    Lines.push_back({In->name(Row.Site), {{"source", In->source(In->site(Row.Site))}}});
    for (const char *Key : Amounts)
      Lines.back().Cells.emplace_back(Key, Kernels.at(I, Key));
    const size_t Shown = std::min(UsualOps, Group->Ops.size());
    for (size_t Op = 0; Op < Shown; ++Op)
      Lines.push_back({Group->Ops[Op].Name + "  " + Group->Ops[Op].Type,
                       {{"source", placeOf(Group->Ops[Op])}},
                       1});
    if (const uint64_t Rest = Group->More + (Group->Ops.size() - Shown))
      Lines.push_back({fmt::format("[{} more]", Rest), {}, 1});
  }
  if (!Found)
    return;
  std::vector<Column> Columns = {column::name("Fused group, and its operators").cut(56)};
  for (const char *Key : Amounts)
    Columns.push_back(Kernels.Columns[Kernels.find(Key)].in(ForPeople));
  Columns.push_back(column::source());
  Table Rows = treeTable("groups", "Fused groups", std::move(Columns), std::move(Lines));
  Rows.leaveOut(Found, Most);
  To.add(std::move(Rows));
}

} // namespace seamscope::tools
