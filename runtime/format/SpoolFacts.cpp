//===- SpoolFacts.cpp - contents of a spool, as typed facts ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "format/SpoolFacts.h"

#include <algorithm>
#include <cstdio>
#include <tuple>

namespace seamscope::format {

const char *categoryOfKind(uint32_t Kind) {
  switch (Kind) {
  case SEAMSCOPE_SITE_REGION:
    return "omp_region";
  case SEAMSCOPE_SITE_SCOPE:
  case SEAMSCOPE_SITE_ANNOTATION:
    return "user_annotation";
  case SEAMSCOPE_SITE_WAIT:
    return "wait";
  case SEAMSCOPE_SITE_LAUNCH:
    return "cuda_launch";
  case SEAMSCOPE_SITE_LOOP:
    return "loop";
  case SEAMSCOPE_SITE_TEAM_WAIT:
    return "omp_wait";
  case SEAMSCOPE_SITE_TASK:
    return "omp_task";
  default:
    return "cpu_op";
  }
}

const char *recordingEndName(RecordingEnd How) {
  switch (How) {
  case RecordingEnd::Exit:
    return "exit";
  case RecordingEnd::Killed:
    return "killed";
  case RecordingEnd::LastSignOfLife:
    return "last sign of life";
  case RecordingEnd::Running:
    return "running";
  }
  return "";
}

bool SpoolFacts::read() {
  return readSites() && readThreads() && (!Options.Links || linkBackward()) && sumUpLeftOut() &&
         countThrottledInWindows() && Devices.read(Spool, Options.Windows, Options.WindowCount) &&
         (!Options.Plan || Devices.leaveOut(Options.Plan->UntilNs));
}

RunFacts SpoolFacts::run() const {
  const SpoolHeader &H = Spool.header();
  const auto Bounded = [](const char *Text, size_t Most) {
    return std::string_view(Text, strnlen(Text, Most));
  };
  return {H.Pid,
          H.Rank,
          H.WorldSize,
          H.Processors,
          __atomic_load_n(&H.Mode, __ATOMIC_RELAXED) == 1,
          H.Clock == ClockSource::Tsc,
          (__atomic_load_n(&H.Flags, __ATOMIC_RELAXED) & SpoolTwoOpenMP) != 0,
          Spool.startRealtimeNs(),
          H.First.MonotonicNs,
          Spool.ticksPerSecond(),
          Spool.nsOf(H.StampBiasTicks),
          Spool.callCostPs(),
          __atomic_load_n(&H.LostEvents, __ATOMIC_RELAXED),
          Bounded(H.ProcessName, sizeof(H.ProcessName)),
          Bounded(H.HostName, sizeof(H.HostName)),
          Bounded(H.CommandLine, sizeof(H.CommandLine))};
}

SiteFacts SpoolFacts::siteFacts(const SiteView &View) {
  SiteFacts Of{};
  Of.Id = View.Id;
  Of.Kind = View.Kind;
  Of.IsInlined = View.Flags & SEAMSCOPE_SITE_INLINED;
  Of.Category = categoryOfKind(View.Kind);
  Of.Name = View.Name;
  for (const char **Text : {&Of.Kernel, &Of.Group, &Of.Dims, &Of.Types, &Of.Strides, &Of.Values})
    *Text = "";
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) Of.Field = "";
#include "format/site-arguments.def"
  if (!Of.isOfCode()) {
    Of.Dims = View.Dims;
    Of.Types = View.Types;
    Of.Strides = View.Strides;
    Of.Values = View.Values;
    return Of;
  }
  Of.Kernel = *View.Kernel ? View.Kernel : View.Name;
  if (View.Kind == SEAMSCOPE_SITE_REGION)
    Of.Region = View.Name;
  Of.File = View.File;
  Of.KernelFile = View.KernelFile;
  Of.KernelLine = *View.KernelFile ? View.KernelLine : 0;
  Of.Line = View.Line;
  Of.Column = View.Column;
  if (strcmp(View.LinkageName, View.Name))
    Of.LinkageName = View.LinkageName;
  // The meaning of the table's ops depends on the kind of site.
  if (*View.Ops == '{')
    Of.Group = View.Ops;
  else if (View.Kind == SEAMSCOPE_SITE_LOOP)
    Of.InlinedFrom = View.Ops;
  else if (View.Kind == SEAMSCOPE_SITE_TEAM_WAIT)
    Of.Construct = View.Ops;
  else
    Of.Operators = View.Ops;
  return Of;
}

