//===- Unrecorded.cpp - a run beside runs that record nothing --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/Unrecorded.h"
#include "analysis/torch/Steps.h"
#include "run/folder/BaselineFolder.h"
#include "run/folder/RunFolder.h"
#include "run/join/BusyMachine.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Less is what two runs of one program differ by.
constexpr double Matters = 0.05;
/// Pages that are touched for the first time now and then; below it there is no pattern.
constexpr uint64_t FewFaults = 64;
constexpr double MoreFaults = 1.2;

template <typename T> T medianOf(std::vector<T> &Values) {
  const auto Middle = Values.begin() + static_cast<std::ptrdiff_t>((Values.size() - 1) / 2);
  std::ranges::nth_element(Values, Middle);
  return *Middle;
}

/// Of the paired steps of one run.
StepFigures figuresOf(const std::vector<const LoggedStep *> &Steps) {
  std::vector<int64_t> Times;
  std::vector<uint64_t> Faults;
  StepFigures Of;
  for (const LoggedStep *Step : Steps) {
    Times.push_back(Step->Ns);
    Faults.push_back(Step->PageFaults);
    Of.Waits += Step->Waits / static_cast<double>(Steps.size());
    Of.Preempted += Step->Preempted / static_cast<double>(Steps.size());
  }
  Of.MedianNs = medianOf(Times);
  Of.PageFaults = medianOf(Faults);
  return Of;
}

using StepsByName = std::map<std::string, std::vector<const LoggedStep *>>;

StepsByName byName(const StepLog &Log) {
  StepsByName All;
  for (const LoggedStep &Step : Log.Steps)
    All[Log.Names[Step.Name]].push_back(&Step);
  return All;
}

std::string interval(const RatioEstimate &Ratio) {
  return fmt::format("{:.2f}..{:.2f}", Ratio.Low, Ratio.High);
}

/// " (2.01x, 95 % 1.95..2.07)", or nothing where no ratio is known.
std::string speedup(const std::optional<StepsBeside> &Of) {
  const auto Ratio = Of ? Of->Times.ratio() : std::nullopt;
  if (!Ratio)
    return "";
  return Ratio->differs() ? fmt::format(" ({:.2f}x, 95 % {})", Ratio->Value, interval(*Ratio))
                          : fmt::format(" (no difference, 95 % {})", interval(*Ratio));
}

/// How much longer steps of one mode take that are recorded.
std::string effect(const char *Mode, const char *What, const RecordingEffect &Of) {
  const auto Ratio = Of.InTurns ? Of.InTurns->Times.ratio() : std::nullopt;
  std::string Text = Ratio
                         ? fmt::format("{} {} take {:.2f} of it (95 % {}, {} in turns)", Mode, What,
                                       Ratio->Value, interval(*Ratio), Of.InTurns->Times.steps())
                         : fmt::format("{} {} are too few to say what it takes", Mode, What);
  if (Of.OfRuns)
    Text += fmt::format(" with {} page faults beside {}", Of.OfRuns->First.PageFaults,
                        Of.OfRuns->Second.PageFaults);
  return Text;
}

void warn(std::vector<std::string> &To, const char *Mode, const RecordingEffect &Of) {
  if (Of.OfRuns && Of.OfRuns->faultsDiffer())
    To.push_back(fmt::format(
        "memory of {0} steps is given back to the system and fetched again in one run and kept in "
        "another: {1} page faults a step, {2} without recording. Set "
        "MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TRIM_THRESHOLD_=1073741824 to have it kept in all",
        Mode, Of.OfRuns->First.PageFaults, Of.OfRuns->Second.PageFaults));
  if (Of.InTurns && Of.InTurns->timeDiffers() && Of.InTurns->Times.ratio()->Value > 1)
    To.push_back(
        fmt::format("{} steps take {:.2f} of the time that they take unrecorded: the tables "
                    "of recorded steps hold that",
                    Mode, Of.InTurns->Times.ratio()->Value));
}

