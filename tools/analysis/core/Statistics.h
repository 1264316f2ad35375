//===- Statistics.h - the numbers of a report -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_STATISTICS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_STATISTICS_H

#include "analysis/core/Throttled.h"
#include "trace/model/Trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Calls of one site, or of one name. Times are ns; without calls all of them are nothing. A call
/// that was open at the end counts as one that lasted until then.
struct CallStatistics {
  uint64_t Calls = 0;
  int64_t TotalNs = 0; ///< sum of durations with what is called inside; of calls that run
                       ///< inside another of the same row on their thread, the outermost's
  std::optional<int64_t> MeanNs; ///< of the durations of all calls, rounded half up
  std::optional<int64_t> MinNs;
  std::optional<int64_t> MedianNs; ///< nearest rank: the smallest duration that at least half of
                                   ///< the calls do not exceed; of a profile, its bucket's floor
  std::optional<int64_t> P99Ns;    ///< likewise
  std::optional<int64_t> MaxNs;
  /// Of the calls, those that were counted and not timed; nothing: there are none. Mean, median and
  /// 99th percentile are then those of the calls that were timed, each of these as often as it
  /// stands for others; the smallest and the largest are of these alone. All are less what the
  /// stamps read of themselves. Smallest and median are nothing where there was less room for the
  /// calls than the smallest takes.
  std::optional<UntimedCalls> Untimed;
};

/// What one OpenMP thread number did in a region.
struct ThreadShare {
  std::optional<int32_t> Thread; ///< OpenMP thread number; nothing: not recorded
  uint64_t Calls = 0;
  int64_t BusyNs = 0; ///< union of its intervals on each system thread, added up over these, less
                      ///< WaitNs; of a profile, their sum
  int64_t WaitNs = 0; ///< in which it waited for others, see teamWaits()

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
  UntimedCalls Untimed; ///< of Calls and TotalNs, those that were not timed: an estimate
  std::vector<ThreadShare> Threads; ///< by thread number; the time of tasks is BusyNs, else WaitNs
};

struct RegionRow {
  SiteId Site = 0;
  uint64_t Calls = 0;
  int64_t TotalNs = 0; ///< of all its threads, with the tasks that they ran before the team ended
  uint64_t Open = 0;   ///< of the calls, those that had not ended
  std::optional<double> Imbalance;  ///< largest over mean busy time; nothing without busy time, and
                                    ///< where sums have waits in it that cannot be told from work
  std::vector<ThreadShare> Threads; ///< by thread number
  int64_t WaitNs = 0;               ///< of TotalNs
  std::vector<PlaceRow> Waits;      ///< for others, longest first
  std::vector<PlaceRow> Tasks;      ///< longest first
  PlaceRow Fork, Join;              ///< before and behind TotalNs; no calls: not recorded
  uint64_t Ambiguous = 0;           ///< calls whose Fork and Join are not known
};

/// Threads by number, with the waits at the region's fork and join, which are outside of TotalNs.
std::vector<ThreadShare> threadsWithEnds(const RegionRow &Region);

struct KernelRow {
  SiteId Site = 0;
  CallStatistics Times;
  std::optional<int64_t>
      SelfNs;             ///< its part of the window, see selfTimes(); nothing in mode profile
  uint64_t Open = 0;      ///< of the calls, those that had not ended
  uint64_t Abandoned = 0; ///< calls left without an exit
  std::vector<RegionRow> Regions;
};

/// A report's numbers, in the order of first appearance of the sites.
struct Statistics {
  int64_t WindowNs = 0; ///< from the first begin to the last end of any event, less ApartNs
  /// In which scopes that were to be kept apart had their own part; nothing: there are none.
  std::optional<int64_t> ApartNs;
  std::vector<KernelRow> Kernels;
  std::optional<int64_t>
      UnattributedNs; ///< of the window, outside kernels; nothing in mode profile
};

/// What rows can be sorted by.
enum class SortKey { Self, Total, Calls, Mean, Median, P99, Max, Name };

/// The threads that worked on a kernel's parallel regions.
struct Team {
  size_t Threads = 1; ///< 1 also for a kernel without such regions; 0: it ran on a device
  std::optional<double> Imbalance; ///< largest over mean busy time, of all regions together
};

Team teamOf(const Trace &Source, const KernelRow &Kernel);

/// Largest over mean busy time; nothing without any.
std::optional<double> imbalanceOf(const std::vector<ThreadShare> &Threads);

/// The calls of kernels that were not timed, one of each site and thread: what tables that do not
/// count by kernels add, so that their sums are those of \p Numbers.
std::vector<UntimedShare> untimedShares(const Trace &Input, const Statistics &Numbers);

/// Computes a report. \p Apart: scopes of this name, as those of compilation, are not of the
/// window: moments in which a thread is in one, and in no kernel, share as those of a kernel do.
Statistics computeStatistics(const Trace &Input, std::string_view Apart = {});

/// Sorts rows by \p Key, largest first (names: alphabetical), and equal ones by name.
void sortKernels(Statistics &Numbers, const Trace &Input, SortKey Key);

/// \p Total / \p Count rounded half up; both not negative, \p Count not 0.
int64_t roundedMean(int64_t Total, uint64_t Count);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_STATISTICS_H
