//===- Output.cpp - output formats, and where output goes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/Output.h"
#include "cli/Help.h"
#include "cli/Pager.h"

#include "report/render/Html.h"
#include "report/render/Render.h"
#include "trace/io/OutputFile.h"

#include <fmt/format.h>

#include <unistd.h>

namespace seamscope::tools {

void addOutputOptions(CLI::App &Verb, OutputWanted &Wanted, const std::string &Schema,
                      const std::string &Line, const char *OnPage) {
  auto *Json = Verb.add_flag("--json", Wanted.Json,
                             fmt::format("Write {}; times are integers of ns", Schema));
  auto *Csv =
      Verb.add_flag("--csv", Wanted.Csv, fmt::format("Write one line {}; times in ns", Line))
          ->excludes(Json);
  auto *Markdown = Verb.add_flag("--markdown", Wanted.Markdown,
                                 "Write what the text shows as GitHub-flavoured Markdown")
                       ->excludes(Json)
                       ->excludes(Csv);
  auto *Html = Verb.add_flag("--html", Wanted.Html,
                             fmt::format("Write one HTML page with {}, which needs no network; to "
                                         "a file, with -o",
                                         OnPage))
                   ->excludes(Json)
                   ->excludes(Csv)
                   ->excludes(Markdown);
  auto *Xlsx = Verb.add_flag("--xlsx", Wanted.Xlsx,
                             "Write a workbook for spreadsheets, with a sheet for each table; "
                             "times are numbers of ns; to a file, with -o")
                   ->excludes(Json)
                   ->excludes(Csv)
                   ->excludes(Markdown)
                   ->excludes(Html);
  addWidthOption(Verb, Wanted.Width)
      ->excludes(Json)
      ->excludes(Csv)
      ->excludes(Markdown)
      ->excludes(Html)
      ->excludes(Xlsx);
  Verb.add_option("-o,--output", Wanted.Out,
                  "Write to a file instead of standard output; unless an option gives the format, "
                  "the name does: .html, .json, .csv, .md, .xlsx, else text")
      ->type_name("FILE");
  putUnder(heading::Output, Verb,
           {"--json", "--csv", "--markdown", "--html", "--xlsx", "--width", "--output"});
}

bool chooseFormat(OutputWanted &Wanted, const char *Verb, bool Excluding) {
  if (Wanted.isData() || Wanted.Markdown || Wanted.Width)
    return true;
  struct Format {
    const char *Suffix, *Option;
    bool OutputWanted::*Flag;
    bool Excludes; ///< --columns
  };
  static constexpr Format Formats[] = {{".html", "--html", &OutputWanted::Html, true},
                                       {".json", "--json", &OutputWanted::Json, true},
                                       {".xlsx", "--xlsx", &OutputWanted::Xlsx, true},
                                       {".csv", "--csv", &OutputWanted::Csv, false},
                                       {".md", "--markdown", &OutputWanted::Markdown, false}};
  for (const Format &Each : Formats) {
    if (!Wanted.Out.ends_with(Each.Suffix))
      continue;
    if (Each.Excludes && Excluding) {
      complain(fmt::format("{}: {} implies {}, which excludes --columns", Verb, Wanted.Out,
                           Each.Option));
      return false;
    }
    Wanted.*Each.Flag = true;
  }
  return true;
}

int writeDocument(const Document &Of, const OutputWanted &Wanted, const char *Verb) {
  if (Wanted.Html && Wanted.Out.empty() && isatty(STDOUT_FILENO)) {
    complain(
        fmt::format("{}: --html writes a page that a browser opens: name its file with -o", Verb));
    return BadUsage;
  }
  if (Wanted.Xlsx && (!HasXlsx || (Wanted.Out.empty() && isatty(STDOUT_FILENO)))) {
    complain(fmt::format("{}: --xlsx {}", Verb,
                         HasXlsx ? "writes a workbook, which is not text: name its file with -o"
                                 : "is not there: this seamscope was built without libxlsxwriter"));
    return BadUsage;
  }
  const TextStyle Style = {Wanted.Out.empty() && coloursWanted(),
                           widthToUse(Wanted.Width, Wanted.Out)};
  if (Wanted.Pages && Wanted.Out.empty() && !Wanted.isData() && !Wanted.Markdown)
    if (const auto Shows = Pager::start()) {
      renderText(Of, Style, [&](std::string_view Piece) { Shows->write(Piece); });
      return Success;
    }
  auto Out = OutputFile::create(Wanted.Out.empty() ? "-" : Wanted.Out);
  if (!Out)
    return fail(Out.error());
  const WriteText Write = [&](std::string_view Piece) { (*Out)->write(Piece); };
  if (Wanted.Xlsx) {
    if (auto Failure = renderXlsx(Of, Write)) {
      Failure->Path = Wanted.Out.empty() ? "-" : Wanted.Out;
      return fail(*Failure);
    }
  } else if (Wanted.Html)
    renderHtml(Of, Verb, Write);
  else if (Wanted.Json)
    renderJson(Of, Write);
  else if (Wanted.Csv)
    renderCsv(Of, Write);
  else if (Wanted.Markdown)
    renderMarkdown(Of, Write);
  else
    renderText(Of, Style, Write);
  if (const auto Failure = (*Out)->commit())
    return fail(*Failure);
  return Success;
}

} // namespace seamscope::tools
