//===- Environment.h - variables of the environment -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_ENVIRONMENT_H
#define SEAMSCOPE_CORE_ENVIRONMENT_H

#include <cstdlib>

namespace seamscope {

/// The value of a variable; null where it is unset or empty, and in a program that has more
/// privileges than its caller (setuid, file capabilities): a caller must neither have such a
/// program write files nor load libraries. The runtime reads variables in no other way.
inline const char *environment(const char *Name) {
  const char *Text = secure_getenv(Name);
  return Text && *Text ? Text : nullptr;
}

} // namespace seamscope
#endif // SEAMSCOPE_CORE_ENVIRONMENT_H
