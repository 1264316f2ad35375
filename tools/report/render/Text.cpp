//===- Text.cpp - a document for a terminal ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/model/Numbers.h"
#include "report/render/TextTable.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

std::string numberText(const Column &Of, const Value &What) {
  const std::optional<int64_t> Whole = What.whole();
  const std::optional<double> Real = What.number();
  if (!Real)
    return "-";
  switch (Of.Of) {
  case Unit::Ns:
    return shownTime(Whole.value_or(static_cast<int64_t>(*Real)));
  case Unit::Change:
    return shownChange(Whole.value_or(static_cast<int64_t>(*Real)));
  case Unit::Bytes:
    return shownBytes(*Real);
  case Unit::Percent:
    return fmt::format("{:.1f}", *Real);
  case Unit::Ratio:
    return fmt::format("{:.2f}", *Real);
  case Unit::Rate:
    return shownRate(Real, Of.Scale);
  default:
    if (const auto *Unsigned = What.as<uint64_t>())
      return fmt::to_string(*Unsigned);
    return Whole ? fmt::to_string(*Whole) : fmt::format("{:.6g}", *Real);
  }
}

std::string valueText(const Column &Of, const Value &What) {
  if (const auto *View = What.as<std::string_view>())
    return escaped(*View);
  if (const auto *Text = What.as<std::string>())
    return escaped(*Text);
  if (const auto *Flag = What.as<bool>())
    return *Flag ? "yes" : "no";
  if (const auto *Where = What.as<Place>())
    return Where->File.empty()
               ? std::string()
               : escaped(fmt::format("{}:{}:{}", Where->File, Where->Line, Where->Column));
  if (const auto *Each = What.as<Value::List>()) {
    std::string Text;
    for (const Value &One : *Each)
      Text += (Text.empty() ? "" : ", ") + valueText(Of, One);
    return Text;
  }
  if (What.isAbsent())
    return "";
  return numberText(Of, What);
}

} // namespace

std::string shownCell(const Column &Of, const Cell &What) {
  return What.Shown ? escaped(*What.Shown) : valueText(Of, What.Data);
}

bool isExact(const Value &Of) {
  constexpr int64_t Most = int64_t{1} << 53;
  if (const auto *Signed = Of.as<int64_t>())
    return *Signed >= -Most && *Signed <= Most;
  const auto *Unsigned = Of.as<uint64_t>();
  return !Unsigned || *Unsigned <= uint64_t{Most};
}

std::string findingText(const Finding &Of) {
  return fmt::format("at most {}{}: {}", shownTime(Of.SavingNs),
                     Of.Percent ? fmt::format(" ({:.1f} % of the window)", *Of.Percent) : "",
                     escaped(Of.Evidence));
}

/// \p Text broken at blanks into lines of \p Width characters; later lines begin with \p Indent
/// blanks.
static std::string wrapped(std::string_view Text, size_t Width, size_t Indent) {
  std::string Lines;
  if (Width == UsualWidth || Width == AnyWidth)
    return Lines.append(Text) + '\n';
  size_t Used = 0;
  for (size_t Begin = 0; Begin <= Text.size();) {
    const size_t Word = std::min(Text.find_first_not_of(' ', Begin), Text.size());
    const size_t End = std::min(Text.find(' ', Word), Text.size());
    const size_t Has = characters(Text.substr(Begin, End - Begin));
    if (Used > Indent && Used + Has > Width) {
      Lines += '\n' + std::string(Indent, ' ');
      Lines += Text.substr(Word, End - Word);
      Used = Indent + characters(Text.substr(Word, End - Word));
    } else {
      Lines += Text.substr(Begin, End - Begin);
      Used += Has;
    }
    if (End == Text.size())
      break;
    Begin = End;
  }
  return Lines + '\n';
}

