//===- Output.cpp - the faces of a result, and where it goes -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/Output.h"
#include "cli/Help.h"
#include "cli/Pager.h"

#include "trace/io/OutputFile.h"

#include <fmt/format.h>

namespace seamscope::tools {

void addOutputOptions(CLI::App &Verb, OutputWanted &Wanted, const std::string &Schema,
                      const std::string &Line) {
  auto *Json = Verb.add_flag("--json", Wanted.Json,
                             fmt::format("Write {}; times are integers of ns", Schema));
  auto *Csv =
      Verb.add_flag("--csv", Wanted.Csv, fmt::format("Write one line {}; times in ns", Line))
          ->excludes(Json);
  Verb.add_flag("--markdown", Wanted.Markdown,
                "Write what the text shows as GitHub-flavoured Markdown")
      ->excludes(Json)
      ->excludes(Csv);
  addWidthOption(Verb, Wanted.Width)->excludes(Json)->excludes(Csv);
  Verb.add_option("-o,--output", Wanted.Out, "Write to a file, not to standard output")
      ->type_name("FILE");
  putUnder(heading::Output, Verb, {"--json", "--csv", "--markdown", "--width", "--output"});
}

int writeDocument(const Document &Of, const OutputWanted &Wanted) {
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
  if (Wanted.Json)
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
