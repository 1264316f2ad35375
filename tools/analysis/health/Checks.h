//===- Checks.h - the checks of a trace, one file each -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CHECKS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CHECKS_H

#include "analysis/devices/Devices.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

// Each adds what it finds to Trace::Health.

/// Says what could not be read.
void checkReading(Trace &Source);
/// Says where nothing of a trace is known.
void checkCategories(Trace &Source);
/// Whether all times are such that the two below have nothing to look for: most traces are.
bool hasPlainTimes(const Trace &Source);
/// Takes out events whose time is 0 or lies far from the rest.
void checkTimes(Trace &Source);
/// Moves processes whose clock is another, hours or days from the rest.
void checkClocks(Trace &Source);
/// Clips work that lasts over later work of its stream.
void checkOverlaps(Trace &Source);
/// Finds devices whose work begins before it is launched. \p Links: linkLaunches() of the trace.
void checkLaunchOrder(Trace &Source, const std::vector<Origin> &Links);
/// Finds work whose number several launches have. \p Links: linkLaunches() of the trace.
void checkAmbiguity(Trace &Source, const std::vector<Origin> &Links);
/// Fills EventDetails::Unserved with unservedLaunches().
void checkLaunches(Trace &Source, const std::vector<Origin> &Links,
                   const std::vector<uint32_t> &Elsewhere = {});
/// Finds steps that launched work, or whose operators ran, and of which no device's work is there.
void checkSteps(Trace &Source, const std::vector<Origin> &Links);

/// Marks what torch compiled.
void checkCompilation(Trace &Source);
/// Fills EventDetails::Initialises.
void checkInitialisation(Trace &Source, const std::vector<Origin> &Links);

/// Whether a call of CUDA, HIP or Level Zero has a device run a kernel, or a graph of some.
bool launchesWork(std::string_view Name);

/// Launches without work.
struct UnservedLaunches {
  std::vector<uint32_t> Events;
  size_t All = 0;         ///< launches in the trace, served or not
  bool OtherWork = false; ///< whether there is any work of a device
};

/// \p Elsewhere: launches whose work is not in the trace and need not be.
UnservedLaunches unservedLaunches(const Trace &Source, const std::vector<Origin> &Links,
                                  const std::vector<uint32_t> &Elsewhere = {});

/// Adds a finding about \p Events, which are in the trace.
void addFinding(Trace &Source, HealthCheck Check, const std::vector<uint32_t> &Events, int64_t Ns,
                std::string Consequence);

/// The time of \p Events, and the names of what they are of.
struct EventsFound {
  int64_t Ns = 0;
  std::set<std::string_view> Names;
};
EventsFound sumUp(const Trace &Source, const std::vector<uint32_t> &Events);

/// "1 event", "3 events".
std::string counted(uint64_t Count, const char *What);
/// "12.5 us", "3.0 days": for sentences.
std::string timeText(int64_t Ns);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CHECKS_H
