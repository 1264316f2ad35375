//===- Unrecorded.cpp - a run compared with unrecorded runs ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/Unrecorded.h"
#include "analysis/core/Median.h"
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

/// Two runs of one program differ by less.
constexpr double Matters = 0.05;
/// Fewer page faults occur now and then, without a pattern.
constexpr double FewFaults = 64;
constexpr double MoreFaults = 1.2;

/// The figures of one run's paired steps.
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
  Of.MedianNs = lowerMedian(Times);
  Of.PageFaults = lowerMedian(Faults);
  return Of;
}

using StepsByName = std::map<std::string, std::vector<const LoggedStep *>>;

StepsByName byName(const StepLog &Log) {
  StepsByName All;
  for (const LoggedStep &Step : Log.Steps)
    All[Log.Names[Step.Name]].push_back(&Step);
  return All;
}

void warn(std::vector<std::string> &To, const char *Mode, const RecordingEffect &Of,
          const FaultRange &Faults, StepsBy By) {
  if (Faults.differs())
    To.push_back(fmt::format(
        "in some of the {} runs malloc returns memory to the system after each step, in others it "
        "does not: {:.0f} to {:.0f} page faults a step. Set MALLOC_MMAP_THRESHOLD_=33554432 "
        "MALLOC_TRIM_THRESHOLD_=1073741824 to have it kept in all",
        Mode, Faults.Least, Faults.Most));
  if (Of.InTurns && Of.InTurns->timeDiffers())
    To.push_back(fmt::format(
        "recorded {} {} take {:.2f} times the time of unrecorded ones: the tables "
        "of recorded steps hold that",
        Mode, By == StepsBy::Turn ? "calls" : "steps", Of.InTurns->Times.ratio()->Value));
}

/// One of the runs whose steps are logged.
struct RunIn {
  std::string Folder;
  std::string Name; ///< for people
};

// Of the recorded runs, the first of each kind: the eager one belongs to the reported run.
RunIn recordedIn(const std::string &Folder) { return {Folder, "this run"}; }
RunIn recordedEagerIn(const std::string &Folder) {
  return {numbered(eagerIn(Folder), 1), "the eager run"};
}

/// The unrecorded runs of a kind, in the order of their numbers.
struct RunsIn {
  std::string (*Folder)(const std::string &);
  std::vector<std::optional<StepLog>> FolderLogs::*Logs;
  const char *Name;

  std::vector<RunIn> in(const std::string &Whole) const {
    std::vector<RunIn> All;
    for (const std::string &Each : repeatsOf(Folder(Whole)))
      All.push_back({Each, All.empty() ? Name : fmt::format("{} ({})", Name, All.size() + 1)});
    return All;
  }
};

constexpr RunsIn UnrecordedRuns[] = {
    {unrecordedCompiledIn, &FolderLogs::Compiled, "the unrecorded run"},
    {unrecordedEagerIn, &FolderLogs::Eager, "the unrecorded eager run"},
    {ownEagerIn, &FolderLogs::OwnEager, "the plain eager run"},
    {ownCompilerIn, &FolderLogs::Own, "the run with torch's own compiler"}};

/// How much two runs of the program differ, from runs in the folder: recorded ones, less the cost
/// of recording within one run, and those of our compiler compared with torch's.
class ScatterOfRuns {
public:
  explicit ScatterOfRuns(const Unrecorded &Of) {
    const StepsBeside &Speedup = *Of.Speedup;
    add({0.0, recordedOver(Of.Eager)});
    add({0.0, recordedOver(Of.Compiled), Of.OfOwn && Of.Own ? logOf(Of.Own->Times) : std::nullopt});
    const double OfEager = faultShare(Of.EagerFaults, Speedup.Times.meanEagerNs()),
                 OfCompiled = faultShare(Of.CompiledFaults, Speedup.Times.meanCompiledNs());
    // As if another run could be off by any amount up to that.
    Found.Further = (OfEager * OfEager + OfCompiled * OfCompiled) / 3;
  }

