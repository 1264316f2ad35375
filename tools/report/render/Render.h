//===- Render.h - the faces of a document ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_RENDER_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_RENDER_H

#include "report/model/Document.h"

#include <functional>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// Takes what is written, piece by piece.
using WriteText = std::function<void(std::string_view)>;

/// How text for a terminal looks.
struct TextStyle {
  bool Colours = false; ///< escape sequences
  size_t Width = 0;     ///< of lines, as TextTable takes it
};

/// Tables for people. Names are escaped: nothing of them changes a terminal's state.
void renderText(const Document &Of, const TextStyle &Style, const WriteText &Write);

/// One object: the facts and the tables of data, in their order. ASCII alone, since it may be shown
/// on a terminal.
void renderJson(const Document &Of, const WriteText &Write);

/// The rows of the table Document::Main (RFC 4180), values whole and without unit.
void renderCsv(const Document &Of, const WriteText &Write);

/// \p Text as a field of RFC 4180, with control characters escaped (see escaped()). What a
/// spreadsheet would take for a formula gets a quote in front; a negative number is none.
std::string csvField(std::string_view Text);

/// What renderText shows, as GitHub-flavoured Markdown.
void renderMarkdown(const Document &Of, const WriteText &Write);

/// All of a document in one string.
template <typename Fn, typename... Args> std::string rendered(Fn Render, const Args &...With) {
  std::string Text;
  Render(With..., [&](std::string_view Piece) { Text += Piece; });
  return Text;
}

/// A cell as people see it: its own text, or its value in the column's unit. Escaped.
std::string shownCell(const Column &Of, const Cell &What);

/// Whether the numbers of browsers and spreadsheets hold it as it is: no integer beyond 2^53.
bool isExact(const Value &Of);

/// What a finding could save, and what was seen. Escaped.
std::string findingText(const Finding &Of);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_RENDER_H
