//===- Render.h - the output formats of a document ---------------------------===//
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

/// Takes the output, piece by piece.
using WriteText = std::function<void(std::string_view)>;

/// The appearance of text for a terminal.
struct TextStyle {
  bool Colours = false; ///< escape sequences
  size_t Width = 0;     ///< of lines, see TextTable
};

/// Tables for people. Names are escaped: they cannot change a terminal's state.
void renderText(const Document &Of, const TextStyle &Style, const WriteText &Write);

/// One object: the facts and the tables of data, in order. Only ASCII, since it may be shown on a
/// terminal.
void renderJson(const Document &Of, const WriteText &Write);

/// The rows of the table Document::Main (RFC 4180), with whole values and without units.
void renderCsv(const Document &Of, const WriteText &Write);

/// \p Text as a field of RFC 4180, with control characters escaped (see escaped()). Text that a
/// spreadsheet would read as a formula gets a quote in front; a negative number is not a formula.
std::string csvField(std::string_view Text);

/// The contents of renderText, as GitHub-flavoured Markdown.
void renderMarkdown(const Document &Of, const WriteText &Write);

/// A JSON Schema (2020-12) for the JSON of all documents with the facts and tables of one of \p
/// Examples, of which there is at least one. Their rows are not read. A key that one of them lacks
/// may be missing, and a fact that one of them does not know may be null.
void renderSchema(std::span<const Document> Examples, const WriteText &Write);

/// Whether this program was built with what renderXlsx needs.
extern const bool HasXlsx;

/// A workbook of Office Open XML: a sheet of facts, sentences and findings, then one for each table
/// with all rows of data; no text becomes a formula. Returns nothing, or why it could not be made.
std::optional<Error> renderXlsx(const Document &Of, const WriteText &Write);

/// A whole document in one string.
template <typename Fn, typename... Args> std::string rendered(Fn Render, const Args &...With) {
  std::string Text;
  Render(With..., [&](std::string_view Piece) { Text += Piece; });
  return Text;
}

/// The facts and tables of data, in the order of the keys.
std::vector<const Item *> dataItems(const Document &Of);

/// A cell for people: its own text, or its value in the column's unit. Escaped.
std::string shownCell(const Column &Of, const Cell &What);

/// The type in JSON of a column's values whose unit this is, in words of JSON Schema; empty: there
/// is no single one.
std::string_view jsonTypeOf(Unit Of);

/// The value as in JSON, in one line.
std::string jsonText(const Value &What);

/// A value whole and without unit, as in data; \p Unknown if it is not known.
std::string plainText(const Value &What, std::string_view Unknown = "");

/// Whether the numbers of browsers and spreadsheets can represent it: not for integers beyond 2^53.
bool isExact(const Value &Of);

/// What a finding could save, and its evidence. Escaped.
std::string findingText(const Finding &Of);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_RENDER_H
