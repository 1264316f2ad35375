//===- RecordingCost.cpp - the cost of recording --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/RecordingCost.h"

#include "analysis/core/KernelRows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace seamscope::tools {
namespace {

/// Recording that takes more than this share of a time is reported; a divisor.
constexpr int64_t Twentieth = 20;

class Estimate {
public:
  Estimate(const Trace &Input, const Statistics &Numbers) : Input(Input), Numbers(Numbers) {
    Result.CallNs = Input.Info.CallCostNs;
    Result.BiasNs = Input.Info.StampBiasNs;
  }

  RecordingCost run() {
    findRows();
    OnThread.resize(Input.Tracks.size());
    addCalls();
    for (const ProfileRow &Row : Input.Profile)
      if (isHooked(Row.Site)) {
        count(Row.Site, Row.Track, Row.Calls);
        addInside(Row.Site,
                  std::min(nsOf(Row.Calls, static_cast<double>(Result.BiasNs)), Row.TotalNs));
        Result.InsideKnown = false;
      }
    for (auto &[Site, Calls] : OwnCalls)
      Result.Rows[Site].OwnNs = nsOf(Calls, Result.CallNs);
    Result.TotalNs = nsOf(Result.Calls, Result.CallNs);
    for (const uint64_t Calls : OnThread)
      Result.BusiestNs = std::max(Result.BusiestNs, nsOf(Calls, Result.CallNs));
    findShort();
    return std::move(Result);
  }

private:
  static constexpr SiteId NoRow = std::numeric_limits<SiteId>::max();

  static int64_t nsOf(uint64_t Calls, double Each) {
    return static_cast<int64_t>(std::min(static_cast<double>(Calls) * Each, 0x1p62));
  }

  /// Whether hooks in instrumented code recorded its calls: kernels, their regions, launches, and
  /// scopes marked by hand.
  bool isHooked(SiteId Id) const {
    const Site &What = Input.Sites[Id];
    return What.Device < 0 && What.Kernel &&
           (What.Kind == SiteKind::Kernel || What.Kind == SiteKind::Region ||
            What.Kind == SiteKind::Loop || What.Kind == SiteKind::Launch ||
            What.Kind == SiteKind::Annotation);
  }

  /// A row stands for all sites that differ only in their inputs.
  void findRows() {
    std::map<decltype(rowKey({})), SiteId> Rows;
    for (const KernelRow &Row : Numbers.Kernels)
      Rows.emplace(rowKey(Input.Sites[Row.Site]), Row.Site);
    for (const Site &What : Input.Sites) {
      const auto Found = Rows.find(rowKey(What));
      RowOf.push_back(Found == Rows.end() ? NoRow : Found->second);
    }
  }

  void count(SiteId Id, TrackId Track, uint64_t Calls) {
    Result.Calls += Calls;
    OnThread[Track] += Calls;
    if (RowOf[Id] != NoRow)
      OwnCalls[RowOf[Id]] += Calls;
  }

  void addInside(SiteId Id, int64_t Ns) {
    if (RowOf[Id] != NoRow)
      Result.Rows[RowOf[Id]].InsideNs += Ns;
  }

  void addCalls() {
    const EventColumns &Events = Input.Events;
    std::vector<uint32_t> Order;
    for (uint32_t I = 0; I < Events.size(); ++I)
      if (isHooked(Events.Site[I]))
        Order.push_back(I);
    const auto IsBefore = [&](uint32_t A, uint32_t B) {
      return std::tuple(Events.Track[A], Events.BeginNs[A], -Events.DurationNs[A]) <
             std::tuple(Events.Track[B], Events.BeginNs[B], -Events.DurationNs[B]);
    };
    std::ranges::stable_sort(Order, IsBefore);
    struct Frame {
      uint32_t Event;
      uint64_t CallsInside;
      bool Recurses; ///< another call of its row is around it
    };
    std::vector<Frame> Stack;
    std::vector<uint32_t> Depth(Input.Sites.size()); // by row's site, the calls on the stack
    const auto Pop = [&] {
      const Frame Ended = Stack.back();
      Stack.pop_back();
      const SiteId Row = RowOf[Events.Site[Ended.Event]];
      if (Row != NoRow)
        --Depth[Row];
      if (!Ended.Recurses)
        addInside(Events.Site[Ended.Event],
                  std::min(Events.DurationNs[Ended.Event],
                           Result.BiasNs + nsOf(Ended.CallsInside, Result.CallNs)));
      if (!Stack.empty())
        Stack.back().CallsInside += 1 + Ended.CallsInside;
    };
    for (const uint32_t I : Order) {
      while (!Stack.empty() && (Events.Track[Stack.back().Event] != Events.Track[I] ||
                                Events.endNs(Stack.back().Event) <= Events.BeginNs[I]))
        Pop();
      count(Events.Site[I], Events.Track[I], 1);
      const SiteId Row = RowOf[Events.Site[I]];
      Stack.push_back({I, 0, Row != NoRow && Depth[Row] > 0});
      if (Row != NoRow)
        ++Depth[Row];
    }
    while (!Stack.empty())
      Pop();
  }

  void findShort() {
    for (const KernelRow &Row : Numbers.Kernels) {
      const auto Found = Result.Rows.find(Row.Site);
      if (Found == Result.Rows.end() || Input.Sites[Row.Site].Kind != SiteKind::Kernel)
        continue;
      const int64_t Own = Found->second.OwnNs;
      const CallStatistics &Times = Row.Times;
      const bool IsUntimable =
          Times.Untimed && Times.MeanNs && static_cast<double>(*Times.MeanNs) < Result.CallNs;
      if (IsUntimable)
        Result.Untimable.push_back(Row.Site);
      if (IsUntimable || (Own > Times.TotalNs / Twentieth && Own >= Result.TotalNs / 100))
        Result.Short.push_back(Row.Site);
    }
    std::ranges::stable_sort(Result.Short, std::greater(),
                             [&](SiteId Id) { return Result.Rows[Id].OwnNs; });
  }

  const Trace &Input;
  const Statistics &Numbers;
  RecordingCost Result;
  std::vector<SiteId> RowOf; ///< by site: the row's
  std::vector<uint64_t> OnThread;
  std::map<SiteId, uint64_t> OwnCalls; ///< by row
};

} // namespace

bool RecordingCost::matters(const KernelRow &Row, int64_t WindowNs) const {
  const auto Found = Rows.find(Row.Site);
  return Found != Rows.end() && Found->second.InsideNs > Row.Times.TotalNs / Twentieth &&
         Found->second.InsideNs > WindowNs / 100;
}

std::optional<RecordingCost> recordingCost(const Trace &Input, const Statistics &Numbers) {
  if (!(Input.Info.CallCostNs > 0))
    return std::nullopt;
  return Estimate(Input, Numbers).run();
}

} // namespace seamscope::tools
