//===- SourceLine.h - a line of a Python program --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_SOURCELINE_H
#define SEAMSCOPE_TOOLS_TORCH_SOURCELINE_H

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// A line of a Python program, as torch recorded it.
struct SourceLine {
  std::string File;
  uint32_t Line = 0; ///< from 1; 0: unknown
  std::string Function;
  std::string Code; ///< text of the line, trimmed; empty: unknown

  auto operator<=>(const SourceLine &) const = default;
};

/// Reads "File: PATH:LINE in FUNCTION, code: CODE", the comment above nodes of a printed graph;
/// None if \p Text is something else.
std::optional<SourceLine> parseGraphComment(std::string_view Text);

/// Reads the frames of a Python traceback, outermost first: `  File "PATH", line N, in FUNCTION`,
/// each with the line of code after it. Skips other lines.
std::vector<SourceLine> parseTraceback(std::string_view Text);

/// Parses \p Text as a number; None if it is not one or exceeds 32 bits.
std::optional<uint32_t> parseUnsigned(std::string_view Text);

/// Removes the first line from \p Text and returns it without its newline.
std::string_view takeLine(std::string_view &Text);

/// \p Text without the blanks at both ends.
std::string_view trimmed(std::string_view Text);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_SOURCELINE_H
