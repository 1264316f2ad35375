//===- Spool.h - the spool file, version 5 ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract between the runtime, which writes the file while the program
// runs, and every reader, which may come after a SIGKILL. Plain data, little
// endian, no dependencies. docs/formats.md describes it for people.
//
//   page 0              SpoolHeader
//   Block 0, 1, 2, ...  BlockBytes each, at HeaderBytes + n * BlockBytes
//
// The file is zero until written. An entry that a reader must not see half
// written has one word that is stored last, with release order, and is zero
// before: Record::Begin, BlockHeader::Kind, SiteEntry::Size, ThreadEntry::Tid.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_SPOOL_H
#define SEAMSCOPE_FORMAT_SPOOL_H

#include "format/SampleEntry.h"

#include <cstddef>
#include <cstdint>

namespace seamscope::format {

constexpr char SpoolMagic[8] = {'S', 'E', 'A', 'M', 'S', 'P', 'L', '\n'};
constexpr uint32_t SpoolVersion = 7;
constexpr size_t HeaderBytes = 4096;
constexpr size_t BlockBytes = 256 * 1024;

/// Two clocks read at one moment: the narrowest of several bracketed readings.
struct ClockPair {
  uint64_t Tick;        ///< tick counter; 0: not taken
  uint64_t MonotonicNs; ///< CLOCK_MONOTONIC
  uint64_t RealtimeNs;  ///< CLOCK_REALTIME, since 1970
  uint64_t WidthTicks;  ///< distance of the bracketing reads: the uncertainty
};

enum class ClockSource : uint32_t {
  Tsc = 1,       ///< invariant TSC, read by rdtscp at both ends
  Monotonic = 2, ///< clock_gettime(CLOCK_MONOTONIC): ticks are ns
};

/// SpoolHeader::Flags.
enum : uint32_t {
  SpoolTwoOpenMP = 1, ///< two OpenMP runtimes were live in the process
  SpoolExited = 2,    ///< the process ended by itself; its last clock reading is from then
  SpoolCopy = 4,      ///< a copy that the process made while it ran
};

struct SpoolHeader {
  char Magic[8];
  uint32_t Version;
  uint32_t HeaderSize; ///< sizeof(SpoolHeader) of the writer
  uint32_t BlockSize;  ///< BlockBytes of the writer
  ClockSource Clock;
  uint32_t Mode; ///< SeamscopeMode at the start
  uint32_t Flags;
  uint32_t Pid;
  uint32_t ParentPid;
  uint32_t Uid;
  int32_t Rank;            ///< -1: none
  int32_t WorldSize;       ///< -1: none
  uint32_t RunTag;         ///< runTag() of SEAMSCOPE_SINCE; 0: not set
  uint64_t StampBiasTicks; ///< duration of an empty region; not subtracted from durations
  uint64_t CallCost;       ///< recording of one call, in 1/1024 ticks; 0: not measured; atomic
  uint64_t CapacityBlocks; ///< most blocks that this file may have
  uint64_t BlocksClaimed;  ///< blocks handed out; atomic; may pass CapacityBlocks
  uint64_t LostEvents;     ///< events dropped for lack of space; atomic
  ClockPair First;         ///< when the file was made
  ClockPair Last[2];       ///< newest pairs, written alternately
  uint64_t LastIndex;      ///< index of the valid pair in Last; atomic
  char ProcessName[64];    ///< NUL-terminated, cut
  char HostName[64];       ///< NUL-terminated, cut
  char CommandLine[2040];  ///< arguments, spaces between, cut
  uint32_t Processors;     ///< that the process might run on when it loaded this; 0: unknown
  uint32_t Reserved;
  SampleStatus Samples;
};
static_assert(sizeof(SpoolHeader) <= HeaderBytes);

/// Distinguishes the spools of one `seamscope run` from others of about that time. \p SinceNs 0:
/// none.
inline uint32_t runTag(uint64_t SinceNs) {
  return static_cast<uint32_t>(SinceNs ^ (SinceNs >> 32));
}

enum class BlockKind : uint32_t {
  Free = 0,
  Events = 1,    ///< Record[]
  Sites = 2,     ///< SiteEntry, one after the other
  Threads = 3,   ///< ThreadEntry[]
  Live = 4,      ///< LiveThread[]
  Profile = 5,   ///< SiteProfile[]
  Device = 6,    ///< DeviceEntry, one after the other (DeviceEntry.h)
  Throttles = 7, ///< ThrottleEntry[] of BlockHeader::Thread
  Samples = 8,   ///< SampleRecord[] (SampleEntry.h)
  Sampling = 9,  ///< SamplingEntry, one after the other (SampleEntry.h)
  Work = 10,     ///< WorkEntry, one after the other
};

/// First 64 bytes of every block.
struct BlockHeader {
  BlockKind Kind;    ///< stored last
  uint32_t Thread;   ///< index of a thread, from 0. Events: the one that writes the first record
  uint64_t Sequence; ///< Events: increases along one thread's blocks
  uint64_t Tick;     ///< when the block was claimed
  uint64_t Reserved[5];
};
static_assert(sizeof(BlockHeader) == 64);

/// One closed call, or an escape. A record with Begin 0 was not committed and is skipped. A block
/// may have such holes, since a signal can come between the claim of a slot and its use.
struct Record {
  uint64_t Begin;    ///< begin stamp in ticks; stored last
  uint32_t Duration; ///< ticks
  uint32_t Site;     ///< id, or an Escape
};
static_assert(sizeof(Record) == 16);
constexpr size_t RecordsPerBlock = (BlockBytes - sizeof(BlockHeader)) / sizeof(Record);

/// Values of Record::Site from here on are not sites but escapes.
enum Escape : uint32_t {
  EscapeFirst = 0xffffff00u,
  /// A call too long for 32 bits. An EscapeLongRest follows; otherwise the call counts as not
  /// written.
  EscapeLong = 0xffffff01u,
  /// From here on, the block's records belong to thread Duration (an index from 0).
  EscapeThread = 0xffffff02u,
  /// From here on, this thread's region records in this block have the OpenMP thread number
  /// Duration. A block begins without one.
  EscapeTeamThread = 0xffffff03u,
  /// An open call of site Duration was left without an exit (longjmp); Begin is its begin.
  EscapeAbandoned = 0xffffff04u,
  /// Cancels one EscapeAbandoned of site Duration: the call did return.
  EscapeReturned = 0xffffff05u,
  /// Duration events were dropped before this moment.
  EscapeLost = 0xffffff06u,
  /// Describes the call in the next record: Begin is 1 + its sequence number; Duration is the
  /// framework's number of the forward call's thread, 0 for a forward call itself.
  EscapeSequence = 0xffffff07u,
  /// The rest of the EscapeLong before it: Begin is 1 + (duration >> 32), Duration is the site.
  EscapeLongRest = 0xffffff08u,
};

/// A site, copied from a module's table at registration, with the fields of site.def. Size is a
/// multiple of 8 and includes the strings, which follow the struct, each with its NUL. A text field
/// is an offset from the start of the entry; 0: unknown.
struct SiteEntry {
  uint32_t Size; ///< stored last; 0: this block has no more entries
  uint32_t Id;
#define SEAMSCOPE_SITE_NUMBER(Type, field, Field) uint32_t Field;
#define SEAMSCOPE_SITE_TEXT(field, Field) uint32_t Field;
#define SEAMSCOPE_SITE_JSON(field, Field) uint32_t Field;
#include "seamscope/site.def"
};
static_assert(sizeof(SiteEntry) == 68);

/// A thread that recorded something. Entry n of the k-th Threads block has thread index k *
/// ThreadsPerBlock + n (blocks in file order).
struct ThreadEntry {
  uint32_t Tid;             ///< stored last
  int32_t TeamThread;       ///< first OpenMP thread number seen, -1: none
  uint64_t StartTick;       ///< first event
  uint64_t LostEvents;      ///< dropped on this thread; atomic
  uint64_t FrameworkThread; ///< the framework's number of the thread, 0: unknown; atomic
  char Name[32];            ///< NUL-terminated, as the system knew it at the first event
};
static_assert(sizeof(ThreadEntry) == 64);
constexpr size_t ThreadsPerBlock = (BlockBytes - sizeof(BlockHeader)) / sizeof(ThreadEntry);

/// A call that has begun and not ended.
struct OpenCall {
  uint64_t Begin; ///< ticks; stored last, 0: not in use
  uint64_t Frame; ///< address of its SeamscopeFrame
  uint32_t Site;
  int32_t TeamThread; ///< OpenMP thread number, -1: not a region
};
constexpr uint32_t MaxOpenCalls = 42;

/// The open calls of one live thread. The next thread reuses a dead thread's. Deeper calls than it
/// has room for are recorded but not listed.
struct LiveThread {
  uint32_t Thread; ///< 1 + thread index; 0: not in use
  uint32_t Reserved0;
  uint64_t Reserved;
  OpenCall Open[MaxOpenCalls];
};
static_assert(sizeof(LiveThread) == 1024);
constexpr size_t LivePerBlock = (BlockBytes - sizeof(BlockHeader)) / sizeof(LiveThread);

/// Histogram of durations in ticks: log-linear, 4 steps an octave, so a bucket is at
/// most 25 % wide. Bucket of d: d < 8: d; else 8 + 4 * (log2(d) - 3) + next two bits.
constexpr uint32_t HistogramBuckets = 8 + 4 * (48 - 3);

/// Sums of one site on one thread, in mode profile.
struct SiteProfile {
  uint32_t Site;      ///< stored last; 0: not in use
  uint32_t Thread;    ///< index from 0
  int32_t TeamThread; ///< OpenMP thread number of the last call, -1: not a region
  uint32_t Reserved;
  uint64_t Calls;
  uint64_t SumTicks;
  uint64_t MinTicks;
  uint64_t MaxTicks;
  uint64_t Abandoned; ///< calls left without an exit
  uint64_t FirstTick; ///< begin of the first call
  uint64_t LastTick;  ///< end of the last call
  uint32_t Histogram[HistogramBuckets];
};
constexpr size_t ProfilesPerBlock = (BlockBytes - sizeof(BlockHeader)) / sizeof(SiteProfile);

/// A site of which a thread times only some calls, since they are many and short. The hook counts
/// down; when the countdown falls below 0, the call is timed and a new countdown begins.
struct ThrottleEntry {
  uint32_t Site;  ///< stored last; 0: not in use
  uint32_t Every; ///< one call in this many is timed, on average
  /// Low half, an int32_t: calls before the next timed one; below 0: that one has begun. High half:
  /// the number of countdowns so far. One word, so that a reader sees both halves of one moment.
  uint64_t Countdown;
  /// Calls covered by all countdowns, including the last one, by the parity of its number.
  uint64_t Drawn[2];
  uint64_t SinceTick;                ///< when throttling began
  uint64_t CallsBefore, TicksBefore; ///< mode profile: calls and ticks in the sums before that
  uint64_t Burst;                    ///< how many calls in a row are timed, from 1

