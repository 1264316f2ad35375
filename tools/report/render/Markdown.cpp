//===- Markdown.cpp - a document for issues and notebooks ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/model/Numbers.h"
#include "report/render/TextTable.h"
#include "trace/io/Escape.h"

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// \p Text, already escaped for a terminal, as text of a cell without any markup.
std::string plain(std::string_view Text) {
  std::string Result;
  for (const char C : Text) {
    if (C == '<')
      Result += "&lt;";
    else if (C == '&')
      Result += "&amp;";
    else if (C == '@')
      Result += "&#64;"; // mentions nobody
    else {
      if (std::string_view("\\`*_{}[]()#+!|>~").find(C) != std::string_view::npos)
        Result += '\\';
      Result += C;
    }
  }
  return Result;
}

std::string indented(std::string_view Text) {
  const size_t Blanks = std::min(Text.find_first_not_of(' '), Text.size());
  std::string Result;
  for (size_t I = 0; I < Blanks; ++I)
    Result += "&nbsp;";
  return Result + plain(Text.substr(Blanks));
}

void writeTable(const Table &Of, const WriteText &Write) {
  std::string Heads = "|", Rule = "|";
  size_t Count = 0;
  for (const Column &Each : Of.Columns)
    if (Each.In & ForText) {
      Heads += fmt::format(" {} |", plain(Each.Title));
      Rule += !Count || Each.Left ? " --- |" : " ---: |";
      ++Count;
    }
  Write(Heads + '\n' + Rule + '\n');
  forEachLine(Of, ForText, [&](const TableLine &Line) {
    std::string Text = "|";
    for (size_t I = 0; I < Count; ++I) {
      const std::string Cell = I < Line.Cells.size() ? indented(Line.Cells[I]) : "";
      Text += Line.Stands == Emphasis::Strong && !Cell.empty() ? fmt::format(" **{}** |", Cell)
                                                               : fmt::format(" {} |", Cell);
    }
    Write(Text + '\n');
  });
}

} // namespace

void renderMarkdown(const Document &Of, const WriteText &Write) {
  Write(fmt::format("# {}\n", plain(escaped(Of.Title))));
  for (const Section &Part : Of.Sections) {
    bool Any = false;
    const auto Begin = [&] {
      if (!Any && !Part.Title.empty())
        Write(fmt::format("\n## {}\n", plain(escaped(Part.Title))));
      Any = true;
      Write("\n");
    };
    for (const Item &One : Part.Items) {
      if (const Sentence *Text = One.as<Sentence>();
          Text && (Text->In & ForText) && !Text->Text.empty()) {
        Begin();
        Write(plain(Text->Text) + '\n');
      } else if (const Table *Rows = One.as<Table>(); Rows && (Rows->In & ForText)) {
        Begin();
        writeTable(*Rows, Write);
      } else if (const Finding *Found = One.as<Finding>(); Found && (Found->In & ForText)) {
        Begin();
        Write(fmt::format("- **{}** {} {}\n", plain(escaped(Found->Kind)),
                          plain(findingText(*Found)), plain(escaped(Found->Remedy))));
      }
    }
  }
}

} // namespace seamscope::tools
