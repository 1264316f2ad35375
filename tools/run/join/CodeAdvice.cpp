//===- CodeAdvice.cpp - what makes generated C++ slow ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/CodeAdvice.h"
#include "analysis/compare/PairedSteps.h"
#include "run/join/StepShare.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Random number generators: even vectorised code calls them for each element.
constexpr auto Generators =
    std::to_array<std::string_view>({"randn_cpu(", "rand_cpu(", "randint64_cpu("});

bool has(std::string_view Text, std::string_view What) { return Text.find(What) != Text.npos; }

/// Torch's own binding, after the kernel, has loops too.
std::string_view kernelPart(std::string_view Source) {
  return Source.substr(0, Source.find("// Python bindings"));
}

struct KernelTime {
  SiteId Site = 0;
  std::string_view Source;
  std::span<const LoopRemark> Loops;
  int64_t Ns = 0;
};

} // namespace

bool isForTeams(std::string_view Source) {
  Source = kernelPart(Source);
  return has(Source, "#pragma omp parallel") || has(Source, "parallel_for(");
}

ScalarCode scalarCodeOf(std::string_view Source) {
  ScalarCode Found;
  if (!templateOf(Source).empty())
    return Found;
  Source = kernelPart(Source);
  Found.Atomics = has(Source, "atomic_add");
  Found.Scalar = has(Source, "for(int64_t") && !has(Source, "at::vec::");
  for (const std::string_view Call : Generators)
    if (has(Source, Call)) {
      Found.LaneByLane = Call.substr(0, Call.size() - 1);
      break;
    }
  return Found;
}

std::optional<std::string> clangOnLoops(std::span<const LoopRemark> Loops,
                                        std::string_view Source) {
  const std::string_view Kernel = kernelPart(Source);
  const auto Lines =
      static_cast<size_t>(std::ranges::count(Kernel, '\n')) + (Kernel.ends_with('\n') ? 0 : 1);
  constexpr size_t MostShown = 3;
  std::string Missed;
  size_t All = 0, Scalar = 0;
  for (const LoopRemark &Loop : Loops) {
    if (Loop.Line > Lines)
      continue;
    ++All;
    if (Loop.Vectorized || ++Scalar > MostShown)
      continue;
    Missed += fmt::format("{}line {}{}", Scalar > 1 ? ", " : "", Loop.Line,
                          Loop.Why.empty() ? "" : fmt::format(" ({})", Loop.Why));
  }
  if (!All)
    return "";
  if (!Scalar)
    return std::nullopt;
  if (Scalar > MostShown)
    Missed += fmt::format(" and {} more", Scalar - MostShown);
  return fmt::format("; clang vectorised {} of {} loops, not that of {}", All - Scalar, All,
                     Missed);
}

std::vector<Advice> adviseOnCode(const Trace &Source, const TorchRun &Torch,
                                 const Attribution &All) {
  std::map<std::string_view, KernelTime> Kernels; // by name: a kernel may have several sites
  for (const auto &[Site, Kernel] : Torch.Kernels)
    Kernels.try_emplace(
        Source.text(Source.Sites[Site].Name),
        KernelTime{Site, Kernel.Source, Kernel.Loops, timesOf(All, Torch, Kernel).usualNs()});
  const auto WholeNs = static_cast<double>(usualNs(All));
  std::vector<Advice> Found;
  for (const auto &[Name, Of] : Kernels) {
    const auto Ns = static_cast<double>(Of.Ns);
    if (WholeNs <= 0 || Source.Sites[Of.Site].Device >= 0 || Ns < LeastOfSteps * WholeNs)
      continue;
    // Most of a team's time may be due to other programs.
    if (isForTeams(Of.Source) && Source.Health.find(HealthCheck::BusyMachine))
      continue;
    const ScalarCode Code = scalarCodeOf(Of.Source);
    const std::string Share = fmt::format("{:.1f} % of the compiled steps", 100 * Ns / WholeNs);
    if (Code.Atomics)
      Found.push_back({"atomics",
                       fmt::format("{} adds by atomic_add, one element at a time, as Inductor does "
                                   "for scatter_add, index_add and index_put; it takes {}",
                                   Name, Share),
                       "sort the indices once and sum segments, or gather by an index of the "
                       "result",
                       Of.Ns});
    else if (!Code.LaneByLane.empty())
      Found.push_back({"scalar-code",
                       fmt::format("{} calls {} for each element, which has no vector form; it "
                                   "takes {}",
                                   Name, Code.LaneByLane, Share),
                       "generate random numbers outside of the compiled function, or set "
                       "torch._inductor.config.fallback_random = True",
                       Of.Ns});
    else if (const auto Clang = clangOnLoops(Of.Loops, Of.Source); Code.Scalar && Clang)
      Found.push_back({"scalar-code",
                       fmt::format("Inductor vectorised no loop of {} (no at::vec in its code), "
                                   "which takes {}{}",
                                   Name, Share, *Clang),
                       "see its code by `seamscope source`: element types, indices that come from "
                       "data and short inner loops keep Inductor from it",
                       Of.Ns});
  }
  return Found;
}

} // namespace seamscope::tools