  int32_t left() const { return static_cast<int32_t>(Countdown); }
  uint32_t begun() const { return static_cast<uint32_t>(Countdown >> 32); }
  /// Calls since then, and those of them that were timed: each countdown ends with a timed call.
  uint64_t calls() const { return Drawn[begun() & 1] - 1 - static_cast<uint64_t>(int64_t{left()}); }
  uint64_t timed() const { return begun() ? begun() - 1 : 0; }
  uint64_t untimed() const { return calls() > timed() ? calls() - timed() : 0; }
};
static_assert(sizeof(ThrottleEntry) == 64);
constexpr size_t ThrottlesPerBlock = (BlockBytes - sizeof(BlockHeader)) / sizeof(ThrottleEntry);
constexpr size_t SamplesPerBlock = (BlockBytes - sizeof(BlockHeader)) / sizeof(SampleRecord);

/// What a function's counters of work came to on one thread, summed up over calls that followed one
/// another. Uint64_t words follow; the site's `Ops` describes them. In mode trace a call whose
/// words differ from those of the call before begins a new entry, up to MostWorkEntries.
struct WorkEntry {
  uint32_t Site;   ///< stored last; 0: this block has no more entries
  uint32_t Thread; ///< index from 0
  uint64_t Calls;
  uint32_t Number;  ///< from 1, of the function's entries on the thread
  uint16_t IsMixed; ///< 1: the words of its calls differ
  uint16_t Words;   ///< how many follow

