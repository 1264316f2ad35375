//===- DetailChecks.cpp - what must hold of analyses of details -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DetailChecks.h"
#include "Checks.h"

#include "analysis/compare/StepsAlone.h"
#include "analysis/devices/CollectiveRanks.h"
#include "analysis/devices/Communication.h"
#include "analysis/devices/Copies.h"
#include "analysis/groups/Modules.h"
#include "analysis/torch/CriticalPath.h"
#include "analysis/torch/Memory.h"

#include <algorithm>

namespace seamscope::fuzz {

using namespace tools;

namespace {

void checkColumns(const Trace &Read) {
  const EventDetails &Details = Read.Details;
  const auto CheckEvents = [&](const auto &Rows) {
    SEAMSCOPE_CHECK(std::ranges::is_sorted(Rows, {}, [](const auto &Row) { return Row.Event; }));
    SEAMSCOPE_CHECK(
        std::ranges::all_of(Rows, [&](const auto &Row) { return Row.Event < Read.Events.size(); }));
  };
  CheckEvents(Details.Collectives);
  CheckEvents(Details.Copies);
  CheckEvents(Details.Syncs);
  for (const CollectiveCall &Of : Details.Collectives)
    for (const StringId Text : {Of.Name, Of.Type, Of.Group, Of.Ranks})
      SEAMSCOPE_CHECK(Text < Read.Strings.size());
  for (const MemoryChange &Change : Details.Memory)
    SEAMSCOPE_CHECK(Change.Track < Read.Tracks.size());
}

void checkModules(const Trace &Read, const std::vector<Origin> &Links) {
  const Directions Parts(Read);
  for (const ModuleNames Named : {ModuleNames::Instances, ModuleNames::Classes}) {
    const ModulePaths Paths(Read, Parts, Named);
    const ModuleTimes Times = moduleTimes(Read, Links, Paths, Parts);
    ModuleTime Self, Top;
    for (const ModuleRow &Row : Times.Rows) {
      Self.add(Row.Self);
      if (Row.Depth <= 1)
        Top.add(Row.Total);
    }
    SEAMSCOPE_CHECK(Self == Times.Sum && Top == Times.Sum);
    int64_t Work = 0;
    for (const Origin &Link : Links)
      Work += Read.Events.DurationNs[Link.Work];
    SEAMSCOPE_CHECK(Work == Times.Sum.DeviceNs);
  }
}

void checkCommunication(const Trace &Read, const std::vector<Origin> &Links) {
  const std::vector<Collective> Found = findCollectives(Read, Links);
  const Communication Of = communication(Read, Found);
  uint64_t InRows = 0, InPlaces = 0;
  for (const CollectiveRow &Row : Of.Rows) {
    InRows += Row.Calls;
    SEAMSCOPE_CHECK(Row.MinNs <= Row.MedianNs && Row.MedianNs <= Row.MaxNs);
  }
  for (const CommunicationRow &Row : Of.Places) {
    InPlaces += Row.Calls;
    SEAMSCOPE_CHECK(Row.OverlappedNs >= 0 && Row.ExposedNs >= 0);
    SEAMSCOPE_CHECK(Row.OverlappedNs + Row.ExposedNs == Row.CommunicationNs);
    SEAMSCOPE_CHECK(Row.CommunicationNs <= Row.SumNs);
  }
  SEAMSCOPE_CHECK(InRows == Found.size() && InPlaces == Found.size());
  RankReport Ranks;
  for (const Track &Each : Read.Tracks)
    if (Ranks.Inputs.size() < 4)
      Ranks.Inputs.push_back({"rank", "", {}, {std::string(Read.text(Each.Process))}});
  const CollectiveMatch Match = matchCollectives(Read, Ranks, Found);
  uint64_t Matched = Match.UnknownGroup + Match.MissingRanks + Match.OtherCounts +
                     Match.OtherSizes + Match.Contradicted + Match.BetweenTwo;
  for (const CollectiveShare &Share : Match.Shares) {
    Matched += Share.Calls;
    SEAMSCOPE_CHECK(Share.WaitNs >= 0 && Share.TransferNs >= 0);
  }
  SEAMSCOPE_CHECK(Matched <= Found.size());
}

void checkPaths(const Trace &Read, const std::vector<Origin> &Links) {
  const CriticalPaths Paths(Read, Links);
  std::vector<Step> Steps = stepsOf(Read, StepsBy::Mark);
  Steps.resize(std::min<size_t>(Steps.size(), 3));
  Steps.push_back(Paths.wholeTrace());
  for (const Step &Each : Steps)
    for (const PathEnd End : {PathEnd::Step, PathEnd::Device}) {
      std::vector<PathSegment> Segments;
      const CriticalPath Path =
          Paths.of(Each, End, [&](const PathSegment &Part) { Segments.push_back(Part); });
      std::ranges::reverse(Segments);
      int64_t Now = Path.BeginNs, Sum = 0;
      for (const PathSegment &Part : Segments) {
        SEAMSCOPE_CHECK(Part.BeginNs == Now && Part.EndNs > Now);
        Now = Part.EndNs;
      }
      SEAMSCOPE_CHECK(Now == Path.EndNs);
      for (const PathSum &Row : Path.Sums)
        Sum += Row.Ns;
      SEAMSCOPE_CHECK(Sum == Path.wallNs());
    }
}

/// All of a step's time is in its parts, whatever steps are.
void checkSteps(const Trace &Read) {
  const StepsAlone Found = stepsAlone(Read, {});
  for (const StepTimes &Each : Found.Steps) {
    int64_t Sum = 0;
    for (const PartTimes &Part : Each.Of)
      Sum += Part.CompiledNs;
    SEAMSCOPE_CHECK(Sum == Each.CompiledNs && Each.CompiledNs >= 0);
  }
  for (const Step &Each : stepsOf(Read, StepsBy::Turn))
    SEAMSCOPE_CHECK(Each.wallNs() >= 0);
}

} // namespace

void checkDetails(const Trace &Read) {
  checkColumns(Read);
  const std::vector<Origin> Links = linkWork(Read);
  checkModules(Read, Links);
  checkCommunication(Read, Links);
  checkPaths(Read, Links);
  checkSteps(Read);
  uint64_t Changes = 0;
  for (const MemoryRow &Row : memoryRows(Read)) {
    uint64_t OfOperators = 0;
    for (const OperatorMemoryRow &Of : Row.Operators)
      OfOperators += Of.Allocations + Of.Frees;
    SEAMSCOPE_CHECK(OfOperators == Row.Allocations + Row.Frees);
    Changes += OfOperators;
  }
  SEAMSCOPE_CHECK(Changes == Read.Details.Memory.size());
  const Copies Moved = copiesOf(Read);
  for (const CopyPlace &Place : Moved.Places)
    SEAMSCOPE_CHECK(Place.OverlappedNs >= 0 && Place.ExposedNs >= 0);
}

} // namespace seamscope::fuzz
