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

/// The source of each track.
struct Sources {
  std::vector<uint32_t> OfTrack;
  uint32_t Count = 0;
};

Sources sourcesBy(std::string_view (*Mark)(std::string_view), const Trace &Input) {
  std::map<std::string_view, uint32_t> Numbers;
  Sources Found;
  for (const Track &Where : Input.Tracks) {
    const auto Next = static_cast<uint32_t>(Numbers.size());
    Found.OfTrack.push_back(
        Numbers.try_emplace(Mark(Input.text(Where.Process)), Next).first->second);
  }
  Found.Count = static_cast<uint32_t>(Numbers.size());
  return Found;
}

/// Whether each source that has work of devices has launches, and several do: else the marks say
/// something else, such as what a process is.
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

/// Whether calls of two sources have one number.
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
      if (Number > 0 && Number < HashNumbers) // others link nothing
        Counted(Number, Track);
    });
  };
  int64_t Last = 0;
  Visit([&](int64_t Number, TrackId) { Last = std::max(Last, Number); });
  Visit([&](int64_t &Number, TrackId Track) { Number += Of.OfTrack[Track] * (Last + 1); });
}

/// The new numbers of each source's devices: as `combine` gives them, the first source keeps its.
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

/// Devices count in each process from 0.
void separateDevices(Trace &Input, const Sources &Of) {
  const auto New = newDevices(Input, Of);
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

} // namespace

void separateSources(Trace &Input) {
  constexpr uint32_t Most = 1000; // their numbers must fit
  for (const auto Mark : {inBrackets, before, behind}) {
    const Sources Found = sourcesBy(Mark, Input);
    if (Found.Count < 2 || Found.Count > Most || !areWhole(Input, Found))
      continue;
    if (anyMeets(Input, Found))
      separateIds(Input, Found);
    separateDevices(Input, Found);
    Input.Info.Rank.reset(); // it is that of one of them
    return;
  }
}

} // namespace seamscope::tools
