//===- SavingBounds.cpp - upper bounds of savings -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/SavingBounds.h"

#include "analysis/torch/CriticalPath.h"

#include <algorithm>
#include <limits>

namespace seamscope::tools {

SavingBounds::SavingBounds(const Trace &Source, const std::vector<Origin> &Links,
                           const std::vector<DeviceRow> &Devices, const CriticalPaths *Paths)
    : Source(Source), Links(Links) {
  // Several devices each have their own path, and if launches or work are missing, no path is
  // known.
  if (!Paths || Devices.size() != 1 || !Source.Details.Unserved.empty() ||
      !Source.Details.Clipped.empty() || Source.Health.isSkewed(Devices[0].Id))
    return;
  if (std::ranges::any_of(Links, [](const Origin &Of) { return Of.Launch == NoEvent; }))
    return;
  const WholePath &Found = Paths->whole();
  // A wait that was not followed hides the work that it waited for.
  if (Paths->wholeTrace().wallNs() <= 0 || Found.UnknownSyncs || Found.UnknownStreamWaits)
    return;
  Path &Of = Critical.emplace(&Found.WorkNs);
  for (const PathSum &Each : Found.Sums)
    if (Each.Kind == PathKind::Unknown)
      Of.UnknownNs += Each.Ns;
    else if (Each.Kind != PathKind::Device && Each.Kind != PathKind::KernelGap)
      Of.HostNs += Each.Ns;
}

std::map<int32_t, int64_t> SavingBounds::aloneNs(const WorkFilter &Is,
                                                 const WorkFilter &IsIgnored) const {
  const EventColumns &Events = Source.Events;
  const auto DeviceOf = [&](uint32_t I) { return Source.Sites[Events.Site[I]].Device; };
  std::map<int32_t, bool> Any;
  for (const Origin &Link : Links)
    Any[DeviceOf(Link.Work)] |= Is(Link.Work);
  std::map<int32_t, std::vector<std::pair<int64_t, int>>> Edges; // by device: time, which
  for (const Origin &Link : Links) {
    const int32_t Device = DeviceOf(Link.Work);
    if (!Any[Device] || IsIgnored(Link.Work))
      continue;
    const int Sign = Is(Link.Work) ? 2 : 1;
    Edges[Device].push_back({Events.BeginNs[Link.Work], Sign});
    Edges[Device].push_back({Events.endNs(Link.Work), -Sign});
  }
  std::map<int32_t, int64_t> Alone;
  for (auto &[Device, Times] : Edges) {
    std::ranges::sort(Times);
    int64_t &Ns = Alone[Device];
    int64_t Since = 0, These = 0, Others = 0;
    for (const auto &[At, Sign] : Times) {
      if (These > 0 && Others <= 0)
        Ns += At - Since;
      Since = At;
      (Sign == 2 || Sign == -2 ? These : Others) += Sign > 0 ? 1 : -1;
    }
  }
  return Alone;
}

int64_t SavingBounds::ofWork(const WorkFilter &Is) const {
  int64_t Ns = 0; // devices work at the same time
  for (const auto &[Device, AloneNs] : aloneNs(Is))
    Ns = std::max(Ns, AloneNs);
  if (!Critical)
    return Ns;
  int64_t OnPath = Critical->UnknownNs;
  for (const auto &[Work, PathNs] : *Critical->WorkNs)
    if (Is(Work))
      OnPath += PathNs;
  return std::min(Ns, OnPath);
}

int64_t SavingBounds::ofHost() const {
  return Critical ? Critical->HostNs + Critical->UnknownNs : std::numeric_limits<int64_t>::max();
}

} // namespace seamscope::tools