  const RunScatter &found() const { return Found; }

private:
  static std::optional<double> logOf(const PairedTimes &Times) {
    const auto Ratio = Times.ratio();
    return Ratio ? std::optional(std::log(Ratio->Value)) : std::nullopt;
  }

  static std::optional<double> recordedOver(const RecordingEffect &Of) {
    const auto Runs = Of.OfRuns ? logOf(Of.OfRuns->Times) : std::nullopt;
    const auto Cost = Of.InTurns ? logOf(Of.InTurns->Times) : std::nullopt;
    return Runs && Cost ? std::optional(*Runs - *Cost) : std::nullopt;
  }

  /// In many programs, malloc keeps memory from step to step in some runs only. This is the time
  /// for the difference of page faults between runs, over the time of a step.
  static double faultShare(const FaultRange &Of, double MeanNs) {
    constexpr double FaultNs = 1000; // 0.75 to 1.9 us in a virtual machine, including freeing
    return MeanNs > 0 ? std::min(1.0, (Of.Most - Of.Least) * FaultNs / MeanNs) : 0;
  }

  void add(std::initializer_list<std::optional<double>> Logs) {
    double Sum = 0, Count = 0, Squares = 0;
    for (const auto &Each : Logs)
      if (Each)
        Sum += *Each, ++Count;
    for (const auto &Each : Logs)
      if (Each)
        Squares += (*Each - Sum / Count) * (*Each - Sum / Count);
    Found.Squares += Squares;
    Found.Freedom += Count - 1;
  }

  RunScatter Found;
};

/// The page faults of a typical step: the median of each kind, with the kind's weight.
std::optional<double> faultsOfStep(const StepLog &Log) {
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint64_t>> ByKind;
  size_t Steps = 0;
  for (const LoggedStep &Step : Log.Steps)
    if (!Step.Compiles) {
      ByKind[{Step.Name, Step.Kind}].push_back(Step.PageFaults);
      ++Steps;
    }
  double Sum = 0;
  for (auto &[Kind, Faults] : ByKind)
    Sum += static_cast<double>(lowerMedian(Faults)) * static_cast<double>(Faults.size());
  return Steps ? std::optional(Sum / static_cast<double>(Steps)) : std::nullopt;
}

using RunLogs = std::vector<std::optional<StepLog>>;

FaultRange faultsOf(const std::optional<StepLog> &Recorded,
                    std::initializer_list<const RunLogs *> Others) {
  std::vector<double> Each;
  const auto Add = [&](const std::optional<StepLog> &Log) {
    if (const auto Faults = Log ? faultsOfStep(*Log) : std::nullopt)
      Each.push_back(*Faults);
  };
  Add(Recorded);
  for (const RunLogs *const Of : Others)
    std::ranges::for_each(*Of, Add);
  if (Each.empty())
    return {};
  const auto [Least, Most] = std::ranges::minmax(Each);
  return {Least, Most};
}

double preemptedASecond(const StepFigures &Of) {
  return Of.MedianNs ? Of.Preempted * 1e9 / static_cast<double>(Of.MedianNs) : 0;
}

} // namespace

bool StepsBeside::timeDiffers() const {
  const std::optional<RatioEstimate> Ratio = Times.ratio();
  return Ratio && Ratio->differs() && std::fabs(Ratio->Value - 1) > Matters;
}

bool FaultRange::differs() const { return Most > FewFaults && Most > MoreFaults * Least; }

bool StepsBeside::oneDisturbed() const {
  constexpr double ManyASecond = 20, MoreThanOther = 5;
  const auto [Less, More] = std::minmax({preemptedASecond(First), preemptedASecond(Second)});
  // Threads of a program also take processors from each other.
  return OthersRan && std::max(First.Preempted, Second.Preempted) >= 1 && More >= ManyASecond &&
         More > MoreThanOther * Less;
}

