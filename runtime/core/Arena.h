//===- Arena.h - the spool file, mapped -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A store into a shared mapping is in the page cache at once, and so in the file, even if the
// process is killed. Blocks get storage before they are handed out: a full tmpfs is an error here,
// not a SIGBUS in a kernel. No descriptor stays open: a program may close descriptors that it did
// not open, and its own files then get their numbers.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_ARENA_H
#define SEAMSCOPE_CORE_ARENA_H

#include "core/Config.h"
#include "core/Platform.h"
#include "format/Spool.h"

namespace seamscope {

class Arena {
public:
  /// Creates and maps the file. On failure, prints one line to stderr and returns false.
  bool open(const Config &C, SeamscopeMode Mode);

  bool isOpen() const { return Base != nullptr; }
  format::SpoolHeader *header() const { return reinterpret_cast<format::SpoolHeader *>(Base); }
  const unsigned char *data() const { return Base; }
  /// Bytes mapped from data(). The header has the number of claimed blocks.
  size_t mappedBytes() const { return MappedBytes; }
  const char *path() const { return Path; }

  /// A zeroed block with storage, of kind Free; null: no room. Only under SignalBlocker.
  format::BlockHeader *claim();

  /// Gives some blocks storage before they are claimed. Returns whether a full spool has room
  /// again. For the helper thread.
  bool prepareAhead();

  /// Whether a full spool may get room later, since it has not reached its limit.
  bool mayFindRoom() const;

  /// Stores a new ClockPair in the header.
  void updateClock(unsigned Tries);

  /// Whether claim() found no room, and prepareAhead() found none since.
  bool isFull() const { return loadRelaxed(&Full); }

  /// Counts an event that found no room.
  void countLost() { __atomic_fetch_add(&header()->LostEvents, 1, __ATOMIC_RELAXED); }

  /// Forgets the parent's file, in a fork's child.
  void abandon();
  /// Removes the file, in a clean exit.
  void remove();

private:
  bool create(const char *Dir, uint64_t StartNs);
  bool mapFile(int Fd);
  bool back(uint64_t Block);
  bool allocate(size_t Offset) const;
  bool leavesEnough();

  unsigned char *Base = nullptr;
  size_t MappedBytes = 0;
  uint64_t Capacity = 0;
  uint64_t Ready = 0; ///< blocks below it have storage
  uint32_t Full = 0;
  bool IsShared = false; ///< the file is in memory that other programs need, such as /dev/shm
  uint64_t Memory = 0;   ///< bytes of memory that were free when last read
  uint64_t Device = 0, Inode = 0; ///< of the file
  int LastError = 0;
  SpinLock Lock;
  SpinLock ClockLock;
  char Path[PATH_MAX] = "";
};

} // namespace seamscope
#endif // SEAMSCOPE_CORE_ARENA_H
