//===- TraceBuilder.cpp - fills a trace from what a reader finds ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/model/TraceBuilder.h"

#include "kernels/InductorNames.h"
#include "kernels/TargetRegion.h"
#include "trace/io/SeededHash.h"
#include "trace/model/GroupText.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace seamscope::tools {
namespace {

/// \p What is complete, except for its kind.
SiteKind kindOf(const Site &What, const StringTable &Strings) {
  const SiteKind Kind = kindOfCategory(Strings[What.Category]);
  if (Kind == SiteKind::Operator && (What.Kernel || isInductorHostKernel(Strings[What.Name])))
    return SiteKind::Kernel;
  if (Kind == SiteKind::Span && What.Kernel)
    return SiteKind::Annotation;
  return Kind;
}

} // namespace

SiteKind kindOfCategory(std::string_view Category) {
  struct Known {
    std::string_view Category;
    SiteKind Kind;
  };
  // The capitalised names are torch's from before 2022. An event without a category comes from a
  // writer without categories; each of its calls counts as a kernel's.
  static constexpr Known Categories[] = {{"cpu_op", SiteKind::Operator},
                                         {"python_function", SiteKind::Python},
                                         {"cuda_runtime", SiteKind::Launch},
                                         {"kernel", SiteKind::Kernel},
                                         {"omp_region", SiteKind::Region},
                                         {"loop", SiteKind::Loop},
                                         {"omp_wait", SiteKind::TeamWait},
                                         {"omp_task", SiteKind::Task},
                                         {"user_annotation", SiteKind::Span},
                                         {"wait", SiteKind::Wait},
                                         {"cuda_launch", SiteKind::Launch},
                                         {"gpu_memcpy", SiteKind::Copy},
                                         {"gpu_memset", SiteKind::Copy},
                                         {"cuda_driver", SiteKind::Launch},
                                         {"", SiteKind::Kernel},
                                         {"Operator", SiteKind::Operator},
                                         {"Kernel", SiteKind::Kernel},
                                         {"Runtime", SiteKind::Launch},
                                         {"Memcpy", SiteKind::Copy},
                                         {"Memset", SiteKind::Copy},
                                         {"xpu_runtime", SiteKind::Launch},
                                         {"xpu_driver", SiteKind::Launch},
                                         {"mtia_runtime", SiteKind::Launch},
                                         {"mtia_ccp_events", SiteKind::Copy},
                                         {"privateuse1_runtime", SiteKind::Launch},
                                         {"privateuse1_driver", SiteKind::Launch},
                                         {"concurrent_kernel", SiteKind::Kernel}};
  const auto *Found = std::ranges::find(Categories, Category, &Known::Category);
  return Found == std::end(Categories) ? SiteKind::Other : Found->Kind;
}

StringId deviceName(const Trace &Input, int32_t Id) {
  for (const Device &Known : Input.Devices)
    if (Known.Id == Id)
      return Known.Name;
  // AMD's traces number their devices differently from their descriptions: if all devices are
  // equal, any will do.
  if (Input.Devices.empty() || !std::ranges::all_of(Input.Devices, [&](const Device &Known) {
        return Known.Name == Input.Devices[0].Name;
      }))
    return 0;
  return Input.Devices[0].Name;
}

static uint64_t hashOf(const Site &What) {
  SeededHasher Hash;
  Site::forEachText(What, [&](StringId Text) { Hash.add(Text, 0); });
  Hash.add(static_cast<uint64_t>(What.Flop), static_cast<uint64_t>(What.Bytes));
  Hash.add(uint64_t{What.Line} << 32 | What.Column, static_cast<uint32_t>(What.Device));
  return Hash.value();
}

SiteId TraceBuilder::site(Site What) {
  return MergesSites ? mergedSite(What, hashOf(What)) : addSite(What);
}

SiteId TraceBuilder::mergedSite(const Site &What, uint64_t Hash) {
  const auto IsIt = [&](SiteId Other) { return GivenSites[Other] == What; };
  const auto Make = [&] {
    GivenSites.push_back(What);
    try {
      addSite(What);
    } catch (...) {
      GivenSites.pop_back();
      throw;
    }
  };
  return SiteIds.add(Hash, IsIt, Make).first;
}

