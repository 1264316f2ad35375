//===- Table.h - aligned columns for people --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_TABLE_H
#define SEAMSCOPE_TOOLS_REPORT_TABLE_H

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

  /// The lines, each with a newline; escape sequences only if \p Colours.
  std::string text(bool Colours) const;

private:
  struct Line {
    std::vector<std::string> Cells;
    Emphasis How;
  };
  std::vector<Line> Lines;
  std::vector<bool> IsText;
};

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
