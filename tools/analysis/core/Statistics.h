//===- Statistics.h - the numbers of a report -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_STATISTICS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_STATISTICS_H

#include "analysis/core/Teams.h"
#include "analysis/core/Throttled.h"
#include "analysis/samples/CodeNames.h"
#include "analysis/samples/ThreadTimes.h"
#include "trace/model/Trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Calls of one site, or of one name. Times are ns; without calls all of them are nothing. A call
/// that was open at the end counts as if it lasted until then.
struct CallStatistics {
  uint64_t Calls = 0;
  int64_t TotalNs = 0; ///< sum of durations with what is called inside; of calls
                       ///< inside another of the same row on their thread, only the outermost's
  std::optional<int64_t> MeanNs; ///< of the durations of all calls, rounded half up
  std::optional<int64_t> MinNs;
  /// Nearest rank: the smallest duration that at least half of the calls do not exceed; for a
  /// profile, its bucket's floor.
  std::optional<int64_t> MedianNs;
  std::optional<int64_t> P99Ns; ///< nearest rank too
  std::optional<int64_t> MaxNs;
  /// The calls that were counted but not timed; nothing: none. Mean, median and 99th percentile are
  /// then those of the timed calls, each weighted by how many it stands for; smallest and largest
  /// are of the timed calls alone. The time that stamps themselves take is subtracted from all.
  /// Percentiles and smallest are nothing if there was less room than the timed calls ask for.
  std::optional<UntimedCalls> Untimed;
};

/// What one thread did in a region.
struct ThreadShare {
  std::optional<int32_t> Thread; ///< OpenMP thread number; nothing: not recorded
  uint64_t Calls = 0;
  int64_t BusyNs = 0;    ///< union of its intervals on each system thread, summed over these, less
                         ///< WaitNs; for a profile, their sum
  int64_t WaitNs = 0;    ///< time that it waited: for others, see teamWaits(), and BlockedNs
  int64_t BlockedNs = 0; ///< of WaitNs, elsewhere: it did not run until something happened
  int64_t PreemptedNs = 0; ///< time in which it was ready and another thread ran; not in BusyNs
  int64_t SelfNs = 0;      ///< its part of LoopNode::SelfNs; elsewhere 0
  int32_t Team = TeamThread::OneTeam; ///< see TeamThread

  /// The share of a thread that has done nothing yet.
  static ThreadShare none(const TeamThread &Of) {
    ThreadShare Share;
    Share.Team = Of.Team;
    if (Of.Number >= 0)
      Share.Thread = Of.Number;
    return Share;
  }
  TeamThread of() const { return {Team, Thread.value_or(-1)}; }

  void wait(int64_t Ns) {
    WaitNs += Ns;
    BusyNs = std::max<int64_t>(0, BusyNs - Ns);
  }
};

/// What the threads of a region did at one place, see teamWaits().
struct PlaceRow {
  SiteId Site = 0;
  uint64_t Calls = 0;
  int64_t TotalNs = 0;
  UntimedCalls Untimed; ///< untimed part of Calls and TotalNs: an estimate
  /// By thread number; the time of tasks is BusyNs, of other places WaitNs.
  std::vector<ThreadShare> Threads;
};

struct RegionRow {
  SiteId Site = 0;
  uint64_t Calls = 0;
  int64_t TotalNs = 0; ///< sum over its threads, recursion once, with the tasks that they ran
                       ///< before the team ended
  uint64_t Open = 0;   ///< calls that had not ended
  /// See imbalanceOf(); also nothing if sums contain waits that cannot be told from work.
  std::optional<double> Imbalance;
  std::vector<ThreadShare> Threads;       ///< by team and number
  int64_t WaitNs = 0;                     ///< of TotalNs
  std::vector<PlaceRow> Waits;            ///< waits for others, longest first
  std::vector<PlaceRow> Tasks;            ///< longest first
  PlaceRow Fork, Join;                    ///< before and after TotalNs; no calls: not recorded
  int64_t BlockedNs = 0, PreemptedNs = 0; ///< of all threads
  uint64_t Ambiguous = 0;                 ///< calls whose Fork and Join are not known
};