SiteId TraceBuilder::addSite(Site What) {
  const std::string File(Built.Strings[What.File]);
  for (StringId *Name : {&What.Name, &What.Kernel})
    if (const auto Shown = targetRegionName(Built.Strings[*Name], File))
      *Name = Built.Strings.intern(*Shown);
  Built.Sites.emplace_back(What).Kind = kindOf(What, Built.Strings);
  return static_cast<SiteId>(Built.Sites.size() - 1);
}

TrackId TraceBuilder::track(StringId Process, StringId Thread) {
  const uint64_t Key = uint64_t{Process} << 32 | Thread;
  const auto [Entry, New] = TrackIds.try_emplace(Key, static_cast<TrackId>(Built.Tracks.size()));
  if (New)
    Built.Tracks.push_back({Process, Thread, 0});
  return Entry->second;
}

Process &TraceBuilder::process(StringId Pid) {
  const auto [Entry, New] = ProcessIndices.try_emplace(Pid, Built.Processes.size());
  if (New)
    Built.Processes.push_back({Pid, 0, 0});
  return Built.Processes[Entry->second];
}

bool TraceBuilder::countIn(int64_t DurationNs, uint64_t Calls) {
  int64_t NewNs, NewCalls;
  if (__builtin_add_overflow(SumNs, DurationNs, &NewNs) ||
      __builtin_add_overflow(SumCalls, Calls, &NewCalls)) {
    TooMuch = true;
    return false;
  }
  SumNs = NewNs;
  SumCalls = NewCalls;
  return true;
}

bool TraceBuilder::addCall(int64_t BeginNs, int64_t DurationNs, SiteId Site, TrackId Track,
                           int32_t TeamThread) {
  int64_t End;
  if (!isPlausible(BeginNs) || __builtin_add_overflow(BeginNs, DurationNs, &End) ||
      !isPlausible(End) || !countIn(DurationNs, 1))
    return false;
  EventColumns &Columns = Built.Events;
  Columns.BeginNs.push_back(BeginNs);
  Columns.DurationNs.push_back(DurationNs);
  Columns.Site.push_back(Site);
  Columns.Track.push_back(Track);
  if (TeamThread >= 0 || !Columns.TeamThread.empty()) {
    Columns.TeamThread.resize(Columns.size() - 1, -1);
    Columns.TeamThread.push_back(TeamThread);
  }
  if (KeepsOffsets)
    Columns.Offset.push_back(NextOffset);
  return true;
}

void TraceBuilder::skip(uint64_t Offset, std::string Reason) {
  constexpr size_t Kept = 100;
  if (Built.Info.SkippedEvents++ < Kept)
    Built.Info.Skipped.push_back({Offset, std::move(Reason)});
}

TraceBuilder::Mark TraceBuilder::mark() {
  Mark Here = {Built.Events.size(),
               Built.Correlations.size(),
               Built.Open.size(),
               Halves.size(),
               {},
               Built.Info.SkippedEvents,
               SumNs,
               SumCalls};
  Built.Details.forEachRead([&](auto &Column) { Here.Details.push_back(Column.size()); });
  return Here;
}

void TraceBuilder::goBack(const Mark &To) {
  EventColumns &Columns = Built.Events;
  Columns.BeginNs.resize(To.Events);
  Columns.DurationNs.resize(To.Events);
  Columns.Site.resize(To.Events);
  Columns.Track.resize(To.Events);
  if (!Columns.TeamThread.empty())
    Columns.TeamThread.resize(To.Events);
  if (KeepsOffsets)
    Columns.Offset.resize(To.Events);
  Built.Correlations.resize(To.Correlations);
  Built.Open.resize(To.Open);
  auto Size = To.Details.begin();
  Built.Details.forEachRead([&](auto &Column) { Column.resize(*Size++); });
  Halves.resize(To.Halves);
  Built.Info.Skipped.resize(std::min<uint64_t>(To.Skipped, Built.Info.Skipped.size()));
  Built.Info.SkippedEvents = To.Skipped;
  SumNs = To.SumNs;
  SumCalls = To.SumCalls;
}

