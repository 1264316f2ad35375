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
  WindowSplit(size_t Rows, size_t Tracks, int64_t BeginNs, std::span<const RunChange> Changes)
      : RowShares(Rows), Threads(Tracks), Changes(Changes), KeepsRest(!Changes.empty()),
        Now(BeginNs) {}

  void begin(const Interval &Call) {
    advanceTo(Call.BeginNs);
    if (Call.EndNs == Call.BeginNs)
      return;
    Thread &Its = Threads[Call.Track];
    const bool OfTeam = Call.Kind == OpenAs::Part || Call.Kind == OpenAs::Wait;
    if (OfTeam && !Its.Open.empty() && isCall(*Its.Open.back()))
      return;
    leave(Its);
    Its.Open.push_back(&Call);
    enter(Its);
    Ends.emplace(Call.EndNs, Call.Track);
  }

  void advanceTo(int64_t Until) {
    for (;;) {
      const bool HasEnd = !Ends.empty() && Ends.top().first <= Until;
      const bool HasChange = !Changes.empty() && Changes.front().Ns <= Until;
      if (HasEnd && (!HasChange || Ends.top().first <= Changes.front().Ns))
        endCalls();
      else if (HasChange)
        change();
      else
        break;
    }
    passUntil(Until);
  }

  SelfTimes result(int64_t WindowNs) const {
    SelfTimes Result;
    Result.UnattributedNs = WindowNs - CoveredNs - BlockedNs - PreemptedNs;
    Result.IdleNs = IdleNs;
    Result.BlockedNs = BlockedNs;
    Result.PreemptedNs = PreemptedNs;
    Result.Unattributed = Rest;
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
  static bool isCall(const Interval &Its) {
    return Its.Kind == OpenAs::Call || Its.Kind == OpenAs::CallOff;
  }

  /// Threads that share the moments in which they work.
  struct Workers {
    Share Worked = 0; ///< what a thread working from the beginning would have been given
    uint64_t Count = 0;

    void pass(int64_t Ns) {
      const Share Passed = Share(Ns) << 64;
      Worked += Count == 1 ? Passed : Passed / Count;
    }
  };

  struct Thread {
    std::vector<const Interval *> Open; ///< outermost first
    Share Since = 0;                    ///< Workers::Worked when the newest of them appeared
    RunState State = RunState::Unknown;

    bool isOutside() const { return Open.empty() || Open.back()->Kind == OpenAs::Wait; }
    /// If it is not outside.
    bool works() const {
      return State == RunState::Unknown || State == RunState::Running ||
             Open.back()->Kind == OpenAs::CallOff;
    }
  };

  Workers &workersOf(const Thread &Its) { return isCall(*Its.Open.back()) ? OfCalls : OfTeams; }

  void countOutside(const Thread &Its, int By) {
    if (Its.State == RunState::Running)
      RunningOutside += By;
    else if (Its.State != RunState::Unknown)
      OffOutside += By;
  }

  /// Counts a thread no more, before it changes.
  void leave(Thread &Its) {
    if (Its.isOutside()) {
      countOutside(Its, -1);
    } else if (Its.works()) {
      Workers &Others = workersOf(Its);
      RowShares[Its.Open.back()->Row] += Others.Worked - Its.Since;
      --Others.Count;
    } else {
      --(Its.State == RunState::Blocked ? Blocked : Preempted);
    }
  }
  /// Counts it, after it changed.
  void enter(Thread &Its) {
    if (Its.isOutside()) {
      countOutside(Its, 1);
    } else if (Its.works()) {
      Workers &Others = workersOf(Its);
      Its.Since = Others.Worked;
      ++Others.Count;
    } else {
      ++(Its.State == RunState::Blocked ? Blocked : Preempted);
    }
  }

  void endCalls() {
    const auto [EndNs, Track] = Ends.top();
    Ends.pop();
    passUntil(EndNs);
    // Calls that overlap without nesting may end while another covers them: they are dropped when
    // they become the innermost again.
    Thread &Its = Threads[Track];
    if (Its.Open.empty() || Its.Open.back()->EndNs > EndNs)
      return;
    leave(Its);
    while (!Its.Open.empty() && Its.Open.back()->EndNs <= EndNs)
      Its.Open.pop_back();
    enter(Its);
  }

  void change() {
    const RunChange &To = Changes.front();
    passUntil(std::max(Now, To.Ns)); // what was before the window holds at its begin
    Thread &Its = Threads[To.Track];
    leave(Its);
    Its.State = To.To;
    enter(Its);
    Changes = Changes.subspan(1);
  }

  void passUntil(int64_t Until) {
    const int64_t Ns = Until - Now;
    if (OfCalls.Count || OfTeams.Count) {
      (OfCalls.Count ? OfCalls : OfTeams).pass(Ns);
      CoveredNs += Ns;
    } else if (!RunningOutside && Preempted) {
      PreemptedNs += Ns;
    } else if (!RunningOutside && Blocked) {
      BlockedNs += Ns;
    } else if (KeepsRest && Ns > 0) {
      IdleNs += !RunningOutside && OffOutside ? Ns : 0;
      if (!Rest.empty() && Rest.back().second == Now)
        Rest.back().second = Until;
      else
        Rest.emplace_back(Now, Until);
    }
    Now = Until;
  }

  std::vector<Share> RowShares;
  std::vector<Thread> Threads; ///< by track
  /// Of all open calls.
  std::priority_queue<std::pair<int64_t, uint32_t>, std::vector<std::pair<int64_t, uint32_t>>,
                      std::greater<>>
      Ends;
  std::span<const RunChange> Changes; ///< that are to come
  const bool KeepsRest;
  std::vector<std::pair<int64_t, int64_t>> Rest; ///< moments of nobody
  Workers OfCalls, OfTeams;
  // Threads with open calls that are blocked or preempted; those without that run or do not.
  uint64_t Blocked = 0, Preempted = 0;
  int64_t RunningOutside = 0, OffOutside = 0;
  int64_t CoveredNs = 0, IdleNs = 0, BlockedNs = 0, PreemptedNs = 0;
  int64_t Now;
};

} // namespace

SelfTimes selfTimes(std::vector<Interval> Calls, size_t Rows, int64_t WindowBeginNs,
                    int64_t WindowEndNs, std::span<const RunChange> Changes) {
  const auto IsBefore = [](const Interval &A, const Interval &B) {
    return A.BeginNs != B.BeginNs ? A.BeginNs < B.BeginNs : A.EndNs > B.EndNs;
  };
  if (!std::ranges::is_sorted(Calls, IsBefore))
    std::ranges::stable_sort(Calls, IsBefore);
  size_t Tracks = 0;
  for (const Interval &Call : Calls)
    Tracks = std::max<size_t>(Tracks, Call.Track + size_t{1});
  for (const RunChange &Change : Changes)
    Tracks = std::max<size_t>(Tracks, Change.Track + size_t{1});
  WindowSplit Split(Rows, Tracks, WindowBeginNs, Changes);
  for (const Interval &Call : Calls)
    Split.begin(Call);
  Split.advanceTo(WindowEndNs);
  return Split.result(WindowEndNs - WindowBeginNs);
}

} // namespace seamscope::tools
