//===- ComparedRuns.cpp - the runs in a folder, compared ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/ComparedRuns.h"
#include "analysis/health/Judge.h"
#include "run/folder/BaselineFolder.h"
#include "run/folder/RunFolder.h"
#include "run/join/AttributionPlan.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Whether two runs compiled the same graphs, so that their calls can be added.
bool compiledAlike(const CompileLog &A, const CompileLog &B) {
  return std::ranges::equal(A.Graphs, B.Graphs, [](const CompiledGraph &L, const CompiledGraph &R) {
    return L.Id == R.Id && L.Code.Direction == R.Code.Direction &&
           std::ranges::equal(L.Code.Calls, R.Code.Calls, {}, &CodeCall::Kernel, &CodeCall::Kernel);
  });
}

void addTo(LeftOut &Into, const LeftOut &Other) {
  Into.Steps += Other.Steps;
  Into.EagerNs += Other.EagerNs;
  Into.CompiledNs += Other.CompiledNs;
}

/// \p Before: number of pairs of runs in \p Into.
void addTo(Attribution &Into, Attribution &&Other, uint32_t Before, bool Calls) {
  for (StepTimes &Step : Other.Steps) {
    Step.Run = Before;
    Into.Steps.push_back(std::move(Step));
  }
  for (const auto &[Name, Times] : Other.Unplaced)
    Into.Unplaced[Name] += Times;
  for (const auto &[Name, Count] : Other.WithoutEvent)
    Into.WithoutEvent[Name] += Count;
  addTo(Into.Compiling, Other.Compiling);
  addTo(Into.WarmUp, Other.WarmUp);
  Into.NumPySteps += Other.NumPySteps;
  Into.Unpaired += Other.Unpaired;
  Into.CompilingNs += Other.CompilingNs;
  if (!Calls)
    return;
  for (size_t Graph = 0; Graph < Into.Calls.size(); ++Graph)
    for (size_t Call = 0; Call < Into.Calls[Graph].size(); ++Call)
      Into.Calls[Graph][Call].addSteps(Other.Calls[Graph][Call], Before);
}

bool runsBackward(const TorchRun &Run) {
  return std::ranges::any_of(Run.Graphs.log().Graphs, [](const CompiledGraph &Graph) {
    return Graph.Code.Direction == GraphDirection::Backward;
  });
}

bool hasBackward(const Attribution &One) {
  return std::ranges::any_of(One.Steps,
                             [](const StepTimes &Step) { return Step.Backward.CompiledNs > 0; });
}

/// Notes what is missing from a trace, since its time then counts as overhead.
void noteLoss(const Trace &Of, std::vector<std::string> &Notes) {
  if (Of.Info.Damage)
    Notes.push_back(Of.Info.Damage->message());
  if (Of.Info.LostEvents)
    Notes.push_back(fmt::format("{}: {} events were lost; their time counts as overhead",
                                Of.Info.Path, Of.Info.LostEvents));
}

/// Adds the times of all steps; false if the sum overflows.
bool addTimes(const Attribution &From, int64_t &Sum) {
  const auto Add = [&](int64_t Ns) { return !__builtin_add_overflow(Sum, Ns, &Sum); };
  for (const StepTimes &Step : From.Steps)
    if (!Add(Step.EagerNs) || !Add(Step.CompiledNs))
      return false;
  for (const LeftOut &Out : {From.Compiling, From.WarmUp})
    if (!Add(Out.EagerNs) || !Add(Out.CompiledNs))
      return false;
  return Add(From.CompilingNs);
}

/// The trace in \p Folder to compare with \p Source: that of its rank, or the first one without
/// ranks. Empty: none.
std::string counterpart(const std::string &Folder, const Trace &Source, const TraceAccess &Traces) {
  const std::vector<std::string> Paths = tracesIn(Folder);
  if (!Source.Info.Rank)
    return Paths.empty() ? std::string() : Paths[0];
  const auto Found = std::ranges::find_if(
      Paths, [&](const std::string &Path) { return Traces.RankOf(Path) == Source.Info.Rank; });
  return Found == Paths.end() ? std::string() : *Found;
}

} // namespace

