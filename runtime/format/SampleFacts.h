//===- SampleFacts.h - samples and switches of a spool, as typed facts ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_SAMPLEFACTS_H
#define SEAMSCOPE_FORMAT_SAMPLEFACTS_H

#include "format/SpoolReader.h"
#include "seamscope/seamscope.h"

#include <cstring>
#include <string_view>

namespace seamscope::format {

/// A thread whose switches are known.
struct SampledThreadFacts {
  uint32_t Tid;
  int64_t FromNs, ToNs; ///< in this time its switches are known
  std::string_view Name;
};

struct ModuleFacts {
  std::string_view Path;
  const uint8_t *BuildId;
  uint32_t BuildIdSize; ///< 0: not known
  uint64_t Begin, End, Offset;
  int64_t FromNs;
};

struct WaitFacts {
  uint32_t Id;
  int32_t SystemCall; ///< -1: none
  const uint64_t (&Arguments)[6];
  uint64_t Sp, Pc;
  std::string_view Stack; ///< bytes from Sp on
};

struct SampleFacts {
  int64_t Ns;
  uint32_t Tid;
  uint64_t Address;
};

/// A stretch of a thread of which OffNs passed without it running; shorter than the stretch where
/// short ones were summed.
struct OffFacts {
  int64_t BeginNs, LengthNs, OffNs;
  uint32_t Tid;
  SampleKind Kind; ///< Blocked, Preempted or Unknown
  uint32_t Wait;   ///< 0: not known
};

/// What a spool says of samples. Times are ns since the spool's start, and below 0 for what is
/// older.
class Sampling {
public:
  /// \p Windows, which are ordered and do not overlap: only samples in them, and stretches that
  /// overlap them. Null: all.
  Sampling(const SpoolReader &Spool, const SeamscopeWindow *Windows, size_t WindowCount)
      : Spool(Spool), Windows(Windows), WindowCount(WindowCount) {}

  const SampleStatus &status() const { return Spool.header().Samples; }
  uint32_t pid() const { return Spool.header().Pid; }
  std::string_view why() const {
    return {status().Why, strnlen(status().Why, sizeof(status().Why))};
  }
  int64_t beginNs() const { return ns(status().BeginNs); }
  /// The records until then are in the spool.
  int64_t untilNs() const { return ns(__atomic_load_n(&status().UntilNs, __ATOMIC_ACQUIRE)); }

  template <typename FnT> void forEachThread(FnT Visit) const {
    Spool.forEachSamplingEntry([&](const SamplingEntry &Entry) {
      if (Entry.Kind != SamplingEntryKind::Thread)
        return;
      const auto &Of = reinterpret_cast<const SampledThreadEntry &>(Entry);
      const uint64_t To = __atomic_load_n(&Of.ToNs, __ATOMIC_ACQUIRE);
      Visit(SampledThreadFacts{Of.Tid,
                               ns(Of.FromNs),
                               To ? ns(To) : untilNs(),
                               {Of.Name, strnlen(Of.Name, sizeof(Of.Name))}});
    });
  }

  template <typename FnT> void forEachModule(FnT Visit) const {
    Spool.forEachSamplingEntry([&](const SamplingEntry &Entry) {
      if (Entry.Kind != SamplingEntryKind::Module)
        return;
      const auto &Of = reinterpret_cast<const SampledModuleEntry &>(Entry);
      Visit(ModuleFacts{reinterpret_cast<const char *>(&Of + 1), Of.BuildId, Of.BuildIdSize,
                        Of.Begin, Of.End, Of.Offset, ns(Of.FromNs)});
    });
  }

  template <typename FnT> void forEachWait(FnT Visit) const {
    Spool.forEachSamplingEntry([&](const SamplingEntry &Entry) {
      if (Entry.Kind != SamplingEntryKind::Wait)
        return;
      const auto &Of = reinterpret_cast<const SampledWaitEntry &>(Entry);
      Visit(
          WaitFacts{Of.Id,
                    Of.SystemCall,
                    Of.Arguments,
                    Of.Sp,
                    Of.Pc,
                    {reinterpret_cast<const char *>(&Of + 1), static_cast<size_t>(Of.StackBytes)}});
    });
  }

  template <typename FnT> void forEachSample(FnT Visit) const {
    Spool.forEachSample([&](const SampleRecord &Of) {
      if (Of.kind() == SampleKind::Sample && isWanted(ns(Of.Ns), ns(Of.Ns)))
        Visit(SampleFacts{ns(Of.Ns), Of.Tid, Of.Value});
    });
  }

  /// Also of the threads that did not run when the last records were read.
  template <typename FnT> void forEachOff(FnT Visit) const {
    Spool.forEachSample([&](const SampleRecord &Of) {
      OffFacts Off = {ns(Of.Ns), static_cast<int64_t>(Of.Value), 0, Of.Tid, Of.kind(), Of.wait()};
      if (Off.Kind == SampleKind::BlockedSum || Off.Kind == SampleKind::PreemptedSum) {
        Off.Kind = Off.Kind == SampleKind::BlockedSum ? SampleKind::Blocked : SampleKind::Preempted;
        Off.LengthNs = static_cast<uint32_t>(Of.Value);
        Off.OffNs = static_cast<int64_t>(Of.Value >> 32);
      } else {
        Off.OffNs = Off.LengthNs;
      }
      visitOff(Off, Visit);
    });
    Spool.forEachSamplingEntry([&](const SamplingEntry &Entry) {
      const auto &Of = reinterpret_cast<const SampledThreadEntry &>(Entry);
      if (Entry.Kind != SamplingEntryKind::Thread)
        return;
      const uint64_t Word = __atomic_load_n(&Of.Off, __ATOMIC_ACQUIRE);
      const uint64_t To = __atomic_load_n(&Of.ToNs, __ATOMIC_ACQUIRE);
      const int64_t Begin = ns(Word >> 3), Length = (To ? ns(To) : untilNs()) - Begin;
      if (Word)
        visitOff({Begin, Length, Length, Of.Tid, static_cast<SampleKind>(Word & 7),
                  __atomic_load_n(&Of.Wait, __ATOMIC_RELAXED)},
                 Visit);
    });
  }

private:
  template <typename FnT> void visitOff(const OffFacts &Off, FnT &Visit) const {
    int64_t End;
    if (Off.Kind >= SampleKind::Blocked && Off.Kind <= SampleKind::Unknown && Off.LengthNs > 0 &&
        !__builtin_add_overflow(Off.BeginNs, Off.LengthNs, &End) && isWanted(Off.BeginNs, End))
      Visit(Off);
  }
  bool isWanted(int64_t Begin, int64_t End) const {
    if (!Windows)
      return true;
    const auto Ns = [&](uint64_t Tick) { return static_cast<int64_t>(Spool.nsSinceStart(Tick)); };
    size_t Low = 0, High = WindowCount; // the first window that ends after Begin
    while (Low < High) {
      const size_t Middle = Low + (High - Low) / 2;
      if (Ns(Windows[Middle].end) <= Begin)
        Low = Middle + 1;
      else
        High = Middle;
    }
    return Low < WindowCount && Ns(Windows[Low].begin) <= End;
  }
  /// A damaged file's times wrap; readers of facts check them.
  int64_t ns(uint64_t MonotonicNs) const {
    return static_cast<int64_t>(MonotonicNs - Spool.header().First.MonotonicNs);
  }

  const SpoolReader &Spool;
  const SeamscopeWindow *const Windows;
  const size_t WindowCount;
};

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_SAMPLEFACTS_H
