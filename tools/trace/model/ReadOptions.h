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

/// Large enough that a window's fixed cost does not matter, small enough that it and the parser's
/// data for it stay in the second-level cache, even with two threads on a core.
constexpr size_t DefaultWindowBytes = 1 << 18;

/// How a trace is read, and what is kept in Trace::Details. Few reports need any of it, and large
/// traces have much of it, so the default is nothing.
struct ReadOptions {
  bool Autograd = false;    ///< sequence numbers, and flows from forward to backward
  bool Stacks = false;      ///< Python frames and call stacks
  bool Launches = false;    ///< how kernels were launched
  bool Collectives = false; ///< sizes of collectives, and the ranks that take part
  bool Memory = false;      ///< changes of allocated memory, and sizes of copies
  bool Syncs = false;       ///< what waits for a device waited for
  bool Processes = false;   ///< Trace::Processes also has those without kept events
  bool Offsets = false;     ///< positions of events in the file: EventColumns::Offset, CallEnd
  bool Others = false;      ///< where events stand that are not calls, and when they were

  /// Threads that parse at once; 0: one for each processor. The result does not depend on it.
  unsigned Threads = 0;
  /// Approximate size of JSON text that each takes at a time.
  size_t WindowBytes = DefaultWindowBytes;

  /// Called now and then with the share of the file that was read: 0 to 1; 0 also if it is not
  /// known.
  std::function<void(double)> Progress = {};

  bool any() const { return Autograd || Stacks || Launches || Collectives || Memory || Syncs; }
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_READOPTIONS_H
