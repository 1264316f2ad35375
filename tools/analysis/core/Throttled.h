//===- Throttled.h - calls that were counted and not timed ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a throttled site one call in some is timed, picked at random (docs/trust.md, "Throttled
// sites"). The others took as long, on average, and lie where those lie: in the call that is
// around them, whose own time they are until it is known better.
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

/// The calls of one row that were not timed, on all threads.
struct UntimedCalls {
  uint64_t Every = 0; ///< calls of which one was timed, on average; of several threads the most
  uint64_t Timed = 0; ///< calls that were timed meanwhile
  uint64_t Calls = 0; ///< that were not
  int64_t Ns = 0;     ///< what these took: their number times the mean of those that were timed,
                      ///< less what the stamps themselves read
  /// Standard error of Ns: by thread the number of calls times s / sqrt(n) of the n that were timed
  /// there, of threads the root of the sum of squares. Nothing where a thread timed fewer than two.
  std::optional<double> StderrNs = 0;
  /// There was less room for them in the calls around: Ns is that.
  bool IsLimited = false;

  /// Of another thread, or otherwise independent of these.
  void add(const UntimedCalls &Others);
};

/// Calls of a site on a thread that were counted and not timed, and their part of their row's time.
struct UntimedShare {
  SiteId Site = 0;
  TrackId Track = 0;
  uint64_t Calls = 0;
  int64_t Ns = 0;
};

/// Durations of calls that were timed, in ns.
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

/// Of a call that was timed what it took, without what the stamps read of themselves.
inline int64_t netOfStamps(const Trace &Input, int64_t Ns) {
  return std::max<int64_t>(0, Ns - Input.Info.StampBiasNs);
}

/// Divides calls as others are divided, which are \p All together: the parts add up.
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

/// Which calls that were timed stand for others.
class ThrottledEntries {
public:
  explicit ThrottledEntries(const Trace &Input);

  /// The index of Trace::Throttled that a call is a sample of; nothing: it stands for itself.
  std::optional<uint32_t> of(size_t Event) const;
  std::optional<uint32_t> of(const ProfileRow &Row) const;
  /// By entry the number of calls that are samples of it.
  std::vector<uint64_t> counts() const;

private:
  const Trace &Input;
  std::map<std::pair<SiteId, TrackId>, uint32_t> ByPlace;
};

/// The calls of \p Row, net of stamps, that stand for those of \p Calls which were not timed.
DurationSample sampleOf(const Trace &Input, const ProfileRow &Row, const ThrottledCalls &Calls);

/// By row, of those that \p RowOfSite gives numbers below \p Rows. Calls is 0 where all were timed.
std::vector<UntimedCalls> untimedCalls(const Trace &Input, std::span<const uint32_t> RowOfSite,
                                       size_t Rows);

/// By entry of Trace::Throttled what its calls took that were not timed, as above.
std::vector<int64_t> untimedNs(const Trace &Input);

/// Moves what such calls took by themselves to their own rows, from those of the calls around them
/// or, where there is none, from \p UnattributedNs. The sum of all stays as it is, and a row gives
/// no more than it has: a call that is timed does not overlap with those beside it, as others do.
/// By row the part of what such calls take by their mean that there was room for: 0 to 1.
/// \p OnTracks: only of these; null: of all.
std::vector<double> moveUntimed(const Trace &Input, std::span<const uint32_t> RowOfSite,
                                std::vector<int64_t> &RowNs, int64_t &UnattributedNs,
                                const std::vector<bool> *OnTracks = nullptr);

/// By event the number of calls that it stands for, which add up to all that there were; empty
/// where each stands for itself.
std::vector<uint64_t> weightsOfEvents(const Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CORE_THROTTLED_H
