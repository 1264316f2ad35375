//===- Arena.cpp - the spool file, mapped -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Arena.h"

#include "core/Clock.h"
#include "core/Environment.h"
#include "core/MemoryRoom.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace seamscope {

using namespace format;

/// A spool in memory takes at most 1 / Shares of the free memory, since other programs need it too.
static constexpr uint64_t Shares = 4;
/// A place whose share is smaller than this, and than the spool's limit, is not used.
static constexpr uint64_t SmallShare = 256u << 20;

/// Whether \p Place is a file system in memory.
static bool isMemory(const char *Place) {
  struct statfs S;
  return statfs(Place, &S) == 0 && (S.f_type == TMPFS_MAGIC || S.f_type == RAMFS_MAGIC);
}

/// Free bytes in \p Place, at most \p Memory; UINT64_MAX: unknown.
static uint64_t roomIn(const char *Place, uint64_t Memory) {
  struct statfs S;
  if (statfs(Place, &S) || !S.f_blocks)
    return Memory;
  const uint64_t Free = static_cast<uint64_t>(S.f_bavail) * static_cast<uint64_t>(S.f_bsize);
  return Free < Memory ? Free : Memory;
}

/// Allocates storage; returns 0 or errno.
static int allocateRange(int Fd, size_t Offset, size_t Bytes) {
  int Error;
  do
    Error = posix_fallocate(Fd, static_cast<off_t>(Offset), static_cast<off_t>(Bytes));
  while (Error == EINTR);
  return Error;
}

/// Maps the file \p Fd. Its first block must have storage.
bool Arena::mapFile(int Fd) {
  struct stat S;
  for (uint64_t Blocks = Capacity; Blocks >= 4; Blocks /= 2) {
    const size_t Bytes = HeaderBytes + Blocks * BlockBytes;
    if (fstat(Fd, &S) || ftruncate(Fd, static_cast<off_t>(Bytes)))
      return false;
    // Blocks are made accessible one by one.
    void *P = mapPages(nullptr, Bytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE, Fd);
    if (P != MAP_FAILED) {
      if (!openPages(P, HeaderBytes)) {
        munmap(P, Bytes);
        return false;
      }
      Base = static_cast<unsigned char *>(P);
      MappedBytes = Bytes;
      Capacity = Blocks;
      Device = S.st_dev;
      Inode = S.st_ino;
      return true;
    }
  }
  return false;
}

