//===- Sources.cpp - traces that a tool has merged into one --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Sources.h"

#include "analysis/core/Reclassify.h"
#include "trace/model/LinkNumbers.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace seamscope::tools {
namespace {

constexpr std::string_view Digits = "0123456789";

/// "[TP00]" of "[TP00] 4711".
std::string_view inBrackets(std::string_view Pid) {
  const size_t End = Pid.starts_with('[') ? Pid.find("] ") : Pid.npos;
  return End == Pid.npos ? std::string_view() : Pid.substr(0, End + 1);
}
/// "rank0_" of "rank0_4711".
std::string_view before(std::string_view Pid) {
  const size_t Last = Pid.find_last_not_of(Digits);
  return Last == Pid.npos || Last + 1 == Pid.size() ? std::string_view() : Pid.substr(0, Last + 1);
}
/// " (rank 0)" of "4711 (rank 0)".
std::string_view behind(std::string_view Pid) {
  const size_t First = Pid.find_first_not_of(Digits);
  return First == Pid.npos || First == 0 ? std::string_view() : Pid.substr(First);
}

/// What tells sources apart in a pid.
using MarkFn = std::string_view (*)(std::string_view);
constexpr std::array<MarkFn, 3> Marks = {inBrackets, before, behind};

/// The source of each track.
struct Sources {
  std::vector<uint32_t> OfTrack;
  std::map<std::string_view, uint32_t> Numbers; ///< by mark
  uint32_t Count = 0;
};

Sources sourcesBy(MarkFn Mark, const Trace &Input) {
  Sources Found;
  for (const Track &Where : Input.Tracks) {
    const auto Next = static_cast<uint32_t>(Found.Numbers.size());
    Found.OfTrack.push_back(
        Found.Numbers.try_emplace(Mark(Input.text(Where.Process)), Next).first->second);
  }
  Found.Count = static_cast<uint32_t>(Found.Numbers.size());
  return Found;
}

/// Whether each source that has device work has launches, and several do. Otherwise the marks mean
/// something else, such as the kind of a process.
bool areWhole(const Trace &Input, const Sources &Of) {
  std::vector<bool> Works(Of.Count), Launches(Of.Count);
  for (const Correlation &Each : Input.Correlations) {
    const bool IsLaunch = Input.Sites[Input.Events.Site[Each.Event]].Kind == SiteKind::Launch;
    (IsLaunch ? Launches : Works)[Of.OfTrack[Input.Events.Track[Each.Event]]] = true;
  }
  for (uint32_t I = 0; I < Of.Count; ++I)
    if (Works[I] && !Launches[I])
      return false;
  return std::ranges::count(Launches, true) > 1;
}

/// Whether calls of two sources have the same number.
bool anyMeets(const Trace &Input, const Sources &Of) {
  std::unordered_map<int64_t, uint32_t> Known;
  return std::ranges::any_of(Input.Correlations, [&](const Correlation &Each) {
    if (Input.Sites[Input.Events.Site[Each.Event]].Kind != SiteKind::Launch)
      return false;
    const uint32_t Source = Of.OfTrack[Input.Events.Track[Each.Event]];
    return Known.try_emplace(Each.Id, Source).first->second != Source;
  });
}

void separateIds(Trace &Input, const Sources &Of) {
  const auto Visit = [&](auto Counted) {
    visitLinkNumbers(Input, [&](int64_t &Number, TrackId Track) {
      if (Number > 0 && Number < HashNumbers) // other numbers do not link anything
        Counted(Number, Track);
    });
  };
  int64_t Last = 0;
  Visit([&](int64_t Number, TrackId) { Last = std::max(Last, Number); });
  Visit([&](int64_t &Number, TrackId Track) { Number += Of.OfTrack[Track] * (Last + 1); });
}

/// The new numbers of each source's devices: as in `combine`, the first source keeps its numbers.
std::vector<std::map<int32_t, int32_t>> newDevices(const Trace &Input, const Sources &Of) {
  std::vector<std::map<int32_t, int32_t>> Result(Of.Count);
  for (size_t I = 0; I < Input.Events.size(); ++I)
    if (const int32_t Device = Input.Sites[Input.Events.Site[I]].Device; Device >= 0)
      Result[Of.OfTrack[Input.Events.Track[I]]][Device] = Device;
  std::set<int32_t> Given;
  for (auto &Devices : Result) {
    const bool Meets =
        std::ranges::any_of(Devices, [&](const auto &Each) { return Given.contains(Each.first); });
    int32_t Next = Given.empty() ? 0 : *Given.rbegin();
    if (Next > std::numeric_limits<int32_t>::max() - static_cast<int32_t>(Devices.size()))
      return {};
    for (auto &[Old, New] : Devices)
      New = Meets ? ++Next : Old;
    for (const auto &[Old, New] : Devices)
      Given.insert(New);
  }
  return Result;
}

/// Devices count in each process from 0. \p New: by source, their new numbers.
void separateDevices(Trace &Input, const Sources &Of,
                     const std::vector<std::map<int32_t, int32_t>> &New) {
  const auto Moved = [&](int32_t Old, TrackId Track) {
    if (New.empty())
      return Old;
    const auto &Its = New[Of.OfTrack[Track]];
    const auto Found = Its.find(Old);
    return Found == Its.end() ? Old : Found->second;
  };
  Reclassifier To(Input);
  for (uint32_t I = 0; I < Input.Events.size(); ++I) {
    const int32_t Old = To.siteOf(I).Device;
    const int32_t Device = Old < 0 ? Old : Moved(Old, Input.Events.Track[I]);
    if (Device == Old)
      continue;
    Site Copy = To.siteOf(I);
    Copy.Device = Device;
    To.replace(I, Copy);
  }
  for (DeviceSync &Each : Input.Details.Syncs)
    Each.Device = Moved(Each.Device, Input.Events.Track[Each.Event]);
  for (MemoryChange &Each : Input.Details.Memory)
    if (Each.DeviceType)
      Each.Device = Moved(Each.Device, Each.Track);
  for (const auto &Its : New)
    for (const auto &[Old, To] : Its) {
      const auto From = std::ranges::find(Input.Devices, Old, &Device::Id);
      if (From == Input.Devices.end() ||
          std::ranges::find(Input.Devices, To, &Device::Id) != Input.Devices.end())
        continue;
      Device Copy = *From;
      Copy.Id = To;
      Input.Devices.push_back(Copy);
    }
}

constexpr uint32_t MostSources = 1000; // their numbers must fit

/// As \p Split says, which was found in a trace of which \p Input is a part.
void separateAs(const SourceSplit &Split, Trace &Input) {
  if (Split.Mark >= Marks.size())
    return;
  const Sources Found = sourcesBy(Marks[Split.Mark], Input);
  if (Found.Count > MostSources)
    return;
  if (Split.Ids)
    separateIds(Input, Found);
  std::vector<std::map<int32_t, int32_t>> New(Found.Count);
  for (const auto &[Mark, Devices] : Split.Devices)
    if (const auto Its = Found.Numbers.find(Mark); Its != Found.Numbers.end())
      New[Its->second] = Devices;
  separateDevices(Input, Found, New);
  Input.Info.Split = Split;
  Input.Info.Rank.reset();
}

} // namespace

void separateSources(Trace &Input) {
  if (Input.Info.Cut) {
    if (Input.Info.Cut->Split)
      separateAs(*Input.Info.Cut->Split, Input);
    return;
  }
  for (uint32_t Mark = 0; Mark < Marks.size(); ++Mark) {
    const Sources Found = sourcesBy(Marks[Mark], Input);
    if (Found.Count < 2 || Found.Count > MostSources || !areWhole(Input, Found))
      continue;
    SourceSplit &Split = Input.Info.Split.emplace();
    Split.Mark = Mark;
    Split.Ids = anyMeets(Input, Found);
    if (Split.Ids)
      separateIds(Input, Found);
    const auto New = newDevices(Input, Found);
    for (const auto &[Text, Number] : Found.Numbers)
      if (Number < New.size())
        Split.Devices.emplace_back(Text, New[Number]);
    separateDevices(Input, Found, New);
    Input.Info.Rank.reset(); // it is the rank of one of them only
    return;
  }
}

} // namespace seamscope::tools