Result<std::optional<ComparedRuns>> compareRuns(const std::string &Folder, const Trace &Source,
                                                const TorchRun &Torch, const TraceAccess &Traces,
                                                const ReadOptions &Options) {
  ComparedRuns Whole;
  Whole.Tools = toolsOf(Folder);
  int64_t Sum = 0; // limited for one trace, but not for several
  for (const RunPair &Pair : baselinesIn(Folder)) {
    const std::string EagerPath = counterpart(Pair.Eager, Source, Traces);
    const std::string CompiledPath =
        Pair.Compiled == Folder ? Source.Info.Path : counterpart(Pair.Compiled, Source, Traces);
    if (EagerPath.empty() || CompiledPath.empty()) {
      Whole.Notes.push_back(
          fmt::format("{} has no trace{}", EagerPath.empty() ? Pair.Eager : Pair.Compiled,
                      Source.Info.Rank ? fmt::format(" of rank {}", *Source.Info.Rank) : ""));
      continue;
    }
    ReadOptions OfEager = Options;
    OfEager.Autograd = true;
    auto Eager = Traces.Read(EagerPath, OfEager);
    if (!Eager)
      return Eager.error();
    judge(*Eager);
    noteLoss(*Eager, Whole.Notes);
    const Trace *Compiled = &Source;
    const TorchRun *Run = &Torch;
    std::optional<Trace> Again;
    std::optional<TorchRun> TorchAgain;
    if (Pair.Compiled != Folder) {
      auto Read = Traces.Read(CompiledPath, Options);
      if (!Read)
        return Read.error();
      judge(*Read);
      auto ReadTorch = loadTorchRun(Pair.Compiled, *Read);
      if (!ReadTorch)
        return ReadTorch.error();
      if (!*ReadTorch) {
        Whole.Notes.push_back(fmt::format("{} has no logs of torch.compile", Pair.Compiled));
        continue;
      }
      Compiled = &Again.emplace(std::move(*Read));
      noteLoss(*Compiled, Whole.Notes);
      Run = &TorchAgain.emplace(std::move(**ReadTorch));
    }
    Attribution One = attribute(*Compiled, planGraphs(*Run, *Compiled), *Eager);
    if (!addTimes(One, Sum))
      return Error{Pair.Eager,
                   {},
                   "the times of its steps and of the other runs' add up to more than 292 years"};
    if (One.By == StepsBy::Call && !One.Steps.empty() && runsBackward(*Run) && !hasBackward(One)) {
      Whole.ForwardOnly = true;
      Whole.Notes.push_back(
          "the steps are calls of compiled functions and hold no backward pass; to compare it, let "
          "the program make three turns of its loop, or mark its steps by "
          "torch.profiler.record_function(\"ProfilerStep#0\") and so on");
    }
    if (One.Unpaired)
      Whole.Notes.push_back(fmt::format("{} steps of {} or {} have no counterpart in the other run",
                                        One.Unpaired, Pair.Compiled, Pair.Eager));
    if (!Whole.Pairs++) {
      Whole.All = std::move(One);
      continue;
    }
    if (One.OnDevice != Whole.All.OnDevice) {
      --Whole.Pairs;
      Whole.Notes.push_back(
          fmt::format("{} and {} are left out: GPU work is recorded in these runs but not in the "
                      "first ones, or the other way round; record all runs in the same way",
                      Pair.Compiled, Pair.Eager));
      continue;
    }
    const bool Alike = compiledAlike(Torch.Graphs.log(), Run->Graphs.log());
    if (!Alike)
      Whole.Notes.push_back(fmt::format("{} was compiled differently from the first run: its "
                                        "kernels are not counted with those of the first run",
                                        Pair.Compiled));
    addTo(Whole.All, std::move(One), static_cast<uint32_t>(Whole.Pairs) - 1, Alike);
  }
  if (!Whole.Pairs)
    return std::optional<ComparedRuns>();
  if (Whole.All.NumPySteps)
    Whole.Notes.push_back(
        fmt::format("{} eager steps call NumPy, which leaves no events: their time outside of "
                    "operators is NumPy's, Python's and torch's together, and stands as [unknown]",
                    Whole.All.NumPySteps));
  return std::optional<ComparedRuns>(std::move(Whole));
}

CallTimes timesOf(const Attribution &All, const TorchRun &Torch, const GeneratedKernel &Kernel) {
  CallTimes Sum;
  for (const uint32_t Number : Kernel.Uses) {
    const KernelUse &Use = Torch.Graphs.uses()[Number];
    const CallTimes *Found = All.find(Use.Graph, Use.Call);
    if (Found)
      Sum.add(*Found);
  }
  return Sum;
}

} // namespace seamscope::tools
