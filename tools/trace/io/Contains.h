//===- Contains.h - what C++23 has in strings -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CONTAINS_H
#define SEAMSCOPE_TOOLS_TRACE_CONTAINS_H

#include <string_view>

namespace seamscope::tools {

inline bool contains(std::string_view Text, std::string_view Part) {
  return Text.find(Part) != Text.npos;
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CONTAINS_H
