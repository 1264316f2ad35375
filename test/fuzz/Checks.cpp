//===- Checks.cpp - what must hold of every trace, however hostile --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "PageChecks.h"

#include "analysis/compare/Baseline.h"
#include "analysis/compare/Diff.h"
#include "analysis/core/KernelRows.h"
#include "analysis/devices/OperatorTimes.h"
#include "analysis/groups/GroupBy.h"
#include "analysis/samples/SampleRows.h"
#include "analysis/samples/Unattributed.h"
#include "analysis/torch/CriticalPath.h"
#include "report/Report.h"
#include "report/render/Render.h"
#include "report/sections/Documents.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace seamscope::fuzz {

using namespace tools;

namespace {

/// Sums wider than any column can make them.
using Wide = __int128;

/// What goes to a terminal: lines of UTF-8 in which nothing steers it.
void checkShown(const std::string &Text) {
  for (const char C : Text)
    SEAMSCOPE_CHECK(C == '\n' || C == '\r' || (static_cast<unsigned char>(C) >= 0x20 && C != 0x7f));
  (void)nlohmann::json(Text).dump(); // throws when it is not UTF-8
}

/// All faces of a document.
void checkFaces(const Document &Made) {
  checkShown(rendered(renderText, Made, TextStyle{}));
  checkShown(rendered(renderMarkdown, Made));
  checkShown(rendered(renderCsv, Made));
  SEAMSCOPE_CHECK(nlohmann::json::accept(rendered(renderJson, Made)));
  checkPage(Made, /*Packs=*/false);
}

bool isWork(const Trace &Read, size_t Event) {
  const Site &What = Read.Sites[Read.Events.Site[Event]];
  return isDeviceWork(What.Kind, What.Device);
}

template <typename PredicateFn> Wide durations(const Trace &Read, PredicateFn Counts) {
  Wide Sum = 0;
  for (size_t I = 0; I < Read.Events.size(); ++I)
    if (Counts(I))
      Sum += Read.Events.DurationNs[I];
  return Sum;
}

/// Length of what the events of \p Counts cover on each thread, added up over these.
template <typename PredicateFn> Wide coveredByThread(const Trace &Read, PredicateFn Counts) {
  std::map<TrackId, std::vector<std::pair<int64_t, int64_t>>> Spans;
  for (size_t I = 0; I < Read.Events.size(); ++I)
    if (Counts(I))
      Spans[Read.Events.Track[I]].emplace_back(Read.Events.BeginNs[I], Read.Events.endNs(I));
  Wide Sum = 0;
  for (auto &[Thread, All] : Spans) {
    std::ranges::sort(All);
    int64_t To = INT64_MIN;
    for (const auto &[Begin, End] : All) {
      Sum += std::max<Wide>(0, Wide{End} - std::max(To, Begin));
      To = std::max(To, End);
    }
  }
  return Sum;
}

void checkStatistics(const Trace &Read, Statistics &Numbers) {
  SEAMSCOPE_CHECK(Numbers.WindowNs >= 0);
  if (Read.Profile.empty()) {
    SEAMSCOPE_CHECK(Numbers.UnattributedNs && *Numbers.UnattributedNs >= 0);
    const int64_t Blocked = Numbers.BlockedNs.value_or(0), Ready = Numbers.PreemptedNs.value_or(0);
    SEAMSCOPE_CHECK(Blocked >= 0 && Ready >= 0);
    const int64_t Spun = Numbers.SpinningNs.value_or(0);
    const int64_t Hooks = Numbers.RecordingNs.value_or(0);
    SEAMSCOPE_CHECK(Spun >= 0 && Hooks >= 0);
    Wide Sum = Wide{*Numbers.UnattributedNs} + Blocked + Ready + Spun + Hooks;
    for (const KernelRow &Row : Numbers.Kernels) {
      SEAMSCOPE_CHECK(Row.SelfNs && *Row.SelfNs >= 0 && *Row.SelfNs <= Row.Times.TotalNs);
      Sum += *Row.SelfNs;
    }
    SEAMSCOPE_CHECK(Sum == Numbers.WindowNs);
    Wide Total = 0;
    uint64_t Calls = 0;
    for (const KernelRow &Row : Numbers.Kernels) {
      Total += Row.Times.TotalNs;
      Calls += Row.Times.Calls;
    }
    const auto HasRow = [&](size_t I) {
      const SiteKind Kind = Read.Sites[Read.Events.Site[I]].Kind;
      return Kind == SiteKind::Kernel || Kind == SiteKind::Annotation;
    };
    const std::vector<bool> Recursive = recursiveCalls(Read, kernelRows(Read));
    SEAMSCOPE_CHECK(Total == durations(Read, [&](size_t I) {
                      return HasRow(I) && (Recursive.empty() || !Recursive[I]);
                    }));
    uint64_t Events = 0;
    for (size_t I = 0; I < Read.Events.size(); ++I)
      Events += HasRow(I);
    SEAMSCOPE_CHECK(Calls == Events);
  }
  for (const KernelRow &Row : Numbers.Kernels) {
    SEAMSCOPE_CHECK(Row.Site < Read.Sites.size());
    const CallStatistics &Times = Row.Times;
    SEAMSCOPE_CHECK(Times.MeanNs.has_value() == (Times.Calls != 0));
    if (Times.Calls && Read.Profile.empty())
      SEAMSCOPE_CHECK(0 <= *Times.MinNs && *Times.MinNs <= *Times.MedianNs &&
                      *Times.MedianNs <= *Times.P99Ns && *Times.P99Ns <= *Times.MaxNs &&
                      *Times.MinNs <= *Times.MeanNs && *Times.MeanNs <= *Times.MaxNs);
    for (const RegionRow &Region : Row.Regions) {
      Wide Calls = 0;
      for (const ThreadShare &Share : Region.Threads) {
        SEAMSCOPE_CHECK(Share.BusyNs >= 0 && Share.BusyNs <= Region.TotalNs);
        Calls += Share.Calls;
      }
      SEAMSCOPE_CHECK(Calls == Region.Calls);
    }
  }
  for (const SortKey Key : {SortKey::Self, SortKey::Total, SortKey::Calls, SortKey::Mean,
                            SortKey::Median, SortKey::P99, SortKey::Max, SortKey::Name})
    sortKernels(Numbers, Read, Key);
}

/// What samples say, with one name for all code.
void checkSampledReport(const Trace &Read) {
  CodeNames Names;
  Names.Codes.resize(1);
  Names.OfSample.resize(Read.Samples.size());
  Names.Waits.resize(Read.Waits.size());
  const Statistics Numbers = computeStatistics(Read, {}, &Names);
  const std::vector<UnattributedRow> Outside = unattributedRows(Read, Numbers, Names);
  Wide Sum = 0;
  for (const UnattributedRow &Row : Outside)
    Sum += Row.Ns;
  SEAMSCOPE_CHECK(Outside.empty() || Sum == *Numbers.UnattributedNs);
  for (const BlockedRow &Row : blockedRows(Read, Names))
    SEAMSCOPE_CHECK(Row.Ns >= 0 && (Row.Waits || Row.SpinSamples) &&
                    (!Row.LowNs || *Row.LowNs <= Row.Ns));
  for (const ThreadRow &Row : threadRows(Read))
    SEAMSCOPE_CHECK(Row.Off.BlockedNs >= 0 && Row.Off.PreemptedNs >= 0 && Row.Off.UnknownNs >= 0);
  for (const SampleRow &Row : samplesOfKernels(Read, Names))
    SEAMSCOPE_CHECK(Row.Samples && Row.Ns >= 0);
  for (const SampleRow &Row : samplesBy(Read, Names, SamplesBy::Library))
    SEAMSCOPE_CHECK(Row.Samples && Row.Ns >= 0);
}

void checkLinks(const Trace &Read, const std::vector<Origin> &Links) {
  size_t Next = 0;
  for (uint32_t I = 0; I < Read.Events.size(); ++I) {
    if (!isWork(Read, I))
      continue;
    SEAMSCOPE_CHECK(Next < Links.size() && Links[Next].Work == I);
    const Origin &Link = Links[Next++];
    const EventColumns &Events = Read.Events;
    SEAMSCOPE_CHECK(Link.Launch == NoEvent || Link.Launch < Events.size());
    if (Link.Operator == NoEvent)
      continue;
    SEAMSCOPE_CHECK(Link.Launch != NoEvent && Link.Operator < Events.size());
    SEAMSCOPE_CHECK(Events.Track[Link.Operator] == Events.Track[Link.Launch]);
    SEAMSCOPE_CHECK(Events.BeginNs[Link.Operator] <= Events.BeginNs[Link.Launch] &&
                    Events.endNs(Link.Operator) >= Events.endNs(Link.Launch));
  }
  SEAMSCOPE_CHECK(Next == Links.size());
  const LinkCounts Counts = countLinks(Read, Links);
  SEAMSCOPE_CHECK(Counts.Linked <= Counts.Launched && Counts.Launched <= Counts.Kernels);
}

void checkDevices(const Trace &Read, const std::vector<DeviceRow> &Rows, int64_t WindowNs) {
  Wide Kernels = 0;
  for (const DeviceRow &Row : Rows) {
    SEAMSCOPE_CHECK(Row.BusyNs >= 0 && Row.BusyNs <= WindowNs);
    SEAMSCOPE_CHECK(Row.IdleNs == WindowNs - Row.BusyNs);
    const IdleReasons &Idle = Row.Idle;
    SEAMSCOPE_CHECK(Idle.OutsideNs >= 0 && Idle.SyncNs >= 0 && Idle.HostNs >= 0 &&
                    Idle.LatencyNs >= 0 && Idle.UnknownNs >= 0);
    SEAMSCOPE_CHECK(Wide{Idle.OutsideNs} + Idle.SyncNs + Idle.HostNs + Idle.LatencyNs +
                        Idle.UnknownNs ==
                    Row.IdleNs);
    Kernels += Row.KernelNs;
  }
  SEAMSCOPE_CHECK(Kernels == durations(Read, [&](size_t I) {
                    return isWork(Read, I) &&
                           Read.Sites[Read.Events.Site[I]].Kind == SiteKind::Kernel;
                  }));
}

void checkCategories(const Trace &Read, const std::vector<CategoryRow> &Rows, bool AnyWork) {
  Wide Sum = 0;
  for (const CategoryRow &Row : Rows)
    Sum += Row.TotalNs;
  // Without an event of a device but with a site of one (left open) the table is empty.
  const std::vector<bool> Recursive = recursiveCalls(Read, kernelRows(Read));
  if (AnyWork || !Rows.empty())
    SEAMSCOPE_CHECK(Sum == durations(Read, [&](size_t I) {
                      return AnyWork ? isWork(Read, I)
                                     : Read.Sites[Read.Events.Site[I]].Kind == SiteKind::Kernel &&
                                           (Recursive.empty() || !Recursive[I]);
                    }));
}

void checkOperators(const Trace &Read, const std::vector<OperatorTimesRow> &Rows) {
  const OperatorNesting Nesting = operatorNesting(Read);
  const auto IsOperator = [&](size_t I) {
    const Site &What = Read.Sites[Read.Events.Site[I]];
    return What.Kind == SiteKind::Operator || (What.Kind == SiteKind::Kernel && What.Device < 0);
  };
  const auto TakesPart = [&](size_t I) {
    return IsOperator(I) || Read.Sites[Read.Events.Site[I]].Kind == SiteKind::Span;
  };
  Wide Self = 0, OfOperators = 0;
  for (size_t I = 0; I < Read.Events.size(); ++I) {
    if (!TakesPart(I))
      continue;
    SEAMSCOPE_CHECK(Nesting.SelfNs[I] >= 0 && Nesting.SelfNs[I] <= Read.Events.DurationNs[I]);
    Self += Nesting.SelfNs[I];
    OfOperators += IsOperator(I) ? Nesting.SelfNs[I] : 0;
  }
  SEAMSCOPE_CHECK(Self == coveredByThread(Read, TakesPart));
  Wide Sum = 0;
  for (const OperatorTimesRow &Row : Rows)
    Sum += Row.SelfNs;
  SEAMSCOPE_CHECK(Sum == OfOperators);
}

void checkGroups(const Trace &Read, const std::vector<Origin> &Links, int64_t WindowNs,
                 bool Reports) {
  const std::vector<bool> Recursive = recursiveCalls(Read, kernelRows(Read));
  for (const std::string &Name : groupKeyNames()) {
    const Grouping Groups = groupBy(Read, Links, *groupKeyOf(Name));
    Wide Self = 0, Total = 0;
    uint64_t Calls = 0;
    for (const GroupRow &Row : Groups.Rows) {
      SEAMSCOPE_CHECK(!Row.Calls || (0 <= Row.MinNs && Row.MinNs <= Row.MaxNs));
      Self += Row.SelfNs;
      Total += Row.TotalNs;
      Calls += Row.Calls;
    }
    SEAMSCOPE_CHECK(Self == Groups.SelfNs && Calls == Groups.Calls);
    if (Groups.What == GroupedTime::DeviceWork)
      SEAMSCOPE_CHECK(Total == durations(Read, [&](size_t I) { return isWork(Read, I); }));
    else if (Groups.What == GroupedTime::Kernels)
      SEAMSCOPE_CHECK(Total == durations(Read, [&](size_t I) {
                        return Read.Sites[Read.Events.Site[I]].Kind == SiteKind::Kernel &&
                               (Recursive.empty() || !Recursive[I]);
                      }));
    if (!Reports)
      continue;
    checkFaces(groupsDocument({&Read, &Groups, Name, WindowNs}));
  }
}

void checkDifference(const Trace &Read) {
  const Trace Empty;
  for (const auto &[First, Second] : {std::pair(&Read, &Read), {&Read, &Empty}, {&Empty, &Read}}) {
    const Difference Result = difference(*First, *Second);
    Wide Sums[2] = {0, 0};
    for (const DiffRow &Row : Result.Rows) {
      Sums[0] += Row.FirstNs;
      Sums[1] += Row.SecondNs;
      SEAMSCOPE_CHECK(First != Second || Row.deltaNs() == 0);
    }
    SEAMSCOPE_CHECK(Sums[0] == Result.FirstWindowNs && Sums[1] == Result.SecondWindowNs);
  }
}

} // namespace

