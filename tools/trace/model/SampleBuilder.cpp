//===- SampleBuilder.cpp - fills a trace's samples --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/model/SampleBuilder.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace seamscope::tools {
namespace {

/// The modules of a process at one moment: ranges of addresses that do not overlap.
class AddressMap {
public:
  /// A new mapping takes the place of what was there.
  void map(uint64_t Begin, uint64_t End, int64_t Module) {
    auto At = Ranges.lower_bound(Begin);
    if (At != Ranges.begin())
      if (const auto Before = std::prev(At); Before->second.End > Begin) {
        if (Before->second.End > End)
          Ranges[End] = Before->second;
        Before->second.End = Begin;
      }
    At = Ranges.lower_bound(Begin);
    while (At != Ranges.end() && At->first < End) {
      const Range Old = At->second;
      At = Ranges.erase(At);
      if (Old.End > End) {
        Ranges[End] = Old;
        break;
      }
    }
    Ranges[Begin] = {End, Module};
  }

  int64_t find(uint64_t Address) const {
    auto At = Ranges.upper_bound(Address);
    if (At == Ranges.begin())
      return -1;
    --At;
    return Address < At->second.End ? At->second.Module : -1;
  }

private:
  struct Range {
    uint64_t End;
    int64_t Module;
  };
  std::map<uint64_t, Range> Ranges; ///< by begin
};

uint64_t waitKey(StringId Process, int64_t Id) {
  return uint64_t{Process} << 32 | static_cast<uint32_t>(Id);
}

} // namespace

bool SampleBuilder::addSpan(const SampledSpan &Span) {
  if (!isPlausible(Span.FromNs) || !isPlausible(Span.ToNs) || Span.ToNs < Span.FromNs)
    return false;
  Spans.push_back(Span);
  return true;
}

bool SampleBuilder::addModule(const MappedModule &Module) {
  if (!isPlausible(Module.FromNs) || Module.End <= Module.Begin)
    return false;
  Modules.push_back(Module);
  return true;
}

void SampleBuilder::addWait(StringId Process, int64_t Id, ThreadWait Wait) {
  if (Id > 0 && Id <= INT32_MAX &&
      WaitIndices.try_emplace(waitKey(Process, Id), static_cast<int64_t>(Waits.size())).second)
    Waits.push_back(std::move(Wait));
}

int64_t SampleBuilder::waitOf(StringId Process, int64_t Id) const {
  if (Id <= 0 || Id > INT32_MAX)
    return -1;
  const auto Found = WaitIndices.find(waitKey(Process, Id));
  return Found == WaitIndices.end() ? -1 : Found->second;
}

bool SampleBuilder::addSample(int64_t Ns, TrackId Track, uint64_t Address) {
  if (!isPlausible(Ns))
    return false;
  Samples.push_back({Ns, Track, Address});
  return true;
}

bool SampleBuilder::addOff(int64_t BeginNs, int64_t EndNs, int64_t OffNs, TrackId Track,
                           OffKind Kind, int64_t Wait) {
  if (!isPlausible(BeginNs) || !isPlausible(EndNs) || EndNs <= BeginNs || OffNs < 0 ||
      OffNs > EndNs - BeginNs)
    return false;
  Offs.push_back({BeginNs, EndNs, OffNs, Track, Kind, Wait});
  return true;
}