void TraceBuilder::reserve(double Times) {
  const auto Enlarge = [&](auto &Column) {
    Column.reserve(static_cast<size_t>(static_cast<double>(Column.size()) * Times));
  };
  EventColumns &Columns = Built.Events;
  Enlarge(Columns.BeginNs);
  Enlarge(Columns.DurationNs);
  Enlarge(Columns.Site);
  Enlarge(Columns.Track);
  Enlarge(Columns.TeamThread);
  Enlarge(Columns.Offset);
  Enlarge(Built.Correlations);
}

TraceBuilder::Part TraceBuilder::take() {
  Part Result;
  std::swap(Result.Events, Built.Events);
  std::swap(Result.Correlations, Built.Correlations);
  std::swap(Result.Open, Built.Open);
  std::swap(Result.Details, Built.Details);
  std::swap(Result.Halves, Halves);
  std::swap(Result.Skipped, Built.Info.Skipped);
  Result.SkippedEvents = std::exchange(Built.Info.SkippedEvents, 0);
  Result.SumNs = std::exchange(SumNs, 0);
  Result.TooMuch = std::exchange(TooMuch, false);
  SumCalls = 0;
  for (; Gone.Strings < Built.Strings.size(); ++Gone.Strings)
    Result.Strings.push_back(Built.Strings[static_cast<StringId>(Gone.Strings)]);
  Result.Sites.assign(Built.Sites.begin() + static_cast<ptrdiff_t>(Gone.Sites), Built.Sites.end());
  Gone.Sites = Built.Sites.size();
  Result.Tracks.assign(Built.Tracks.begin() + static_cast<ptrdiff_t>(Gone.Tracks),
                       Built.Tracks.end());
  Gone.Tracks = Built.Tracks.size();
  std::swap(Result.ThreadNames, ThreadNames);
  std::swap(Result.Processes, Built.Processes);
  ProcessIndices.clear();
  return Result;
}

bool TraceBuilder::absorb(Part &&Added, Numbering &Numbers) {
  for (const std::string_view Text : Added.Strings)
    Numbers.Strings.push_back(Built.Strings.intern(Text));
  std::vector<uint64_t> SiteHashes;
  for (Site &What : Added.Sites) {
    Site::forEachText(What, [&](StringId &Text) { Text = Numbers.Strings[Text]; });
    What.Kind = SiteKind::Other; // as before it has a number
    SiteIds.expect(SiteHashes.emplace_back(hashOf(What)));
  }
  for (size_t I = 0; I < Added.Sites.size(); ++I)
    Numbers.Sites.push_back(mergedSite(Added.Sites[I], SiteHashes[I]));
  for (const Track &Where : Added.Tracks)
    Numbers.Tracks.push_back(track(Numbers.Strings[Where.Process], Numbers.Strings[Where.Thread]));

  EventColumns &Columns = Built.Events;
  const auto First = static_cast<uint32_t>(Columns.size());
  const EventColumns &New = Added.Events;
  if (Added.TooMuch || !countIn(Added.SumNs, New.size()))
    return false;
  Columns.BeginNs.insert(Columns.BeginNs.end(), New.BeginNs.begin(), New.BeginNs.end());
  Columns.DurationNs.insert(Columns.DurationNs.end(), New.DurationNs.begin(), New.DurationNs.end());
  for (const SiteId Id : New.Site)
    Columns.Site.push_back(Numbers.Sites[Id]);
  for (const TrackId Id : New.Track)
    Columns.Track.push_back(Numbers.Tracks[Id]);
  if (!New.TeamThread.empty() || !Columns.TeamThread.empty()) {
    Columns.TeamThread.resize(First, -1);
    Columns.TeamThread.insert(Columns.TeamThread.end(), New.TeamThread.begin(),
                              New.TeamThread.end());
    Columns.TeamThread.resize(Columns.size(), -1);
  }
  Columns.Offset.insert(Columns.Offset.end(), New.Offset.begin(), New.Offset.end());
  for (const Correlation &Of : Added.Correlations)
    Built.Correlations.push_back({First + Of.Event, Of.Id});
  for (const OpenCall &Call : Added.Open)
    Built.Open.push_back({First + Call.Event, Call.Guessed});
  Added.Details.forEachRead([&](auto &Rows) {
    auto &Into = Built.Details.of(Rows.data());
    for (auto Row : Rows) {
      if constexpr (IsOfEvent<decltype(Row)>)
        Row.Event += First;
      if constexpr (requires { Row.renumber(Numbers); })
        Row.renumber(Numbers);
      Into.push_back(Row);
    }
  });
  for (Half It : Added.Halves) {
    It.Site = It.IsEnd ? 0 : Numbers.Sites[It.Site];
    It.Track = Numbers.Tracks[It.Track];
    Halves.push_back(It);
  }
  const uint64_t Skipped = Built.Info.SkippedEvents + Added.SkippedEvents;
  for (SkippedEvent &Event : Added.Skipped)
    skip(Event.Offset, std::move(Event.Reason));
  Built.Info.SkippedEvents = Skipped;
  for (const auto &[Id, Name] : Added.ThreadNames)
    nameThread(Numbers.Tracks[Id], Numbers.Strings[Name]);
  for (const Process &Known : Added.Processes) {
    Process &Ours = process(Numbers.Strings[Known.Pid]);
    if (Known.Name)
      Ours.Name = Numbers.Strings[Known.Name];
    if (Known.Labels)
      Ours.Labels = Numbers.Strings[Known.Labels];
  }
  return true;
}