/// One of the runs whose steps are logged.
struct RunIn {
  std::string Folder;
  std::optional<StepLog> FolderLogs::*Log;
  const char *Name; ///< for people
};

std::vector<RunIn> runsIn(const std::string &Folder) {
  // Of the eager runs the first goes with the compiled one that is reported.
  return {{Folder, &FolderLogs::Recorded, "this run"},
          {numbered(eagerIn(Folder), 1), &FolderLogs::RecordedEager, "the eager run"},
          {unrecordedCompiledIn(Folder), &FolderLogs::Compiled, "the unrecorded run"},
          {unrecordedEagerIn(Folder), &FolderLogs::Eager, "the unrecorded eager run"},
          {ownCompilerIn(Folder), &FolderLogs::Own, "the run with torch's own compiler"}};
}

} // namespace

bool StepsBeside::timeDiffers() const {
  const std::optional<RatioEstimate> Ratio = Times.ratio();
  return Ratio && Ratio->differs() && std::fabs(Ratio->Value - 1) > Matters;
}

bool StepsBeside::faultsDiffer() const {
  const auto [Few, Many] = std::minmax(First.PageFaults, Second.PageFaults);
  return Many > FewFaults && static_cast<double>(Many) > MoreFaults * static_cast<double>(Few);
}

std::optional<StepsBeside> stepsBeside(const StepLog &First, const StepLog &Second,
                                       bool FirstRecords) {
  const StepsByName Others = byName(Second);
  StepsBeside All;
  std::vector<const LoggedStep *> Here, There;
  for (const auto &[Name, Steps] : byName(First)) {
    const auto Found = Others.find(Name);
    if (Found == Others.end())
      continue;
    std::vector<std::pair<int64_t, int64_t>> Times;
    std::vector<size_t> Paired;
    for (size_t I = 0; I < std::min(Steps.size(), Found->second.size()); ++I)
      if (!Steps[I]->Compiles && !Found->second[I]->Compiles &&
          Steps[I]->Recorded == FirstRecords && !Found->second[I]->Recorded) {
        Times.emplace_back(Steps[I]->Ns, Found->second[I]->Ns);
        Paired.push_back(I);
      }
    for (size_t I = warmUpSteps(Times); I < Times.size(); ++I) {
      All.Times.add(Times[I].first, Times[I].second);
      Here.push_back(Steps[Paired[I]]);
      There.push_back(Found->second[Paired[I]]);
    }
  }
  if (Here.empty())
    return std::nullopt;
  All.First = figuresOf(Here);
  All.Second = figuresOf(There);
  return All;
}

std::optional<StepsBeside> stepsInTurns(const StepLog &Log) {
  // As two logs that have the steps of one turn under one number.
  StepLog Recorded{Log.Names, {}, 0}, Rest = Recorded;
  std::map<uint32_t, const LoggedStep *> Last; // recorded, by name
  for (const LoggedStep &Step : Log.Steps)
    if (Step.Recorded) {
      Last[Step.Name] = &Step;
    } else if (const LoggedStep *Before = std::exchange(Last[Step.Name], nullptr)) {
      Recorded.Steps.push_back(*Before);
      Rest.Steps.push_back(Step);
    }
  return stepsBeside(Recorded, Rest, true);
}