ThreadFacts SpoolFacts::threadFacts(uint32_t Index, const ThreadEntry &Entry) const {
  ThreadFacts Of{Index, Entry.Tid, {}};
  const int32_t Team = __atomic_load_n(&Entry.TeamThread, __ATOMIC_RELAXED);
  if (Entry.Tid == Spool.header().Pid)
    strcpy(Of.Name, "main");
  else if (Team > 0)
    snprintf(Of.Name, sizeof(Of.Name), "OpenMP worker %d", Team);
  else
    memcpy(Of.Name, Entry.Name, strnlen(Entry.Name, sizeof(Entry.Name)));
  return Of;
}

ThrottledFacts SpoolFacts::throttledFacts(uint32_t Thread, const ThrottleEntry &Entry) const {
  ThrottledFacts Of = {Entry.Site,        Thread,
                       Entry.Every,       Entry.timed(),
                       Entry.untimed(),   Spool.nsSinceStart(Entry.SinceTick),
                       Entry.CallsBefore, Spool.nsOf(Entry.TicksBefore)};
  if (Options.Windows) {
    // It is unknown how many untimed calls fell into windows: assume the share of the timed ones.
    const ThrottledCalls *const Found = findThrottled(Entry.Site, Thread);
    const uint64_t Inside = Found ? Found->Inside : 0;
    Of.Untimed =
        Of.Timed
            ? static_cast<uint64_t>(static_cast<unsigned __int128>(Of.Untimed) * Inside / Of.Timed)
            : 0;
    Of.Timed = Inside;
  }
  return Of;
}

bool SpoolFacts::isInWindow(uint64_t Tick) const {
  if (!Options.Windows)
    return true;
  size_t Low = 0, High = Options.WindowCount; // the first window that ends after Tick
  while (Low < High) {
    const size_t Middle = Low + (High - Low) / 2;
    if (Options.Windows[Middle].end <= Tick)
      Low = Middle + 1;
    else
      High = Middle;
  }
  return Low < Options.WindowCount && Options.Windows[Low].begin <= Tick;
}

bool SpoolFacts::readSites() {
  bool Ok = true;
  Spool.forEachSite([&](const SiteView &View) {
    if (View.Flags & SEAMSCOPE_SITE_COUNT)
      InlinedMore += View.Line;
    if (!Ok || !isSite(View))
      return;
    SiteState *const State = Sites.at(View.Id);
    Ok = State != nullptr;
    if (Ok) {
      State->IsKnown = true;
      State->IsRegion = View.Kind == SEAMSCOPE_SITE_REGION;
      State->IsInlined = View.Flags & SEAMSCOPE_SITE_INLINED;
      AnyInlined |= State->IsInlined;
    }
  });
  return Ok;
}

bool SpoolFacts::readThreads() {
  bool Ok = true;
  Spool.forEachThread([&](uint32_t Index, const ThreadEntry &Entry) {
    ThreadState *State = Threads.at(Index);
    Ok = Ok && State;
    if (State)
      *State = {Entry.Tid, __atomic_load_n(&Entry.FrameworkThread, __ATOMIC_RELAXED)};
  });
  return Ok;
}

bool SpoolFacts::linkBackward() {
  bool Ok = true;
  forEachWanted([&](const CallView &Call) {
    if (Call.Sequence >= 0 && Call.ForwardThread)
      Ok = Ok && Links.addBackward(keyOf(Call), Call);
  });
  if (Links.empty())
    return Ok;
  forEachWanted([&](const CallView &Call) {
    if (Call.Sequence >= 0 && !Call.ForwardThread)
      Links.addForward(keyOf(Call), Call);
  });
  return Ok;
}