std::optional<RatioEstimate> StepsBeside::ratio() const {
  return oneDisturbed() ? std::nullopt : Times.ratio();
}

std::optional<StepsBeside> stepsBeside(std::span<const LogPair> Runs, bool FirstRecords) {
  StepsBeside All;
  std::vector<const LoggedStep *> Here, There;
  for (const LogPair &Pair : Runs) {
    const StepsByName Others = byName(*Pair.Second);
    PairedTimes OfRun;
    uint32_t Function = 0; // numbered in the order of the names, equal in all pairs
    for (const auto &[Name, Steps] : byName(*Pair.First)) {
      const auto Found = Others.find(Name);
      ++Function;
      if (Found == Others.end())
        continue;
      std::vector<std::pair<int64_t, int64_t>> Times;
      std::vector<size_t> Paired;
      for (size_t I = 0; I < std::min(Steps.size(), Found->second.size()); ++I) {
        const LoggedStep &First = *Steps[I], &Second = *Found->second[I];
        if (!First.Compiles && !Second.Compiles && First.Kind == Second.Kind &&
            First.Recorded == FirstRecords && !Second.Recorded) {
          Times.emplace_back(First.Ns, Second.Ns);
          Paired.push_back(I);
        }
      }
      for (size_t I = warmUpSteps(Times); I < Times.size(); ++I) {
        Here.push_back(Steps[Paired[I]]);
        There.push_back(Found->second[Paired[I]]);
        OfRun.add(Times[I].first, Times[I].second, Here.back()->Kind ^ (Function << 24));
      }
    }
    All.Times.addSteps(OfRun);
  }
  if (Here.empty())
    return std::nullopt;
  All.First = figuresOf(Here);
  All.Second = figuresOf(There);
  return All;
}

std::optional<StepsBeside> stepsBeside(const StepLog &First, const StepLog &Second,
                                       bool FirstRecords) {
  const LogPair Pair = {&First, &Second};
  return stepsBeside({&Pair, 1}, FirstRecords);
}

std::optional<StepsBeside> stepsInTurns(const StepLog &Log) {
  // As two logs in which the steps of one turn have one number.
  StepLog Recorded{Log.Names, {}, 0}, Rest = Recorded;
  std::map<std::pair<uint32_t, uint32_t>, const LoggedStep *> Open; // by name and kind
  for (const LoggedStep &Step : Log.Steps) {
    const LoggedStep *&Before = Open[{Step.Name, Step.Kind}];
    if (!Before || Before->Recorded == Step.Recorded) {
      Before = &Step;
      continue;
    }
    Recorded.Steps.push_back(Step.Recorded ? Step : *Before);
    Rest.Steps.push_back(Step.Recorded ? *Before : Step);
    Before = nullptr;
  }
  auto Found = stepsBeside(Recorded, Rest, true);
  if (Found)
    Found->Times.ofOneRun();
  return Found;
}

std::vector<std::string> Unrecorded::warnings() const {
  std::vector<std::string> All;
  warn(All, "eager", Eager, EagerFaults, By);
  warn(All, "compiled", Compiled, CompiledFaults, By);
  return All;
}

