//===- SpoolReader.h - a spool file, checked and walked --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a file that a process left or is still writing. Nothing in it is trusted: entries that are
// not whole are left out and reported as errors with their offsets.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_SPOOLREADER_H
#define SEAMSCOPE_FORMAT_SPOOLREADER_H

#include "format/DeviceEntry.h"
#include "format/Spool.h"

namespace seamscope::format {

/// Where and why a file is not a spool, or not a whole one. Reason null: no error.
struct SpoolError {
  uint64_t Offset = 0;
  const char *Reason = nullptr;
};

/// A site as stored in the file: the fields of site.def. Texts are NUL-terminated and never null;
/// empty: unknown.
struct SiteView {
  uint32_t Id;
#define SEAMSCOPE_SITE_NUMBER(Type, field, Field) uint32_t Field;
#define SEAMSCOPE_SITE_TEXT(field, Field) const char *Field;
#define SEAMSCOPE_SITE_JSON(field, Field) const char *Field;
#include "seamscope/site.def"
};

/// Whether \p Text is one JSON array of ASCII strings, whole numbers and such arrays, without
/// spaces between them, so that it can be copied into a trace.
bool isJsonArray(const char *Text);

/// Calls Visit(At, Size) for each entry of a block whose entries begin with their size; At is the
/// offset from the block's begin, \p Least the smallest size of an entry. Returns the offset of an
/// entry that does not fit; 0: all do.
template <typename FnT>
size_t forEachSizedEntry(const unsigned char *Block, size_t Least, FnT Visit) {
  for (size_t At = sizeof(BlockHeader); At + Least <= BlockBytes;) {
    const uint32_t Size =
        __atomic_load_n(reinterpret_cast<const uint32_t *>(Block + At), __ATOMIC_ACQUIRE);
    if (!Size)
      return 0;
    if (Size < Least || Size % 8 || Size > BlockBytes - At)
      return At;
    Visit(At, Size);
    At += Size;
  }
  return 0;
}

/// The text \p Offset bytes behind the begin of an entry; null if that is outside the entry's
/// texts, which lie between \p Fields and \p Size.
inline const char *entryText(const void *Entry, size_t Fields, uint32_t Size, uint32_t Offset) {
  const auto *Text = static_cast<const char *>(Entry) + Offset;
  const bool Within = Offset >= Fields && Offset < Size && __builtin_memchr(Text, 0, Size - Offset);
  return Within ? Text : nullptr;
}

constexpr const char *SiteDoesNotFit = "a site entry does not fit its block";
constexpr const char *SiteTextOutside = "a site's text lies outside its entry";
constexpr const char *SiteInputsNotArray = "a site's inputs are not a JSON array";

/// One closed call.
struct CallView {
  uint64_t BeginTick, DurationTicks;
  uint32_t Site;
  uint32_t Thread;    ///< index
  int32_t TeamThread; ///< OpenMP thread number; -1: unknown
  int64_t Sequence;   ///< -1: none
  /// The framework's number of the forward call's thread; 0: not a backward call.
  uint32_t ForwardThread;
};

/// A view of a spool in memory. Points to the bytes and copies nothing.
class SpoolReader {
public:
  /// Checks the header and the sizes of blocks. After an error in the header nothing can be read;
  /// after an error behind it (a truncated file) the whole blocks can.
  SpoolError open(const void *Data, size_t Size);

  /// Whether the header is valid, so that the functions below may be called.
  bool valid() const { return Data != nullptr; }

  const SpoolHeader &header() const { return *reinterpret_cast<const SpoolHeader *>(Data); }

  /// The number of whole blocks in the file.
  uint64_t blocks() const { return Blocks; }

  /// CLOCK_REALTIME of the first clock reading: the origin of nsSinceStart.
  uint64_t startRealtimeNs() const { return header().First.RealtimeNs; }

  /// Converts ticks to ns since the first clock reading, in integers, by the line through it and
  /// the newest reading. A tick before the first reading gives 0.
  uint64_t nsSinceStart(uint64_t Tick) const;

  /// Converts a length in ticks to ns by the same line.
  uint64_t nsOf(uint64_t Ticks) const;

  /// The last tick that shows the process alive: a clock reading, a claimed block, the begin or end
  /// of a call.
  uint64_t lastSignOfLife() const;

  /// The cost of recording one call, in ps; 0: not measured.
  uint64_t callCostPs() const;

