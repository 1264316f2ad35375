//===- LineMap.h - maps lines between versions of a file ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_LINEMAP_H
#define SEAMSCOPE_TOOLS_ANALYSIS_LINEMAP_H

#include <cstdint>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Which lines of two versions of a text correspond. Lines count from 1; 0: none.
struct LineMap {
  std::vector<uint32_t> ToSecond, ToFirst; ///< by line

  uint32_t second(uint32_t Line) const { return Line < ToSecond.size() ? ToSecond[Line] : 0; }
  uint32_t first(uint32_t Line) const { return Line < ToFirst.size() ? ToFirst[Line] : 0; }
  /// Whether two lines without counterparts are between the same corresponding lines, so that one
  /// may be the other, changed.
  bool sameHunk(uint32_t First, uint32_t Second) const;
};

/// Follows lines from \p First to \p Second, ignoring blanks. Lines that occur once in both texts
/// are anchors (patience diff). Between anchors as many lines as possible are kept, from the end
/// backwards: of equal loop headers, the kept one is in front of the kept body. The lines around a
/// moved anchor move with it.
LineMap mapLines(std::string_view First, std::string_view Second);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_LINEMAP_H