bool Arena::create(const char *Dir, uint64_t StartNs) {
  const int Length = snprintf(Path, sizeof(Path), "%s/seamscope-%u-%u-%llu.spool", Dir,
                              static_cast<unsigned>(getuid()), static_cast<unsigned>(getpid()),
                              static_cast<unsigned long long>(StartNs));
  if (Length < 0 || static_cast<size_t>(Length) >= sizeof(Path)) {
    LastError = ENAMETOOLONG;
    return false;
  }
  const int Fd = ::open(Path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (Fd < 0) {
    LastError = errno;
    return false;
  }
  // The mapping keeps the lock: if another process can lock a spool, it is abandoned.
  flock(Fd, LOCK_EX | LOCK_NB);
  // The limit must allow one block of each needed kind, and the place must have room for the header
  // and a block.
  LastError = Capacity < 4 ? EFBIG : allocateRange(Fd, 0, HeaderBytes + BlockBytes);
  const bool Created = !LastError && mapFile(Fd);
  if (!Created) {
    if (!LastError)
      LastError = errno;
    unlink(Path);
  }
  close(Fd);
  return Created;
}

static void fillCommandLine(SpoolHeader &H) {
  const int Fd = ::open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (Fd < 0)
    return;
  const ssize_t Size = read(Fd, H.CommandLine, sizeof(H.CommandLine) - 1);
  close(Fd);
  for (ssize_t I = 0; I + 1 < Size; ++I)
    if (!H.CommandLine[I])
      H.CommandLine[I] = ' ';
}

static void fillProcessName(SpoolHeader &H) {
  const int Fd = ::open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
  if (Fd < 0)
    return;
  const ssize_t Size = read(Fd, H.ProcessName, sizeof(H.ProcessName) - 1);
  close(Fd);
  if (Size > 0 && H.ProcessName[Size - 1] == '\n')
    H.ProcessName[Size - 1] = 0;
}

bool Arena::open(const Config &C, SeamscopeMode Mode) {
  // The kernel would send SIGXFSZ beyond the process's file size limit.
  uint64_t Limit = C.LimitBytes;
  rlimit FileSize;
  if (getrlimit(RLIMIT_FSIZE, &FileSize) == 0 && FileSize.rlim_cur < Limit + HeaderBytes)
    Limit = FileSize.rlim_cur > HeaderBytes ? FileSize.rlim_cur - HeaderBytes : 0;
  // Leave scarce address space to the program.
  if (const uint64_t Share = addressRoom() / AddressShares; Share < Limit)
    Limit = Share;
  Capacity = Limit / BlockBytes;
  Ready = 0;
  Full = 0;
  const uint64_t StartNs = clock::readClock(CLOCK_REALTIME);
  const char *Temporary = environment("TMPDIR");
  const char *const Places[] = {"/dev/shm", Temporary ? Temporary : "/tmp", "/tmp"};
  bool Created = false;
  const char *Tried = C.SpoolDir;
  IsShared = false;
  if (*C.SpoolDir) {
    Created = create(C.SpoolDir, StartNs);
  } else {
    for (const char *const &Place : Places) {
      if (Created || access(Place, W_OK | X_OK))
        continue;
      // Leave a small /dev/shm, as in most containers, to the program: its data loaders and
      // collectives fail without it. Also leave scarce memory. A file elsewhere costs more but has
      // room.
      const bool IsLast = &Place + 1 == std::end(Places);
      IsShared = isMemory(Place);
      if (IsShared && !IsLast &&
          roomIn(Place, Memory = memoryRoom()) / Shares < (Limit < SmallShare ? Limit : SmallShare))
        continue;
      Created = create(Tried = Place, StartNs);
    }
  }
  if (!Created) {
    warn("cannot make a spool file in '%s': %s; nothing is recorded (SEAMSCOPE_SPOOL_DIR names "
         "another place)",
         Tried, strerror(LastError));
    return false;
  }
  SpoolHeader &H = *header();
  H.Version = SpoolVersion;
  H.HeaderSize = sizeof(SpoolHeader);
  H.BlockSize = BlockBytes;
  H.Clock = clock::UseMonotonic ? ClockSource::Monotonic : ClockSource::Tsc;
  H.Mode = Mode;
  H.Pid = static_cast<uint32_t>(getpid());
  H.ParentPid = static_cast<uint32_t>(getppid());
  H.Uid = static_cast<uint32_t>(getuid());
  H.Rank = C.Rank;
  H.WorldSize = C.WorldSize;
  H.RunTag = C.RunTag;
  H.Processors = C.Processors;
  H.CapacityBlocks = Capacity;
  gethostname(H.HostName, sizeof(H.HostName) - 1);
  fillProcessName(H);
  fillCommandLine(H);
  H.StampBiasTicks = clock::measureBias();
  H.First = clock::readPair(32);
  // The pairs are at least 100 us apart, so that the spool of a process killed at once can be read.
  do
    updateClock(8);
  while (H.Last[H.LastIndex].MonotonicNs - H.First.MonotonicNs < 100000);
  // The magic makes the file a spool, so it is stored last.
  uint64_t Magic;
  memcpy(&Magic, SpoolMagic, sizeof(Magic));
  __atomic_thread_fence(__ATOMIC_RELEASE);
  storeWord(H.Magic, Magic);
  return true;
}

bool Arena::leavesEnough() {
  if (!IsShared)
    return true;
  const uint64_t Blocks = loadRelaxed(&Ready) > loadRelaxed(&header()->BlocksClaimed)
                              ? loadRelaxed(&Ready)
                              : loadRelaxed(&header()->BlocksClaimed);
  // memoryRoom() takes as long as some thousand calls.
  if (Blocks % 16 == 0)
    storeRelaxed(&Memory, memoryRoom());
  return roomIn(Path, loadRelaxed(&Memory)) >=
         BlockBytes + (Shares - 1) * (Blocks + 1) * BlockBytes;
}

bool Arena::mayFindRoom() const {
  return isFull() && loadRelaxed(&header()->BlocksClaimed) < Capacity;
}

bool Arena::back(uint64_t Block) {
  // Other programs use the same space, so room is checked for each block.
  const size_t Offset = HeaderBytes + Block * BlockBytes;
  if (!leavesEnough() || !openPages(Base + Offset, BlockBytes))
    return false;
  int Error;
  do
    Error = madvise(Base + Offset, BlockBytes, MADV_POPULATE_WRITE) ? errno : 0;
  while (Error == EINTR);
  // Linux before 5.14 lacks MADV_POPULATE_WRITE: the first access to each page is a fault there.
  return !Error || (Error == EINVAL && allocate(Offset));
}

bool Arena::allocate(size_t Offset) const {
  const int Fd = ::open(Path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (Fd < 0)
    return false;
  struct stat S;
  const bool Done = fstat(Fd, &S) == 0 && S.st_dev == Device && S.st_ino == Inode &&
                    allocateRange(Fd, Offset, BlockBytes) == 0;
  close(Fd);
  return Done;
}

BlockHeader *Arena::claim() {
  if (isFull())
    return nullptr;
  SpinGuard Guard(Lock);
  SpoolHeader &H = *header();
  const uint64_t Block = loadRelaxed(&H.BlocksClaimed);
  if (Block >= Capacity || (Block >= loadAcquire(&Ready) && !back(Block))) {
    storeRelaxed(&Full, 1u);
    return nullptr;
  }
  storeRelease(&H.BlocksClaimed, Block + 1);
  return reinterpret_cast<BlockHeader *>(Base + HeaderBytes + Block * BlockBytes);
}

bool Arena::prepareAhead() {
  bool FoundRoom = false;
  for (;;) {
    const uint64_t Claimed = loadRelaxed(&header()->BlocksClaimed);
    // Few blocks for a short run. For a long run, as many as are filled while the helper is off its
    // processor for some milliseconds.
    uint64_t Wanted = Claimed + 2 + Claimed / 2;
    if (Wanted > Claimed + 32)
      Wanted = Claimed + 32;
    if (Wanted > Capacity)
      Wanted = Capacity;
    uint64_t Next = loadRelaxed(&Ready);
    if (Next < Claimed)
      Next = Claimed;
    if (Next >= Wanted || !back(Next))
      return FoundRoom;
    storeRelease(&Ready, Next + 1);
    if (isFull()) {
      FoundRoom = true;
      storeRelease(&Full, 0u);
    }
  }
}

void Arena::updateClock(unsigned Tries) {
  SpinGuard Guard(ClockLock);
  SpoolHeader &H = *header();
  const uint64_t Next = 1 - loadRelaxed(&H.LastIndex) % 2;
  const ClockPair Pair = clock::readPair(Tries);
  storeRelaxed(&H.Last[Next].Tick, Pair.Tick);
  storeRelaxed(&H.Last[Next].MonotonicNs, Pair.MonotonicNs);
  storeRelaxed(&H.Last[Next].RealtimeNs, Pair.RealtimeNs);
  storeRelaxed(&H.Last[Next].WidthTicks, Pair.WidthTicks);
  storeRelease(&H.LastIndex, Next);
}

void Arena::abandon() {
  // A signal handler that forks may have interrupted a hook, which continues in the child and
  // writes to the parent's spool: map other memory there. Shared memory does not count against
  // RLIMIT_DATA.
  if (Base && mapPages(Base, MappedBytes, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1) == MAP_FAILED)
    munmap(Base, MappedBytes);
  Base = nullptr;
  Lock.unlock();
  ClockLock.unlock();
}

void Arena::remove() { unlink(Path); }

} // namespace seamscope
