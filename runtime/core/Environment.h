//===- Environment.h - environment variables ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_ENVIRONMENT_H
#define SEAMSCOPE_CORE_ENVIRONMENT_H

#include <cstdlib>

namespace seamscope {

/// The value of a variable; null if it is unset or empty, or if the program has more privileges
/// than its caller (setuid, file capabilities): a caller must not make such a program write files
/// or load libraries. The runtime reads variables only through this function.
inline const char *environment(const char *Name) {
  const char *Text = secure_getenv(Name);
  return Text && *Text ? Text : nullptr;
}

} // namespace seamscope
#endif // SEAMSCOPE_CORE_ENVIRONMENT_H
