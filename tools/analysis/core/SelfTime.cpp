//===- SelfTime.cpp - attributes the window to the kernels ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/SelfTime.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

namespace seamscope::tools {
namespace {

/// A time in units of 2^-64 ns. Dividing a moment of the window among n threads loses less than n
/// of them: after 2^32 moments with 2^10 threads that is still less than a thousandth of a ns.
using Share = unsigned __int128;

class WindowSplit {
public:
  WindowSplit(size_t Rows, size_t Tracks, int64_t BeginNs)
      : RowShares(Rows), Threads(Tracks), Now(BeginNs) {}

  void begin(const Interval &Call) {
    advanceTo(Call.BeginNs);
    if (Call.EndNs == Call.BeginNs)
      return;
    Thread &Its = Threads[Call.Track];
    if (Its.Open.empty())
      ++Working;
    else
      settle(Its);
    Its.Open.push_back(&Call);
    Its.Since = Worked;
    Ends.emplace(Call.EndNs, Call.Track);
  }

  void advanceTo(int64_t Until) {
    while (!Ends.empty() && Ends.top().first <= Until) {
      const auto [EndNs, Track] = Ends.top();
      Ends.pop();
      passUntil(EndNs);
      // Calls that overlap without nesting may end while another covers them: they are dropped when
      // they become the innermost again.
      Thread &Its = Threads[Track];
      if (Its.Open.empty() || Its.Open.back()->EndNs > EndNs)
        continue;
      settle(Its);
      while (!Its.Open.empty() && Its.Open.back()->EndNs <= EndNs)
        Its.Open.pop_back();
      if (Its.Open.empty())
        --Working;
      Its.Since = Worked;
    }
    passUntil(Until);
  }

  SelfTimes result(int64_t WindowNs) const {
    SelfTimes Result;
    Result.UnattributedNs = WindowNs - CoveredNs;
    int64_t LeftNs = CoveredNs;
    std::vector<std::pair<uint64_t, size_t>> Remainders;
    for (size_t Row = 0; Row < RowShares.size(); ++Row) {
      Result.RowNs.push_back(static_cast<int64_t>(RowShares[Row] >> 64));
      LeftNs -= Result.RowNs.back();
      if (const auto Remainder = static_cast<uint64_t>(RowShares[Row]))
        Remainders.emplace_back(Remainder, Row);
    }
    std::ranges::sort(Remainders, [](const auto &A, const auto &B) {
      return std::tie(B.first, A.second) < std::tie(A.first, B.second);
    });
    for (size_t I = 0; LeftNs > 0 && I < Remainders.size(); ++I, --LeftNs)
      ++Result.RowNs[Remainders[I].second];
    return Result;
  }

private:
  struct Thread {
    std::vector<const Interval *> Open; ///< outermost first
    Share Since = 0;                    ///< value of Worked when the newest of them appeared
  };

  void passUntil(int64_t Until) {
    if (Working) {
      const Share Passed = Share(Until - Now) << 64;
      Worked += Working == 1 ? Passed : Passed / Working;
      CoveredNs += Until - Now;
    }
    Now = Until;
  }

  void settle(Thread &Its) { RowShares[Its.Open.back()->Row] += Worked - Its.Since; }

  std::vector<Share> RowShares;
  std::vector<Thread> Threads; ///< by track
  /// Of all open calls.
  std::priority_queue<std::pair<int64_t, uint32_t>, std::vector<std::pair<int64_t, uint32_t>>,
                      std::greater<>>
      Ends;
  Share Worked = 0; ///< the time that a thread working from the beginning would have been given
  uint64_t Working = 0;
  int64_t CoveredNs = 0;
  int64_t Now;
};

} // namespace

SelfTimes selfTimes(std::vector<Interval> Calls, size_t Rows, int64_t WindowBeginNs,
                    int64_t WindowEndNs) {
  const auto IsBefore = [](const Interval &A, const Interval &B) {
    return A.BeginNs != B.BeginNs ? A.BeginNs < B.BeginNs : A.EndNs > B.EndNs;
  };
  if (!std::ranges::is_sorted(Calls, IsBefore))
    std::ranges::stable_sort(Calls, IsBefore);
  size_t Tracks = 0;
  for (const Interval &Call : Calls)
    Tracks = std::max<size_t>(Tracks, Call.Track + size_t{1});
  WindowSplit Split(Rows, Tracks, WindowBeginNs);
  for (const Interval &Call : Calls)
    Split.begin(Call);
  Split.advanceTo(WindowEndNs);
  return Split.result(WindowEndNs - WindowBeginNs);
}

} // namespace seamscope::tools
