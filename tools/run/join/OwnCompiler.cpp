//===- OwnCompiler.cpp - a run beside one as torch alone would have it ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/OwnCompiler.h"
#include "analysis/torch/Steps.h"
#include "run/folder/RunFolder.h"
#include "trace/ReadTrace.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

int64_t medianOf(std::vector<int64_t> &Times) {
  std::ranges::sort(Times);
  return Times[(Times.size() - 1) / 2];
}

} // namespace

std::string ownCompilerIn(const std::string &Folder) { return Folder + "/own-compiler"; }

double OwnCompiler::difference() const {
  return OwnNs > 0 ? static_cast<double>(MedianNs) / static_cast<double>(OwnNs) - 1 : 0;
}

std::string OwnCompiler::text(int64_t EagerNs) const {
  const double Percent = 100 * difference();
  const auto Speedup = [&](int64_t Ns) {
    return static_cast<double>(EagerNs) / static_cast<double>(Ns);
  };
  const std::string Beside =
      EagerNs > 0 && MedianNs > 0 && OwnNs > 0
          ? fmt::format("; beside eager mode's {:.3f} ms that is {:.2f}x here, {:.2f}x there",
                        static_cast<double>(EagerNs) / 1e6, Speedup(MedianNs), Speedup(OwnNs))
          : "";
  return fmt::format(
      "a step takes {:.3f} ms, and {:.3f} ms with the compiler and OpenMP runtime that "
      "torch chooses itself ({}, median of {} steps){}",
      static_cast<double>(MedianNs) / 1e6, static_cast<double>(OwnNs) / 1e6,
      std::fabs(Percent) < 0.05 ? "no difference"
      : Percent > 0             ? fmt::format("{:.1f} % more here", Percent)
                                : fmt::format("{:.1f} % less here", -Percent),
      Steps, Beside);
}

Result<std::optional<OwnCompiler>>
compareOwnCompiler(const std::string &Folder, const Trace &Source, const ReadOptions &Options) {
  const std::vector<std::string> Traces = tracesIn(ownCompilerIn(Folder));
  if (Traces.empty())
    return std::optional<OwnCompiler>();
  auto Own = readTrace(Traces[0], Options);
  if (!Own)
    return Own.error();
  const bool Marked = marksSteps(Source) && marksSteps(*Own);
  const std::vector<Step> Here = stepsOf(Source, Marked), There = stepsOf(*Own, Marked);
  size_t Unpaired = 0;
  std::vector<int64_t> HereNs, ThereNs;
  for (const StepPair &Pair : pairSteps(Source, Here, *Own, There, Unpaired))
    if (Pair.Use == StepUse::Steady && !There[Pair.Eager].Compiles) {
      HereNs.push_back(Here[Pair.Compiled].wallNs());
      ThereNs.push_back(There[Pair.Eager].wallNs());
    }
  if (HereNs.empty())
    return std::optional<OwnCompiler>();
  const size_t Steps = HereNs.size();
  return std::optional(OwnCompiler{Steps, medianOf(HereNs), medianOf(ThereNs)});
}

} // namespace seamscope::tools
