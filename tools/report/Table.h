//===- Table.h - aligned columns for people --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_TABLE_H
#define SEAMSCOPE_TOOLS_REPORT_TABLE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// How a line of a table stands out on a terminal.
enum class Emphasis { None, Strong, Faint };

/// A table whose first column is left-aligned and whose others are right-aligned, but those named
/// as text.
class Table {
public:
  /// \p TextColumns: indices of left-aligned columns besides the first.
  Table(std::vector<std::string> Header, std::vector<size_t> TextColumns = {});

  void add(std::vector<std::string> Cells, Emphasis How = Emphasis::None);

  /// Lets cells of a column of text, the first or one of those named as text, be cut in their
  /// middle: to \p Usual characters where no width is asked for, else as the line requires.
  void cut(size_t Column, size_t Usual);

  /// The lines, each with a newline; escape sequences only if \p Colours. \p Width: characters that
  /// a line may have, as far as there are cells to cut; UsualWidth or AnyWidth.
  std::string text(bool Colours, size_t Width = UsualWidth) const;

  static constexpr size_t UsualWidth = 0;      ///< each cell that may be cut has its usual width
  static constexpr size_t AnyWidth = SIZE_MAX; ///< nothing is cut

private:
  std::vector<size_t> widths(size_t Width) const;

  struct Line {
    std::vector<std::string> Cells;
    Emphasis How;
  };
  std::vector<Line> Lines;
  std::vector<bool> IsText;
  std::vector<size_t> Usual; ///< by column; 0: it is never cut
};

/// The text of a table that has the first \p Most of \p Found rows, and below it how many \p More
/// there are; empty without any.
std::string textOfFirst(const Table &Rows, bool Colours, size_t Width, size_t Most, size_t Found,
                        std::string_view More = "more");

/// \p Texts, valid UTF-8, each cut to \p Width characters by "..." in its middle. Those that would
/// look alike then are cut where they are the same.
std::vector<std::string> shortenedApart(std::vector<std::string> Texts, size_t Width);

/// A name or line from outside, safe to print and at most \p Width characters.
std::string fit(std::string_view Text, size_t Width);

/// ns with a unit people read: "9.8 us", "1.234 ms".
std::string shownTime(int64_t Ns);

/// \p Part of \p Whole in percent, one decimal; "-" when the whole is 0.
std::string shownShare(int64_t Part, int64_t Whole);

/// "1.23" of \p Value / \p Unit; "-" for nothing.
std::string shownRate(const std::optional<double> &Value, double Unit);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_TABLE_H
