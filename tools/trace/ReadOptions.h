//===- ReadOptions.h - what a reader keeps beside the events --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_READOPTIONS_H
#define SEAMSCOPE_TOOLS_TRACE_READOPTIONS_H

namespace seamscope::tools {

/// What is kept in Trace::Details. Few reports need any of it, and large traces hold much of it: so
/// by default none is.
struct ReadOptions {
  bool Autograd = false; ///< sequence numbers, and flows from forward to backward
  bool Stacks = false;   ///< Python frames and call stacks
  bool Launches = false; ///< how kernels were launched

  bool any() const { return Autograd || Stacks || Launches; }
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_READOPTIONS_H
