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

/// Less is what two runs of one program differ by.
constexpr double Matters = 0.05;

int64_t medianOf(std::vector<int64_t> &Times) {
  std::ranges::sort(Times);
  return Times[(Times.size() - 1) / 2];
}

} // namespace

std::string ownCompilerIn(const std::string &Folder) { return Folder + "/own-compiler"; }

std::optional<RatioEstimate> OwnCompiler::speedup(const RatioEstimate &Here) const {
  const std::optional<RatioEstimate> Ratio = Steps.ratio();
  if (!Ratio || Ratio->Value <= 0 || Here.Value <= 0)
    return std::nullopt;
  const double Value = Here.Value / Ratio->Value;
  const double Half = Value * std::hypot((Here.High - Here.Value) / Here.Value,
                                         (Ratio->High - Ratio->Value) / Ratio->Value);
  return RatioEstimate{Value, Value - Half, Value + Half};
}

bool OwnCompiler::matters() const {
  const std::optional<RatioEstimate> Ratio = Steps.ratio();
  return Ratio && Ratio->differs() && std::fabs(Ratio->Value - 1) > Matters;
}

std::string OwnCompiler::text(const std::optional<RatioEstimate> &Speedup) const {
  std::string Text =
      fmt::format("a step takes {:.3f} ms, and {:.3f} ms with the compiler and OpenMP runtime that "
                  "torch chooses itself",
                  Steps.meanCompiledNs() / 1e6, Steps.meanEagerNs() / 1e6);
  const std::optional<RatioEstimate> Ratio = Steps.ratio();
  if (Ratio)
    Text += fmt::format(" ({}: 95 % {:.2f}..{:.2f} of it, {} steps)",
                        Ratio->differs() ? Ratio->Value > 1 ? "more" : "less" : "no difference",
                        Ratio->Low, Ratio->High, Steps.steps());
  else
    Text += fmt::format(" ({} step{}: too few to say whether they differ)", Steps.steps(),
                        Steps.steps() == 1 ? "" : "s");
  if (const auto There = Speedup ? speedup(*Speedup) : std::nullopt)
    Text += fmt::format("; over eager mode that is {:.2f}x here, {:.2f}x ({:.2f}..{:.2f}) there",
                        Speedup->Value, There->Value, There->Low, There->High);
  return Text;
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
  PairedTimes Times;
  for (const StepPair &Pair : pairSteps(Source, Here, *Own, There, Unpaired))
    if (Pair.Use == StepUse::Steady && !There[Pair.Eager].Compiles) {
      HereNs.push_back(Here[Pair.Compiled].wallNs());
      ThereNs.push_back(There[Pair.Eager].wallNs());
      Times.add(ThereNs.back(), HereNs.back());
    }
  if (HereNs.empty())
    return std::optional<OwnCompiler>();
  return std::optional(OwnCompiler{Times, medianOf(HereNs), medianOf(ThereNs)});
}

} // namespace seamscope::tools
