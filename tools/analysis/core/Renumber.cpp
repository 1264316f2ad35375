//===- Renumber.cpp - gives sites and texts of a part new numbers --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Renumber.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace seamscope::tools {
namespace {

void renumberSites(Trace &Input) {
  constexpr SiteId None = std::numeric_limits<SiteId>::max();
  std::vector<SiteId> New(Input.Sites.size(), None);
  std::vector<Site> Sites;
  const auto Use = [&](SiteId Old) {
    if (New[Old] == None) {
      New[Old] = static_cast<SiteId>(Sites.size());
      Sites.push_back(Input.Sites[Old]);
    }
    return New[Old];
  };
  for (SiteId &Id : Input.Events.Site)
    Id = Use(Id);
  const auto UseAll = [&](auto &Rows) {
    for (auto &Row : Rows)
      Row.Site = Use(Row.Site);
  };
  UseAll(Input.Details.KernelLoops);
  UseAll(Input.Details.Captures);
  UseAll(Input.Profile);
  UseAll(Input.Throttled);
  UseAll(Input.Abandoned);
  // The kernels that regions and loops belong to.
  std::set<StringId> Kernels;
  for (const Site &What : Sites)
    if (What.Kernel && What.Kind != SiteKind::Kernel)
      Kernels.insert(What.Kernel);
  for (SiteId Id = 0; Id < New.size(); ++Id)
    if (Input.Sites[Id].Kind == SiteKind::Kernel && Kernels.contains(Input.Sites[Id].Name))
      Use(Id);
  Input.Sites = std::move(Sites);
  std::ranges::sort(Input.Abandoned, {}, &AbandonedCalls::Site);
}

void renumberTexts(Trace &Input) {
  constexpr StringId None = std::numeric_limits<StringId>::max();
  StringTable Strings;
  std::vector<StringId> New(Input.Strings.size(), None);
  const auto Use = [&](StringId &Id) {
    if (New[Id] == None)
      New[Id] = Strings.intern(Input.Strings[Id]);
    Id = New[Id];
  };
  for (Site &What : Input.Sites)
    Site::forEachText(What, Use);
  for (CallStack &Of : Input.Details.Stacks)
    Use(Of.Frames);
  for (LaunchCounters &Of : Input.Details.Counters)
    for (StringId *const Id : {&Of.Counts, &Of.Words, &Of.Unknown})
      Use(*Id);
  for (CollectiveCall &Of : Input.Details.Collectives)
    for (StringId *const Id : {&Of.Name, &Of.Type, &Of.Group, &Of.Ranks})
      Use(*Id);
  for (Track &Where : Input.Tracks)
    for (StringId *const Id : {&Where.Process, &Where.Thread, &Where.ThreadName})
      Use(*Id);
  for (Process &Known : Input.Processes)
    for (StringId *const Id : {&Known.Pid, &Known.Name, &Known.Labels})
      Use(*Id);
  for (Device &Known : Input.Devices)
    Use(Known.Name);
  Input.Strings = std::move(Strings);
}

} // namespace

void renumber(Trace &Input) {
  renumberSites(Input);
  renumberTexts(Input);
}

} // namespace seamscope::tools
