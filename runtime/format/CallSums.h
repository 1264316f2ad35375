//===- CallSums.h - sums of calls, as mode profile has them ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the calls that are left out of a trace that would be too large. The runtime uses them, so
// they do not need the C++ library.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_CALLSUMS_H
#define SEAMSCOPE_FORMAT_CALLSUMS_H

#include "format/SpoolReader.h"

#include <cstdlib>
#include <cstring>

namespace seamscope::format {

/// Sums of calls, in ns.
struct CallSumsNs {
  uint64_t Calls, TotalNs, MinNs, MaxNs, FirstNs, LastNs, Abandoned;
};

/// Sums by site, thread and number in the team: a hash table of indices into the rows.
class CallSums {
public:
  CallSums() = default;
  ~CallSums() {
    free(Rows);
    free(Slots);
  }
  CallSums(const CallSums &) = delete;
  CallSums &operator=(const CallSums &) = delete;

  /// Returns false if there is no memory.
  bool add(const CallView &Call) {
    SiteProfile *Row = rowOf(Call);
    if (!Row)
      return false;
    const uint64_t End = Call.BeginTick + Call.DurationTicks;
    if (!Row->Calls++)
      Row->FirstTick = Call.BeginTick;
    Row->SumTicks += Call.DurationTicks;
    Row->FirstTick = Call.BeginTick < Row->FirstTick ? Call.BeginTick : Row->FirstTick;
    Row->LastTick = End > Row->LastTick ? End : Row->LastTick;
    Row->MinTicks = Call.DurationTicks < Row->MinTicks ? Call.DurationTicks : Row->MinTicks;
    Row->MaxTicks = Call.DurationTicks > Row->MaxTicks ? Call.DurationTicks : Row->MaxTicks;
    ++Row->Histogram[histogramBucket(Call.DurationTicks)];
    return true;
  }

  /// Calls Visit(const SiteProfile &) for each row, in the order of their first calls.
  template <typename FnT> void forEach(FnT Visit) const {
    for (size_t I = 0; I < Count; ++I)
      Visit(static_cast<const SiteProfile &>(Rows[I]));
  }

private:
  static uint64_t hash(const CallView &Call) {
    uint64_t Value = uint64_t{Call.Site} << 32 ^ uint64_t { Call.Thread } << 8 ^
                     static_cast<uint32_t>(Call.TeamThread);
    Value *= 0x9e3779b97f4a7c15u;
    return Value ^ Value >> 29;
  }
  static bool isOf(const SiteProfile &Row, const CallView &Call) {
    return Row.Site == Call.Site && Row.Thread == Call.Thread && Row.TeamThread == Call.TeamThread;
  }

  SiteProfile *rowOf(const CallView &Call) {
    // Consecutive calls are often of one site.
    if (Last < Count && isOf(Rows[Last], Call))
      return Rows + Last;
    if (2 * (Count + 1) > SlotCount && !grow())
      return nullptr;
    size_t At = hash(Call) & (SlotCount - 1);
    for (; Slots[At]; At = (At + 1) & (SlotCount - 1))
      if (isOf(Rows[Slots[At] - 1], Call))
        return Rows + (Last = Slots[At] - 1);
    SiteProfile &Row = Rows[Count];
    memset(static_cast<void *>(&Row), 0, sizeof(Row));
    Row.Site = Call.Site;
    Row.Thread = Call.Thread;
    Row.TeamThread = Call.TeamThread;
    Row.MinTicks = UINT64_MAX;
    Slots[At] = static_cast<uint32_t>(++Count);
    return Rows + (Last = Count - 1);
  }

  bool grow() {
    const size_t Bigger = SlotCount ? SlotCount * 2 : 256;
    auto *NewRows =
        static_cast<SiteProfile *>(realloc(static_cast<void *>(Rows), Bigger / 2 * sizeof(*Rows)));
    if (NewRows)
      Rows = NewRows;
    auto *NewSlots = static_cast<uint32_t *>(calloc(Bigger, sizeof(uint32_t)));
    if (!NewRows || !NewSlots) {
      free(NewSlots);
      return false;
    }
    free(Slots);
    Slots = NewSlots;
    SlotCount = Bigger;
    for (size_t I = 0; I < Count; ++I) {
      CallView Key{};
      Key.Site = Rows[I].Site;
      Key.Thread = Rows[I].Thread;
      Key.TeamThread = Rows[I].TeamThread;
      size_t At = hash(Key) & (SlotCount - 1);
      while (Slots[At])
        At = (At + 1) & (SlotCount - 1);
      Slots[At] = static_cast<uint32_t>(I + 1);
    }
    return true;
  }

  SiteProfile *Rows = nullptr;
  uint32_t *Slots = nullptr; ///< 1 + index of a row; 0: free
  size_t Count = 0, SlotCount = 0, Last = 0;
};

/// The latest tick such that the calls that begin before it weigh at most \p Most together.
/// Each(Visit), which may run several times, calls Visit(uint64_t Tick, uint64_t Weight) for each
/// call. All ticks are in [\p First, \p Last].
template <typename FnT>
uint64_t tickOfWeight(FnT Each, uint64_t First, uint64_t Last, uint64_t Most) {
  constexpr uint64_t Count = 2048;
  uint64_t Low = First, High = Last, Below = 0; // weight before Low
  for (;;) {
    const uint64_t Width = (High - Low) / Count + 1;
    uint64_t Weights[Count] = {};
    Each([&](uint64_t Tick, uint64_t Weight) {
      if (Tick >= Low && Tick <= High)
        Weights[(Tick - Low) / Width] += Weight;
    });
    uint64_t I = 0;
    while (I < Count && Below + Weights[I] <= Most)
      Below += Weights[I++];
    if (I == Count)
      return High;
    Low += I * Width;
    if (Width == 1 || Weights[I] <= Most / 64)
      return Low;
    High = High - Low < Width - 1 ? High : Low + Width - 1;
  }
}

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_CALLSUMS_H
