//===- TouchedMemory.h - the memory that a call reads and writes ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_REPLAY_TOUCHEDMEMORY_H
#define SEAMSCOPE_REPLAY_TOUCHEDMEMORY_H

#include <cstddef>
#include <cstdint>

namespace seamscope {

/// Memory that a call reads or writes, in whole pages or, in a large process, in larger pieces.
struct TouchedRun {
  uintptr_t Begin, End;
  bool Reads;  ///< false: its first access was a write
  bool Writes; ///< in some access
};

/// Finds out what a call touches. The call runs in a forked child, whose memory is protected: a
/// fault shows each first access. The child changes its own copy, so this process keeps everything
/// as it was before the call.
///
/// Left out are variables of the system's libraries, and stacks of other threads.
class TouchedMemory {
public:
  TouchedMemory() = default;
  ~TouchedMemory();
  TouchedMemory(const TouchedMemory &) = delete;
  TouchedMemory &operator=(const TouchedMemory &) = delete;

  /// Runs \p Invoke(\p Arguments), with \p Threads OpenMP threads to start with. Null, or why it is
  /// not known what it touches.
  const char *run(void (*Invoke)(void *), void *Arguments, unsigned Threads);

  /// The next run of touched memory from \p From on, by address. False if no more follows.
  bool next(uintptr_t From, TouchedRun &Found) const;

  struct Range {
    uintptr_t Begin, End;
    size_t FirstState; ///< of its first piece
    bool IsWritable;
    bool IsKept; ///< not protected; part of what is touched
  };

private:
  bool findRanges();
  bool makeStates();
  static void onChildsStack();

  Range *Ranges = nullptr;
  size_t Count = 0, RangesBytes = 0;
  uint8_t *States =
      nullptr; ///< one for each piece, then whether the call ended; shared with the child
  size_t Pieces = 0;
  uintptr_t Piece = 0; ///< bytes
};

} // namespace seamscope
#endif // SEAMSCOPE_REPLAY_TOUCHEDMEMORY_H