bool TraceBuilder::addBegin(int64_t Ns, SiteId Site, TrackId Track, int32_t TeamThread) {
  if (!isPlausible(Ns))
    return false;
  Halves.push_back({Ns, Site, Track, TeamThread, false, KeepsOffsets ? NextOffset : 0});
  return true;
}

bool TraceBuilder::addEnd(int64_t Ns, TrackId Track) {
  if (!isPlausible(Ns))
    return false;
  Halves.push_back({Ns, 0, Track, -1, true, KeepsOffsets ? NextOffset : 0});
  return true;
}

bool TraceBuilder::addFlow(const FlowEnd &End) {
  if (!isPlausible(End.Ns))
    return false;
  Built.Details.Flows.push_back(End);
  return true;
}

bool TraceBuilder::addMemory(const MemoryChange &Change) {
  if (!isPlausible(Change.Ns))
    return false;
  Built.Details.Memory.push_back(Change);
  return true;
}

bool TraceBuilder::addOpen(int64_t BeginNs, int64_t DurationNs, SiteId Site, TrackId Track,
                           int32_t TeamThread) {
  if (!addCall(BeginNs, DurationNs, Site, Track, TeamThread))
    return false;
  Built.Open.push_back({lastEvent()});
  return true;
}

bool TraceBuilder::addOpen(int64_t BeginNs, SiteId Site, TrackId Track, int32_t TeamThread) {
  if (!isPlausible(BeginNs))
    return false;
  WithoutEnd.push_back({BeginNs, Site, Track, TeamThread, false, KeepsOffsets ? NextOffset : 0});
  return true;
}

void TraceBuilder::endOpenCalls() {
  if (WithoutEnd.empty())
    return;
  // Nothing shows that a process lived longer than its last event.
  std::unordered_map<StringId, int64_t> Last;
  const auto Include = [&](TrackId Track, int64_t Ns) {
    int64_t &End = Last.try_emplace(Built.Tracks[Track].Process, Ns).first->second;
    End = std::max(End, Ns);
  };
  for (size_t I = 0; I < Built.Events.size(); ++I)
    Include(Built.Events.Track[I], Built.Events.endNs(I));
  for (const Half &Begin : WithoutEnd)
    Include(Begin.Track, Begin.Ns);
  // That event may be outside of a part.
  if (Built.Info.Cut)
    for (const auto &[Pid, EndNs] : Built.Info.Cut->OpenUntil)
      Last[Built.Strings.intern(Pid)] = EndNs;
  uint64_t TooMuch = 0;
  for (const Half &Begin : WithoutEnd) {
    nextStandsAt(Begin.Offset);
    const int64_t End = std::max(Last[Built.Tracks[Begin.Track].Process], Begin.Ns);
    int64_t Duration;
    if (__builtin_sub_overflow(End, Begin.Ns, &Duration) ||
        !addOpen(Begin.Ns, Duration, Begin.Site, Begin.Track, Begin.TeamThread))
      ++TooMuch;
    else
      Built.Open.back().Guessed = true;
  }
  WithoutEnd.clear();
  if (TooMuch)
    note(fmt::format("{} open call(s) were left out: the durations add up to over 2^63 ns",
                     TooMuch));
}

