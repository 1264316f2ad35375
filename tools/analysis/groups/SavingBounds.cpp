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
                           const std::vector<DeviceRow> &Devices, const CriticalPaths *Paths) {
  for (const Origin &Link : Links) {
    std::vector<Edge> &Of = Edges[Source.Sites[Source.Events.Site[Link.Work]].Device];
    Of.push_back({Source.Events.BeginNs[Link.Work], Link.Work, false});
    Of.push_back({Source.Events.endNs(Link.Work), Link.Work, true});
  }
  for (auto &[Device, Of] : Edges)
    std::ranges::sort(Of, {}, &Edge::Ns);
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
  std::map<int32_t, int64_t> Alone;
  for (const auto &[Device, Of] : Edges) {
    bool Any = false, AnyCounts = false;
    int64_t Ns = 0, Since = 0, These = 0, Others = 0;
    for (const Edge &At : Of) {
      const bool IsOne = Is(At.Work);
      Any |= IsOne;
      if (IsIgnored(At.Work))
        continue;
      AnyCounts = true;
      if (These > 0 && Others <= 0)
        Ns += At.Ns - Since;
      Since = At.Ns;
      (IsOne ? These : Others) += At.Ends ? -1 : 1;
    }
    if (Any && AnyCounts)
      Alone[Device] = Ns;
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
