//===- Categories.cpp - traces of which no category is known -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/health/Checks.h"

#include "analysis/core/Cut.h"
#include "analysis/core/Order.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// A writer that knows no categories has its calls taken for kernels. One that knows some means
/// something else by events that have none: sums, frames, phases. What regions or loops call their
/// kernel is one.
void setUncategorisedAside(Trace &Source) {
  std::set<StringId> Kernels;
  for (const Site &What : Source.Sites)
    if (What.Kind == SiteKind::Region || What.Kind == SiteKind::Loop)
      Kernels.insert(What.Kernel);
  std::vector<bool> Without(Source.Sites.size());
  bool Any = false, Others = false;
  for (SiteId Id = 0; Id < Source.Sites.size(); ++Id) {
    const Site &What = Source.Sites[Id];
    Without[Id] = !What.Category && What.Kind == SiteKind::Kernel && What.Name && !What.Kernel &&
                  !Kernels.contains(What.Name);
    Any |= Without[Id];
    Others |= What.Category != 0;
  }
  if (!Any || !Others)
    return;
  const std::vector<uint32_t> Events =
      eventsWhere(Source, [&](uint32_t I) { return Without[Source.Events.Site[I]]; });
  // In a part need not be one.
  if (Events.empty() &&
      !(Source.Info.Cut && Source.Info.Cut->Health.find(HealthCheck::UnknownCategories)))
    return;
  int64_t Ns = 0;
  for (const uint32_t I : Events)
    Ns += Source.Events.DurationNs[I];
  for (SiteId Id = 0; Id < Source.Sites.size(); ++Id)
    if (Without[Id])
      Source.Sites[Id].Kind = SiteKind::Other;
  addFinding(Source, HealthCheck::UnknownCategories, Events, Ns,
             fmt::format("{} without a category while others have one: not counted as kernels",
                         counted(Events.size(), "event")));
}

} // namespace

void checkCategories(Trace &Source) {
  setUncategorisedAside(Source);
  const auto Known = [&](SiteId Id) { return Source.Sites[Id].Kind != SiteKind::Other; };
  const std::vector<SiteId> &Of = Source.Events.Site;
  // Most traces begin with something that is known.
  if (Of.empty() || std::ranges::any_of(Of, Known))
    return;
  std::map<std::string_view, uint64_t> Counts;
  for (const SiteId Id : Of)
    ++Counts[Source.text(Source.Sites[Id].Category)];
  std::vector<std::pair<std::string_view, uint64_t>> Rows(Counts.begin(), Counts.end());
  std::ranges::stable_sort(Rows, std::greater(), &std::pair<std::string_view, uint64_t>::second);
  constexpr size_t Most = 6;
  std::string Names;
  for (size_t I = 0; I < std::min(Most, Rows.size()); ++I)
    Names += fmt::format("{}{} {}", I ? ", " : "", Rows[I].second, Rows[I].first);
  if (Rows.size() > Most)
    Names += fmt::format(" and {} more", Rows.size() - Most);
  std::vector<uint32_t> All(Of.size());
  for (uint32_t I = 0; I < All.size(); ++I)
    All[I] = I;
  const TimeRange Whole = *extentOf(Source);
  std::erase_if(Source.Health.Found, [](const HealthFinding &Each) {
    return Each.Check == HealthCheck::UnknownCategories;
  });
  addFinding(Source, HealthCheck::UnknownCategories, All, Whole.EndNs - Whole.BeginNs,
             fmt::format("none of the categories is known ({}): events are shown by category and "
                         "name; their kind is unknown",
                         Names));
}

} // namespace seamscope::tools
