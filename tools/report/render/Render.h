//===- Render.h - the faces of a document ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_RENDER_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_RENDER_H

#include "report/model/Document.h"
#include "trace/io/Error.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// A JSON Schema (2020-12) that the JSON of all documents meets which have the facts and tables of
/// one of \p Examples, at least one. No row of these is looked at. A key that one of them lacks may
/// be missing, and a fact that one of them does not know may be null.
void renderSchema(std::span<const Document> Examples, const WriteText &Write);

/// Whether this was built with what renderXlsx needs.
extern const bool HasXlsx;

/// A workbook of Office Open XML: a sheet of facts, sentences and findings, then one a table with
/// all rows of data and no text a formula. Nothing, or why it could not be made.
std::optional<Error> renderXlsx(const Document &Of, const WriteText &Write);

/// All of a document in one string.
template <typename Fn, typename... Args> std::string rendered(Fn Render, const Args &...With) {
  std::string Text;
  Render(With..., [&](std::string_view Piece) { Text += Piece; });
  return Text;
}

/// The facts and tables of data, in the order of the keys.
std::vector<const Item *> dataItems(const Document &Of);

/// A cell as people see it: its own text, or its value in the column's unit. Escaped.
std::string shownCell(const Column &Of, const Cell &What);

/// A value whole and without unit, as data have it; \p Unknown for what is not known.
std::string plainText(const Value &What, std::string_view Unknown = "");

/// Whether the numbers of browsers and spreadsheets hold it as it is: no integer beyond 2^53.
bool isExact(const Value &Of);

/// What a finding could save, and what was seen. Escaped.
std::string findingText(const Finding &Of);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_RENDER_H