/// Stretches and samples are ordered; stretches of a thread do not overlap; numbers name something.
static void checkSamples(const Trace &Read) {
  const size_t Strings = Read.Strings.size();
  const auto Is = [](int64_t Number, size_t Size, int64_t Least) {
    return Number >= Least && Number < static_cast<int64_t>(Size);
  };
  const SampleColumns &S = Read.Samples;
  SEAMSCOPE_CHECK(S.Track.size() == S.size() && S.Address.size() == S.size() &&
                  S.Module.size() == S.size());
  for (size_t I = 0; I < S.size(); ++I) {
    SEAMSCOPE_CHECK(isPlausible(S.Ns[I]) && Is(S.Track[I], Read.Tracks.size(), 0) &&
                    Is(S.Module[I], Read.Modules.size(), -1));
    SEAMSCOPE_CHECK(I == 0 ||
                    std::pair(S.Track[I - 1], S.Ns[I - 1]) <= std::pair(S.Track[I], S.Ns[I]));
  }
  const OffColumns &O = Read.OffCpu;
  SEAMSCOPE_CHECK(O.EndNs.size() == O.size() && O.Track.size() == O.size() &&
                  O.Kind.size() == O.size() && O.OffNs.size() == O.size() &&
                  O.Wait.size() == O.size());
  for (size_t I = 0; I < O.size(); ++I) {
    SEAMSCOPE_CHECK(isPlausible(O.BeginNs[I]) && isPlausible(O.EndNs[I]) &&
                    Is(O.Track[I], Read.Tracks.size(), 0) && Is(O.Kind[I], 3, 0) &&
                    Is(O.Wait[I], Read.Waits.size(), -1));
    SEAMSCOPE_CHECK(O.BeginNs[I] < O.EndNs[I] && O.OffNs[I] >= 0 &&
                    O.OffNs[I] <= O.EndNs[I] - O.BeginNs[I]);
    SEAMSCOPE_CHECK(I == 0 || std::pair(O.Track[I - 1], O.EndNs[I - 1]) <=
                                  std::pair(O.Track[I], O.BeginNs[I]));
  }
  for (const SampledSpan &Span : Read.SampledSpans)
    SEAMSCOPE_CHECK(Span.Track < Read.Tracks.size() && Span.FromNs <= Span.ToNs &&
                    isPlausible(Span.FromNs) && isPlausible(Span.ToNs));
  for (const MappedModule &Of : Read.Modules)
    SEAMSCOPE_CHECK(Of.Begin < Of.End && Of.Process < Strings && Of.Path < Strings &&
                    Of.BuildId < Strings && isPlausible(Of.FromNs));
  for (const SampleState &State : Read.Sampling)
    SEAMSCOPE_CHECK(State.Process < Strings && State.Rate >= 0 && State.Lost >= 0 &&
                    State.Dropped >= 0 && isPlausible(State.BeginNs) && isPlausible(State.UntilNs));
}

