//===- Unattributed.cpp - what ran outside of kernels -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/samples/Unattributed.h"

#include "analysis/core/Cover.h"
#include "analysis/core/HostNesting.h"
#include "analysis/core/KernelRows.h"
#include "analysis/samples/Proportion.h"
#include "analysis/samples/SampleRows.h"
#include "analysis/samples/Spinning.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace seamscope::tools {
namespace {

class Unattributed {
public:
  Unattributed(const Trace &Input, const Statistics &Numbers, const CodeNames &Names)
      : Input(Input), Moments(Numbers.Unattributed), Kernels(Numbers.Kernels),
        TargetNs(Numbers.UnattributedNs.value_or(0)), HasRecording(Numbers.RecordingNs.has_value()),
        Names(Names), Times(Input), State(Input.Tracks.size(), RunState::Unknown),
        RunNs(Input.Tracks.size()), IdleOf(Input.Tracks.size()) {}

  std::vector<UnattributedRow> run() {
    if (!Times.any())
      return {};
    orderIdle();
    sweep();
    addRunning();
    addIdle();
    leaveOutUntimed();
    round();
    std::ranges::stable_sort(Rows, std::greater(), &UnattributedRow::Ns);
    return std::move(Rows);
  }

private:
  /// Main threads first: their waits say what the program waits for.
  void orderIdle() {
    for (const bool Main : {true, false})
      for (TrackId Track = 0; Track < Input.Tracks.size(); ++Track)
        if (Times.knows(Track) && (Input.text(Input.Tracks[Track].Thread) ==
                                   Input.text(Input.Tracks[Track].Process)) == Main)
          IdleOrder.push_back(Track);
  }

  void sweep() {
    const std::vector<RunChange> Changes = Times.changes();
    size_t Next = 0;
    const auto ChangeUntil = [&](int64_t Ns) {
      for (; Next < Changes.size() && Changes[Next].Ns <= Ns; ++Next)
        set(Changes[Next].Track, Changes[Next].To);
    };
    for (const auto &[Begin, End] : Moments)
      for (int64_t At = Begin; At < End;) {
        ChangeUntil(At);
        const int64_t To = Next < Changes.size() ? std::min(End, Changes[Next].Ns) : End;
        pass(At, To);
        At = To;
      }
  }

  void set(TrackId Track, RunState To) {
    if (State[Track] == RunState::Running)
      std::erase(Running, Track);
    State[Track] = To;
    if (To == RunState::Running)
      Running.push_back(Track);
  }

  void pass(int64_t From, int64_t To) {
    if (!Running.empty()) {
      for (const TrackId Track : Running)
        RunNs[Track] += static_cast<double>(To - From) / static_cast<double>(Running.size());
      return;
    }
    for (const TrackId Track : IdleOrder)
      if (State[Track] != RunState::Unknown) {
        IdleOf[Track].emplace_back(From, To);
        return;
      }
    UnknownNs += static_cast<double>(To - From);
  }

  bool isUnattributed(int64_t Ns) const {
    const auto After =
        std::ranges::upper_bound(Moments, Ns, {}, &std::pair<int64_t, int64_t>::first);
    return After != Moments.begin() && std::prev(After)->second > Ns;
  }

  void add(UnattributedRow Row, double Ns) {
    Rows.push_back(std::move(Row));
    Exact.push_back(Ns);
  }

  /// By code, whether it is of hooks, or of calls that were not timed, and has its time elsewhere.
  std::vector<bool> codesOfRows() const {
    std::set<std::string_view> Moved;
    for (const KernelRow &Row : Kernels)
      if (Row.Times.Untimed && Row.Times.Untimed->IsSampled)
        Moved.insert(Input.text(Input.Sites[Row.Site].Name));
    std::vector<bool> Codes;
    for (const CodeName &Code : Names.Codes)
      Codes.push_back((HasRecording && Code.isHook()) ||
                      (!Moved.empty() && Moved.contains(functionNameOf(Code.Symbol))));
    return Codes;
  }

