//===- Ranks.cpp - the processes of a run, compared -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Ranks.h"
#include "analysis/core/KernelNames.h"
#include "analysis/core/KernelRows.h"
#include "analysis/core/MoveUntimed.h"
#include "analysis/core/SelfTime.h"
#include "analysis/core/TeamParts.h"
#include "analysis/samples/MessageWaits.h"
#include "analysis/samples/ThreadTimes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <ranges>
#include <string_view>
#include <tuple>

namespace seamscope::tools {
namespace {

constexpr size_t Nowhere = std::numeric_limits<size_t>::max();

/// The kernel that each site is a place in; Nowhere: none.
std::vector<size_t> kernelsOfSites(const Trace &Whole, std::vector<RankKernel> &Kernels) {
  std::map<std::tuple<StringId, StringId, uint32_t>, size_t> Known;
  std::vector<size_t> Result;
  for (const Site &What : Whole.Sites) {
    Result.push_back(Nowhere);
    if (What.Kind != SiteKind::Kernel)
      continue;
    const auto [Found, New] = Known.try_emplace({What.Name, What.File, What.Line}, Kernels.size());
    if (New)
      Kernels.push_back({What.Name, What.File, What.Line, 0, {}});
    Result.back() = Found->second;
  }
  return Result;
}

/// Ranks generate kernels of one name from different sources. If no input has two kernels of a
/// name, it is one kernel. Functions that somebody wrote in two places are two.
void joinNames(const Trace &Whole, std::vector<RankKernel> &Kernels) {
  std::map<StringId, std::vector<size_t>> ByName;
  for (size_t I = 0; I < Kernels.size(); ++I)
    if (!Kernels[I].File || isGenerated(Whole.text(Kernels[I].Name)))
      ByName[Kernels[I].Name].push_back(I);
  for (const auto &[Name, Same] : ByName) {
    RankKernel Whole = Kernels[Same[0]];
    bool Meets = false;
    for (const size_t I : Same | std::views::drop(1)) {
      const RankKernel &Other = Kernels[I];
      for (size_t Input = 0; Input < Whole.Shares.size(); ++Input) {
        Meets |= Whole.Shares[Input].Calls && Other.Shares[Input].Calls;
        if (Other.Shares[Input].Calls)
          Whole.Shares[Input] = Other.Shares[Input];
      }
      Whole.TotalNs += Other.TotalNs;
      if (Whole.File != Other.File)
        Whole.File = 0;
      if (!Whole.File || Whole.Line != Other.Line)
        Whole.Line = 0;
    }
    if (Same.size() < 2 || Meets)
      continue;
    Kernels[Same[0]] = std::move(Whole);
    for (const size_t I : Same | std::views::drop(1))
      Kernels[I].Shares.clear();
  }
  std::erase_if(Kernels, [](const RankKernel &Kernel) { return Kernel.Shares.empty(); });
}

} // namespace

std::string_view noClockText(NoClock Why) {
  static constexpr std::string_view Texts[] = {
      "", "no collective that needs all ranks is matched with other ranks",
      "no offset and rate of its clock fit nearly all its collectives",
      "its clock is too far from those of others"};
  return Texts[static_cast<size_t>(Why)];
}

std::vector<size_t> inputsOfTracks(const Trace &Whole, const std::vector<RankInput> &Inputs) {
  std::map<std::string_view, size_t> OfPid;
  for (size_t Input = 0; Input < Inputs.size(); ++Input)
    for (const std::string &Pid : Inputs[Input].Pids)
      OfPid.try_emplace(Pid, Input);
  std::vector<size_t> Result;
  for (const Track &Each : Whole.Tracks) {
    const auto Found = OfPid.find(Whole.text(Each.Process));
    Result.push_back(Found == OfPid.end() ? NoInput : Found->second);
  }
  return Result;
}

RankReport splitByRank(const Trace &Whole, std::vector<RankInput> Inputs,
                       std::span<const UntimedShare> Untimed) {
  RankReport Report;
  Report.Inputs = std::move(Inputs);
  const size_t Count = Report.Inputs.size();
  const std::vector<size_t> InputOf = inputsOfTracks(Whole, Report.Inputs);
  const std::vector<size_t> KernelOf = kernelsOfSites(Whole, Report.Kernels);
  for (RankKernel &Kernel : Report.Kernels)
    Kernel.Shares.resize(Count);
  Report.Rows.resize(Count);
  struct Extent {
    int64_t Begin = std::numeric_limits<int64_t>::max();
    int64_t End = std::numeric_limits<int64_t>::min();
    std::vector<Interval> Kernels;
  };
  std::vector<Extent> Extents(Count);
  const EventColumns &Events = Whole.Events;
  const std::vector<bool> Recursive = recursiveCalls(Whole, kernelRows(Whole));
  for (size_t I = 0; I < Events.size(); ++I) {
    const size_t Input = InputOf[Events.Track[I]];
    if (Input == NoInput)
      continue;
    RankRow &Row = Report.Rows[Input];
    Extent &Its = Extents[Input];
    ++Row.Events;
    Its.Begin = std::min(Its.Begin, Events.BeginNs[I]);
    Its.End = std::max(Its.End, Events.endNs(I));
    if (isMessage(Whole, Whole.Sites[Events.Site[I]]))
      Row.MessageNs += Events.DurationNs[I];
    const size_t Kernel = KernelOf[Events.Site[I]];
    if (Kernel == Nowhere)
      continue;
    ++Row.KernelCalls;
    Its.Kernels.push_back({Events.BeginNs[I], Events.endNs(I), 0, Events.Track[I]});
    RankShare &Share = Report.Kernels[Kernel].Shares[Input];
    ++Share.Calls;
    Share.SumNs += Events.DurationNs[I];
    if (!Recursive.empty() && Recursive[I])
      continue;
    Share.TotalNs += Events.DurationNs[I];
    Report.Kernels[Kernel].TotalNs += Events.DurationNs[I];
  }
  std::vector<bool> HasUntimed(Count);
  for (const UntimedShare &Calls : Untimed) {
    const size_t Input = InputOf[Calls.Track], Kernel = KernelOf[Calls.Site];
    if (Input == NoInput || Kernel == Nowhere)
      continue;
    HasUntimed[Input] = true;
    Report.Rows[Input].KernelCalls += Calls.Calls;
    RankShare &Share = Report.Kernels[Kernel].Shares[Input];
    Share.Calls += Calls.Calls;
    Share.SumNs += Calls.Ns;
    Share.TotalNs += Calls.Ns;
    Report.Kernels[Kernel].TotalNs += Calls.Ns;
  }
  std::vector<uint32_t> RowOfSite; // one row, of all kernels
  for (const size_t Kernel : KernelOf)
    RowOfSite.push_back(Kernel == Nowhere ? 1 : 0);
  const std::vector<RunChange> Changes = ThreadTimes(Whole).changes();
  if (!Changes.empty()) {
    std::vector<Interval> Parts;
    addTeamParts(Whole, kernelRows(Whole), Parts);
    for (Interval &Part : Parts)
      if (const size_t Input = InputOf[Part.Track]; Input != NoInput) {
        Part.Row = 0;
        Extents[Input].Kernels.push_back(Part);
      }
  }
  for (size_t Input = 0; Input < Count; ++Input) {
    Extent &Its = Extents[Input];
    if (Its.Begin > Its.End)
      continue; // nothing happened
    RankRow &Row = Report.Rows[Input];
    Row.WindowNs = Its.End - Its.Begin;
    SelfTimes Times = selfTimes(std::move(Its.Kernels), 1, Its.Begin, Its.End, Changes);
    if (HasUntimed[Input]) {
      std::vector<bool> OnTracks(InputOf.size());
      for (size_t Track = 0; Track < InputOf.size(); ++Track)
        OnTracks[Track] = InputOf[Track] == Input;
      moveUntimed(Whole, RowOfSite, Times.RowNs, Times.UnattributedNs, &OnTracks);
    }
    Row.KernelNs = Times.RowNs[0];
    Row.UnattributedNs = Times.UnattributedNs + Times.BlockedNs + Times.PreemptedNs;
  }
  std::erase_if(Report.Kernels, [](const RankKernel &Kernel) {
    return std::ranges::all_of(Kernel.Shares, [](const RankShare &Share) { return !Share.Calls; });
  });
  joinNames(Whole, Report.Kernels);
  std::ranges::stable_sort(Report.Kernels, std::greater(), &RankKernel::TotalNs);
  return Report;
}

std::optional<RankImbalance> imbalanceOf(const RankReport &Ranks) {
  RankImbalance Found;
  size_t Count = 0;
  for (size_t Input = 0; Input < Ranks.Rows.size(); ++Input) {
    const RankRow &Row = Ranks.Rows[Input];
    if (!Row.MessageNs)
      continue;
    ++Count;
    Found.MeanNs += Row.KernelNs;
    if (Row.KernelNs > Found.MostNs)
      std::tie(Found.Most, Found.MostNs) = std::pair(Input, Row.KernelNs);
    if (Row.MessageNs > Found.WaitNs)
      std::tie(Found.Waits, Found.WaitNs) = std::pair(Input, Row.MessageNs);
  }
  if (Count < 2 || Found.MeanNs < static_cast<int64_t>(Count))
    return std::nullopt;
  Found.MeanNs /= static_cast<int64_t>(Count);
  return Found;
}

} // namespace seamscope::tools
