//===- ReportInputs.cpp - the input traces of a report --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/ReportInputs.h"
#include "cli/RankClocks.h"

#include "analysis/core/KernelNames.h"
#include "analysis/core/Renumber.h"
#include "analysis/health/Judge.h"
#include "cli/Messages.h"
#include "run/folder/RunFolder.h"
#include "run/join/Unrecorded.h"
#include "torch/CompileLog.h"
#include "trace/columns/ReadColumns.h"
#include "trace/io/FileUse.h"
#include "trace/rewrite/JoinTraces.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

bool isDigits(std::string_view Text) {
  return !Text.empty() && Text.find_first_not_of("0123456789") == Text.npos;
}

/// The traces in a folder that Seamscope did not write: files named as by torch.profiler, else
/// every JSON file that begins like a trace. Sorted by name.
std::vector<std::string> foreignTracesIn(const std::string &Folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> Named, Other;
  for (const fs::path &Path : entriesIn(Folder)) {
    const std::string Name = Path.filename().string();
    if (!isRegularFile(Path.string()))
      continue;
    if (Name.ends_with(".pt.trace.json") || Name.ends_with(".pt.trace.json.gz"))
      Named.push_back(Path.string());
    else if (Name.ends_with(".json") || Name.ends_with(".json.gz"))
      Other.push_back(Path.string());
  }
  if (Named.empty()) {
    std::erase_if(Other, [](const std::string &Path) { return !beginsLikeTrace(Path); });
    Named = std::move(Other);
  }
  std::ranges::sort(Named);
  return Named;
}

/// Splits a trace's name into what all cycles of a profiler's schedule in one process share
/// ("trace" of trace-2.json, HOST_PID of torch's HOST_PID.TIMESTAMP.pt.trace.json) and the cycle's
/// number. Other names are cycle 0 of themselves.
std::pair<std::string, uint64_t> cycleOf(const std::string &Path) {
  std::string Name = std::filesystem::path(Path).filename().string();
  const auto Number = [](const std::string &Text) {
    return Text.size() < 20 ? std::stoull(Text) : UINT64_MAX;
  };
  if (const size_t End = Name.find(".pt.trace.json"); End != Name.npos) {
    const size_t Dot = End ? Name.rfind('.', End - 1) : Name.npos;
    if (Dot != Name.npos && isDigits(std::string_view(Name).substr(Dot + 1, End - Dot - 1)))
      return {Name.substr(0, Dot), Number(Name.substr(Dot + 1, End - Dot - 1))};
    return {Name, 0};
  }
  if (Name == "trace.json" || Name == "trace.json.gz")
    return {"trace", 0};
  if (const size_t End = Name.find(".json"); Name.starts_with("trace-") && End != Name.npos &&
                                             isDigits(std::string_view(Name).substr(6, End - 6)))
    return {"trace", Number(Name.substr(6, End - 6))};
  return {Name, 0};
}

/// Keeps the first cycle of each process.
void keepFirstCycles(std::vector<std::string> &Traces, const std::string &Folder) {
  std::ranges::stable_sort(Traces, {}, cycleOf);
  std::set<std::string> Known;
  std::vector<std::string> First;
  for (const std::string &Path : Traces)
    if (Known.insert(cycleOf(Path).first).second)
      First.push_back(Path);
  if (const size_t Later = Traces.size() - First.size())
    complain(First.size() == 1
                 ? fmt::format("report: {} holds {} cycles of a profiler schedule; this report "
                               "shows the first, {}",
                               Folder, Later + 1, First[0])
                 : fmt::format("report: {} holds several cycles of a profiler schedule; this "
                               "report shows the first of each process",
                               Folder));
  Traces = std::move(First);
}

/// Why a folder has no trace.
Error noTrace(const std::string &Folder) {
  if (!isRunFolder(Folder))
    return {
        Folder,
        {},
        "is a directory without a trace.json; name a trace, a folder that `seamscope run` made, "
        "or one with the traces of ranks"};
  if (compileLogsIn(logsIn(Folder)).empty())
    return {Folder,
            {},
            "the run in it recorded nothing: no function of the program was built with "
            "seamscope-clang++ and selected, and it called no torch operators"};
  return {Folder,
          {},
          "the run in it recorded nothing but torch's compilation, which is in its torch-trace"};
}