/// Threads by number, with the waits at the region's fork and join, which are outside of TotalNs.
std::vector<ThreadShare> threadsWithEnds(const RegionRow &Region);

struct KernelRow {
  SiteId Site = 0;
  CallStatistics Times;
  /// Of TotalNs, the time in which the calling thread did not run; nothing if its switches were not
  /// recorded, or calls were not timed.
  std::optional<OffTime> Off;
  /// Of TotalNs, the time in which it ran; nothing if its switches were not recorded. An estimate,
  /// with how far it may be off, if calls were not timed: those were too short to wait, unless
  /// timed ones did.
  std::optional<int64_t> RunningNs;
  std::optional<double> RunningErrorNs;
  std::optional<int64_t>
      SelfNs; ///< its part of the window, see selfTimes(); nothing in mode profile
  /// How far SelfNs may be off; nothing: no part of it is an estimate.
  std::optional<double> SelfErrorNs;
  uint64_t Open = 0;      ///< calls that had not ended
  uint64_t Abandoned = 0; ///< calls left without an exit
  std::vector<RegionRow> Regions;
};

/// A report's numbers, in the order in which the sites first appear.
struct Statistics {
  int64_t WindowNs = 0; ///< from the first begin to the last end of any event, less ApartNs
  /// Time that belongs to scopes kept apart; nothing: there are none.
  std::optional<int64_t> ApartNs;
  std::vector<KernelRow> Kernels;
  std::optional<int64_t>
      UnattributedNs; ///< part of the window outside kernels; nothing in mode profile
  /// Parts of the window in which threads were in kernels and did not run, nor did another one;
  /// nothing: no thread's switches were recorded.
  std::optional<int64_t> BlockedNs, PreemptedNs;
  /// Part of the window in which threads spun in kernels, by samples; nothing: none did, or there
  /// are no samples.
  std::optional<int64_t> SpinningNs;
  /// Part of the window in which hooks ran, in kernels and outside, by samples; nothing: less than
  /// 1 %, or there are no samples.
  std::optional<int64_t> RecordingNs;
  /// The moments of UnattributedNs, if switches were recorded.
  std::vector<std::pair<int64_t, int64_t>> Unattributed;
  std::optional<double> UnattributedErrorNs; ///< as SelfErrorNs
};

/// What rows can be sorted by.
enum class SortKey { Self, Total, Calls, Mean, Median, P99, Max, Name };

/// The threads that worked on a kernel's parallel regions.
struct Team {
  size_t Threads = 1; ///< 1 also for a kernel without such regions; 0: it ran on a device
  std::optional<double> Imbalance; ///< largest over mean busy time, of all regions together
};

Team teamOf(const Trace &Source, const KernelRow &Kernel);

/// Largest over mean busy time; nothing without busy time, or if the team of some is not known.
std::optional<double> imbalanceOf(const std::vector<ThreadShare> &Threads);

/// The untimed calls of kernels, one entry for each site and thread. Tables that do not count by
/// kernels add them, so that their sums are those of \p Numbers.
std::vector<UntimedShare> untimedShares(const Trace &Input, const Statistics &Numbers);

/// Computes a report. \p Apart: scopes of this name, such as those of compilation, are not part of
/// the window: moments in which a thread is in one, and in no kernel, count as if for a kernel, but
/// apart. \p Names, of the trace's samples: these decide between throttled functions and their
/// callers; null: they do not.
Statistics computeStatistics(const Trace &Input, std::string_view Apart = {},
                             const CodeNames *Names = nullptr);

/// Sorts rows by \p Key, largest first (names: alphabetically), and equal ones by name.
void sortKernels(Statistics &Numbers, const Trace &Input, SortKey Key);

/// \p Total / \p Count rounded half up; both not negative, \p Count not 0.
int64_t roundedMean(int64_t Total, uint64_t Count);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_STATISTICS_H
