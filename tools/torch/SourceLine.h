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

/// A line of a Python program, as torch wrote it down when it saw the code.
struct SourceLine {
  std::string File;
  uint32_t Line = 0; ///< from 1; 0: not known
  std::string Function;
  std::string Code; ///< text of the line, without the blanks around it; empty: not known

  auto operator<=>(const SourceLine &) const = default;
};

/// Reads "File: PATH:LINE in FUNCTION, code: CODE", the comment above the nodes of a printed graph;
/// nothing when \p Text is something else.
std::optional<SourceLine> parseGraphComment(std::string_view Text);

/// Reads the frames of a Python traceback, outermost first: `  File "PATH", line N, in FUNCTION`,
/// each with the line of code that follows it. Other lines are passed over.
std::vector<SourceLine> parseTraceback(std::string_view Text);

/// The number that \p Text is; nothing when it is none or exceeds 32 bits.
std::optional<uint32_t> parseUnsigned(std::string_view Text);

/// Cuts the first line off \p Text and returns it without its newline.
std::string_view takeLine(std::string_view &Text);

/// \p Text without the blanks at both ends.
std::string_view trimmed(std::string_view Text);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_SOURCELINE_H