void sortByRank(std::vector<std::string> &Traces) {
  std::vector<std::pair<int64_t, std::string>> ByRank;
  for (std::string &Path : Traces) {
    const int64_t Rank = rankOfTrace(Path).value_or(INT64_MAX);
    ByRank.emplace_back(Rank, std::move(Path));
  }
  std::ranges::stable_sort(ByRank, {}, &std::pair<int64_t, std::string>::first);
  Traces.clear();
  for (auto &[Rank, Path] : ByRank)
    Traces.push_back(std::move(Path));
}

} // namespace

std::vector<std::string> tracesToReport(const std::string &Path, std::optional<int64_t> Rank) {
  std::error_code Failed;
  std::vector<std::string> Traces = {Path};
  if (std::filesystem::is_directory(Path, Failed) && !isColumns(Path)) {
    Traces = tracesIn(Path);
    if (Traces.empty() && !isRunFolder(Path))
      Traces = foreignTracesIn(Path);
    if (Traces.empty()) {
      fail(takeUnread().value_or(noTrace(Path)));
      return {};
    }
    keepFirstCycles(Traces, Path);
    if (Traces.size() > 1)
      sortByRank(Traces);
  }
  if (!Rank)
    return Traces;
  std::string Ranks;
  std::erase_if(Traces, [&](const std::string &Each) {
    const std::optional<int64_t> Own = rankOfTrace(Each, /*Whole=*/true);
    if (Own)
      Ranks += fmt::format("{}{}", Ranks.empty() ? "" : ", ", *Own);
    return Own != Rank;
  });
  if (Traces.empty())
    fail({Path,
          {},
          Ranks.empty() ? "names no ranks"
                        : fmt::format("has no rank {}; there are {}", *Rank, Ranks)});
  return Traces;
}

std::string oneTraceOf(const char *Verb, const std::string &Path, std::optional<int64_t> Rank) {
  if (!Rank && !isRunFolder(Path))
    return Path;
  const std::vector<std::string> Traces = tracesToReport(Path, Rank);
  if (Traces.size() > 1)
    complain(fmt::format("{}: {} holds the traces of {} processes: name one of them, such as {}",
                         Verb, Path, Traces.size(), Traces[0]));
  return Traces.size() == 1 ? Traces[0] : std::string();
}

Result<Trace> readNamed(const std::string &Path, const ReadOptions &Keep) {
  auto Read = readTrace(Path, Keep);
  if (Read)
    judge(*Read);
  const std::string Folder = Read ? runFolderOf(Path) : std::string();
  if (Folder.empty())
    return Read;
  std::vector<Error> NotRead; // the report of the run says it
  if (auto Busy = busyMachine(Folder, logsOf(Folder, NotRead)))
    Read->Health.Found.push_back(std::move(*Busy)); // the last of the checks
  if (auto Torch = loadAndName(Folder, *Read); !Torch)
    return Torch.error();
  return Read;
}

Result<std::optional<TorchRun>> loadAndName(const std::string &Folder, Trace &Source,
                                            const std::vector<std::string> &Roots) {
  if (Folder.empty())
    return std::optional<TorchRun>();
  auto Torch = loadTorchRun(Folder, Source, Roots);
  if (Torch && *Torch)
    nameKernels(Source, **Torch);
  return Torch;
}

int rangeOfPart(const char *Verb, const WantedPart &Part, const Trace &Source, TimeRange &Range) {
  if (!Source.Profile.empty())
    return fail({Source.Info.Path,
                 {},
                 "holds sums of mode profile, not calls; a part of it cannot be cut out"});
  const std::optional<TimeRange> Whole = extentOf(Source);
  if (!Whole)
    return fail({Source.Info.Path, {}, "holds no events to cut a part from"});
  if (Part.Step) {
    const std::optional<TimeRange> Step = stepRange(Source, *Part.Step);
    if (!Step)
      return fail({Source.Info.Path,
                   {},
                   fmt::format("has no step ProfilerStep#{}; the program marks steps with "
                               "torch.profiler's step()",
                               *Part.Step)});
    Range = *Step;
    return Success;
  }
  const std::optional<TimeRange> Window = parseRange(Part.Window, *Whole);
  if (!Window) {
    complain(
        fmt::format("{}: --window {}: {}", Verb, Part.Window, whyNoRange(Part.Window, *Whole)));
    return BadUsage;
  }
  Range = *Window;
  return Success;
}

int cutToPart(const char *Verb, const WantedPart &Part, Trace &Source) {
  if (Part.isWhole())
    return Success;
  TimeRange Range;
  if (const int Failed = rangeOfPart(Verb, Part, Source, Range))
    return Failed;
  cutTo(Source, Range);
  renumber(Source);
  Source.Info.Notes.push_back(
      fmt::format("only {} of the trace; events that reach beyond are cut off there",
                  Part.Step ? fmt::format("step {}", *Part.Step) : Part.Window));
  return Success;
}

