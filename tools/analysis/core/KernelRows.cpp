//===- KernelRows.cpp - which calls belong to one kernel ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/KernelRows.h"

#include "analysis/core/Order.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace seamscope::tools {
namespace {

bool hasRow(SiteKind Kind) { return Kind == SiteKind::Kernel || Kind == SiteKind::Annotation; }

} // namespace

KernelRows kernelRows(const Trace &Input) {
  KernelRows Rows;
  Rows.OfSite.assign(Input.Sites.size(), KernelRows::None);
  std::map<decltype(rowKey({})), uint32_t> Known;
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id) {
    const Site &What = Input.Sites[Id];
    if (!hasRow(What.Kind))
      continue;
    const auto [Row, New] =
        Known.try_emplace(rowKey(What), static_cast<uint32_t>(Rows.Sites.size()));
    if (New)
      Rows.Sites.push_back(Id);
    Rows.OfSite[Id] = Row->second;
  }
  return Rows;
}

KernelsByName::KernelsByName(const Trace &Input, const KernelRows &Rows) {
  for (const bool OnDevice : {false, true}) // host kernels before device kernels of the same name
    for (uint32_t Row = 0; Row < Rows.Sites.size(); ++Row) {
      const Site &Kernel = Input.Sites[Rows.Sites[Row]];
      if (Kernel.Kind != SiteKind::Kernel || (Kernel.Device >= 0) != OnDevice)
        continue;
      First.try_emplace(Kernel.Name, Row);
      ByPlace.try_emplace({Kernel.Name, Kernel.File, Kernel.Line}, Row);
    }
}

uint32_t KernelsByName::rowOf(const Site &Part) const {
  const StringId File = Part.fileOfKernel();
  const uint32_t Line = Part.KernelFile ? Part.KernelLine : Part.Line;
  const auto IsOfFile = [&](const auto &Entry) {
    return std::get<0>(Entry.first) == Part.Kernel && std::get<1>(Entry.first) == File;
  };
  const auto Behind = ByPlace.upper_bound({Part.Kernel, File, Line});
  if (Behind != ByPlace.begin() && IsOfFile(*std::prev(Behind)))
    return std::prev(Behind)->second;
  return Behind != ByPlace.end() && IsOfFile(*Behind) ? Behind->second : First.at(Part.Kernel);
}

std::vector<bool> recursiveCalls(const Trace &Input, const KernelRows &Rows) {
  const EventColumns &Events = Input.Events;
  // Devices do not call: overlapping work runs in parallel.
  std::vector<bool> MayRecur(Input.Sites.size());
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id)
    MayRecur[Id] = Rows.OfSite[Id] != KernelRows::None && Input.Sites[Id].Device < 0;

  // The outermost call of each row that a thread is in, or was in last.
  struct Outermost {
    TrackId Track = UINT32_MAX;
    int64_t EndNs = 0;
  };
  std::vector<Outermost> Last(Rows.Sites.size());
  std::vector<bool> Recursive;
  for (const uint32_t I : orderedByTrack(
           Input, eventsWhere(Input, [&](uint32_t I) { return MayRecur[Events.Site[I]]; }))) {
    Outermost &Outer = Last[Rows.OfSite[Events.Site[I]]];
    const bool SameThread = Outer.Track == Events.Track[I];
    if (SameThread && Events.BeginNs[I] < Outer.EndNs && Events.endNs(I) <= Outer.EndNs) {
      Recursive.resize(Events.size());
      Recursive[I] = true;
      continue;
    }
    Outer = {Events.Track[I], std::max(SameThread ? Outer.EndNs : INT64_MIN, Events.endNs(I))};
  }
  return Recursive;
}

} // namespace seamscope::tools