  void addRunning() {
    std::vector<std::map<std::pair<std::string, std::string>, uint64_t>> Found(RunNs.size());
    std::vector<uint64_t> Count(RunNs.size());
    const std::vector<bool> HasRow = codesOfRows();
    // Where short waits are recorded as a sum, a thread in a kernel may have a sample in a moment
    // in which it seems to be blocked.
    const std::vector<uint32_t> InKernel = rowsOfSamples(Input, kernelRows(Input));
    for (size_t I = 0; I < Input.Samples.size(); ++I) {
      const auto Track = static_cast<size_t>(Input.Samples.Track[I]);
      if (!isUnattributed(Input.Samples.Ns[I]) || HasRow[Names.OfSample[I]] ||
          InKernel[I] != KernelRows::None)
        continue;
      ++Found[Track][{Names.of(I).Symbol, Names.of(I).Library}];
      ++Count[Track];
    }
    for (TrackId Track = 0; Track < RunNs.size(); ++Track) {
      if (!(RunNs[Track] > 0))
        continue;
      UnattributedRow Row;
      Row.State = RunState::Running;
      Row.Track = Track;
      if (!Count[Track]) { // too short for a sample: all that is known is its length
        add(Row, RunNs[Track]);
        continue;
      }
      for (const auto &[Code, Samples] : Found[Track]) {
        const Proportion Part = proportionOf(Samples, Count[Track]);
        std::tie(Row.Symbol, Row.Library) = Code;
        Row.Samples = Samples;
        Row.LowNs = static_cast<int64_t>(RunNs[Track] * Part.Low);
        Row.HighNs = static_cast<int64_t>(std::ceil(RunNs[Track] * Part.High));
        add(Row, RunNs[Track] * Part.Share);
      }
    }
  }

  /// Idle moments, by what the thread waited in.
  void addIdle() {
    const OffColumns &Off = Input.OffCpu;
    const std::vector<double> Weights = waitWeights(Input);
    size_t Of = 0;
    for (TrackId Track = 0; Track < IdleOf.size(); ++Track) {
      std::map<RunState, int64_t> Others;
      WaitSum Waits(Input, Weights);
      while (Of < Off.size() && static_cast<TrackId>(Off.Track[Of]) < Track)
        ++Of;
      for (const auto &[Begin, End] : IdleOf[Track])
        for (int64_t At = Begin; At < End;) {
          while (Of < Off.size() && static_cast<TrackId>(Off.Track[Of]) == Track &&
                 Off.EndNs[Of] <= At)
            ++Of;
          const bool In = Of < Off.size() && static_cast<TrackId>(Off.Track[Of]) == Track &&
                          Off.BeginNs[Of] < End;
          const int64_t To = In ? std::min(End, Off.EndNs[Of]) : End;
          if (In && static_cast<OffKind>(Off.Kind[Of]) == OffKind::Blocked)
            Waits.add(Of, To - At);
          else
            Others[In ? RunState::Preempted : RunState::Unknown] += To - At;
          At = To;
        }
      UnattributedRow Row;
      Row.Track = Track;
      for (const auto &[Other, Ns] : Others) {
        Row.State = Other;
        add(Row, static_cast<double>(Ns));
      }
      Row.State = RunState::Blocked;
      for (const WaitSum::Row &Wait : Waits.rows(Names, WaitSum::By::Symbol)) {
        Row.Symbol = Wait.Wait.Symbol;
        Row.Library = Wait.Wait.Library;
        Row.LowNs = Wait.LowNs;
        Row.HighNs = Wait.HighNs;
        add(Row, static_cast<double>(Wait.Ns));
      }
    }
    if (UnknownNs > 0)
      add({}, UnknownNs);
  }

  /// Untimed calls outside of kernels ran in these moments and have rows of their own: the rest is
  /// of the others.
  void leaveOutUntimed() {
    double Ran = 0, Others = 0;
    for (size_t I = 0; I < Rows.size(); ++I)
      (Rows[I].State == RunState::Running ? Ran : Others) += Exact[I];
    const double Part = Ran > 0 ? (static_cast<double>(TargetNs) - Others) / Ran : 1;
    if (Part >= 1)
      return;
    const auto Scale = [&](std::optional<int64_t> &Ns) {
      if (Ns)
        Ns = static_cast<int64_t>(static_cast<double>(*Ns) * std::max(0.0, Part));
    };
    for (size_t I = 0; I < Rows.size(); ++I)
      if (Rows[I].State == RunState::Running) {
        Exact[I] *= std::max(0.0, Part);
        Scale(Rows[I].LowNs);
        Scale(Rows[I].HighNs);
      }
  }