bool TraceBuilder::addProfile(ProfileRow Row) {
  if (!isPlausible(Row.FirstNs) || !isPlausible(Row.LastNs) || !countIn(Row.TotalNs, Row.Calls))
    return false;
  Built.Profile.push_back(std::move(Row));
  return true;
}

bool TraceBuilder::addThrottled(const ThrottledCalls &Calls) {
  if (!isPlausible(Calls.SinceNs) || !countIn(Calls.BeforeNs, Calls.Untimed) ||
      !countIn(0, Calls.Timed))
    return false;
  const auto [Known, New] = ThrottledByPlace.try_emplace(
      {Calls.Site, Calls.Track}, static_cast<uint32_t>(Built.Throttled.size()));
  if (New) {
    Built.Throttled.push_back(Calls);
    return true;
  }
  // A thread that stopped throttling and began again. In sums, the earlier calls are those before
  // the first time.
  ThrottledCalls &Into = Built.Throttled[Known->second];
  Into.Every = std::max(Into.Every, Calls.Every);
  Into.Timed += Calls.Timed;
  Into.Untimed += Calls.Untimed;
  if (Calls.SinceNs < Into.SinceNs) {
    Into.SinceNs = Calls.SinceNs;
    Into.CallsBefore = Calls.CallsBefore;
    Into.BeforeNs = Calls.BeforeNs;
  }
  return true;
}

/// Whether the runs of a function are the parts of its sums.
static bool addsUp(const CountedWork &Work) {
  uint64_t Calls = 0;
  std::vector<uint64_t> Words(Work.Words.size());
  for (const WorkRun &Run : Work.Runs) {
    if (Run.Words.size() != Words.size() || __builtin_add_overflow(Calls, Run.Calls, &Calls))
      return false;
    for (size_t I = 0; I < Words.size(); ++I)
      if (__builtin_add_overflow(Words[I], Run.Words[I], &Words[I]))
        return false;
  }
  return Calls == Work.Calls && Words == Work.Words;
}

bool TraceBuilder::addWork(CountedWork Work) {
  constexpr uint64_t Most = uint64_t{1} << 62;
  const auto IsTooMuch = [](uint64_t Count) { return Count > Most; };
  if (IsTooMuch(Work.Calls) || std::ranges::any_of(Work.Words, IsTooMuch))
    return false;
  if (!addsUp(Work))
    Work.Runs.clear();
  // Processes of one program have the same functions.
  const auto Known = std::ranges::find_if(
      Built.Work, [&](const CountedWork &Other) { return Work.isSameFunction(Other); });
  if (Known == Built.Work.end()) {
    Built.Work.push_back(std::move(Work));
    return true;
  }
  if (Known->Words.size() != Work.Words.size())
    return false;
  Known->Calls += Work.Calls;
  for (size_t I = 0; I < Work.Words.size(); ++I)
    Known->Words[I] += Work.Words[I];
  // Runs that are known of some processes only say nothing of the function.
  if (Known->Runs.empty() || Work.Runs.empty())
    Known->Runs.clear();
  else
    std::ranges::move(Work.Runs, std::back_inserter(Known->Runs));
  return !IsTooMuch(Known->Calls) && std::ranges::none_of(Known->Words, IsTooMuch);
}

bool TraceBuilder::addAbandoned(StringId Name, uint64_t Calls) {
  if (!countIn(0, Calls))
    return false;
  AbandonedByName[Name] += Calls;
  return true;
}

