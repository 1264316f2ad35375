//===- ReadOptions.h - what a reader keeps besides the events -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_READOPTIONS_H
#define SEAMSCOPE_TOOLS_TRACE_READOPTIONS_H

#include <cstddef>
#include <functional>

namespace seamscope::tools {

/// Large enough that a window's fixed cost does not show, small enough that it and what the parser
/// notes of it stay in the second-level cache, also of two threads on one core.
constexpr size_t DefaultWindowBytes = 1 << 18;

/// How a trace is read, and what is kept in Trace::Details. Few reports need any of it, and large
/// traces hold much of it: so by default none is.
struct ReadOptions {
  bool Autograd = false;    ///< sequence numbers, and flows from forward to backward
  bool Stacks = false;      ///< Python frames and call stacks
  bool Launches = false;    ///< how kernels were launched
  bool Collectives = false; ///< what collectives move, and between whom
  bool Memory = false;      ///< changes of allocated memory, and how much copies move
  bool Syncs = false;       ///< which waits for a device waited for what
  bool Processes = false;   ///< Trace::Processes also has those of whose events none is kept
  bool Offsets = false;     ///< where events stand in the file: EventColumns::Offset, CallEnd
  bool Others = false;      ///< where events stand that are not calls, and when they were

  /// That parse at once; 0: as many as there are processors. The result does not depend on it.
  unsigned Threads = 0;
  size_t WindowBytes = DefaultWindowBytes; ///< of JSON text that each takes at a time, about

  /// Called now and then with how much of the file was read: 0 to 1; 0 also where that is not
  /// known.
  std::function<void(double)> Progress = {};

  bool any() const { return Autograd || Stacks || Launches || Collectives || Memory || Syncs; }
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_READOPTIONS_H
