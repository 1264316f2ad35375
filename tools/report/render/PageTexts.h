//===- PageTexts.h - the texts of a page, each stored once ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_PAGETEXTS_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_PAGETEXTS_H

#include "report/render/Packed.h"
#include "trace/io/SeededHash.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace seamscope::tools {

/// All texts are first added, then sorted; from then on they have numbers.
class PageTexts {
public:
  /// \p Lives: the text lives as long as this object, so it need not be copied.
  void add(std::string_view Text, bool Lives);

  /// In the page's sort order: ignoring the case of ASCII letters. Readers can compare numbers, and
  /// similar texts are adjacent, which compresses best.
  void sort();

  uint32_t numberOf(std::string_view Text) const { return Numbers.at(Text); }
  size_t size() const { return Sorted.size(); }

  /// The length of each in bytes as varints, then all texts as UTF-8.
  void write(PackedWriter &To) const;

private:
  std::unordered_map<std::string_view, uint32_t, SeededHash> Numbers;
  std::vector<std::string_view> Sorted;
  std::deque<std::string> Owned;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_PAGETEXTS_H