void TraceBuilder::pairHalves() {
  // Halves at one moment keep the order of the file: only that distinguishes an empty call from the
  // end of one and the begin of the next.
  std::ranges::stable_sort(Halves, [](const Half &A, const Half &B) {
    return A.Track != B.Track ? A.Track < B.Track : A.Ns < B.Ns;
  });
  std::vector<Half> Stack;
  uint64_t Orphans = 0;
  uint64_t TooMuch = 0;
  const auto LeaveOpen = [&] {
    WithoutEnd.insert(WithoutEnd.end(), Stack.begin(), Stack.end());
    Stack.clear();
  };
  for (const Half &It : Halves) {
    if (!Stack.empty() && Stack.back().Track != It.Track)
      LeaveOpen();
    if (!It.IsEnd) {
      Stack.push_back(It);
    } else if (Stack.empty()) {
      ++Orphans;
    } else {
      const Half Begin = Stack.back();
      Stack.pop_back();
      nextStandsAt(Begin.Offset);
      if (!addCall(Begin.Ns, It.Ns - Begin.Ns, Begin.Site, Begin.Track, Begin.TeamThread))
        ++TooMuch;
      else if (KeepsOffsets)
        Built.Details.Ends.push_back({lastEvent(), It.Offset});
    }
  }
  LeaveOpen();
  Halves.clear();
  if (Orphans)
    note(fmt::format("{} end event(s) without a begin were left out", Orphans));
  if (TooMuch)
    note(fmt::format("{} call(s) were left out: the durations add up to over 2^63 ns", TooMuch));
}

void TraceBuilder::placeAbandoned() {
  // The trace has only the name. The first site with that name gets the calls.
  std::unordered_map<StringId, SiteId> Known;
  if (!AbandonedByName.empty())
    for (SiteId Id = 0; Id < Built.Sites.size(); ++Id)
      if (Built.Sites[Id].Kind != SiteKind::Other)
        Known.try_emplace(Built.Sites[Id].Name, Id);
  for (const auto &[Name, Calls] : AbandonedByName) {
    const auto Found = Known.find(Name);
    if (Found != Known.end()) {
      Built.Abandoned.push_back({Found->second, Calls});
      continue;
    }
    Site What;
    What.Name = What.Kernel = Name;
    What.Category = Built.Strings.intern("cpu_op");
    Built.Abandoned.push_back({site(What), Calls});
  }
  AbandonedByName.clear();
  std::ranges::sort(Built.Abandoned, {}, &AbandonedCalls::Site);
}

void TraceBuilder::addGroup(const Site &What, std::string_view Ops) {
  setOperators(Groups.emplace_back(What), Ops, Built.Strings);
}

void TraceBuilder::placeGroups() {
  const auto Key = [](const Site &What) {
    return std::tuple(What.Name, What.Category, What.Kernel, What.File, What.LinkageName, What.Line,
                      What.Column);
  };
  std::ranges::sort(Groups, {}, Key);
  for (Site &What : Built.Sites)
    if (const auto Found = std::ranges::lower_bound(Groups, Key(What), {}, Key);
        !What.Operators && !What.Group && Found != Groups.end() && Key(*Found) == Key(What)) {
      What.Group = Found->Group;
      What.Flop = Found->Flop;
      What.Bytes = Found->Bytes;
    }
  Groups.clear();
}

void TraceBuilder::completeKernels() {
  std::unordered_set<StringId> Kernels;
  for (const Site &Known : Built.Sites)
    if (Known.Kind == SiteKind::Kernel)
      Kernels.insert(Known.Name);
  for (SiteId Id = 0; Id < Built.Sites.size(); ++Id) {
    Site &Region = Built.Sites[Id];
    if (Region.Kind != SiteKind::Region && Region.Kind != SiteKind::Loop)
      continue;
    if (!Region.Kernel)
      Region.Kernel = Region.Name; // another tool wrote it
    if (Kernels.contains(Region.Kernel))
      continue;
    Site Missing;
    Missing.Name = Missing.Kernel = Region.Kernel;
    if (Missing.Kernel) // without a name, only the category makes it a kernel
      Missing.Category = Built.Strings.intern("cpu_op");
    site(Missing);
    Kernels.insert(Missing.Name);
  }
}

Trace TraceBuilder::finish() {
  pairHalves();
  endOpenCalls();
  placeAbandoned();
  placeGroups();
  completeKernels();
  Samples.finish(Built);
  return std::move(Built);
}

} // namespace seamscope::tools
