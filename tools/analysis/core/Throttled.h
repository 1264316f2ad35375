//===- Throttled.h - calls that were counted but not timed ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A throttled site times one call in several, picked at random (docs/trust.md,
// "Throttled sites"). On average the others take as long, and lie where the
// timed ones lie: in the call around them, whose own time contains them until
// it is corrected here.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CORE_THROTTLED_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CORE_THROTTLED_H

#include "trace/model/Trace.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// The untimed calls of one row, on all threads.
struct UntimedCalls {
  uint64_t Every = 0; ///< calls for each timed one, on average; with several threads, the largest
  uint64_t Timed = 0; ///< calls that were timed during that time
  uint64_t Calls = 0; ///< untimed calls
  int64_t Ns = 0;     ///< their time: their number times the mean of the timed ones,
                      ///< less what the stamps themselves take
  /// Standard error of Ns: for each thread the number of calls times s / sqrt(n) of its n timed
  /// calls; over threads, the root of the sum of squares. Nothing if a thread timed fewer than two.
  std::optional<double> StderrNs = 0;
  /// The calls around had less room for them: Ns is that room.
  bool IsLimited = false;
  /// Ns is by samples of the processor, with its 95 % interval; the mean of the timed calls is not
  /// used, since timing makes short calls longer.
  bool IsSampled = false;
  int64_t LowNs = 0, HighNs = 0;

  /// Adds those of another thread, or otherwise independent ones.
  void add(const UntimedCalls &Others);
};

/// Calls of a site on a thread that were counted but not timed, and their part of their row's time.
struct UntimedShare {
  SiteId Site = 0;
  TrackId Track = 0;
  uint64_t Calls = 0;
  int64_t Ns = 0;
};

/// Durations of timed calls, in ns.
struct DurationSample {
  uint64_t Count = 0;
  double Sum = 0, Squares = 0;

  void add(double Ns, uint64_t Times = 1) {
    const auto Weight = static_cast<double>(Times);
    Count += Times;
    Sum += Ns * Weight;
    Squares += Ns * Ns * Weight;
  }
  void add(const DurationSample &Others) {
    Count += Others.Count;
    Sum += Others.Sum;
    Squares += Others.Squares;
  }
  double mean() const { return Count ? Sum / static_cast<double>(Count) : 0; }
  std::optional<double> variance() const;
  /// Standard error of \p Calls times the mean: Calls * s / sqrt(n).
  std::optional<double> stderrOfSum(uint64_t Calls) const;
};

/// The duration of a timed call, without the time that its stamps take.
inline int64_t netOfStamps(const Trace &Input, int64_t Ns) {
  return std::max<int64_t>(0, Ns - Input.Info.StampBiasNs);
}

/// Splits calls in proportion to others, \p All together: the parts add up.
class Division {
public:
  Division(uint64_t Calls, uint64_t All) : Calls(Calls), All(All) {}

  /// The part of the next \p Count of these.
  uint64_t next(uint64_t Count) {
    Seen += Count;
    const auto UpToHere = static_cast<uint64_t>(static_cast<unsigned __int128>(Calls) * Seen / All);
    return UpToHere - std::exchange(Given, UpToHere);
  }

private:
  uint64_t Calls, All, Seen = 0, Given = 0;
};

/// Which timed calls stand for others.
class ThrottledEntries {
public:
  explicit ThrottledEntries(const Trace &Input);

  /// The index of the entry in Trace::Throttled that a call is a sample of; nothing: it stands only
  /// for itself.
  std::optional<uint32_t> of(size_t Event) const;
  std::optional<uint32_t> of(const ProfileRow &Row) const;
  /// By entry, the number of calls that are samples of it.
  std::vector<uint64_t> counts() const;

private:
  const Trace &Input;
  std::map<std::pair<SiteId, TrackId>, uint32_t> ByPlace;
};

/// The calls of \p Row, net of stamps, that stand for the untimed ones of \p Calls.
DurationSample sampleOf(const Trace &Input, const ProfileRow &Row, const ThrottledCalls &Calls);

/// By row, for the rows that \p RowOfSite numbers below \p Rows. Calls is 0 if all were timed.
std::vector<UntimedCalls> untimedCalls(const Trace &Input, std::span<const uint32_t> RowOfSite,
                                       size_t Rows);

/// By entry of Trace::Throttled, the time of its untimed calls, as above.
std::vector<int64_t> untimedNs(const Trace &Input);

/// Moves the time of untimed calls to their own rows, from the rows of the calls around them or,
/// without such, from \p UnattributedNs. The total stays the same, and a row gives no more than it
/// has: a timed call does not overlap the calls next to it, as others do. Returns by row the share
/// of the estimated time that there was room for: 0 to 1. \p OnTracks: only these; null: all. \p
/// Keep: rows whose time was moved already; null: none.
std::vector<double> moveUntimed(const Trace &Input, std::span<const uint32_t> RowOfSite,
                                std::vector<int64_t> &RowNs, int64_t &UnattributedNs,
                                const std::vector<bool> *OnTracks = nullptr,
                                const std::vector<bool> *Keep = nullptr);

/// By event, the number of calls that it stands for, which add up to all calls; empty if each
/// stands for itself.
std::vector<uint64_t> weightsOfEvents(const Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CORE_THROTTLED_H
