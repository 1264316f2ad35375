//===- PageTable.h - columns and cells of a page's tables ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_PAGETABLE_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_PAGETABLE_H

#include "report/model/Document.h"
#include "report/render/PageJson.h"
#include "report/render/PageTexts.h"

#include <cstddef>
#include <vector>

namespace seamscope::tools {

/// Whether the page shows any part of it.
bool isOnPage(const Item &One);

/// The columns that the page shows, by number: no row has a value in the others.
std::vector<size_t> columnsOnPage(const Table &Of);

/// The description of a column; \p Packed: its texts are numbers.
void writeColumn(PageJson &To, const Column &Of, bool First, bool Packed);

/// A number or text unchanged; with its own text if it differs from the unit's form, or if \p
/// WithText.
void writeCell(PageJson &To, const Column &Of, const Cell &What, bool WithText = false);

/// Whether the cells of a packed table's column are numbers of texts.
bool hasTexts(const Column &Of);
/// Adds the texts in the cells of such columns.
void addTexts(PageTexts &To, const Table &Of);
/// An array of cells for each column.
void writeColumns(PageJson &To, const Table &Of, const PageTexts &Texts);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_PAGETABLE_H