static std::string findingLines(const Finding &Of, size_t Width) {
  constexpr size_t Narrow = 100;
  const size_t Indent = Width != UsualWidth && Width < Narrow ? 4 : 21;
  return wrapped(fmt::format("{:<20} {}", Of.Kind, findingText(Of)), Width, Indent) +
         wrapped(std::string(Indent, ' ') + Of.Remedy, Width, Indent);
}

/// Each line with its number, its time, and its share of the time of all lines.
static void writeCode(const Code &Of, const WriteText &Write) {
  Write(Of.Title + '\n');
  int64_t Total = 0;
  for (const std::optional<int64_t> &Ns : Of.HeatNs)
    Total += Ns.value_or(0);
  /// Columns that a line has text in.
  struct Figures {
    const char *Title;
    size_t Width;
    std::function<std::string(size_t)> At;
  };
  std::vector<Figures> Columns;
  if (!Of.HeatNs.empty()) {
    Columns.push_back({"Time", 11, [&](size_t I) {
                         return Of.HeatNs[I] ? shownTime(*Of.HeatNs[I]) : std::string();
                       }});
    Columns.push_back({"Share", 7, [&](size_t I) {
                         return Of.HeatNs[I] && Total ? shownShare(*Of.HeatNs[I], Total) + " %"
                                                      : std::string();
                       }});
  }
  const auto AddWork = [&](const char *Title, std::string CodeWork::*Part, size_t Width) {
    Columns.push_back({Title, Width, [&Of, Part](size_t I) {
                         return Of.Work[I] ? (*Of.Work[I]).*Part : std::string();
                       }});
  };
  if (!Of.Work.empty()) {
    AddWork("FLOPs", &CodeWork::Flop, 14);
    AddWork("Read", &CodeWork::Read, 14);
    AddWork("Written", &CodeWork::Written, 14);
    size_t Widest = 0;
    for (const std::optional<CodeWork> &Each : Of.Work)
      Widest = std::max(Widest, Each ? Each->Math.size() : 0);
    if (Widest)
      AddWork("Math", &CodeWork::Math, std::max<size_t>(Widest, 4));
  }
  if (!Of.Roofs.empty())
    Columns.push_back({"Roof", 16, [&](size_t I) { return Of.Roofs[I]; }});
  if (!Of.Work.empty() || !Of.Roofs.empty()) {
    for (const Figures &Each : Columns)
      Write(fmt::format("{:>{}} ", Each.Title, Each.Width));
    Write(fmt::format("{:>5}  {}\n", "Line", "Source"));
  }
  for (size_t I = 0; I < Of.Lines.size(); ++I) {
    for (const Figures &Each : Columns)
      Write(fmt::format("{:>{}} ", Each.At(I), Each.Width));
    Write(fmt::format("{:>5}  {}\n", Of.First + I, escaped(Of.Lines[I])));
  }
}

void renderText(const Document &Of, const TextStyle &Style, const WriteText &Write) {
  bool Any = false, AtBlank = false;
  const auto Blank = [&] {
    if (Any && !AtBlank)
      Write("\n");
    AtBlank = true;
  };
  const auto Line = [&](std::string_view Text) {
    Write(Text);
    Any = true;
    AtBlank = false;
  };
  for (const Section &Part : Of.Sections) {
    bool IsFinding = false;
    for (const Item &One : Part.Items) {
      if (const Sentence *Text = One.as<Sentence>(); Text && (Text->In & ForText)) {
        if (Text->Apart)
          Blank();
        Line(wrapped(Text->Text, Style.Width, 2));
      } else if (const Table *Rows = One.as<Table>(); Rows && (Rows->In & ForText)) {
        if (!Rows->Attached)
          Blank();
        writeTextTable(*Rows, Style, Line);
      } else if (const Code *Source = One.as<Code>()) {
        if (Source->Apart)
          Blank();
        writeCode(*Source, Line);
      } else if (const Finding *Found = One.as<Finding>(); Found && (Found->In & ForText)) {
        if (!IsFinding)
          Blank();
        IsFinding = true;
        Line(findingLines(*Found, Style.Width));
      }
    }
  }
}

} // namespace seamscope::tools