std::variant<Trace, int> readCalls(const char *Verb, const char *Needs, const std::string &Path,
                                   const WantedPart &Part, const ReadOptions &Keep) {
  auto Read = readNamed(Path, Keep);
  if (!Read)
    return fail(Read.error());
  if (!Read->Profile.empty())
    return fail(
        {Read->Info.Path, {}, fmt::format("holds sums of mode profile, not calls; {}", Needs)});
  if (const int Failed = cutToPart(Verb, Part, *Read))
    return Failed;
  tellKernelsApart(*Read);
  return std::move(*Read);
}

Result<ReportedTrace> readToReport(const std::vector<std::string> &Paths, const std::string &Name,
                                   const ReadOptions &Keep) {
  if (Paths.size() == 1) {
    auto One = readTrace(Paths[0], Keep);
    if (!One)
      return One.error();
    TraceInfo Info = One->Info;
    if (!One->Events.size() && One->Profile.empty() && Info.Mode.empty() && !Info.Damage &&
        !Info.SkippedEvents && !Info.Cut)
      return Error{Paths[0], {}, "holds no events; was anything recorded?"};
    ReportedTrace Result;
    Result.Source = std::move(*One);
    judge(Result.Source);
    Result.Infos.push_back(std::move(Info));
    return Result;
  }
  // Collectives say how the clocks of ranks differ.
  ReadOptions WithCollectives = Keep;
  WithCollectives.Launches = WithCollectives.Collectives = true;
  std::vector<RankClock> Clocks;
  auto All =
      joinTraces(Paths, WithCollectives, [&](const std::vector<Trace> &Inputs, CombinePlan &Plan) {
        RankClocks Found(Plan);
        for (const Trace &Each : Inputs)
          Found.add(Each);
        Clocks = Found.align();
        return std::optional<Error>();
      });
  if (!All) {
    Error Why = All.error();
    Why.Reason += fmt::format("; the {} traces of {} cannot be reported together: name one of them",
                              Paths.size(), Name);
    return Why;
  }
  ReportedTrace Result;
  Result.Source = std::move(All->Whole);
  judge(Result.Source);
  Result.Unread = std::move(All->Unread);
  Result.Source.Info.Path = Name;
  std::vector<std::string> &Notes = Result.Source.Info.Notes;
  std::vector<std::string> Labels;
  for (const JoinedInput &From : All->Inputs)
    Labels.push_back(From.Label);
  std::vector<std::string> OfClocks = clockNotes(Clocks, Labels, All->NotAligned);
  Result.NotAligned = All->NotAligned;
  Result.Clocks = std::move(Clocks);
  if (!All->NotAligned.empty() && std::ranges::none_of(Result.Clocks, [](const RankClock &Each) {
        return Each.Basis == ClockBasis::Collectives;
      })) {
    Notes.push_back(fmt::format("the times of the traces cannot be compared: {}", All->NotAligned));
    complain(fmt::format("report: {}; `seamscope combine --align start` makes a trace in which "
                         "their first calls begin together",
                         Notes.back()));
  }
  std::ranges::move(OfClocks, std::back_inserter(Notes));
  for (std::string &Each : All->Notes)
    Notes.push_back(std::move(Each));
  for (const Error &Why : Result.Unread)
    Notes.push_back("left out: " + Why.message());
  for (JoinedInput &From : All->Inputs) {
    RankInput &Input = Result.Ranks.emplace_back();
    if (From.Info.Damage) {
      Input.Damage = From.Info.Damage->message();
      Notes.push_back("incomplete: " + Input.Damage);
    }
    Input.Rank = From.Info.Rank;
    Input.Label = From.Label;
    Input.Path = From.Info.Path;
    Input.Pids = std::move(From.Pids);
    Result.Infos.push_back(std::move(From.Info));
  }
  return Result;
}

int warnOfDamage(const ReportedTrace &Reported, bool Strict) {
  int Status = Success;
  for (const TraceInfo &Info : Reported.Infos)
    Status = std::max(Status, reportDamage(Info, Strict));
  for (const Error &Why : Reported.Unread)
    Status = std::max(Status, fail(Why));
  return Reported.Ranks.empty() || Strict ? Status : static_cast<int>(Success);
}

} // namespace seamscope::tools
