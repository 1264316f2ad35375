//===- ReadOptions.h - what a reader keeps beside the events --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_READOPTIONS_H
#define SEAMSCOPE_TOOLS_TRACE_READOPTIONS_H

namespace seamscope::tools {

/// What few users of a trace need, and which by default is not kept.
struct ReadOptions {
  bool Offsets = false; ///< where events stand in the file: EventColumns::Offset
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_READOPTIONS_H
