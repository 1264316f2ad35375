//===- Steps.cpp - the steps of a program, in two runs of it -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/torch/Steps.h"
#include "analysis/core/Cut.h"
#include "analysis/core/Order.h"
#include "trace/model/StepName.h"

#include <map>
#include <string>

namespace seamscope::tools {
namespace {

bool isScope(const Site &What) {
  return What.Device < 0 && (What.Kind == SiteKind::Annotation || What.Kind == SiteKind::Span);
}

/// Events of sites whose names \p Wanted accepts.
template <typename WantedFn> std::vector<uint32_t> scopesOf(const Trace &Input, WantedFn Wanted) {
  std::vector<bool> Chosen(Input.Sites.size());
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id)
    Chosen[Id] = isScope(Input.Sites[Id]) && Wanted(Input.text(Input.Sites[Id].Name));
  return eventsWhere(Input, [&](uint32_t I) { return Chosen[Input.Events.Site[I]]; });
}

using Stretches = std::vector<std::pair<int64_t, int64_t>>;

/// Adds a stretch that begins no earlier than the last; if they touch, they are joined.
void addStretch(Stretches &To, int64_t Begin, int64_t End) {
  if (!To.empty() && Begin <= To.back().second)
    To.back().second = std::max(To.back().second, End);
  else
    To.emplace_back(Begin, End);
}

/// Stretches of compilation in the order of time, none touching another.
Stretches compilations(const Trace &Input) {
  Stretches All, Merged;
  for (const uint32_t I : scopesOf(Input, [](auto Name) { return Name == CompileScope; }))
    All.emplace_back(Input.Events.BeginNs[I], Input.Events.endNs(I));
  std::ranges::sort(All);
  for (const auto &[Begin, End] : All)
    addStretch(Merged, Begin, End);
  return Merged;
}

std::vector<Step> turnsOf(const std::vector<Step> &Calls) {
  const auto Loop =
      loopCalls(Calls, [](const Step &Call) { return std::pair(Call.Name, Call.Track); });
  std::vector<Step> Turns;
  for (size_t I = 1; I < Loop.size(); ++I)
    Turns.emplace_back(*Loop[I - 1]).EndNs = Loop[I]->BeginNs;
  return Turns;
}

} // namespace

bool isCompilation(const Trace &Input, const Site &What) {
  return isScope(What) && Input.text(What.Name) == CompileScope;
}

std::vector<uint32_t> markedSteps(const Trace &Input) { return scopesOf(Input, isStepName); }

bool marksSteps(const Trace &Input) { return !markedSteps(Input).empty(); }

std::vector<Step> stepsOf(const Trace &Input, StepsBy By) {
  const EventColumns &Events = Input.Events;
  std::vector<Step> Steps;
  const auto Scopes = scopesOf(Input, [&](std::string_view Name) {
    return By == StepsBy::Mark ? isStepName(Name) : Name.starts_with(CompiledCallPrefix);
  });
  std::map<TrackId, int64_t> CoveredTo;
  for (const uint32_t I : orderedByTrack(Input, Scopes)) {
    const auto [Covered, First] = CoveredTo.try_emplace(Events.Track[I], Events.BeginNs[I]);
    if (Events.BeginNs[I] < Covered->second)
      continue; // a nested call
    Covered->second = Events.endNs(I);
    Steps.push_back({Input.Sites[Events.Site[I]].Name, Events.Track[I], Events.BeginNs[I],
                     Events.endNs(I), false});
  }
  std::ranges::stable_sort(Steps, {}, &Step::BeginNs);
  if (By == StepsBy::Turn)
    Steps = turnsOf(Steps);
  const auto Compilations = compilations(Input);
  for (Step &Each : Steps) {
    // The first stretch that ends after the step's begin.
    const auto Found = std::ranges::upper_bound(Compilations, Each.BeginNs, {},
                                                &std::pair<int64_t, int64_t>::second);
    Each.Compiles = Found != Compilations.end() && Found->first < Each.EndNs;
  }
  return Steps;
}

