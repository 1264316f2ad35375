//===- CompiledAdvice.cpp - what a compiled program could still save -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/CompiledAdvice.h"
#include "analysis/compare/PairedSteps.h"
#include "analysis/core/Share.h"
#include "analysis/core/Statistics.h"
#include "analysis/torch/Steps.h"
#include "run/join/BreakAdvice.h"
#include "run/join/BreakEven.h"
#include "run/join/CodeAdvice.h"
#include "run/join/ConstantKernels.h"
#include "run/join/Fallbacks.h"
#include "run/join/OptimizerAdvice.h"
#include "run/join/SymbolicFloats.h"
#include "run/join/UnrolledLoops.h"
#include "torch/EagerOps.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Smaller parts of the compared steps are not reported.
constexpr double LeastOverhead = 0.15;
constexpr double LeastOneThread = 0.05;
constexpr double LeastLost = 0.01;
/// A kernel counts as slower if it takes this much longer: runs of one program differ by less.
constexpr double Slower = 1.1;

class CompiledAdviser {
public:
  /// \p IsOverheadExplained: another finding explains the overhead.
  CompiledAdviser(const Trace &Source, const Statistics &Numbers, const TorchRun &Torch,
                  const ComparedRuns &Compared, bool IsOverheadExplained)
      : Source(Source), Numbers(Numbers), Torch(Torch), All(Compared.All), Pairs(Compared.Pairs),
        IsBusy(Source.Health.find(HealthCheck::BusyMachine)),
        IsOverheadExplained(IsOverheadExplained), WholeNs(usualNs(All)) {}

  std::vector<Advice> run() {
    if (!All.Steps.empty()) {
      kernels();
      libraries();
      overhead();
      oneThread();
    }
    recompiles();
    return std::move(Found);
  }

private:
  std::string nameOf(const KernelRow &Kernel) const {
    return std::string(Source.text(Source.Sites[Kernel.Site].Name));
  }

  /// If other programs take a processor, a team waits but a single thread does not: a kernel on
  /// several threads is then slower than operators on one, whatever it does.
  bool isDisturbed(const KernelRow &Row, const GeneratedKernel &Kernel) const {
    return IsBusy && (teamOf(Source, Row).Threads > 1 || isForTeams(Kernel.Source));
  }

  /// Whether it computes an operator with unplaced eager calls, which it may have replaced, as in
  /// the backward pass of the program's own function.
  bool mayReplaceMore(const GeneratedKernel &Kernel) const {
    return std::ranges::any_of(Kernel.Uses, [&](uint32_t Number) {
      const KernelUse &Use = Torch.Graphs.uses()[Number];
      const CompiledGraph &Of = Torch.Graphs.graphOf(Use);
      if (Of.Code.Direction == GraphDirection::Backward && !All.Unplaced.empty())
        return true;
      const FxGraph &Graph = Of.PostGrad;
      return std::ranges::any_of(Use.PostNodes, [&](uint32_t Node) {
        return std::ranges::any_of(eagerOps(Graph, Node), [&](const std::string &Name) {
          // It changes the layout of a product's weights for the library, which no eager operator
          // does.
          if (const StepPart Part = partOfOperator(Name);
              Part == StepPart::MatMul || Part == StepPart::Attention)
            return true;
          const auto Known = All.Unplaced.lower_bound({Name, ""});
          return Known != All.Unplaced.end() && Known->first.first == Name;
        });
      });
    });
  }

  void kernels() {
    for (const KernelRow &Row : Numbers.Kernels) {
      const GeneratedKernel *Kernel = Torch.kernel(Row.Site);
      if (!Kernel || isDisturbed(Row, *Kernel) || mayReplaceMore(*Kernel))
        continue;
      const CallTimes Times = timesOf(All, Torch, *Kernel);
      if (!Times.isSlower(Slower))
        continue;
      const auto Longest =
          std::ranges::max_element(Times.Ops, {}, [](const auto &Op) { return Op.second.Ns; });
      double Longer = shareOf(Times.CompiledNs, Times.EagerNs);
      int64_t LostNs = Times.CompiledNs - Times.EagerNs;
      // As in the table, a few very long calls do not count.
      if (const auto Ratio = Times.Paired.ratio()) {
        Longer = 1 / Ratio->Value;
        LostNs = std::llround((Times.Paired.meanCompiledNs() - Times.Paired.meanEagerNs()) *
                              static_cast<double>(Times.Paired.steps()));
      }
      if (shareOf(LostNs, WholeNs) < LeastLost)
        continue;
      Found.push_back({"slower-than-eager",
                       fmt::format("{} takes {:.2f} times as long as the eager operators that it "
                                   "replaced, of which {} took most",
                                   nameOf(Row), Longer, Longest->first.first),
                       "`seamscope source` shows its loops, and the time of each", LostNs});
    }
  }