void checkTrace(const Trace &Read) {
  checkSamples(Read);
  const EventColumns &Events = Read.Events;
  SEAMSCOPE_CHECK(Events.DurationNs.size() == Events.size());
  SEAMSCOPE_CHECK(Events.Site.size() == Events.size());
  SEAMSCOPE_CHECK(Events.Track.size() == Events.size());
  SEAMSCOPE_CHECK(Events.TeamThread.empty() || Events.TeamThread.size() == Events.size());
  Wide Sum = 0;
  for (size_t I = 0; I < Events.size(); ++I) {
    int64_t End;
    SEAMSCOPE_CHECK(Events.DurationNs[I] >= 0);
    SEAMSCOPE_CHECK(!__builtin_add_overflow(Events.BeginNs[I], Events.DurationNs[I], &End));
    SEAMSCOPE_CHECK(Events.Site[I] < Read.Sites.size() && Events.Track[I] < Read.Tracks.size());
    SEAMSCOPE_CHECK(Events.teamThread(I) >= -1);
    Sum += Events.DurationNs[I];
  }
  SEAMSCOPE_CHECK(Sum <= INT64_MAX);
  const size_t Strings = Read.Strings.size();
  for (const Site &What : Read.Sites)
    Site::forEachText(What, [&](StringId Text) { SEAMSCOPE_CHECK(Text < Strings); });
  for (const Track &Where : Read.Tracks)
    SEAMSCOPE_CHECK(Where.Process < Strings && Where.Thread < Strings &&
                    Where.ThreadName < Strings);
  for (const Process &Known : Read.Processes)
    SEAMSCOPE_CHECK(Known.Pid < Strings && Known.Name < Strings && Known.Labels < Strings);
  for (size_t I = 0; I < Read.Correlations.size(); ++I) {
    SEAMSCOPE_CHECK(Read.Correlations[I].Event < Events.size());
    SEAMSCOPE_CHECK(I == 0 || Read.Correlations[I - 1].Event < Read.Correlations[I].Event);
  }
  for (size_t I = 0; I < Read.Open.size(); ++I) {
    SEAMSCOPE_CHECK(Read.Open[I].Event < Events.size());
    SEAMSCOPE_CHECK(I == 0 || Read.Open[I - 1].Event < Read.Open[I].Event);
  }
  for (const ProfileRow &Row : Read.Profile) {
    SEAMSCOPE_CHECK(Row.Site < Read.Sites.size() && Row.Track < Read.Tracks.size());
    SEAMSCOPE_CHECK(Row.Calls && Row.TotalNs >= 0 && Row.MinNs >= 0 && Row.MaxNs >= 0);
  }
  for (const AbandonedCalls &Left : Read.Abandoned)
    SEAMSCOPE_CHECK(Left.Site < Read.Sites.size());
  SEAMSCOPE_CHECK(Read.Info.Skipped.size() <= Read.Info.SkippedEvents);
  SEAMSCOPE_CHECK(Read.Info.Skipped.empty() == (Read.Info.SkippedEvents == 0));
}

