//===- BreakEven.cpp - after how many steps compilation pays off ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/BreakEven.h"
#include "analysis/compare/PairedSteps.h"

#include <cmath>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Less is not reported.
constexpr double ManySteps = 1000;
constexpr int64_t LongCompileNs = 10'000'000'000;

/// Three significant digits, as the interval has no more, with commas between thousands.
std::string rounded(double Count) {
  const double Unit = std::pow(10, std::max(0.0, std::floor(std::log10(std::max(1.0, Count))) - 2));
  std::string Text = fmt::format("{:.0f}", std::ceil(Count / Unit) * Unit);
  for (auto At = static_cast<std::ptrdiff_t>(Text.size()) - 3; At > 0; At -= 3)
    Text.insert(static_cast<size_t>(At), ",");
  return Text;
}

std::string inMs(double Ns) { return fmt::format("{:.3g}", Ns / 1e6); }

bool savesTime(const std::optional<RatioEstimate> &Ratio) { return Ratio && Ratio->Low > 1; }

} // namespace

std::string BreakEven::text() const {
  return fmt::format("Compilation took {:.1f} s; a step saves {} ms (95 % {} to {} ms): it pays "
                     "off after {} steps (95 % {} to {})",
                     static_cast<double>(CompileNs) / 1e9, inMs(SavedNs.Value), inMs(SavedNs.Low),
                     inMs(SavedNs.High), rounded(Steps.Value), rounded(Steps.Low),
                     rounded(Steps.High));
}

std::optional<BreakEven> breakEven(int64_t CompileNs, const Unrecorded *Beside,
                                   const Attribution &All) {
  // For marked steps the unrecorded runs know only the calls in them.
  if (CompileNs <= 0 || !Beside || !Beside->Speedup || Beside->By == StepsBy::Mark)
    return std::nullopt;
  const PairedTimes &Times = Beside->Speedup->Times;
  const std::optional<RatioEstimate> Ratio = Beside->Speedup->ratio();
  if (!savesTime(Ratio) || !savesTime(pairedTimes(All).ratio()))
    return std::nullopt;
  const double StepNs = Times.meanCompiledNs();
  BreakEven Of;
  Of.CompileNs = CompileNs;
  Of.SavedNs = {StepNs * (Ratio->Value - 1), StepNs * (Ratio->Low - 1), StepNs * (Ratio->High - 1)};
  const auto Ns = static_cast<double>(CompileNs);
  Of.Steps = {Ns / Of.SavedNs.Value, Ns / Of.SavedNs.High, Ns / Of.SavedNs.Low};
  return Of;
}

std::optional<Advice> adviseOnCompileTime(const BreakEven &Of) {
  if (Of.Steps.Low < ManySteps || Of.CompileNs < LongCompileNs)
    return std::nullopt;
  Advice Found = {"compile-time", Of.text(),
                  "compile the repeated block instead of the whole model, keep "
                  "TORCHINDUCTOR_CACHE_DIR from run to run, or leave shorter runs in eager mode",
                  Of.CompileNs};
  Found.InWindow = false;
  return Found;
}

} // namespace seamscope::tools