std::vector<std::string> Unrecorded::lines() const {
  std::vector<std::string> Lines;
  const StepsBeside *Any = Speedup ? &*Speedup : Own ? &*Own : nullptr;
  if (Any) {
    std::string Text =
        fmt::format("Without recording a step{} takes ",
                    By == StepsBy::Turn ? ", from one compiled call to the next," : "");
    if (Speedup)
      Text += fmt::format("{:.3f} ms in eager mode and ", Speedup->Times.meanEagerNs() / 1e6);
    Text +=
        fmt::format("{:.3f} ms compiled{}", Any->Times.meanCompiledNs() / 1e6, speedup(Speedup));
    if (Own) {
      const auto Ratio = Own->Times.ratio();
      Text +=
          fmt::format(", {:.3f} ms with the compiler and OpenMP runtime that torch chooses itself",
                      Own->Times.meanEagerNs() / 1e6);
      Text += !Ratio ? fmt::format(" ({} step{}: too few to say whether they differ)",
                                   Own->Times.steps(), Own->Times.steps() == 1 ? "" : "s")
              : !Ratio->differs() ? " (no difference)"
              : OwnSpeedup
                  ? speedup(OwnSpeedup)
                  : fmt::format(" ({:.2f} of it, 95 % {})", Ratio->Value, interval(*Ratio));
    }
    Lines.push_back(std::move(Text));
  }
  if (Eager || Compiled) {
    const char *const What = By == StepsBy::Turn ? "calls" : "steps";
    std::string Text = "Recorded ";
    if (Eager)
      Text += effect("eager", What, Eager);
    if (Compiled)
      Text += (Eager ? "; " : "") + effect("compiled", What, Compiled);
    Lines.push_back(std::move(Text));
  }
  return Lines;
}

std::vector<std::string> Unrecorded::warnings() const {
  std::vector<std::string> All;
  warn(All, "eager", Eager);
  warn(All, "compiled", Compiled);
  return All;
}

FolderLogs logsOf(const std::string &Folder, std::vector<Error> &NotRead) {
  FolderLogs Logs;
  for (const RunIn &Each : runsIn(Folder))
    if (auto Log = readStepLog(Each.Folder))
      Logs.*Each.Log = std::move(*Log);
    else
      NotRead.push_back(Log.error());
  return Logs;
}

StepLog turnsOf(const StepLog &Calls) {
  const auto Loop = loopCalls(Calls.Steps, [](const LoggedStep &Call) { return Call.Name; });
  StepLog Turns{Calls.Names, {}, Calls.LeftOut};
  for (size_t I = 1; I < Loop.size(); ++I)
    Turns.Steps.emplace_back(*Loop[I - 1]).Ns =
        std::max<int64_t>(0, Loop[I]->BeginNs - Loop[I - 1]->BeginNs);
  return Turns;
}

std::optional<Unrecorded> compareUnrecorded(const FolderLogs &Logs, StepsBy By) {
  const auto &[Recorded, RecordedEager, Compiled, Eager, Own] = Logs;
  const auto Beside = [](const auto &First, const auto &Second, bool FirstRecords) {
    return First && Second ? stepsBeside(*First, *Second, FirstRecords) : std::nullopt;
  };
  // Of one run's turns only the calls are recorded: those tell what recording does.
  const auto Steps = [&](const auto &First, const auto &Second) {
    if (By != StepsBy::Turn)
      return Beside(First, Second, false);
    return First && Second ? stepsBeside(turnsOf(*First), turnsOf(*Second), false) : std::nullopt;
  };
  const auto InTurns = [](const auto &Log) { return Log ? stepsInTurns(*Log) : std::nullopt; };
  Unrecorded All{{InTurns(Eager), Beside(RecordedEager, Eager, true)},
                 {InTurns(Compiled), Beside(Recorded, Compiled, true)},
                 Steps(Eager, Compiled),
                 Steps(Own, Compiled),
                 Steps(Eager, Own),
                 By};
  if (!All.Eager && !All.Compiled && !All.Speedup && !All.Own)
    return std::nullopt;
  return All;
}

std::optional<HealthFinding> busyMachine(const std::string &Folder, const FolderLogs &Logs) {
  std::vector<NamedRun> Named;
  for (const RunIn &Each : runsIn(Folder)) {
    const std::optional<StepLog> &Log = Logs.*Each.Log;
    Named.push_back({Each.Name, Log ? &*Log : nullptr, hostLoadOf(Each.Folder)});
  }
  return busyMachine(Named);
}

} // namespace seamscope::tools
