//===- HostLoad.cpp - load of the machine during a run --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/folder/HostLoad.h"
#include "trace/io/ControlGroups.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// The first line of /proc/stat: "cpu user nice system idle iowait irq softirq steal guest ...", in
/// ticks, for all processors. The time of guests is also in user and nice.
void addTicks(const std::string &Root, HostCounts &To) {
  std::ifstream File(Root + "/proc/stat");
  std::string Word;
  int64_t User, Nice, System, Idle, Wait, Irq, SoftIrq, Stolen;
  if (!(File >> Word >> User >> Nice >> System >> Idle >> Wait >> Irq >> SoftIrq >> Stolen) ||
      Word != "cpu")
    return;
  const int64_t TickNs = 1'000'000'000 / std::max(1L, sysconf(_SC_CLK_TCK));
  To.BusyNs = (User + Nice + System + Irq + SoftIrq) * TickNs;
  To.StolenNs = Stolen * TickNs;
  // A line for each processor follows.
  std::string Line;
  std::getline(File, Line);
  while (std::getline(File, Line) && Line.starts_with("cpu"))
    ++To.Processors;
}

/// Counts of the group that was throttled most often, among this process's and those above.
void addQuota(const std::string &Root, HostCounts &To) {
  for (const ControlGroup &Group : controlGroups("cpu", Root)) {
    std::ifstream File(Group.Folder + "cpu.stat");
    std::optional<uint64_t> Periods, Held;
    std::string Key;
    for (uint64_t Value; File >> Key >> Value;)
      if (Key == "nr_periods")
        Periods = Value;
      else if (Key == "nr_throttled")
        Held = Value;
    if (Periods && Held && Held >= To.HeldPeriods) {
      To.Periods = Periods;
      To.HeldPeriods = Held;
    }
  }
}

void addHeat(const std::string &Root, HostCounts &To) {
  for (unsigned Processor = 0;; ++Processor) {
    std::ifstream File(fmt::format("{}/sys/devices/system/cpu/cpu{}/thermal_throttle/"
                                   "core_throttle_count",
                                   Root, Processor));
    uint64_t Count;
    if (!(File >> Count))
      return;
    To.HeatEvents = To.HeatEvents.value_or(0) + Count;
  }
}

/// Counts do not fall, unless a processor is removed.
template <typename T>
std::optional<T> since(const std::optional<T> &Before, const std::optional<T> &After) {
  return Before && After && *After >= *Before ? std::optional<T>(*After - *Before) : std::nullopt;
}

} // namespace

HostCounts HostCounts::now(const std::string &Root) {
  HostCounts Counts;
  addTicks(Root, Counts);
  addQuota(Root, Counts);
  addHeat(Root, Counts);
  return Counts;
}

void HostLoad::setMeanwhile(const HostCounts &Before, const HostCounts &After) {
  Meanwhile.BusyNs = since(Before.BusyNs, After.BusyNs);
  Meanwhile.StolenNs = since(Before.StolenNs, After.StolenNs);
  Meanwhile.Periods = since(Before.Periods, After.Periods);
  Meanwhile.HeldPeriods = since(Before.HeldPeriods, After.HeldPeriods);
  Meanwhile.Processors = After.Processors;
  Meanwhile.HeatEvents = since(Before.HeatEvents, After.HeatEvents);
}

std::optional<int64_t> HostLoad::othersNs() const {
  if (!Meanwhile.BusyNs)
    return std::nullopt;
  return std::max<int64_t>(0, *Meanwhile.BusyNs - ProgramNs);
}

bool HostLoad::hadTheMachine() const {
  // Of a processor: use by the system itself, and the resolution of 10 ms.
  constexpr double Few = 0.02;
  const auto Others = othersNs();
  return Others && static_cast<double>(*Others) < Few * static_cast<double>(WallNs);
}

} // namespace seamscope::tools