std::vector<StepPair> pairSteps(const Trace &Compiled, const std::vector<Step> &CompiledSteps,
                                const Trace &Eager, const std::vector<Step> &EagerSteps,
                                size_t &Unpaired) {
  // Steps that the program numbers are identified by their numbers, calls of a function by their
  // count.
  const auto Keys = [](const Trace &Input, const std::vector<Step> &Steps) {
    std::map<std::pair<std::string, size_t>, uint32_t> ByKey;
    std::map<std::string, size_t> Count;
    for (uint32_t I = 0; I < Steps.size(); ++I) {
      const std::string Name(Input.text(Steps[I].Name));
      ByKey[{Name, Count[Name]++}] = I;
    }
    return ByKey;
  };
  const auto OfEager = Keys(Eager, EagerSteps);
  std::vector<StepPair> Pairs;
  for (const auto &[Key, Index] : Keys(Compiled, CompiledSteps))
    if (const auto Found = OfEager.find(Key); Found != OfEager.end())
      Pairs.push_back({Index, Found->second,
                       CompiledSteps[Index].Compiles || EagerSteps[Found->second].Compiles
                           ? StepUse::Compiling
                           : StepUse::Steady});
  Unpaired = CompiledSteps.size() + EagerSteps.size() - 2 * Pairs.size();
  std::ranges::sort(Pairs, {}, &StepPair::Compiled);
  // Numbered steps are of one kind.
  std::map<std::string_view, std::vector<StepPair *>> ByFunction;
  for (StepPair &Pair : Pairs)
    if (Pair.Use == StepUse::Steady) {
      const std::string_view Name = Compiled.text(CompiledSteps[Pair.Compiled].Name);
      ByFunction[isStepName(Name) ? std::string_view() : Name].push_back(&Pair);
    }
  int64_t WarmedUpNs = INT64_MIN;
  for (const auto &[Name, Steady] : ByFunction) {
    std::vector<std::pair<int64_t, int64_t>> Ns;
    for (const StepPair *Pair : Steady)
      Ns.emplace_back(CompiledSteps[Pair->Compiled].wallNs(), EagerSteps[Pair->Eager].wallNs());
    if (const size_t Count = warmUpSteps(Ns)) {
      for (size_t I = 0; I < Count; ++I)
        Steady[I]->Use = StepUse::WarmUp;
      const int64_t LastNs = CompiledSteps[Steady[Count - 1]->Compiled].BeginNs;
      WarmedUpNs = std::max(WarmedUpNs, LastNs);
    }
  }
  // For all functions at once: otherwise one of them would weigh more in a mean than in the
  // program. If nothing would be left, nothing is left out.
  for (const auto &[Name, Steady] : ByFunction)
    for (size_t I = 0; I < Steady.size(); ++I)
      if (CompiledSteps[Steady[I]->Compiled].BeginNs <= WarmedUpNs &&
          CompiledSteps[Steady.back()->Compiled].BeginNs > WarmedUpNs)
        Steady[I]->Use = StepUse::WarmUp;
  return Pairs;
}

size_t warmUpSteps(const std::vector<std::pair<int64_t, int64_t>> &Ns) {
  const size_t Half = Ns.size() / 2;
  int64_t MostFirst = 0, MostSecond = 0;
  for (size_t I = Half; I < Ns.size(); ++I) {
    MostFirst = std::max(MostFirst, Ns[I].first);
    MostSecond = std::max(MostSecond, Ns[I].second);
  }
  size_t Count = 0;
  while (Count < Half && (Ns[Count].first > MostFirst || Ns[Count].second > MostSecond))
    ++Count;
  return Count;
}

uint64_t dropOperatorsOfCompilation(Trace &Input) {
  const EventColumns &Events = Input.Events;
  const auto Scopes = scopesOf(Input, [](auto Name) { return Name == CompileScope; });
  if (Scopes.empty())
    return 0;
  // By thread, in the order of time, none touching another.
  std::vector<Stretches> Compiling(Input.Tracks.size());
  for (const uint32_t I : orderedByTrack(Input, Scopes))
    addStretch(Compiling[Events.Track[I]], Events.BeginNs[I], Events.endNs(I));
  std::vector<bool> Stays(Events.size(), true);
  uint64_t Dropped = 0;
  for (size_t I = 0; I < Events.size(); ++I) {
    const Site &What = Input.Sites[Events.Site[I]];
    if (What.Kind != SiteKind::Operator || What.Device >= 0)
      continue;
    const auto &Known = Compiling[Events.Track[I]];
    const auto Found = std::ranges::upper_bound(Known, Events.BeginNs[I], {},
                                                &std::pair<int64_t, int64_t>::second);
    if (Found == Known.end() || Found->first > Events.BeginNs[I])
      continue;
    Stays[I] = false;
    ++Dropped;
  }
  keepEvents(Input, Stays);
  return Dropped;
}

CompilationTime::CompilationTime(const Trace &Input) : Stretches(compilations(Input)) {}

int64_t CompilationTime::in(int64_t BeginNs, int64_t EndNs) const {
  int64_t Sum = 0;
  for (auto At =
           std::ranges::upper_bound(Stretches, BeginNs, {}, &std::pair<int64_t, int64_t>::second);
       At != Stretches.end() && At->first < EndNs; ++At)
    Sum += std::min(At->second, EndNs) - std::max(At->first, BeginNs);
  return Sum;
}

} // namespace seamscope::tools
