//===- OtherCopy.h - the copy of the library that serves the process ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_OTHERCOPY_H
#define SEAMSCOPE_CORE_OTHERCOPY_H

#include "core/Platform.h"
#include "seamscope/devices.h"
#include "seamscope/group.h"

namespace seamscope {

/// The entry points of the copy that serves the process in place of this one.
struct OtherCopy {
  bool Serves; ///< false: there is no other copy, or it forwards to this one
#define SEAMSCOPE_ENTRY_POINT(Function) decltype(&::Function) Function;
#define SEAMSCOPE_LATER_ENTRY_POINT(Function, Result) decltype(&::Function) Function;
#include "core/EntryPoints.def"
};

extern OtherCopy TheOtherCopy;

/// Looks for a copy of the library that was loaded before this one; if there is one, it serves the
/// process. Returns whether there is.
bool findOtherCopy();

/// If another copy serves the process, returns the result of its \p Function.
#define SEAMSCOPE_FORWARD(Function, ...)                                                           \
  do {                                                                                             \
    if (SEAMSCOPE_UNLIKELY(::seamscope::TheOtherCopy.Serves))                                      \
      return ::seamscope::TheOtherCopy.Function(__VA_ARGS__);                                      \
  } while (false)

} // namespace seamscope
#endif // SEAMSCOPE_CORE_OTHERCOPY_H
