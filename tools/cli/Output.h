//===- Output.h - output formats, and where output goes ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_OUTPUT_H
#define SEAMSCOPE_TOOLS_CLI_OUTPUT_H

#include "cli/Verbs.h"
#include "report/render/Render.h"

#include <string>

namespace seamscope::tools {

/// The same options on all verbs that show tables.
struct OutputWanted {
  bool Json = false, Csv = false, Markdown = false, Html = false, Xlsx = false;
  std::string Out;   ///< empty: standard output
  size_t Width = 0;  ///< of the text
  bool Pages = true; ///< a text on a terminal is shown by a pager

  /// Data and the page are complete; text for people is short.
  bool isData() const { return Json || Csv || Html || Xlsx; }
};

/// Adds --json, --csv, --markdown, --html, --xlsx, -w and -o. \p Schema: of the JSON, \p Line: the
/// meaning of a line of the CSV; \p OnPage: the contents of the page.
void addOutputOptions(CLI::App &Verb, OutputWanted &Wanted, const std::string &Schema,
                      const std::string &Line, const char *OnPage);

/// Without a wanted format, chooses the one of the output's name: x.html, .json, .csv, .md, .xlsx.
/// False, after a line of \p Verb on stderr, if it excludes --columns, which was given (\p
/// Excluding).
bool chooseFormat(OutputWanted &Wanted, const char *Verb, bool Excluding = false);

/// Writes \p Of, which \p Verb made, as \p Wanted says; returns the exit status.
int writeDocument(const Document &Of, const OutputWanted &Wanted, const char *Verb);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_OUTPUT_H
