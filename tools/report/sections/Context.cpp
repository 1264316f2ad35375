//===- Context.cpp - what the sections of a report share ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Context.h"
#include "analysis/core/Ranks.h"
#include "analysis/devices/LaunchWork.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace seamscope::tools {

int64_t ReportContext::firstNs() const {
  return Source.Events.size() ? *std::ranges::min_element(Source.Events.BeginNs) : 0;
}

const WorkByKernel &ReportContext::work() const {
  if (!Work)
    Work = executedWork(Source);
  return *Work;
}

const LoopTree &ReportContext::tree() const {
  if (!Tree)
    Tree = loopTree(Source, /*AllKernels=*/true);
  return *Tree;
}

const WorkTimes &ReportContext::workTimes() const {
  if (!Times)
    Times.emplace(Source, tree(), Input.Recording);
  return *Times;
}

const CallWorkByKernel &ReportContext::workOfCalls() const {
  if (!WorkOfCalls)
    WorkOfCalls = tools::workOfCalls(Source);
  return *WorkOfCalls;
}

const KernelWork *ReportContext::launchWork(const KernelRow &Row) const {
  if (!LaunchWork)
    LaunchWork = launchWorkByKernel(Source);
  const auto Found = LaunchWork->find({site(Row.Site).Name, site(Row.Site).Device});
  return Found == LaunchWork->end() ? nullptr : &Found->second;
}

const KernelIds &ReportContext::ids() const {
  if (!Ids)
    Ids.emplace(Source);
  return *Ids;
}

const RankedCollectives &ReportContext::collectives() const {
  if (!Collectives) {
    RankedCollectives &Made = Collectives.emplace();
    if (Input.Devices)
      Made.Found = findCollectives(Source, Input.Devices->Links);
    if (Input.Ranks)
      Made.Match = matchCollectives(Source, *Input.Ranks, Made.Found);
  }
  return *Collectives;
}

const std::map<KernelLine, LineTime> &ReportContext::lines() const {
  if (!Lines)
    Lines = lineTimes(Source, tree());
  return *Lines;
}

bool severalDevices(const ReportContext &In) {
  int32_t Known = -1;
  for (const KernelRow &Row : In.Numbers.Kernels) {
    const int32_t Device = In.site(Row.Site).Device;
    if (Device >= 0 && Known >= 0 && Device != Known)
      return true;
    Known = std::max(Known, Device);
  }
  return false;
}

Fields<UntimedCalls> sampledFields() {
  return {
      {{"every", Unit::Count, "calls of which one was timed, on average"}, &UntimedCalls::Every},
      {{"counted", Unit::Count, "calls since then"},
       [](const UntimedCalls &U) { return U.Timed + U.Calls; }},
      {{"timed", Unit::Count, "of these, those that were timed"}, &UntimedCalls::Timed},
      {{"untimed_ns", Unit::Ns,
        "time of the others, estimated from the mean of those that were timed"},
       &UntimedCalls::Ns},
      {{"stderr_ns", Unit::Ns, "standard error of untimed_ns: calls times s / sqrt(n)"},
       &UntimedCalls::StderrNs},
      {{"error_ns", Unit::Ns,
        "how far untimed_ns may be off: two standard errors, and what timing adds to a call"},
       [](const UntimedCalls &U) { return std::llround(U.errorNs()); }},
      {{"limited", Unit::Flag,
        "timed calls and the code between them take longer than the enclosing calls: untimed_ns "
        "is the part of these"},
       &UntimedCalls::IsLimited},
      {{"by_samples", Unit::Flag, "untimed_ns is by samples of the processor"},
       &UntimedCalls::IsSampled},
      {{"low_ns", Unit::Ns, "lower end of its 95 % interval, if by samples"},
       [](const UntimedCalls &U) { return U.IsSampled ? Value(U.LowNs) : Value(); }},
      {{"high_ns", Unit::Ns, "upper end"},
       [](const UntimedCalls &U) { return U.IsSampled ? Value(U.HighNs) : Value(); }},
  };
}

std::string untimedText(const UntimedCalls &Untimed) {
  if (Untimed.IsSampled)
    return fmt::format("~ by samples, 95 %: {} to {}", shownTime(Untimed.LowNs),
                       shownTime(Untimed.HighNs));
  return fmt::format("~ 1 in {} timed; error at most {}", Untimed.Every,
                     shownTime(std::llround(Untimed.errorNs())));
}

Cell timeCell(int64_t Ns, bool IsEstimate) {
  return IsEstimate ? Cell(Ns, "~" + shownTime(Ns)) : Cell(Ns);
}

std::string shownThread(const ThreadShare &Share) {
  const std::string Number = Share.Thread ? fmt::to_string(*Share.Thread) : "?";
  if (Share.Team == TeamThread::OneTeam)
    return Number;
  return fmt::format("team {}: {}", Share.Team < 0 ? std::string("?") : fmt::to_string(Share.Team),
                     Number);
}

Field<ThreadShare> teamField() {
  return {Column("team", "Team", Unit::Count,
                 "number among the teams of the region; null: not known; absent: it has one")
              .optional(),
          [](const ThreadShare &S) {
            return S.Team == TeamThread::OneTeam ? Value(Absent())
                   : S.Team < 0                  ? Value()
                                                 : Value(S.Team);
          }};
}

Fields<ThreadShare> threadFields() {
  return {
      teamField(),
      {{"thread", "Thread", Unit::Count, "OpenMP thread number"}, &ThreadShare::Thread},
      {column::calls(), &ThreadShare::Calls},
      {column::busy(), &ThreadShare::BusyNs},
      {column::wait(), &ThreadShare::WaitNs},
      {{"blocked_ns", Unit::Ns, "of wait_ns, outside of waits for the team: it did not run"},
       &ThreadShare::BlockedNs},
      {{"preempted_ns", Unit::Ns, "it was ready and another thread ran; not in busy_ns"},
       &ThreadShare::PreemptedNs},
  };
}

} // namespace seamscope::tools