void checkAnalyses(const Trace &Read, bool Reports) {
  Statistics Numbers = computeStatistics(Read);
  checkStatistics(Read, Numbers);
  if (Read.Profile.empty())
    checkSampledReport(Read);
  DeviceReport Devices;
  Devices.Links = linkWork(Read);
  checkLinks(Read, Devices.Links);
  Devices.Linking = countLinks(Read, Devices.Links);
  Devices.Rows = deviceRows(Read, Numbers.WindowNs, Devices.Links);
  checkDevices(Read, Devices.Rows, Numbers.WindowNs);
  Devices.Categories = categoryRows(Read);
  checkCategories(Read, Devices.Categories, !Devices.Links.empty());
  Devices.Operators = operatorTimes(Read, Devices.Links);
  checkOperators(Read, Devices.Operators);
  checkGroups(Read, Devices.Links, Numbers.WindowNs, Reports);
  checkDifference(Read);

  const BaselineComparison Comparison = compareToBaseline(Read, Numbers, Read);
  if (!Reports)
    return;
  const BaselineInput Baseline = {&Read, &Comparison};
  const CriticalPaths Paths(Read, Devices.Links);
  Devices.Paths = Devices.Links.empty() ? nullptr : &Paths;
  ReportInput Input = {&Read, &Numbers, SIZE_MAX, &Baseline, &Devices};
  checkFaces(reportDocument(Input));
  Input.Page = true;
  checkPage(reportDocument(Input), /*Packs=*/true);
  renderCsv(eventsDocument(Read), [](std::string_view Piece) { checkShown(std::string(Piece)); });
}