FolderLogs logsOf(const std::string &Folder, std::vector<Error> &NotRead) {
  FolderLogs Logs;
  const auto Read = [&](const std::string &Of) -> std::optional<StepLog> {
    if (auto Log = readStepLog(Of))
      return std::move(*Log);
    else
      NotRead.push_back(Log.error());
    return std::nullopt;
  };
  Logs.Recorded = Read(recordedIn(Folder).Folder);
  Logs.RecordedEager = Read(recordedEagerIn(Folder).Folder);
  Logs.OthersRan = false;
  for (const RunsIn &Runs : UnrecordedRuns)
    for (const RunIn &Each : Runs.in(Folder)) {
      (Logs.*Runs.Logs).push_back(Read(Each.Folder));
      const auto Host = hostLoadOf(Each.Folder);
      Logs.OthersRan |= (Logs.*Runs.Logs).back() && !(Host && Host->hadTheMachine());
    }
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
  // In turns of one run, only the calls are recorded: they show the cost of recording.
  const auto Steps = [&](const RunLogs &First, const RunLogs &Second) {
    std::vector<StepLog> Turns;
    Turns.reserve(2 * First.size());
    const auto StepsOf = [&](const StepLog &Log) {
      return By == StepsBy::Turn ? &Turns.emplace_back(turnsOf(Log)) : &Log;
    };
    std::vector<LogPair> Pairs;
    for (size_t I = 0; I < std::min(First.size(), Second.size()); ++I)
      if (First[I] && Second[I])
        Pairs.push_back({StepsOf(*First[I]), StepsOf(*Second[I])});
    // A disturbed run does not invalidate the others.
    std::vector<LogPair> Quiet;
    for (const LogPair &Pair : Pairs) {
      auto Alone = stepsBeside({&Pair, 1}, false);
      if (Alone)
        Alone->OthersRan = Logs.OthersRan;
      if (!Alone || !Alone->oneDisturbed())
        Quiet.push_back(Pair);
    }
    if (Quiet.empty())
      return stepsBeside(Pairs, false);
    auto Found = stepsBeside(Quiet, false);
    if (Found)
      Found->LeftOut = Pairs.size() - Quiet.size();
    return Found;
  };
  const auto Effect = [](const std::optional<StepLog> &Recorded, const RunLogs &Of) {
    RecordingEffect Found;
    if (Of.empty() || !Of[0])
      return Found;
    Found.InTurns = stepsInTurns(*Of[0]);
    if (Recorded)
      Found.OfRuns = stepsBeside(*Recorded, *Of[0], true);
    return Found;
  };
  Unrecorded All{Effect(Logs.RecordedEager, Logs.Eager),
                 Effect(Logs.Recorded, Logs.Compiled),
                 Steps(Logs.OwnEager, Logs.Own),
                 Steps(Logs.Own, Logs.Compiled),
                 true,
                 By,
                 faultsOf(Logs.RecordedEager, {&Logs.Eager, &Logs.OwnEager}),
                 faultsOf(Logs.Recorded, {&Logs.Compiled, &Logs.Own})};
  if (!All.Speedup) {
    All.OfOwn = false;
    All.Speedup = Steps(Logs.Eager, Logs.Compiled);
  }
  if (!All.Eager && !All.Compiled && !All.Speedup && !All.Own)
    return std::nullopt;
  for (std::optional<StepsBeside> *Each : {&All.Speedup, &All.Own})
    if (*Each)
      (*Each)->OthersRan = Logs.OthersRan;
  if (All.Speedup)
    All.Speedup->Times.setRunScatter(ScatterOfRuns(All).found());
  return All;
}

std::optional<HealthFinding> busyMachine(const std::string &Folder, const FolderLogs &Logs) {
  std::vector<NamedRun> Named;
  const auto Add = [&](const RunIn &Run, const std::optional<StepLog> &Log) {
    Named.push_back({Run.Name, Log ? &*Log : nullptr, hostLoadOf(Run.Folder)});
  };
  Add(recordedIn(Folder), Logs.Recorded);
  Add(recordedEagerIn(Folder), Logs.RecordedEager);
  for (const RunsIn &Runs : UnrecordedRuns) {
    const std::vector<RunIn> Folders = Runs.in(Folder);
    for (size_t I = 0; I < std::min(Folders.size(), (Logs.*Runs.Logs).size()); ++I)
      Add(Folders[I], (Logs.*Runs.Logs)[I]);
  }
  return busyMachine(Named);
}

} // namespace seamscope::tools
