//===- PythonText.h - parsing of Python expressions -----------------------===//
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

/// The position after the string literal that begins at \p Text[At], or the end of the text.
size_t endOfString(std::string_view Text, size_t At);

/// The first position of \p Wanted in \p Text from \p From on, outside brackets and string
/// literals; or npos.
size_t findOutside(std::string_view Text, std::string_view Wanted, size_t From = 0);

/// Splits \p Text at each \p Separator outside brackets and string literals.
std::vector<std::string_view> splitOutside(std::string_view Text, std::string_view Separator);

/// The position of the bracket that closes the one at \p Text[Open]; or npos.
size_t closingBracket(std::string_view Text, size_t Open);

/// The arguments of the first call in \p Text: "a" and "b" of "NAME(a, b)". Empty if its brackets
/// do not match.
std::vector<std::string_view> callArguments(std::string_view Text);

inline bool isIdentifierStart(char C) {
  return std::isalpha(static_cast<unsigned char>(C)) || C == '_';
}
inline bool isIdentifierChar(char C) {
  return std::isalnum(static_cast<unsigned char>(C)) || C == '_';
}

/// Whether \p Text is a single name.
bool isIdentifier(std::string_view Text);

/// Whether a Python file belongs to torch, installed or built in place. A user's program may be in
/// a folder named torch.
inline bool isOfTorch(std::string_view File) {
  return File.find("-packages/torch/") != File.npos || File.find("/pytorch/torch/") != File.npos;
}

/// The variables in \p Text: names not after a dot, not in a string, not of keyword arguments.
std::vector<std::string_view> variablesIn(std::string_view Text);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_PYTHONTEXT_H