  /// Whole ns that add up.
  void round() {
    int64_t Left = TargetNs;
    std::vector<size_t> Order;
    for (size_t I = 0; I < Rows.size(); ++I) {
      Rows[I].Ns = static_cast<int64_t>(Exact[I]);
      Left -= Rows[I].Ns;
      Order.push_back(I);
    }
    std::ranges::stable_sort(Order, std::greater(),
                             [&](size_t I) { return Exact[I] - std::floor(Exact[I]); });
    // The rest of the divisions is less than one for each row, but for the errors of doubles.
    for (size_t I = 0; Left != 0 && !Order.empty(); I = (I + 1) % Order.size()) {
      const int64_t Step = Left > 0
                               ? std::max<int64_t>(1, Left / static_cast<int64_t>(Order.size()))
                               : std::max(Left, -Rows[Order[I]].Ns);
      Rows[Order[I]].Ns += Step;
      Left -= Step;
    }
  }

  const Trace &Input;
  const std::vector<std::pair<int64_t, int64_t>> &Moments;
  const std::vector<KernelRow> &Kernels;
  const int64_t TargetNs;  ///< less than the moments if untimed calls or hooks were in them
  const bool HasRecording; ///< the time of hooks is elsewhere
  const CodeNames &Names;
  const ThreadTimes Times;
  std::vector<RunState> State; ///< by track
  std::vector<double> RunNs;   ///< by track
  std::vector<Cover> IdleOf;   ///< by track
  std::vector<TrackId> Running, IdleOrder;
  double UnknownNs = 0;
  std::vector<UnattributedRow> Rows;
  std::vector<double> Exact; ///< by row
};

} // namespace

std::vector<UnattributedRow> unattributedRows(const Trace &Input, const Statistics &Numbers,
                                              const CodeNames &Names) {
  return Unattributed(Input, Numbers, Names).run();
}

std::vector<BlockedRow> blockedRows(const Trace &Input, const CodeNames &Names) {
  const EventColumns &Events = Input.Events;
  const OffColumns &Off = Input.OffCpu;
  const KernelRows Rows = kernelRows(Input);
  std::vector<bool> Wanted(Input.Sites.size());
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id)
    Wanted[Id] = Rows.OfSite[Id] != KernelRows::None && Input.Sites[Id].Device < 0;
  // A thread blocks in one call, and wakes up in the same one.
  std::vector<HostMoment> Moments;
  std::vector<size_t> Stretches;
  for (size_t I = 0; I < Off.size(); ++I)
    if (static_cast<OffKind>(Off.Kind[I]) == OffKind::Blocked) {
      Moments.push_back({static_cast<TrackId>(Off.Track[I]), Off.BeginNs[I]});
      Stretches.push_back(I);
    }
  const HostNesting Nesting = nestHost(Input, Moments);
  const std::vector<uint32_t> Kernel = Nesting.innermost(
      [&](uint32_t Event) { return Wanted[Events.Site[Event]] ? Event : NoEvent; });
  const std::vector<double> Weights = waitWeights(Input);
  std::map<uint32_t, WaitSum> Found; // by row
  for (size_t I = 0; I < Stretches.size(); ++I) {
    const uint32_t At = Nesting.AtMoments[I];
    const uint32_t Event = At == NoEvent ? NoEvent : Kernel[At];
    if (Event == NoEvent)
      continue;
    const size_t Of = Stretches[I];
    // A part of the trace may end before the wait.
    const int64_t Length = Off.EndNs[Of] - Off.BeginNs[Of];
    const int64_t Within = std::min(Length, Events.endNs(Event) - Off.BeginNs[Of]);
    Found.try_emplace(Rows.OfSite[Events.Site[Event]], Input, Weights)
        .first->second.add(
            Of, static_cast<int64_t>(static_cast<__int128>(Off.OffNs[Of]) * Within / Length));
  }
  std::vector<BlockedRow> Result;
  for (const auto &[Row, Waits] : Found)
    for (WaitSum::Row &Wait : Waits.rows(Names, WaitSum::By::Line))
      Result.push_back({std::move(Wait), Rows.Sites[Row]});
  for (SpinRow &Spin : spinRows(Input, Names)) {
    BlockedRow &Row = Result.emplace_back();
    Row.Kernel = Spin.Kernel;
    Row.Wait.Symbol = std::move(Spin.Symbol);
    Row.Wait.Library = std::move(Spin.Library);
    Row.SpinSamples = Spin.Samples;
    Row.Ns = Spin.Ns;
    Row.LowNs = Spin.LowNs;
    Row.HighNs = Spin.HighNs;
  }
  std::ranges::stable_sort(Result, std::greater(), &BlockedRow::Ns);
  return Result;
}

} // namespace seamscope::tools
