//===- Copies.cpp - what devices copied -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/Copies.h"

#include "analysis/core/Cover.h"

#include <algorithm>
#include <map>
#include <utility>

namespace seamscope::tools {

CopyName parseCopyName(std::string_view Name) {
  CopyName Result;
  const size_t Open = Name.find('(');
  std::string_view Head = Name.substr(0, Open);
  while (Head.ends_with(' '))
    Head.remove_suffix(1);
  if (Head.starts_with("Memset"))
    Result.Direction = "fill";
  else if (Head.starts_with("Memcpy "))
    Result.Direction = Head.substr(7);
  if (Open == Name.npos)
    return Result;
  std::string_view Kinds = Name.substr(Open + 1);
  Kinds = Kinds.substr(0, Kinds.find(')'));
  constexpr std::string_view Arrow = " -> ";
  const size_t Between = Kinds.find(Arrow);
  if (Between == Kinds.npos) {
    Result.To = Kinds;
    return Result;
  }
  Result.From = Kinds.substr(0, Between);
  Result.To = Kinds.substr(Between + Arrow.size());
  for (const std::string_view Kind : {Result.From, Result.To})
    if (Kind == "Pinned" || Kind == "Pageable")
      // A copy from host to host counts for both.
      Result.Pinned = Kind == "Pinned" && Result.Pinned.value_or(true);
  return Result;
}

Copies copiesOf(const Trace &Input) {
  const EventColumns &Events = Input.Events;
  Copies Result;
  std::map<std::pair<int32_t, StringId>, CopyRow> Rows;
  std::map<int32_t, std::pair<Cover, Cover>> Devices; // copies and kernels
  size_t Next = 0;                                    // in the list of sizes, which is by event
  for (uint32_t I = 0; I < Events.size(); ++I) {
    const Site &What = Input.Sites[Events.Site[I]];
    if (!isDeviceWork(What.Kind, What.Device))
      continue;
    auto &[Moving, Working] = Devices[What.Device];
    (What.Kind == SiteKind::Copy ? Moving : Working)
        .emplace_back(Events.BeginNs[I], Events.endNs(I));
    if (What.Kind != SiteKind::Copy)
      continue;
    const int64_t Ns = Events.DurationNs[I];
    CopyRow &Row = Rows[{What.Device, What.Name}];
    Row.MinNs = Row.Calls ? std::min(Row.MinNs, Ns) : Ns;
    Row.MaxNs = std::max(Row.MaxNs, Ns);
    ++Row.Calls;
    Row.TotalNs += Ns;
    const auto &Sizes = Input.Details.Copies;
    while (Next < Sizes.size() && Sizes[Next].Event < I)
      ++Next;
    if (Next == Sizes.size() || Sizes[Next].Event != I)
      continue;
    int64_t Sum;
    if (Row.SizedCalls && !Row.Bytes) // the sum has overflowed
      Row.Bytes.reset();
    else if (__builtin_add_overflow(Row.Bytes.value_or(0), Sizes[Next].Bytes, &Sum))
      Row.Bytes.reset();
    else
      Row.Bytes = Sum;
    ++Row.SizedCalls;
    Row.SizedNs += Ns;
  }
  for (auto &[Key, Row] : Rows) {
    Row.Device = Key.first;
    Row.Name = Key.second;
    if (Row.Bytes && Row.SizedNs > 0)
      Row.GBs = static_cast<double>(*Row.Bytes) / static_cast<double>(Row.SizedNs);
    Result.Rows.push_back(Row);
  }
  std::ranges::stable_sort(
      Result.Rows, [](const CopyRow &A, const CopyRow &B) { return A.TotalNs > B.TotalNs; });
  for (auto &[Device, Covers] : Devices) {
    const Cover Moving = unionOf(std::move(Covers.first));
    if (Moving.empty())
      continue;
    CopyPlace Place = {Device, lengthOf(Moving), 0, 0};
    Place.OverlappedNs = lengthOf(intersectionOf(Moving, unionOf(std::move(Covers.second))));
    Place.ExposedNs = Place.CopyNs - Place.OverlappedNs;
    Result.Places.push_back(Place);
  }
  return Result;
}

} // namespace seamscope::tools
