//===- Csv.cpp - a document for spreadsheets -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/Render.h"
#include "trace/io/Escape.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

bool isNegativeNumber(std::string_view Text) {
  return Text.size() > 1 && Text[0] == '-' &&
         Text.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

} // namespace

std::string csvField(std::string_view Text) {
  std::string Result = escaped(Text);
  if (!Result.empty() && std::string_view("=+-@\t\r").find(Result[0]) != std::string_view::npos &&
      !isNegativeNumber(Result))
    Result.insert(Result.begin(), '\'');
  if (Result.find_first_of(",\"\r\n") == std::string::npos)
    return Result;
  std::string Quoted = "\"";
  for (const char C : Result) {
    if (C == '"')
      Quoted += '"';
    Quoted += C;
  }
  return Quoted + '"';
}

std::string plainText(const Value &What, std::string_view Unknown) {
  if (const auto *View = What.as<std::string_view>())
    return std::string(*View);
  if (const auto *Text = What.as<std::string>())
    return *Text;
  if (const auto *Flag = What.as<bool>())
    return *Flag ? "true" : "false";
  if (const auto *Signed = What.as<int64_t>())
    return fmt::to_string(*Signed);
  if (const auto *Unsigned = What.as<uint64_t>())
    return fmt::to_string(*Unsigned);
  if (const auto *Real = What.as<double>())
    return fmt::format("{:.6g}", *Real);
  if (const auto *Each = What.as<Value::List>()) {
    std::string Text;
    for (const Value &One : *Each)
      Text += (Text.empty() ? "" : "; ") + plainText(One, Unknown);
    return Text;
  }
  return std::string(Unknown);
}

namespace {

/// A number needs no quotes, and no protection against being read as a formula.
std::string field(const Value &What, std::string_view Unknown) {
  const std::string Text = plainText(What, Unknown);
  const bool IsText =
      What.as<std::string_view>() || What.as<std::string>() || What.as<Value::List>();
  return IsText ? csvField(Text) : Text;
}

void addFields(std::string &Line, const Column &Of, const Value &What, std::string_view Unknown) {
  if (Of.Of != Unit::Place) {
    Line += field(What, Unknown);
    return;
  }
  const Place *Where = What.as<Place>();
  const Place Known = Where ? *Where : Place();
  const auto Number = [](uint32_t Of) { return Of ? fmt::to_string(Of) : std::string(); };
  Line += fmt::format("{},{},{}", csvField(Known.File), Number(Known.Line), Number(Known.Column));
}

} // namespace

void renderCsv(const Document &Of, const WriteText &Write) {
  const Table *const Rows = findTable(Of, Of.Main);
  if (!Rows)
    return;
  constexpr size_t Piece = 1 << 16;
  std::string Text;
  const auto AddLine = [&](auto Emit) {
    bool First = true;
    for (size_t I = 0; I < Rows->Columns.size(); ++I) {
      if (!(Rows->Columns[I].In & ForCsv))
        continue;
      if (!First)
        Text += ',';
      First = false;
      Emit(I, Rows->Columns[I]);
    }
    Text += "\r\n";
    if (Text.size() >= Piece) {
      Write(Text);
      Text.clear();
    }
  };
  AddLine([&](size_t, const Column &Each) {
    if (Each.Of == Unit::Place) {
      Text += "file,line,column";
      return;
    }
    std::string Key = Each.Header.empty() ? Each.Key : Each.Header;
    std::ranges::replace(Key, '.', '_');
    Text += csvField(Key);
  });
  for (size_t Row = 0; Row < Rows->dataRows(); ++Row)
    AddLine([&](size_t I, const Column &Each) {
      addFields(Text, Each, Rows->At(Row, I).Data, Rows->Unknown);
    });
  for (const Summary &Each : Rows->Summaries)
    if (Each.In & ForCsv)
      AddLine([&](size_t I, const Column &Head) {
        const Cell *const Known = Each.find(Head.Key);
        if (!I)
          Text += csvField(Each.Label);
        else
          addFields(Text, Head, Known ? Known->Data : Value(Absent()), "");
      });
  Write(Text);
}

} // namespace seamscope::tools
