//===- RankParts.cpp - what each rank did in its wall time ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/RankParts.h"

#include "analysis/core/Cover.h"
#include "analysis/devices/Communication.h"
#include "analysis/torch/Steps.h"

#include <algorithm>
#include <map>
#include <utility>

namespace seamscope::tools {
namespace {

/// What one rank did, as stretches that may overlap.
struct Stretches {
  Cover Kernels; ///< of devices
  Cover Transfers, Waits, Copies, Compilation;
  struct Thread {
    Cover Operators, OfCommunication, Compilation;
  };
  std::map<TrackId, Thread> Threads; ///< of the host
  bool HasDevice = false;
};

/// Moments in which a thread is in an operator that does not communicate; operators called while
/// torch compiles do not compute.
Cover computeOfHost(std::map<TrackId, Stretches::Thread> Threads) {
  Cover All;
  for (auto &[Track, Each] : Threads) {
    Cover Others = std::move(Each.OfCommunication);
    Others.insert(Others.end(), Each.Compilation.begin(), Each.Compilation.end());
    const Cover Own = differenceOf(unionOf(std::move(Each.Operators)), unionOf(std::move(Others)));
    All.insert(All.end(), Own.begin(), Own.end());
  }
  return unionOf(std::move(All));
}

/// Removes \p Taken from \p Of, adds the rest to \p Taken, and returns the length of the rest.
int64_t take(Cover Of, Cover &Taken) {
  const Cover Own = differenceOf(unionOf(std::move(Of)), Taken);
  Taken.insert(Taken.end(), Own.begin(), Own.end());
  Taken = unionOf(std::move(Taken));
  return lengthOf(Own);
}

std::vector<Stretches> stretchesOf(const Trace &Whole, const RankReport &Ranks,
                                   const std::vector<Collective> &Found,
                                   const CollectiveMatch &Match) {
  const EventColumns &Events = Whole.Events;
  const std::vector<size_t> InputOf = inputsOfTracks(Whole, Ranks.Inputs);
  std::vector<Stretches> Result(Ranks.Inputs.size());
  std::map<uint32_t, int64_t> WaitOf(Match.Waits.begin(), Match.Waits.end());
  std::vector<bool> IsCollective(Events.size());
  for (const Collective &Each : Found)
    IsCollective[Each.Event] = true;
  for (uint32_t I = 0; I < Events.size(); ++I) {
    const size_t Input = InputOf[Events.Track[I]];
    if (Input == NoInput)
      continue;
    Stretches &To = Result[Input];
    const Site &What = Whole.Sites[Events.Site[I]];
    const int64_t Begin = Events.BeginNs[I], End = Events.endNs(I);
    To.HasDevice |= isDeviceWork(What.Kind, What.Device);
    if (IsCollective[I]) {
      const auto Wait = WaitOf.find(I);
      const int64_t Begun = Wait == WaitOf.end() ? Begin : Begin + Wait->second;
      To.Waits.emplace_back(Begin, Begun);
      To.Transfers.emplace_back(Begun, End);
    } else if (isDeviceWork(What.Kind, What.Device)) {
      (What.Kind == SiteKind::Kernel ? To.Kernels : To.Copies).emplace_back(Begin, End);
    } else if (isCompilation(Whole, What)) {
      To.Threads[Events.Track[I]].Compilation.emplace_back(Begin, End);
      To.Compilation.emplace_back(Begin, End);
    } else if (isHostOperator(What)) {
      Stretches::Thread &Its = To.Threads[Events.Track[I]];
      (isOfCommunication(Whole.text(What.Name)) ? Its.OfCommunication : Its.Operators)
          .emplace_back(Begin, End);
    }
  }
  return Result;
}

} // namespace

RanksParts partsOfRanks(const Trace &Whole, const RankReport &Ranks,
                        const std::vector<Collective> &Found, const CollectiveMatch &Match) {
  std::vector<Stretches> All = stretchesOf(Whole, Ranks, Found, Match);
  RanksParts Result;
  Result.OfDevices = std::ranges::any_of(All, &Stretches::HasDevice);
  for (size_t I = 0; I < All.size(); ++I) {
    Stretches &Its = All[I];
    const RankRow &Row = Ranks.Rows[I];
    std::optional<RankParts> &Parts = Result.Rows.emplace_back();
    if (!Row.Events || (Result.OfDevices && !Its.HasDevice))
      continue;
    Parts.emplace();
    Cover Taken;
    Parts->ComputeNs = take(
        Result.OfDevices ? std::move(Its.Kernels) : computeOfHost(std::move(Its.Threads)), Taken);
    Parts->CommunicationNs = take(std::move(Its.Transfers), Taken);
    Parts->WaitNs = take(std::move(Its.Waits), Taken);
    Parts->CopyNs = take(std::move(Its.Copies), Taken);
    Parts->CompileNs = take(std::move(Its.Compilation), Taken);
    Parts->RestNs = Row.WindowNs - lengthOf(Taken);
  }
  return Result;
}

} // namespace seamscope::tools