  /// Memory and threads of a library call are placed differently in each run: only more runs show
  /// whether compilation made it slower.
  void libraries() {
    constexpr size_t FewestPairs = 3;
    if (Pairs < FewestPairs || IsBusy)
      return;
    CallTimes Sum;
    std::string Example;
    int64_t Most = 0;
    uint64_t Places = 0;
    for (const KernelUse &Use : Torch.Graphs.uses()) {
      const CallTimes *Times = All.find(Use.Graph, Use.Call);
      if (!Torch.Graphs.callOf(Use).Extern || !Times || !Times->Paired.ratio() ||
          !Times->isSlower(Slower))
        continue;
      ++Places;
      Sum.add(*Times);
      if (const int64_t Lost = Times->CompiledNs - Times->EagerNs; Lost > Most) {
        Most = Lost;
        Example = Torch.Graphs.callOf(Use).Kernel;
      }
    }
    const auto Ratio = Sum.Paired.ratio(); // of eager times over compiled ones
    if (Places && Ratio && Ratio->High < 1 && Ratio->Low > 0)
      Found.push_back(
          {"slower-library",
           fmt::format("{} call{} of library kernels (mostly {}) took {:.2f} times as long as in "
                       "eager mode (95 %: {:.2f} to {:.2f}, {} steps of {} runs)",
                       Places, Places == 1 ? "" : "s", Example,
                       shareOf(Sum.CompiledNs, Sum.EagerNs), 1 / Ratio->High, 1 / Ratio->Low,
                       Sum.Paired.steps(), Pairs),
           "look for other layouts of their inputs, threads that are not disturbed, and for "
           "mode=\"max-autotune\"",
           Sum.CompiledNs - Sum.EagerNs});
  }

  void overhead() {
    const int64_t Ns = usualNs(All, &StepTimes::InCompiledNs);
    if (IsOverheadExplained || shareOf(Ns, WholeNs) < LeastOverhead)
      return;
    std::set<uint32_t> Graphs;
    bool Cpp = false;
    for (const KernelUse &Use : Torch.Graphs.uses())
      if (All.find(Use.Graph, Use.Call)) {
        // A graph and its backward pass cannot be merged.
        if (Torch.Graphs.graphOf(Use).Code.Direction != GraphDirection::Backward)
          Graphs.insert(Use.Graph);
        Cpp = Cpp || Torch.Graphs.graphOf(Use).Code.Cpp;
      }
    Found.push_back(
        {"framework-overhead",
         fmt::format(
             "{:.1f} % of the compiled steps are spent in calls of compiled functions, outside of "
             "all kernels and operators ({:.1f} % in guards), around {} compiled graph{}",
             100 * shareOf(Ns, WholeNs), 100 * shareOf(usualNs(All, &StepTimes::GuardsNs), WholeNs),
             Graphs.size(), Graphs.size() == 1 ? "" : "s"),
         fmt::format("{}larger batches{}", Graphs.size() > 1 ? "fewer and larger graphs, " : "",
                     Cpp ? ""
                         : ", and torch._inductor.config.cpp_wrapper, which calls kernels without "
                           "Python, for a part of it"),
         Ns});
  }

  void oneThread() {
    size_t Threads = 1;
    for (const KernelRow &Row : Numbers.Kernels)
      Threads = std::max(Threads, teamOf(Source, Row).Threads);
    for (const KernelRow &Row : Numbers.Kernels) {
      const GeneratedKernel *Kernel = Torch.kernel(Row.Site);
      if (!Kernel || Threads <= 1 || teamOf(Source, Row).Threads != 1 ||
          Kernel->Source.find("parallel_for(") != std::string_view::npos) // torch's own team
        continue;
      const int64_t Ns = timesOf(All, Torch, *Kernel).usualNs();
      if (shareOf(Ns, WholeNs) < LeastOneThread)
        continue;
      Found.push_back({"one-thread",
                       fmt::format("{} runs on one thread of {} and takes {:.1f} % of the "
                                   "compiled steps",
                                   nameOf(Row), Threads, 100 * shareOf(Ns, WholeNs)),
                       "`seamscope source` shows its loops: Inductor leaves short outer loops "
                       "and reductions to one thread; another order of dimensions may help",
                       Ns - Ns / static_cast<int64_t>(Threads)});
    }
  }

