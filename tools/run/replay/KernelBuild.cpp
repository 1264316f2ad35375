//===- KernelBuild.cpp - how a kernel is compiled -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/replay/KernelBuild.h"

namespace seamscope::tools {

std::string plainName(std::string_view Name) {
  std::string Text;
  for (const char C : Name.substr(0, 200))
    Text += (C >= '0' && C <= '9') || (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') ||
                    C == '_' || C == ':' || C == '.' || C == ' '
                ? C
                : '_';
  return Text;
}

} // namespace seamscope::tools
