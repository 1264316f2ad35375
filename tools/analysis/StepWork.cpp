//===- StepWork.cpp - what ran on a step's thread, one after the other ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/StepWork.h"
#include "analysis/HostNesting.h"

#include <algorithm>

namespace seamscope::tools {
namespace {

enum class Role : uint8_t { None, Container, Region, Guard, Kernel, Operator, Backward, Optimizer };

Role roleOf(const Trace &Input, const Site &What) {
  const std::string_view Name = Input.text(What.Name);
  if (What.Device >= 0)
    return Role::None;
  if (What.Kind == SiteKind::Kernel)
    return Role::Kernel;
  if (What.Kind != SiteKind::Operator && What.Kind != SiteKind::Annotation &&
      What.Kind != SiteKind::Span)
    return Role::None;
  if (Name.starts_with("Torch-Compiled Region"))
    return Role::Region;
  if (Name == "TorchDynamo Cache Lookup")
    return Role::Guard;
  if (Name.starts_with("autograd::engine::evaluate_function"))
    return Role::Backward;
  if (Name.starts_with("Optimizer."))
    return Role::Optimizer;
  // Functions of autograd, scopes and the like hold operators; these alone have a library's name.
  return What.Kind == SiteKind::Operator && Name.find("::") != Name.npos ? Role::Operator
                                                                         : Role::Container;
}

WorkKind kindOf(Role What) {
  return What == Role::Kernel      ? WorkKind::Kernel
         : What == Role::Backward  ? WorkKind::Backward
         : What == Role::Optimizer ? WorkKind::Optimizer
                                   : WorkKind::Operator;
}

} // namespace

StepWork::StepWork(const Trace &Input)
    : Input(Input), ByTrack(Input.Tracks.size()), Guards(Input.Tracks.size()) {
  const HostNesting Nesting = nestHost(Input);
  std::vector<Role> Roles;
  for (const Site &What : Input.Sites)
    Roles.push_back(roleOf(Input, What));
  std::vector<bool> Inside(Input.Events.size());
  std::vector<uint32_t> Region(Input.Events.size(), NoEvent);
  for (const uint32_t I : Nesting.Order) {
    const Role What = Roles[Input.Events.Site[I]];
    const TrackId Track = Input.Events.Track[I];
    const bool IsWork = What >= Role::Kernel;
    if (const uint32_t Parent = Nesting.Parent[I]; Parent != NoEvent) {
      Inside[I] = Inside[Parent];
      Region[I] = Region[Parent];
    }
    if (What == Role::Region) {
      Region[I] = I;
      Regions = true;
    }
    if (What == Role::Guard)
      Guards[Track].push_back(I);
    if (IsWork && !Inside[I]) {
      ByTrack[Track].push_back({I, Region[I], kindOf(What)});
      Inside[I] = true;
    }
  }
}

std::vector<WorkItem> StepWork::in(const Step &Of) const {
  const EventColumns &Events = Input.Events;
  const std::vector<Place> &All = ByTrack[Of.Track];
  std::vector<WorkItem> Items;
  int64_t CoveredTo = Of.BeginNs;
  for (auto At = std::ranges::lower_bound(All, Of.BeginNs, {},
                                          [&](const Place &P) { return Events.BeginNs[P.Event]; });
       At != All.end() && Events.BeginNs[At->Event] < Of.EndNs; ++At) {
    const int64_t Begin = std::max(Events.BeginNs[At->Event], CoveredTo);
    const int64_t End = std::max(Begin, std::min(Events.endNs(At->Event), Of.EndNs));
    Items.push_back({At->Event, At->Region, Events.Site[At->Event], At->Kind, End - Begin});
    CoveredTo = End;
  }
  return Items;
}

int64_t StepWork::guardsNs(const Step &Of) const {
  const EventColumns &Events = Input.Events;
  const std::vector<uint32_t> &All = Guards[Of.Track];
  int64_t Sum = 0;
  for (auto At = std::ranges::lower_bound(All, Of.BeginNs, {},
                                          [&](uint32_t I) { return Events.BeginNs[I]; });
       At != All.end() && Events.BeginNs[*At] < Of.EndNs; ++At)
    Sum += std::min(Events.endNs(*At), Of.EndNs) - Events.BeginNs[*At];
  return Sum;
}

} // namespace seamscope::tools