  /// Modules of torch's own classes share one code object, that of dynamo's wrapper, whose inputs
  /// are called args[I]. Dynamo numbers the first compilation of a second module like a
  /// recompilation.
  bool areOtherModules() const {
    std::set<StringId> Called;
    for (const Site &What : Source.Sites)
      if (Source.text(What.Name).starts_with(CompiledCallPrefix))
        Called.insert(What.Name);
    const std::vector<Recompile> &Recompiles = Torch.Graphs.log().Recompiles;
    return Recompiles.size() < Called.size() &&
           std::ranges::all_of(
               Recompiles,
               [](const Recompile &Again) {
                 return !Again.LimitReached && !Again.Failed.empty() &&
                        Again.Failed.front().Reason.find("'args[") != std::string::npos;
               });
  }

  void recompiles() {
    const CompileLog &Log = Torch.Graphs.log();
    if (Log.Recompiles.empty() || areOtherModules())
      return;
    int64_t Ns = 0;
    for (const FrameCompile &Frame : Log.Frames)
      if (!Frame.Id.empty() && !Frame.Id.ends_with("/0"))
        Ns += Frame.EntireNs;
    const Recompile &First = Log.Recompiles.front();
    const auto AtLimit = std::ranges::find_if(Log.Recompiles, &Recompile::LimitReached);
    const bool Sizes = std::ranges::any_of(Log.Recompiles, [](const Recompile &Again) {
      return std::ranges::any_of(Again.Failed, [](const FailedGuard &Guard) {
        return Guard.Reason.find("size mismatch") != std::string::npos;
      });
    });
    const auto Times = std::ranges::count(Log.Recompiles, false, &Recompile::LimitReached);
    Found.push_back(
        {"recompiles",
         fmt::format("{} time{} a function was recompiled, first {}: {}{}", Times,
                     Times == 1 ? "" : "s", First.Where.Function,
                     First.Failed.empty() ? "the guard is unknown" : First.Failed.front().Reason,
                     AtLimit == Log.Recompiles.end()
                         ? ""
                         : fmt::format("; torch's recompilation limit is reached for {}: other "
                                       "calls of it run in eager mode",
                                       AtLimit->Where.Function)),
         Sizes
             ? "torch._dynamo.mark_dynamic() for sizes that change, or torch.compile(dynamic=True)"
             : "keep what the guard names the same from call to call, or out of the compiled "
               "function",
         Ns, false});
  }

  const Trace &Source;
  const Statistics &Numbers;
  const TorchRun &Torch;
  const Attribution &All;
  const size_t Pairs; ///< of runs
  const bool IsBusy;  ///< because of other programs
  const bool IsOverheadExplained;
  const int64_t WholeNs; ///< of all compiled steps
  std::vector<Advice> Found;
};

} // namespace

std::vector<Advice> adviseOnCompiled(const Trace &Source, const Statistics &Numbers,
                                     const TorchRun &Torch, const ComparedRuns &Compared,
                                     const Unrecorded *Beside) {
  const Attribution &All = Compared.All;
  const CompileLog &Log = Torch.Graphs.log();
  const bool Compares = !All.Steps.empty();
  const std::optional<Advice> Breaks = Compares ? adviseOnBreaks(Torch, All) : std::nullopt,
                              Floats = Compares ? adviseOnFloats(Log, All) : std::nullopt;
  std::vector<Advice> Unrolled = adviseOnUnrolledLoops(Log);
  std::vector<Advice> Found =
      CompiledAdviser(Source, Numbers, Torch, Compared, Breaks || Floats).run();
  const auto Add = [&](std::optional<Advice> One) {
    if (One)
      Found.push_back(std::move(*One));
  };
  if (Compares) {
    Add(Breaks);
    Add(adviseOnOptimizer(Source, All));
    Add(Floats);
    Add(adviseOnConstants(Torch, All));
    // The finding about unrolled loops has the same time, and its cause.
    if (Unrolled.empty())
      if (const auto Even = breakEven(Log.CompileNs, Beside, All))
        Add(adviseOnCompileTime(*Even));
    std::ranges::move(adviseOnFallbacks(Torch, All), std::back_inserter(Found));
    std::ranges::move(adviseOnCode(Source, Torch, All), std::back_inserter(Found));
  }
  std::ranges::move(Unrolled, std::back_inserter(Found));
  return Found;
}

} // namespace seamscope::tools
