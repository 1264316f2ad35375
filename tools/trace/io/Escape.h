//===- Escape.h - untrusted text, made safe to show -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_ESCAPE_H
#define SEAMSCOPE_TOOLS_TRACE_ESCAPE_H

#include <string>
#include <string_view>

namespace seamscope::tools {

/// \p Text as valid UTF-8 that cannot change a terminal's state or the order of its text: control
/// characters become \n, \t or \x1b, bidirectional controls and other invisible ones \u{202e},
/// bytes that are not UTF-8 \xff.
std::string escaped(std::string_view Text);

/// \p Text cut to \p Width characters by "..." in the middle; unchanged if it fits. \p Text must be
/// valid UTF-8.
std::string shortened(std::string_view Text, size_t Width);

/// Bytes of the character at the start of \p Text, which is not empty; 0: they are not UTF-8.
size_t characterBytes(std::string_view Text);

/// Number of characters (not bytes) of valid UTF-8.
size_t characters(std::string_view Text);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_ESCAPE_H