  /// Measured ticks a second.
  uint64_t ticksPerSecond() const;

  /// Calls Visit(const SiteView &) for each site, in order of registration. Returns the first entry
  /// that is not whole.
  template <typename FnT> SpoolError forEachSite(FnT Visit) const;

  /// Calls Visit(uint32_t Index, const ThreadEntry &) for each thread.
  template <typename FnT> void forEachThread(FnT Visit) const;

  /// Calls Calls(const CallView &) for each closed call, in no order across threads, and
  /// Escapes(Escape, uint64_t Begin, uint32_t Value, uint32_t Thread) for abandoned, returned and
  /// lost calls.
  template <typename CallT, typename EscapeT> void forEachCall(CallT Calls, EscapeT Escapes) const;

  /// Calls Visit(uint32_t Thread, const OpenCall &) for each call that had not ended, outermost
  /// first.
  template <typename FnT> void forEachOpen(FnT Visit) const;

  /// Calls Visit(const SiteProfile &) for each site and thread of mode profile.
  template <typename FnT> void forEachProfile(FnT Visit) const;

  /// Calls Visit(uint32_t Thread, const ThrottleEntry &) for each site of which a thread timed only
  /// some calls.
  template <typename FnT> void forEachThrottle(FnT Visit) const;

  /// Calls Visit(const WorkEntry &) for each function with counters and thread. Its words may grow.
  template <typename FnT> void forEachWork(FnT Visit) const;

  /// Calls Visit(const DeviceEntry &) for each device entry that has the size of its kind, in
  /// order. Texts are NUL-terminated. Returns the first entry that is not whole.
  template <typename FnT> SpoolError forEachDeviceEntry(FnT Visit) const;

  /// Calls Visit(const SampleRecord &) for each sample and stretch, in no order.
  template <typename FnT> void forEachSample(FnT Visit) const;

  /// Calls Visit(const SamplingEntry &) for each entry that has the size of its kind, in order. A
  /// module's path is NUL-terminated, and a wait's stack has its bytes. Returns the first entry
  /// that is not whole.
  template <typename FnT> SpoolError forEachSamplingEntry(FnT Visit) const;

private:
  template <typename FnT> void forEachBlock(BlockKind Kind, FnT Visit) const {
    for (uint64_t I = 0; I < Blocks; ++I) {
      const auto *Block =
          reinterpret_cast<const BlockHeader *>(Data + HeaderBytes + I * BlockBytes);
      if (BlockKind Seen; __atomic_load(&Block->Kind, &Seen, __ATOMIC_ACQUIRE), Seen == Kind)
        Visit(reinterpret_cast<const unsigned char *>(Block));
    }
  }
  /// Calls Visit(const EntryT &, uint32_t Size, Bad) for each entry of blocks whose entries begin
  /// with their size. Bad(const char *) reports an error. Returns the first error.
  template <typename EntryT, typename FnT>
  SpoolError forEachSized(BlockKind Kind, const char *DoesNotFit, FnT Visit) const {
    SpoolError Error;
    forEachBlock(Kind, [&](const unsigned char *Block) {
      const auto BadAt = [&](size_t At, const char *Reason) {
        if (!Error.Reason)
          Error = {static_cast<uint64_t>(Block - Data) + At, Reason};
      };
      const size_t Misfit = forEachSizedEntry(Block, sizeof(EntryT), [&](size_t At, uint32_t Size) {
        Visit(*reinterpret_cast<const EntryT *>(Block + At), Size,
              [&](const char *Reason) { BadAt(At, Reason); });
      });
      if (Misfit)
        BadAt(Misfit, DoesNotFit);
    });
    return Error;
  }
  template <typename EntryT> static const EntryT *entries(const unsigned char *Block) {
    return reinterpret_cast<const EntryT *>(Block + sizeof(BlockHeader));
  }

