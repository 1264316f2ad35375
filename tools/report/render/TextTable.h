//===- TextTable.h - a table as aligned columns -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_TEXTTABLE_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_TEXTTABLE_H

#include "report/render/Render.h"

#include <cstdint>
#include <string>
#include <vector>

namespace seamscope::tools {

constexpr size_t UsualWidth = 0;      ///< cells that may be cut have their usual width
constexpr size_t AnyWidth = SIZE_MAX; ///< nothing is cut

/// A line of a table for people.
struct TableLine {
  std::vector<std::string> Cells; ///< as shown; missing cells are empty
  Emphasis Stands = Emphasis::None;
};

/// The lines of \p Of, one after another: its first Top rows with their notes, the sum of the
/// others, and its summaries. \p Face: output format whose columns are used.
void forEachLine(const Table &Of, Faces Face, const std::function<void(const TableLine &)> &Take);

/// Writes the table with a line of titles. Lines are no wider than the style says, unless no more
/// text can be cut. A table of many rows is computed twice and not kept.
void writeTextTable(const Table &Of, const TextStyle &Style, const WriteText &Write);

/// The least width that its lines can have.
size_t leastWidth(const Table &Of);

/// \p Texts, valid UTF-8, each cut to \p Width characters by "..." in the middle. Texts that would
/// then look alike are cut where they are equal.
std::vector<std::string> shortenedApart(std::vector<std::string> Texts, size_t Width);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_TEXTTABLE_H