bool SpoolFacts::sumUpLeftOut() {
  bool Ok = true;
  if (Options.Plan && Options.Plan->LeftOut)
    Spool.forEachCall(
        [&](const CallView &Call) {
          if (isLeftOut(Call.BeginTick))
            Ok = Ok && LeftOut.add(Call);
        },
        [](Escape, uint64_t, uint32_t, uint32_t) {});
  return Ok;
}

const SpoolFacts::ThrottledCalls *SpoolFacts::findThrottled(uint32_t Site, uint32_t Thread) const {
  const uint64_t Key = ThrottledCalls::keyOf(Site, Thread);
  const ThrottledCalls *const Found =
      std::lower_bound(Throttled.begin(), Throttled.end(), Key,
                       [](const ThrottledCalls &Each, uint64_t Of) { return Each.Key < Of; });
  return Found != Throttled.end() && Found->Key == Key ? Found : nullptr;
}

/// Counts all in one pass over the calls.
bool SpoolFacts::countThrottledInWindows() {
  bool Ok = true;
  if (Options.Windows)
    Spool.forEachThrottle([&](uint32_t Thread, const ThrottleEntry &Entry) {
      Ok = Ok && Throttled.add({ThrottledCalls::keyOf(Entry.Site, Thread), Entry.SinceTick, 0});
    });
  if (!Throttled.size())
    return Ok;
  std::sort(Throttled.begin(), Throttled.end(),
            [](const ThrottledCalls &A, const ThrottledCalls &B) { return A.Key < B.Key; });
  forEachWanted([&](const CallView &Call) {
    if (const ThrottledCalls *const Found = findThrottled(Call.Site, Call.Thread))
      Throttled[static_cast<size_t>(Found - Throttled.begin())].Inside +=
          Call.BeginTick >= Found->SinceTick;
  });
  return Ok;
}

void SpoolFacts::countAbandoned() {
  if (AbandonedCounted)
    return;
  AbandonedCounted = true;
  const auto Add = [&](uint32_t Site, int64_t Calls) {
    if (Site < Sites.size() && Sites[Site].IsKnown &&
        __builtin_add_overflow(Sites[Site].Abandoned, Calls, &Sites[Site].Abandoned))
      Sites[Site].Abandoned = INT64_MAX;
  };
  Spool.forEachCall([](const CallView &) {},
                    [&](Escape Kind, uint64_t Begin, uint32_t Value, uint32_t) {
                      if (!isInWindow(Begin))
                        return;
                      if (Kind == EscapeAbandoned)
                        Add(Value, 1);
                      else if (Kind == EscapeReturned)
                        Add(Value, -1);
                    });
  if (Options.Windows)
    return;
  Spool.forEachProfile([&](const SiteProfile &P) {
    Add(P.Site, P.Abandoned > INT64_MAX ? INT64_MAX : static_cast<int64_t>(P.Abandoned));
  });
}

bool SpoolFacts::recordedLess(const SiteView &A, const SiteView &B) {
  const auto Key = [](const SiteView &Of) {
    using View = std::string_view;
    return std::tuple(Of.Line, Of.Column, Of.Kind, View(Of.Name), View(Of.Kernel), View(Of.File),
                      View(Of.KernelFile), Of.KernelLine, View(Of.LinkageName), View(Of.Ops));
  };
  return Key(A) < Key(B);
}

bool SpoolFacts::findRecorded(GrowingList<SiteView> &Recorded) {
  const auto Mark = [&](uint32_t Site) {
    if (Site < Sites.size())
      Sites[Site].IsRecorded = true;
  };
  Spool.forEachCall([&](const CallView &Call) { Mark(Call.Site); },
                    [](Escape, uint64_t, uint32_t, uint32_t) {});
  Spool.forEachOpen([&](uint32_t, const OpenCall &Open) { Mark(Open.Site); });
  Spool.forEachProfile([&](const SiteProfile &P) { Mark(P.Site); });
  bool Ok = true;
  Spool.forEachSite([&](const SiteView &View) {
    if (isSite(View) && Sites[View.Id].IsRecorded)
      Ok = Ok && Recorded.add(View);
  });
  std::sort(Recorded.begin(), Recorded.end(), recordedLess);
  return Ok;
}

} // namespace seamscope::format
