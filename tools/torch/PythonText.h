//===- PythonText.h - takes expressions of Python apart -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_PYTHONTEXT_H
#define SEAMSCOPE_TOOLS_TORCH_PYTHONTEXT_H

#include <cctype>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Where the string literal that begins at \p Text[At] ends: behind its closing quote, or the end.
size_t endOfString(std::string_view Text, size_t At);

/// Where \p Wanted first stands in \p Text from \p From, outside of brackets and string literals;
/// npos when it does not.
size_t findOutside(std::string_view Text, std::string_view Wanted, size_t From = 0);

/// \p Text split at \p Separator outside of brackets and string literals.
std::vector<std::string_view> splitOutside(std::string_view Text, std::string_view Separator);

/// Where the bracket that opens at \p Text[Open] closes; npos when it does not.
size_t closingBracket(std::string_view Text, size_t Open);

inline bool isIdentifierStart(char C) {
  return std::isalpha(static_cast<unsigned char>(C)) || C == '_';
}
inline bool isIdentifierChar(char C) {
  return std::isalnum(static_cast<unsigned char>(C)) || C == '_';
}

/// Whether the whole of \p Text is one name.
bool isIdentifier(std::string_view Text);

/// Whether a file of Python is of torch itself, installed or built in place. A program may well lie
/// in a folder of the name.
inline bool isOfTorch(std::string_view File) {
  return File.find("-packages/torch/") != File.npos || File.find("/pytorch/torch/") != File.npos;
}

/// Names in \p Text that are variables: not behind a dot, not in a string, not a keyword argument.
std::vector<std::string_view> variablesIn(std::string_view Text);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_PYTHONTEXT_H