namespace {

void checkSameText(const Trace &A, const Trace &B, StringId InA, StringId InB) {
  SEAMSCOPE_CHECK(A.text(InA) == B.text(InB));
}

void checkSameError(const std::optional<Error> &A, const std::optional<Error> &B) {
  SEAMSCOPE_CHECK(A.has_value() == B.has_value());
  if (!A || (A->Offset == B->Offset && A->Reason == B->Reason))
    return;
  std::fprintf(stderr, "%s\n%s\n", A->message().c_str(), B->message().c_str());
  SEAMSCOPE_CHECK(!"one error");
}

void checkSameInfo(const TraceInfo &A, const TraceInfo &B) {
  SEAMSCOPE_CHECK(A.Producer == B.Producer && A.Mode == B.Mode && A.End == B.End);
  SEAMSCOPE_CHECK(A.CommandLine == B.CommandLine && A.HostName == B.HostName);
  SEAMSCOPE_CHECK(A.Rank == B.Rank && A.WorldSize == B.WorldSize);
  SEAMSCOPE_CHECK(A.LostEvents == B.LostEvents && A.TwoOpenMP == B.TwoOpenMP);
  SEAMSCOPE_CHECK(A.Notes == B.Notes);
  checkSameError(A.Damage, B.Damage);
  SEAMSCOPE_CHECK(A.SkippedEvents == B.SkippedEvents);
  SEAMSCOPE_CHECK(A.Skipped.size() == B.Skipped.size());
  for (size_t I = 0; I < A.Skipped.size(); ++I)
    checkSameError(Error{"", A.Skipped[I].Offset, A.Skipped[I].Reason},
                   Error{"", B.Skipped[I].Offset, B.Skipped[I].Reason});
}

} // namespace

