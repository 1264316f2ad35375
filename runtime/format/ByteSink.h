//===- ByteSink.h - where text goes ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_BYTESINK_H
#define SEAMSCOPE_FORMAT_BYTESINK_H

#include <cstddef>

namespace seamscope::format {

/// Takes pieces of text, in order. Returns false to stop.
struct ByteSink {
  bool (*Write)(void *Context, const char *Text, size_t Size);
  void *Context;
};

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_BYTESINK_H
