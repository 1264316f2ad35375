//===- JsonParse.cpp - parses untrusted JSON ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/JsonParse.h"

namespace seamscope::tools {

bool nestsDeeply(std::string_view Text) {
  constexpr size_t Deep = 512;
  size_t Depth = 0;
  for (size_t At = 0; (At = Text.find_first_of("[{]}\"", At)) != Text.npos; ++At) {
    if (Text[At] == '[' || Text[At] == '{') {
      if (++Depth > Deep)
        return true;
    } else if (Text[At] != '"') {
      Depth -= Depth > 0;
    } else {
      do
        At = Text.find_first_of("\"\\", At + 1);
      while (At != Text.npos && Text[At] == '\\' && ++At < Text.size());
      if (At >= Text.size())
        return false;
    }
  }
  return false;
}

} // namespace seamscope::tools
