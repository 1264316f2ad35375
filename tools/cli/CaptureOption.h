//===- CaptureOption.h - KERNEL[:N] -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_CAPTUREOPTION_H
#define SEAMSCOPE_TOOLS_CLI_CAPTUREOPTION_H

#include <string>
#include <string_view>

namespace seamscope::tools {

/// N of KERNEL[:N], which may be 0 or too large; empty if the text has no number.
/// Kernels have names such as a::f and `main [parallel a.cpp:4]`.
inline std::string_view callNumberIn(std::string_view Text) {
  const size_t Colon = Text.rfind(':');
  if (Colon == Text.npos || (Colon && Text[Colon - 1] == ':'))
    return {};
  const std::string_view Rest = Text.substr(Colon + 1);
  return Rest.find_first_not_of("0123456789") == Rest.npos ? Rest : std::string_view();
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_CAPTUREOPTION_H