  uint64_t *words() { return reinterpret_cast<uint64_t *>(this + 1); }
  const uint64_t *words() const { return reinterpret_cast<const uint64_t *>(this + 1); }
  static constexpr size_t bytesFor(uint64_t Words) {
    return sizeof(WorkEntry) + Words * sizeof(uint64_t);
  }
};
static_assert(sizeof(WorkEntry) == 24);
/// Of one function on one thread.
constexpr uint32_t MostWorkEntries = 1000;

/// Bucket of a duration, by the formula above.
constexpr uint32_t histogramBucket(uint64_t Ticks) {
  if (Ticks < 8)
    return static_cast<uint32_t>(Ticks);
  const uint32_t Log2 = 63u - static_cast<uint32_t>(__builtin_clzll(Ticks));
  const uint32_t Bucket = 8 + 4 * (Log2 - 3) + static_cast<uint32_t>((Ticks >> (Log2 - 2)) & 3);
  return Bucket < HistogramBuckets ? Bucket : HistogramBuckets - 1;
}

/// Smallest duration of a bucket, in ticks.
constexpr uint64_t histogramFloor(uint32_t Bucket) {
  if (Bucket < 8)
    return Bucket;
  const uint32_t Log2 = 3 + (Bucket - 8) / 4;
  return (uint64_t{4} + (Bucket - 8) % 4) << (Log2 - 2);
}

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_SPOOL_H
