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

constexpr size_t UsualWidth = 0;      ///< each cell that may be cut has its usual width
constexpr size_t AnyWidth = SIZE_MAX; ///< nothing is cut

/// A line of a table for people.
struct TableLine {
  std::vector<std::string> Cells; ///< as they are shown; fewer than columns: the others are empty
  Emphasis Stands = Emphasis::None;
};

/// The lines of \p Of, one after another: its first Top rows with their notes, what the others come
/// to, and its summaries. \p Face: whose columns.
void forEachLine(const Table &Of, Faces Face, const std::function<void(const TableLine &)> &Take);

/// Writes the table with a line of titles. Lines have at most the width that the style says, as
/// far as there are texts to cut. A table of many rows is computed twice, and not kept.
void writeTextTable(const Table &Of, const TextStyle &Style, const WriteText &Write);

/// The narrowest that its lines can be.
size_t leastWidth(const Table &Of);

/// \p Texts, valid UTF-8, each cut to \p Width characters by "..." in its middle. Those that would
/// look alike then are cut where they are the same.
std::vector<std::string> shortenedApart(std::vector<std::string> Texts, size_t Width);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_TEXTTABLE_H
