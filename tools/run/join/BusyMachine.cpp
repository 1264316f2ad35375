//===- BusyMachine.cpp - disturbance by other work on the machine ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/BusyMachine.h"

#include "analysis/core/Share.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

/// What the steps of a run without compilation lost.
struct Losses {
  std::string Run;
  uint64_t Steps = 0, Switches = 0;
  int64_t Ns = 0;

  double aStep() const { return static_cast<double>(Switches) / static_cast<double>(Steps); }
  double aSecond() const { return static_cast<double>(Switches) * 1e9 / static_cast<double>(Ns); }
};

Losses lossesOf(const NamedRun &Of) {
  Losses Sum{Of.Run};
  if (Of.Log)
    for (const LoggedStep &Step : Of.Log->Steps)
      if (!Step.Compiles) {
        ++Sum.Steps;
        Sum.Switches += Step.Preempted;
        Sum.Ns += Step.Ns;
      }
  return Sum;
}

// An idle machine switches now and then; one with more work than processors every few ms.
constexpr double ManyASecond = 20;

/// What steps lost to other work, and the end of the sentence about it.
struct StepLosses {
  std::string Text, End;
  uint64_t Count = 0;
  int64_t Ns = 0;
};

std::optional<StepLosses> stepLosses(const std::vector<Losses> &All, bool OthersHadTheMachine) {
  constexpr double ManyAStep = 1, MoreThanOthers = 2;
  if (All.empty())
    return std::nullopt;
  const double Least = std::ranges::min(All, {}, &Losses::aStep).aStep();
  std::vector<std::string> Disturbed, Quiet;
  StepLosses Found;
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
  Found.Text = fmt::format(
      "other work ran on the machine: a call of a compiled function lost the processor {}",
      fmt::join(Disturbed, ", "));
  if (Quiet.empty() && OthersHadTheMachine)
    Found.End = "; the other runs had the machine: their times cannot be compared";
  else if (Quiet.empty())
    Found.End = "; no time measures the program alone";
  else
    Found.End = fmt::format(", {}; their times cannot be compared", fmt::join(Quiet, ", "));
  return Found;
}

// The system itself uses less of a processor.
constexpr double Few = 0.1;

/// Whether a run lost its processors to threads of its own: no other program ran for long.
bool hadTheMachine(const NamedRun &Run, const Losses &Steps) {
  const auto Others = Run.Host ? Run.Host->othersNs() : std::nullopt;
  return Others && (Run.Host->hadTheMachine() ||
                    static_cast<double>(*Others) < Few * static_cast<double>(Steps.Ns));
}

/// Other programs next to one that lost its processors often. It may have lost them to its own
/// threads: losses alone do not show that the machine was busy.
std::string otherPrograms(const std::string &Run, const HostLoad &Host) {
  constexpr int64_t Shortest = 100'000'000; // ten ticks
  constexpr double FewOfAll = 0.01;
  const auto Others = Host.othersNs();
  if (!Others || Host.WallNs < Shortest)
    return {};
  const double Used = shareOf(*Others, Host.WallNs);
  const double Lost = shareOf(Host.Preempted, Host.WallNs) * 1e9;
  if (Lost < ManyASecond || Used < std::max(Few, FewOfAll * Host.Meanwhile.Processors))
    return {};
  return fmt::format(
      "other programs and the kernel used {:.1f} of {} processors in {}, which lost or "
      "yielded one {:.0f} times a second, to them or to threads of its own",
      Used, Host.Meanwhile.Processors, Run, Lost);
}

/// What a hypervisor, a quota or heat took from a run, a part of a sentence each.
std::vector<std::string> takenFrom(const std::string &Run, const HostLoad &Host) {
  constexpr double Much = 0.02;
  std::vector<std::string> Parts;
  const HostCounts &Of = Host.Meanwhile;
  if (Of.StolenNs && Of.BusyNs && *Of.StolenNs > 0)
    if (const double Share = shareOf(*Of.StolenNs, *Of.StolenNs + *Of.BusyNs); Share >= Much)
      Parts.push_back(fmt::format("the hypervisor gave other machines {:.1f} % of the processor "
                                  "time that this one had work for in {}",
                                  100 * Share, Run));
  if (Of.Periods && Of.HeldPeriods && *Of.HeldPeriods > 1 &&
      shareOf(*Of.HeldPeriods, *Of.Periods) >= Much)
    Parts.push_back(fmt::format("the control group had used up its quota of processor time in {} "
                                "of {} periods of {}",
                                *Of.HeldPeriods, *Of.Periods, Run));
  if (Of.HeatEvents && *Of.HeatEvents)
    Parts.push_back(
        fmt::format("processors slowed down {} because they were too hot, in {}",
                    *Of.HeatEvents == 1 ? "once" : fmt::format("{} times", *Of.HeatEvents), Run));
  return Parts;
}

} // namespace

std::optional<HealthFinding> busyMachine(std::span<const NamedRun> Runs) {
  HealthFinding Found;
  Found.Check = HealthCheck::BusyMachine;
  std::vector<Losses> OfSteps;
  bool AnyHadTheMachine = false;
  std::vector<std::string> Parts;
  for (const NamedRun &Each : Runs) {
    const Losses Steps = lossesOf(Each);
    if (Steps.Steps && Steps.Ns && hadTheMachine(Each, Steps))
      AnyHadTheMachine = true;
    else if (Steps.Steps && Steps.Ns)
      OfSteps.push_back(Steps);
    if (!Each.Host)
      continue;
    const size_t Before = Parts.size();
    std::ranges::move(takenFrom(Each.Run, *Each.Host), std::back_inserter(Parts));
    // Steps exclude the time of compilation.
    if (std::string Others = otherPrograms(Each.Run, *Each.Host); !Steps.Steps && !Others.empty()) {
      Parts.push_back(std::move(Others));
      Found.Count += Each.Host->Preempted;
    }
    if (Parts.size() > Before)
      Found.Ns += Each.Host->WallNs;
  }
  const auto Steps = stepLosses(OfSteps, AnyHadTheMachine);
  if (!Steps && Parts.empty())
    return std::nullopt;
  if (Steps) {
    Found.Count += Steps->Count;
    Found.Ns = std::max(Found.Ns, Steps->Ns);
    Parts.push_back(Steps->Text);
  }
  Found.Consequence =
      fmt::format("{}{}", fmt::join(Parts, "; "),
                  Steps ? Steps->End : "; such times do not measure the program alone");
  return Found;
}

} // namespace seamscope::tools
