//===- FusedGroups.cpp - fused groups of operators, in a report -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/FusedGroups.h"

#include "report/FileNames.h"
#include "report/SiteJson.h"
#include "report/Table.h"
#include "trace/io/Escape.h"
#include "trace/model/GroupText.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t NameWidth = 56, PlaceWidth = 40;
/// Rows where --top does not say; operators of one group.
constexpr size_t UsualGroups = 20, UsualOps = 24;

Json amountJson(const GroupAmount &Of) {
  if (Of.Value)
    return *Of.Value;
  return Of.Expression.empty() ? Json() : Json(Of.Expression);
}

std::string shown(const GroupAmount &Of) {
  if (Of.Value)
    return fmt::to_string(*Of.Value);
  return Of.Expression.empty() ? "unknown" : escaped(Of.Expression);
}

std::string placeOf(const GroupOp &Op) {
  if (Op.File.empty())
    return "";
  const size_t Slash = Op.File.rfind('/');
  std::string Place = escaped(Slash == Op.File.npos ? Op.File : Op.File.substr(Slash + 1));
  if (Op.Line)
    Place += fmt::format(":{}", Op.Line);
  if (Op.Line && Op.Column)
    Place += fmt::format(":{}", Op.Column);
  return Place;
}

} // namespace

void addGroup(Json &Into, const Trace &Source, const Site &Kernel) {
  const auto Group = parseGroupText(Source.text(Kernel.Ops));
  if (!Group)
    return;
  Json Ops = Json::array();
  for (const GroupOp &Op : Group->Ops)
    Ops.push_back({{"name", Op.Name},
                   {"op", Op.Op},
                   {"type", Op.Type},
                   {"source", sourceJson(Op.File, Op.Line, Op.Column)}});
  Into["ops"] = std::move(Ops);
  Into["group"] = {{"more_ops", Group->More},
                   {"flops", amountJson(Group->Flop)},
                   {"bytes", amountJson(Group->Bytes)},
                   {"unfused_bytes", amountJson(Group->UnfusedBytes)}};
}

std::string fusedGroupsText(const ReportInput &Input, bool Colours) {
  const Trace &Source = *Input.Source;
  Table Rows(
      {"Fused group, and its operators", "FLOPs a call", "Bytes a call", "Unfused bytes", "Source"},
      {4});
  Rows.cut(0, NameWidth);
  Rows.cut(4, PlaceWidth);
  const FileNames Files(Source);
  const size_t Most = Input.rowsOf(UsualGroups);
  size_t Found = 0;
  for (const KernelRow &Row : Input.Numbers->Kernels) {
    const Site &What = Source.Sites[Row.Site];
    const auto Group = parseGroupText(Source.text(What.Ops));
    if (!Group || Found++ >= Most)
      continue;
    Rows.add({escaped(Source.text(What.Name)), shown(Group->Flop), shown(Group->Bytes),
              shown(Group->UnfusedBytes), Files.place(What)});
    size_t Shown = 0;
    for (const GroupOp &Op : Group->Ops) {
      if (Shown++ == UsualOps)
        break;
      Rows.add({"  " + escaped(Op.Name) + "  " + escaped(Op.Type), "", "", "", placeOf(Op)});
    }
    if (const uint64_t Rest =
            Group->More + (Group->Ops.size() - std::min(Shown, Group->Ops.size()));
        Rest)
      Rows.add({fmt::format("  [{} more]", Rest), "", "", "", ""});
  }
  return textOfFirst(Rows, Colours, Input.Width, Most, Found);
}

} // namespace seamscope::tools
