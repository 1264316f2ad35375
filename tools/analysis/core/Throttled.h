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
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// What the calls around leave room for.
struct Room {
  double Part = 1;  ///< of an estimate: at most 1
  double Least = 1; ///< the same if callers took as long as between timed calls: at most Part
  double MostNs = std::numeric_limits<double>::infinity(); ///< if they took no time
};

/// The untimed calls of one row, on all threads.
struct UntimedCalls {
  uint64_t Every = 0; ///< calls for each timed one, on average; with several threads, the largest
  uint64_t Timed = 0; ///< calls that were timed during that time
  uint64_t Calls = 0; ///< untimed calls
  int64_t Ns = 0;     ///< their time: their number times the mean of the timed ones without
                      ///< outliers, less what the stamps themselves take
  /// Standard error of Ns: for each thread the number of calls times s / sqrt(n) of its n timed
  /// calls; over threads, the root of the sum of squares. Nothing if a thread timed fewer than two.
  std::optional<double> StderrNs = 0;
  /// The calls around had less room for them.
  bool IsLimited = false;
  bool IsRecursive = false; ///< Ns is without calls inside others of the row
  /// Ns is by samples of the processor, with its 95 % interval; the mean of the timed calls is not
  /// used, since timing makes short calls longer.
  bool IsSampled = false;
  int64_t LowNs = 0, HighNs = 0;
  /// Two standard errors. Without StderrNs it is Ns or, if no call was timed, the longest time that
  /// calls of a throttled site may take.
  double ScatterNs = 0;
  /// What timing a call may have added to it.
  double TimingNs = 0;

  /// How far Ns may be off.
  double errorNs() const;
  /// Adds those of another thread, or otherwise independent ones.
  void add(const UntimedCalls &Others);
  /// Reduces the estimate and its error to what there is room for.
  void limit(const Room &Its, int64_t StampBiasNs);
};

/// Calls of a site on a thread that were counted but not timed, and their part of their row's time.
struct UntimedShare {
  SiteId Site = 0;
  TrackId Track = 0;
  uint64_t Calls = 0;
  int64_t Ns = 0;
};

inline int64_t roundedNs(double Ns) {
  return static_cast<int64_t>(std::llround(std::clamp(Ns, 0.0, 0x1p62)));
}

/// Durations of timed calls, in ns.
struct DurationSample {
  uint64_t Count = 0;
  double Sum = 0; ///< outliers count as their limit
  double RawSum = 0, Squares = 0;

  void add(double Ns, uint64_t Times = 1) { add(Ns, Ns, Times); }
  /// \p Ns: at most the limit for outliers.
  void add(double Ns, double RawNs, uint64_t Times) {
    const auto Weight = static_cast<double>(Times);
    Count += Times;
    Sum += Ns * Weight;
    RawSum += RawNs * Weight;
    Squares += RawNs * RawNs * Weight;
  }
  void add(const DurationSample &Others) {
    Count += Others.Count;
    Sum += Others.Sum;
    RawSum += Others.RawSum;
    Squares += Others.Squares;
  }
  double mean() const { return Count ? std::max(0.0, Sum / static_cast<double>(Count)) : 0; }
  std::optional<double> variance() const;
  /// Standard error of \p Calls times the mean: Calls * s / sqrt(n), with outliers as they are.
  std::optional<double> stderrOfSum(uint64_t Calls) const;
};

/// The duration of a timed call, without the time that its stamps take.
inline int64_t netOfStamps(const Trace &Input, int64_t Ns) {
  return std::max<int64_t>(0, Ns - Input.Info.StampBiasNs);
}

/// Durations above this are outliers: a few in thousands, which are more than eight times the mean
/// of the others. Such a call was probably interrupted, and does not stand for others.
double outlierLimit(std::vector<double> Durations);

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
  /// Whether some samples of an entry lie inside others: its calls are recursive.
  bool isRecursive(uint32_t Entry) const { return Of[Entry].IsRecursive; }
  /// Adds the event, a sample of \p Entry, net of stamps.
  void addTo(DurationSample &Samples, uint32_t Entry, size_t Event) const;
  /// Adds what a sample of \p Entry took by itself, \p OwnNs with stamps.
  void addOwnTo(DurationSample &Samples, uint32_t Entry, double OwnNs) const;
  /// What a sample counts for each untimed call that it stands for; may be less than 0. Calls of
  /// the same site inside do not count, since they stand for others themselves.
  double sampleNs(uint32_t Entry, size_t Event) const;

private:
  struct Entry {
    double MostNs = 0; ///< of a sample
    bool IsRecursive = false;
    /// Timed calls in a row are alike: by how much that increases the error of their mean.
    double MeanNs = 0, Spread = 1;
  };

  void findInner(std::span<const uint32_t> Samples);
  static void findSpread(Entry &Its, std::span<const double> Ns);
  static void add(DurationSample &Samples, const Entry &Its, double Ns);
  double netNs(size_t Event) const;

  const Trace &Input;
  std::map<std::pair<SiteId, TrackId>, uint32_t> ByPlace;
  std::vector<Entry> Of;
  /// By event with calls of the same site inside: their time, and that of recording them.
  std::map<uint32_t, double> InnerNs;
};

/// The calls of \p Row, net of stamps, that stand for the untimed ones of \p Calls.
DurationSample sampleOf(const Trace &Input, const ProfileRow &Row, const ThrottledCalls &Calls);

/// \p Untimed calls of those of \p Of, of which \p Its are samples. \p OfEntry: all samples of
/// \p Of, whose scatter is that of the estimate.
UntimedCalls estimateUntimed(const Trace &Input, const ThrottledCalls &Of, uint64_t Untimed,
                             const DurationSample &Its, const DurationSample &OfEntry);

/// By row, for the rows that \p RowOfSite numbers below \p Rows. Calls is 0 if all were timed.
std::vector<UntimedCalls> untimedCalls(const Trace &Input, std::span<const uint32_t> RowOfSite,
                                       size_t Rows);

/// By entry of Trace::Throttled, the time of its untimed calls, as above.
std::vector<int64_t> untimedNs(const Trace &Input);

/// By event, the number of calls that it stands for, which add up to all calls; empty if each
/// stands for itself.
std::vector<uint64_t> weightsOfEvents(const Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CORE_THROTTLED_H
