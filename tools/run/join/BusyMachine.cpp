//===- BusyMachine.cpp - what other work on the machine did to a run -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/BusyMachine.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

/// Of the steps of a run in which nothing was compiled.
struct Losses {
  const char *Run = nullptr;
  uint64_t Steps = 0, Switches = 0;
  int64_t Ns = 0;

  double aStep() const { return static_cast<double>(Switches) / static_cast<double>(Steps); }
  double aSecond() const { return static_cast<double>(Switches) * 1e9 / static_cast<double>(Ns); }
};

Losses lossesOf(const NamedLog &Of) {
  Losses Sum{Of.Run};
  for (const LoggedStep &Step : Of.Log->Steps)
    if (!Step.Compiles) {
      ++Sum.Steps;
      Sum.Switches += Step.Preempted;
      Sum.Ns += Step.Ns;
    }
  return Sum;
}

} // namespace

std::optional<HealthFinding> busyMachine(std::span<const NamedLog> Logs) {
  // A machine that is left alone switches now and then; one with more work than processors does
  // every few ms.
  constexpr double ManyAStep = 1, ManyASecond = 20, MoreThanOthers = 2;
  std::vector<Losses> All;
  for (const NamedLog &Each : Logs)
    if (const Losses Of = lossesOf(Each); Of.Steps && Of.Ns)
      All.push_back(Of);
  if (All.empty())
    return std::nullopt;
  const double Least = std::ranges::min(All, {}, &Losses::aStep).aStep();
  std::vector<std::string> Disturbed, Quiet;
  HealthFinding Found;
  Found.Check = HealthCheck::BusyMachine;
  for (const Losses &Of : All) {
    const std::string Text = fmt::format("{:.1f} times in {}", Of.aStep(), Of.Run);
    if ((Of.aStep() >= ManyAStep && Of.aSecond() >= ManyASecond) ||
        Of.aStep() > 1 + MoreThanOthers * Least) {
      Found.Count += Of.Switches;
      Found.Ns += Of.Ns;
      Disturbed.push_back(Text);
    } else {
      Quiet.push_back(Text);
    }
  }
  if (Disturbed.empty())
    return std::nullopt;
  Found.Consequence = fmt::format("other work ran on the machine: a step lost the processor {}",
                                  fmt::join(Disturbed, ", "));
  Found.Consequence +=
      Quiet.empty() ? "; no time is the program's alone"
                    : fmt::format(", {}; their times do not compare", fmt::join(Quiet, ", "));
  return Found;
}

} // namespace seamscope::tools
