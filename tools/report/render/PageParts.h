//===- PageParts.h - the packed parts of a page --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The document is read before anything is shown. Large tables, charts and their
// names are in separate elements, which are read when the reader opens them.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_PAGEPARTS_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_PAGEPARTS_H

#include "report/model/Document.h"
#include "report/render/PageTexts.h"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace seamscope::tools {

class PageParts {
public:
  /// \p MostInline: the most rows, nodes or names of a table or chart in the document itself.
  PageParts(const Document &Of, size_t MostInline);

  /// The id of the element with a table, a view or a timeline's names; null: none.
  const std::string *idOf(const void *Part) const;
  const PageTexts &texts() const { return Texts; }

  /// Writes all elements; their data must still exist.
  void write(const WriteText &Write) const;

private:
  void add(const Table &Of);
  void add(const Flame::View &Of);
  void add(const Timeline &Of);
  void name(const void *Part, std::string Id) { Ids.emplace(Part, std::move(Id)); }

  size_t MostInline;
  PageTexts Texts;
  std::unordered_map<const void *, std::string> Ids;
  std::vector<const Table *> Tables;
  std::vector<const Flame::View *> Views;
  std::vector<const Timeline *> Timelines; ///< all: their events are always packed
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_PAGEPARTS_H
