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

/// Whether the page shows anything of it.
bool isOnPage(const Item &One);

/// Those that the page shows, by number: of the others no row says anything.
std::vector<size_t> columnsOnPage(const Table &Of);

/// What a column is; \p Packed: its texts are numbers.
void writeColumn(PageJson &To, const Column &Of, bool First, bool Packed);

/// A number or text as it is; with its own text where the unit's form is not it, or \p WithText.
void writeCell(PageJson &To, const Column &Of, const Cell &What, bool WithText = false);

/// Whether the cells of a packed table's column are numbers of texts.
bool hasTexts(const Column &Of);
/// Adds what the cells of such columns say.
void addTexts(PageTexts &To, const Table &Of);
/// An array of cells for each column.
void writeColumns(PageJson &To, const Table &Of, const PageTexts &Texts);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_PAGETABLE_H