bool SampleBuilder::absorb(Trace &From, const Numbering &Numbers, const TimeMap &Time,
                           const std::function<StringId(StringId)> &MovedPid) {
  bool Ok = true;
  for (SampleState &State : From.Sampling) {
    State.Process = MovedPid(State.Process);
    State.BeginNs = Time(State.BeginNs);
    State.UntilNs = Time(State.UntilNs);
    addState(std::move(State));
  }
  for (const SampledSpan &Span : From.SampledSpans)
    Ok &= addSpan({Numbers.Tracks[Span.Track], Time(Span.FromNs), Time(Span.ToNs)});
  for (MappedModule Module : From.Modules) {
    Module.Process = MovedPid(Module.Process);
    Module.Path = Numbers.Strings[Module.Path];
    Module.BuildId = Numbers.Strings[Module.BuildId];
    Module.FromNs = Time(Module.FromNs);
    Ok &= addModule(Module);
  }
  const auto FirstWait = static_cast<int64_t>(Waits.size());
  std::ranges::move(From.Waits, std::back_inserter(Waits));
  const SampleColumns &S = From.Samples;
  for (size_t I = 0; I < S.size(); ++I)
    Ok &= addSample(Time(S.Ns[I]), Numbers.Tracks[static_cast<size_t>(S.Track[I])],
                    static_cast<uint64_t>(S.Address[I]));
  const OffColumns &O = From.OffCpu;
  for (size_t I = 0; I < O.size(); ++I)
    Ok &= addOff(Time(O.BeginNs[I]), Time(O.EndNs[I]), Time.length(O.BeginNs[I], O.OffNs[I]),
                 Numbers.Tracks[static_cast<size_t>(O.Track[I])], static_cast<OffKind>(O.Kind[I]),
                 O.Wait[I] < 0 ? -1 : FirstWait + O.Wait[I]);
  return Ok;
}

void SampleBuilder::placeSamples(Trace &Into) {
  std::ranges::stable_sort(Modules, {}, &MappedModule::FromNs);
  std::ranges::sort(Samples, {}, &Sample::Ns);
  std::unordered_map<StringId, AddressMap> Maps; // by process
  size_t Next = 0;
  std::vector<std::pair<Sample, int64_t>> Placed;
  Placed.reserve(Samples.size());
  for (const Sample &Of : Samples) {
    for (; Next < Modules.size() && Modules[Next].FromNs <= Of.Ns; ++Next)
      Maps[Modules[Next].Process].map(Modules[Next].Begin, Modules[Next].End,
                                      static_cast<int64_t>(Next));
    const auto Map = Maps.find(Into.Tracks[Of.Track].Process);
    Placed.emplace_back(Of, Map == Maps.end() ? -1 : Map->second.find(Of.Address));
  }
  std::ranges::sort(Placed, {}, [](const auto &Each) {
    return std::tuple(Each.first.Track, Each.first.Ns, Each.first.Address);
  });
  for (const auto &[Of, Module] : Placed) {
    Into.Samples.Ns.push_back(Of.Ns);
    Into.Samples.Track.push_back(Of.Track);
    Into.Samples.Address.push_back(static_cast<int64_t>(Of.Address));
    Into.Samples.Module.push_back(Module);
  }
  Into.Modules = std::move(Modules);
}

/// A damaged trace, or a copy of a spool that was being written, has stretches that overlap: the
/// earlier one counts.
void SampleBuilder::placeOff(Trace &Into) {
  std::ranges::stable_sort(
      Offs, {}, [](const Off &Of) { return std::tuple(Of.Track, Of.BeginNs, -Of.EndNs); });
  OffColumns &Columns = Into.OffCpu;
  const Off *Last = nullptr;
  for (const Off &Of : Offs) {
    int64_t Begin = Of.BeginNs;
    if (Last && Last->Track == Of.Track)
      Begin = std::max(Begin, Last->EndNs);
    if (Begin >= Of.EndNs)
      continue;
    Last = &Of;
    Columns.BeginNs.push_back(Begin);
    Columns.EndNs.push_back(Of.EndNs);
    Columns.OffNs.push_back(std::min(Of.OffNs, Of.EndNs - Begin));
    Columns.Track.push_back(Of.Track);
    Columns.Kind.push_back(static_cast<int64_t>(Of.Kind));
    Columns.Wait.push_back(Of.Wait);
  }
}

void SampleBuilder::finish(Trace &Into) {
  placeSamples(Into);
  placeOff(Into);
  std::ranges::sort(Spans, {},
                    [](const SampledSpan &Of) { return std::tuple(Of.Track, Of.FromNs); });
  Into.SampledSpans = std::move(Spans);
  Into.Waits = std::move(Waits);
  Into.Sampling = std::move(States);
}

} // namespace seamscope::tools