void checkSame(const Trace &A, const Trace &B) {
  checkSameInfo(A.Info, B.Info);
  SEAMSCOPE_CHECK(A.Sites.size() == B.Sites.size());
  for (size_t I = 0; I < A.Sites.size(); ++I) {
    const Site &InA = A.Sites[I], &InB = B.Sites[I];
    std::vector<StringId> TextsOfA;
    Site::forEachText(InA, [&](StringId Text) { TextsOfA.push_back(Text); });
    size_t Next = 0;
    Site::forEachText(InB, [&](StringId Text) { checkSameText(A, B, TextsOfA[Next++], Text); });
    SEAMSCOPE_CHECK(InA.Line == InB.Line && InA.Column == InB.Column && InA.Device == InB.Device &&
                    InA.Kind == InB.Kind);
  }
  SEAMSCOPE_CHECK(A.Tracks.size() == B.Tracks.size());
  for (size_t I = 0; I < A.Tracks.size(); ++I)
    for (const auto Text : {&Track::Process, &Track::Thread, &Track::ThreadName})
      checkSameText(A, B, A.Tracks[I].*Text, B.Tracks[I].*Text);
  SEAMSCOPE_CHECK(A.Processes.size() == B.Processes.size());
  for (size_t I = 0; I < A.Processes.size(); ++I)
    for (const auto Text : {&Process::Pid, &Process::Name, &Process::Labels})
      checkSameText(A, B, A.Processes[I].*Text, B.Processes[I].*Text);
  SEAMSCOPE_CHECK(A.Events.BeginNs == B.Events.BeginNs);
  SEAMSCOPE_CHECK(A.Events.DurationNs == B.Events.DurationNs);
  SEAMSCOPE_CHECK(A.Events.Site == B.Events.Site);
  SEAMSCOPE_CHECK(A.Events.Track == B.Events.Track);
  for (size_t I = 0; I < A.Events.size(); ++I)
    SEAMSCOPE_CHECK(A.Events.teamThread(I) == B.Events.teamThread(I));
  SEAMSCOPE_CHECK(std::ranges::equal(A.Correlations, B.Correlations,
                                     [](const Correlation &X, const Correlation &Y) {
                                       return X.Event == Y.Event && X.Id == Y.Id;
                                     }));
  SEAMSCOPE_CHECK(std::ranges::equal(
      A.Open, B.Open, [](const OpenCall &X, const OpenCall &Y) { return X.Event == Y.Event; }));
  SEAMSCOPE_CHECK(
      std::ranges::equal(A.Profile, B.Profile, [](const ProfileRow &X, const ProfileRow &Y) {
        return X.Site == Y.Site && X.Track == Y.Track && X.Calls == Y.Calls &&
               X.TotalNs == Y.TotalNs && X.HistogramNs == Y.HistogramNs;
      }));
  SEAMSCOPE_CHECK(std::ranges::equal(A.Abandoned, B.Abandoned,
                                     [](const AbandonedCalls &X, const AbandonedCalls &Y) {
                                       return X.Site == Y.Site && X.Calls == Y.Calls;
                                     }));
}

void checkSame(const Result<Trace> &A, const Result<Trace> &B) {
  SEAMSCOPE_CHECK(static_cast<bool>(A) == static_cast<bool>(B));
  if (A)
    checkSame(*A, *B);
  else
    checkSameError(A.error(), B.error());
}

} // namespace seamscope::fuzz
