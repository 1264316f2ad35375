//===- CriticalPath.cpp - what holds up a step -------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/torch/CriticalPath.h"
#include "analysis/core/Median.h"
#include "analysis/torch/Steps.h"
#include "report/sections/Sections.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Rows of the text without --top.
constexpr size_t UsualRows = 10;

/// Among the steps that launched the most device work, or at least half as much, the one of median
/// length. Without steps, the whole trace up to the end of the launched work.
std::pair<Step, CriticalPath> typicalStep(const Trace &Source, const std::vector<Origin> &Links,
                                          const CriticalPaths &Paths) {
  std::vector<Step> Steps =
      marksSteps(Source) ? stepsOf(Source, StepsBy::Mark) : std::vector<Step>();
  std::vector<size_t> Launched;
  for (const Step &Each : Steps)
    Launched.push_back(static_cast<size_t>(std::ranges::count_if(Links, [&](const Origin &Link) {
      if (Link.Launch == NoEvent)
        return false;
      const int64_t Begin = Source.Events.BeginNs[Link.Launch];
      return Begin >= Each.BeginNs && Begin < Each.EndNs;
    })));
  const size_t Most = Launched.empty() ? 0 : std::ranges::max(Launched);
  std::vector<Step> Busy;
  for (size_t I = 0; I < Steps.size(); ++I)
    if (Most && 2 * Launched[I] >= Most)
      Busy.push_back(Steps[I]);
  if (Busy.empty())
    return {Paths.wholeTrace(), Paths.whole()};
  const Step &Typical = lowerMedian(Busy, &Step::wallNs);
  return {Typical, Paths.of(Typical)};
}

} // namespace

std::string addCriticalPath(Section &To, const Context &In) {
  const DeviceReport *const Devices = In->Input.Devices;
  // On the host alone, the path is each thread's activity, which other tables show.
  if (!Devices || (!Devices->Paths && !In->Input.Everything))
    return {};
  auto [Of, Path] = Devices->Paths ? typicalStep(In->Source, Devices->Links, *Devices->Paths)
                                   : std::pair<Step, CriticalPath>();
  if (Of.wallNs() <= 0 && !In->Input.Everything)
    return {};
  const int64_t WallNs = Path.wallNs();
  const auto Add = [&](const char *Key, Unit Kind, const char *Help, Cell What) {
    To.Items.emplace_back(
        Fact{{std::string("critical_path.") + Key, "", Kind, Help}, std::move(What)});
  };
  Add("step", Unit::Name, "a step of median length; null: the whole trace",
      textOrNull(In->Source.text(Of.Name)));
  Add("begin_ns", Unit::Ns, "its begin on the trace's clock", Path.BeginNs);
  Add("wall_ns", Unit::Ns, "its length, which the rows add up to", WallNs);
  Add("unknown_syncs", Unit::Count, "waits on it whose cause is unknown", Path.UnknownSyncs);
  Add("unknown_stream_waits", Unit::Count, "waits of streams that could not be followed",
      Path.UnknownStreamWaits);
  Add("unlaunched", Unit::Count, "work on it whose launch is not in the trace", Path.Unlaunched);
  std::map<PathKind, int64_t> Kinds;
  for (const PathSum &Sum : Path.Sums)
    Kinds[Sum.Kind] += Sum.Ns;
  std::string Parts;
  std::vector<std::pair<PathKind, int64_t>> Longest(Kinds.begin(), Kinds.end());
  std::ranges::stable_sort(Longest, std::greater(), [](const auto &Each) { return Each.second; });
  for (const auto &[Kind, Ns] : Longest)
    Parts += fmt::format("{}{} {} %", Parts.empty() ? "" : ", ", pathKindName(Kind),
                         shownShare(Ns, WallNs));
  To.Items.emplace_back(
      Sentence{fmt::format("Critical path of {} ({}): {}",
                           Of.Name ? fit(In->Source.text(Of.Name), 60) : "the trace",
                           shownTime(WallNs), Parts),
               ForPeople, /*Apart=*/true});
  std::string Names;
  for (size_t I = 0; I < std::min<size_t>(3, Path.Sums.size()); ++I)
    Names += fmt::format("{}{} ({} %)", I ? ", " : "",
                         Path.Sums[I].Name ? fit(In->Source.text(Path.Sums[I].Name), 60)
                                           : "nothing recorded",
                         shownShare(Path.Sums[I].Ns, WallNs));
  Table Rows = makeTable<PathSum>(
      "critical_path.rows", "Critical path", std::move(Path.Sums),
      {{column::name("On the critical path"),
        [In](const PathSum &S) -> Cell {
          return S.Name ? Cell(In->Source.text(S.Name))
                        : Cell(Value(), std::string("[nothing recorded]"));
        }},
       {Column(
            "kind", "Kind", Unit::Text,
            "what holds up the step: host (operator or runtime call), between (Python, or nothing "
            "recorded), launch delay, device, kernel gap (in a stream), sync")
            .left(),
        [](const PathSum &S) { return pathKindName(S.Kind); }},
       {Column("count", "Times", Unit::Count, "stretches of the path").sum(),
        [](const PathSum &S) { return S.Count; }},
       {Column("ns", "Time", Unit::Ns, "of these").sum(), [](const PathSum &S) { return S.Ns; }},
       {column::percent("percent", "%", "of the step").sum(),
        [WallNs](const PathSum &S) { return percentOf(S.Ns, WallNs); }}});
  Rows.Attached = true;
  Rows.Top = In->Input.rowsOf(UsualRows);
  To.Items.emplace_back(std::move(Rows));
  std::string Unknown;
  for (const auto &[Count, What] :
       {std::pair{Path.UnknownSyncs, "waits for a device on it count as host"},
        {Path.UnknownStreamWaits, "waits of one stream for another were not followed"},
        {Path.Unlaunched, "pieces of work on it have no launch in the trace"}})
    if (Count)
      Unknown += fmt::format("{}{} {}", Unknown.empty() ? "not known: " : ", ", Count, What);
  if (!Unknown.empty())
    To.Items.emplace_back(Sentence{std::move(Unknown)});
  return fmt::format("What held up {} ({}), on its critical path: {}; longest in {}.",
                     Of.Name ? fit(In->Source.text(Of.Name), 60) : "the trace", shownTime(WallNs),
                     Parts, Names);
}

} // namespace seamscope::tools