  const unsigned char *Data = nullptr;
  uint64_t Blocks = 0;
  ClockPair First{}, Newest{};
};

template <typename FnT> SpoolError SpoolReader::forEachSite(FnT Visit) const {
  return forEachSized<SiteEntry>(
      BlockKind::Sites, SiteDoesNotFit, [&](const SiteEntry &Entry, uint32_t Size, auto Bad) {
        bool TextFits = true, ArraysWhole = true;
        const auto Text = [&](uint32_t Offset) -> const char * {
          const char *Found = Offset ? entryText(&Entry, sizeof(SiteEntry), Size, Offset) : "";
          TextFits &= Found != nullptr;
          return Found ? Found : "";
        };
        const auto Array = [&](uint32_t Offset) -> const char * {
          const char *Json = Text(Offset);
          if (!*Json || isJsonArray(Json))
            return Json;
          ArraysWhole = false;
          return "";
        };
        SiteView View;
        View.Id = Entry.Id;
#define SEAMSCOPE_SITE_NUMBER(Type, field, Field) View.Field = Entry.Field;
#define SEAMSCOPE_SITE_TEXT(field, Field) View.Field = Text(Entry.Field);
#define SEAMSCOPE_SITE_JSON(field, Field) View.Field = Array(Entry.Field);
#include "seamscope/site.def"
        if (!TextFits)
          Bad(SiteTextOutside);
        if (!ArraysWhole)
          Bad(SiteInputsNotArray);
        Visit(View);
      });
}

template <typename FnT> void SpoolReader::forEachThread(FnT Visit) const {
  uint32_t Index = 0;
  forEachBlock(BlockKind::Threads, [&](const unsigned char *Block) {
    const auto *Entries = entries<ThreadEntry>(Block);
    for (size_t I = 0; I < ThreadsPerBlock; ++I, ++Index)
      if (__atomic_load_n(&Entries[I].Tid, __ATOMIC_ACQUIRE))
        Visit(Index, Entries[I]);
  });
}

template <typename CallT, typename EscapeT>
void SpoolReader::forEachCall(CallT Calls, EscapeT Escapes) const {
  forEachBlock(BlockKind::Events, [&](const unsigned char *Block) {
    uint32_t Thread = reinterpret_cast<const BlockHeader *>(Block)->Thread;
    int32_t Team = -1;
    int64_t Sequence = -1; // of the next record
    uint32_t Forward = 0;
    const auto *Records = entries<Record>(Block);
    for (size_t I = 0; I < RecordsPerBlock; ++I) {
      const uint64_t Begin = __atomic_load_n(&Records[I].Begin, __ATOMIC_ACQUIRE);
      if (!Begin) {
        Sequence = -1;
        continue; // not committed
      }
      // Duration and site are stored as one word.
      const uint64_t Word = __atomic_load_n(
          reinterpret_cast<const uint64_t *>(&Records[I].Duration), __ATOMIC_RELAXED);
      const auto Duration = static_cast<uint32_t>(Word);
      const auto Site = static_cast<uint32_t>(Word >> 32);
      switch (Site) {
      case EscapeLong:
        if (I + 1 < RecordsPerBlock) {
          const uint64_t High = __atomic_load_n(&Records[I + 1].Begin, __ATOMIC_ACQUIRE);
          const uint64_t Rest = __atomic_load_n(
              reinterpret_cast<const uint64_t *>(&Records[I + 1].Duration), __ATOMIC_RELAXED);
          const auto LongSite = static_cast<uint32_t>(Rest);
          if (High && Rest >> 32 == EscapeLongRest && LongSite && LongSite < EscapeFirst)
            Calls(CallView{Begin, (High - 1) << 32 | Duration, LongSite, Thread, Team, Sequence,
                           Sequence < 0 ? 0 : Forward});
        }
        Sequence = -1;
        break;
      case EscapeLongRest: // read with the record before it
        break;
      case EscapeSequence:
        Sequence = static_cast<int64_t>(Begin - 1);
        Forward = Duration;
        break;
      case EscapeThread:
        Thread = Duration;
        Team = -1;
        break;
      case EscapeTeamThread:
        Team = Duration <= INT32_MAX ? static_cast<int32_t>(Duration) : -1;
        break;
      case EscapeAbandoned:
      case EscapeReturned:
      case EscapeLost:
        Escapes(static_cast<Escape>(Site), Begin, Duration, Thread);
        break;
      default:
        if (Site && Site < EscapeFirst)
          Calls(
              CallView{Begin, Duration, Site, Thread, Team, Sequence, Sequence < 0 ? 0 : Forward});
        Sequence = -1;
      }
    }
  });
}

template <typename FnT> void SpoolReader::forEachOpen(FnT Visit) const {
  forEachBlock(BlockKind::Live, [&](const unsigned char *Block) {
    const auto *Entries = entries<LiveThread>(Block);
    for (size_t I = 0; I < LivePerBlock; ++I) {
      const uint32_t Thread = __atomic_load_n(&Entries[I].Thread, __ATOMIC_ACQUIRE);
      if (!Thread)
        continue;
      for (uint32_t J = 0; J < MaxOpenCalls; ++J) {
        OpenCall Open;
        Open.Begin = __atomic_load_n(&Entries[I].Open[J].Begin, __ATOMIC_ACQUIRE);
        Open.Frame = __atomic_load_n(&Entries[I].Open[J].Frame, __ATOMIC_RELAXED);
        Open.Site = __atomic_load_n(&Entries[I].Open[J].Site, __ATOMIC_RELAXED);
        Open.TeamThread = __atomic_load_n(&Entries[I].Open[J].TeamThread, __ATOMIC_RELAXED);
        if (Open.TeamThread < -1)
          Open.TeamThread = -1;
        if (Open.Begin)
          Visit(Thread - 1, Open);
      }
    }
  });
}

template <typename FnT> void SpoolReader::forEachProfile(FnT Visit) const {
  forEachBlock(BlockKind::Profile, [&](const unsigned char *Block) {
    const auto *Entries = entries<SiteProfile>(Block);
    for (size_t I = 0; I < ProfilesPerBlock; ++I) {
      if (!__atomic_load_n(&Entries[I].Site, __ATOMIC_ACQUIRE))
        continue;
      // The thread may be adding to it, so it is copied word by word.
      SiteProfile Copy;
      const auto *From = reinterpret_cast<const uint32_t *>(&Entries[I]);
      auto *To = reinterpret_cast<uint32_t *>(&Copy);
      for (size_t W = 0; W < offsetof(SiteProfile, Calls) / 4; ++W)
        To[W] = __atomic_load_n(From + W, __ATOMIC_RELAXED);
      const auto *Sums = &Entries[I].Calls;
      for (size_t W = 0; W < 7; ++W)
        (&Copy.Calls)[W] = __atomic_load_n(Sums + W, __ATOMIC_RELAXED);
      for (size_t W = 0; W < HistogramBuckets; ++W)
        Copy.Histogram[W] = __atomic_load_n(&Entries[I].Histogram[W], __ATOMIC_RELAXED);
      if (Copy.Calls || Copy.Abandoned)
        Visit(static_cast<const SiteProfile &>(Copy));
    }
  });
}

template <typename FnT> void SpoolReader::forEachThrottle(FnT Visit) const {
  forEachBlock(BlockKind::Throttles, [&](const unsigned char *Block) {
    const uint32_t Thread = reinterpret_cast<const BlockHeader *>(Block)->Thread;
    const auto *Entries = entries<ThrottleEntry>(Block);
    for (size_t I = 0; I < ThrottlesPerBlock; ++I) {
      ThrottleEntry Copy = {};
      Copy.Site = __atomic_load_n(&Entries[I].Site, __ATOMIC_ACQUIRE);
      if (!Copy.Site)
        continue;
      // The thread may be counting. The countdown says which of Drawn is valid; that one is
      // overwritten when two more have begun.
      Copy.Every = __atomic_load_n(&Entries[I].Every, __ATOMIC_RELAXED);
      for (int Try = 0; Try < 100; ++Try) {
        Copy.Countdown = __atomic_load_n(&Entries[I].Countdown, __ATOMIC_ACQUIRE);
        for (size_t Which = 0; Which < 2; ++Which)
          Copy.Drawn[Which] = __atomic_load_n(&Entries[I].Drawn[Which], __ATOMIC_ACQUIRE);
        const uint64_t Now = __atomic_load_n(&Entries[I].Countdown, __ATOMIC_RELAXED);
        if (Now >> 32 == Copy.begun())
          break;
      }
      Copy.SinceTick = __atomic_load_n(&Entries[I].SinceTick, __ATOMIC_RELAXED);
      Copy.CallsBefore = __atomic_load_n(&Entries[I].CallsBefore, __ATOMIC_RELAXED);
      Copy.TicksBefore = __atomic_load_n(&Entries[I].TicksBefore, __ATOMIC_RELAXED);
      // A damaged file may have more calls than a process can make.
      if (Copy.Every && Copy.calls() < uint64_t{1} << 56)
        Visit(Thread, static_cast<const ThrottleEntry &>(Copy));
    }
  });
}

template <typename FnT> void SpoolReader::forEachWork(FnT Visit) const {
  forEachBlock(BlockKind::Work, [&](const unsigned char *Block) {
    for (size_t At = sizeof(BlockHeader); At + sizeof(WorkEntry) <= BlockBytes;) {
      const auto *const Entry = reinterpret_cast<const WorkEntry *>(Block + At);
      if (!__atomic_load_n(&Entry->Site, __ATOMIC_ACQUIRE) ||
          Entry->Words > (BlockBytes - At - sizeof(WorkEntry)) / sizeof(uint64_t))
        return;
      Visit(*Entry);
      At += WorkEntry::bytesFor(Entry->Words);
    }
  });
}

/// Bytes of an entry of that kind, without the characters of a text; 0: unknown kind.
constexpr size_t sizeOf(DeviceEntryKind Kind) {
  switch (Kind) {
  case DeviceEntryKind::Text:
    return sizeof(DeviceText);
  case DeviceEntryKind::Clock:
    return sizeof(DeviceClock);
  case DeviceEntryKind::Properties:
    return sizeof(DeviceProperties);
  case DeviceEntryKind::Activity:
    return sizeof(DeviceActivity);
  case DeviceEntryKind::Inside:
    return sizeof(DeviceInside);
  case DeviceEntryKind::BlockSpan:
    return sizeof(DeviceBlockSpan);
  case DeviceEntryKind::Count:
    return sizeof(DeviceCount);
  case DeviceEntryKind::External:
    return sizeof(DeviceExternal);
  case DeviceEntryKind::Loop:
    return sizeof(DeviceLoop);
  case DeviceEntryKind::Work:
    return sizeof(DeviceWork);
  case DeviceEntryKind::CountedKernel:
    return sizeof(DeviceCountedKernel);
  case DeviceEntryKind::GraphNode:
    return sizeof(DeviceGraphNode);
  }
  return 0;
}

template <typename FnT> SpoolError SpoolReader::forEachDeviceEntry(FnT Visit) const {
  return forEachSized<DeviceEntry>(BlockKind::Device, "a device entry does not fit its block",
                                   [&](const DeviceEntry &Entry, uint32_t Size, auto Bad) {
                                     const size_t Known = sizeOf(Entry.Kind);
                                     const char *Text = reinterpret_cast<const char *>(&Entry) +
                                                        sizeof(DeviceText);
                                     if (!Known || Size < Known ||
                                         (Entry.Kind == DeviceEntryKind::Text &&
                                          !__builtin_memchr(Text, 0, Size - sizeof(DeviceText))))
                                       Bad("a device entry is not whole");
                                     else
                                       Visit(Entry);
                                   });
}

template <typename FnT> void SpoolReader::forEachSample(FnT Visit) const {
  forEachBlock(BlockKind::Samples, [&](const unsigned char *Block) {
    const auto *Entries = entries<SampleRecord>(Block);
    for (size_t I = 0; I < SamplesPerBlock; ++I)
      if (__atomic_load_n(&Entries[I].Ns, __ATOMIC_ACQUIRE))
        Visit(Entries[I]);
  });
}

/// Whether an entry of \p Size bytes has what its kind needs.
inline bool isWhole(const SamplingEntry &Entry, uint32_t Size) {
  switch (Entry.Kind) {
  case SamplingEntryKind::Thread:
    return Size >= sizeof(SampledThreadEntry);
  case SamplingEntryKind::Module: {
    const auto &Module = reinterpret_cast<const SampledModuleEntry &>(Entry);
    return Size > sizeof(SampledModuleEntry) && Module.BuildIdSize <= sizeof(Module.BuildId) &&
           entryText(&Entry, sizeof(SampledModuleEntry), Size, sizeof(SampledModuleEntry));
  }
  case SamplingEntryKind::Wait:
    return Size >= sizeof(SampledWaitEntry) &&
           reinterpret_cast<const SampledWaitEntry &>(Entry).StackBytes <=
               Size - sizeof(SampledWaitEntry);
  }
  return false;
}

template <typename FnT> SpoolError SpoolReader::forEachSamplingEntry(FnT Visit) const {
  return forEachSized<SamplingEntry>(BlockKind::Sampling, "a sampling entry does not fit its block",
                                     [&](const SamplingEntry &Entry, uint32_t Size, auto Bad) {
                                       if (isWhole(Entry, Size))
                                         Visit(Entry);
                                       else
                                         Bad("a sampling entry is not whole");
                                     });
}

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_SPOOLREADER_H
