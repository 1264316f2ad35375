//===- Config.h - settings from the environment ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_CONFIG_H
#define SEAMSCOPE_CORE_CONFIG_H

#include "format/ByteSize.h"
#include "seamscope/seamscope.h"

#include <climits>
#include <cstdint>

namespace seamscope {

constexpr uint32_t DefaultThrottle = 128, MaxThrottle = 1u << 20;
constexpr uint32_t MaxSampleRate = 10000;

/// Read once, at load. For each invalid value one line is printed to stderr and the default is
/// used.
struct Config {
  SeamscopeMode Mode = SEAMSCOPE_OFF; ///< SEAMSCOPE
  bool OutGiven = false;              ///< SEAMSCOPE_OUT or the program set the trace's path
  char Out[PATH_MAX] = "";            ///< absolute; may contain %p
  char SpoolDir[PATH_MAX] = "";       ///< SEAMSCOPE_SPOOL_DIR; empty: the usual places
  uint64_t LimitBytes = 1ull << 30;   ///< SEAMSCOPE_LIMIT
  /// SEAMSCOPE_OUT_LIMIT: bytes of the trace's text; 0: no limit
  uint64_t OutLimitBytes = format::DefaultOutLimit;
  /// SEAMSCOPE_THROTTLE: one in this many calls of a hot site is timed; 0: all calls
  uint32_t Throttle = DefaultThrottle;
  bool ThrottleGiven = false; ///< by the user: a bridge to a framework does not change it
  /// SEAMSCOPE_SAMPLES: whether threads are sampled, and how often in a second of processor time;
  /// 0: as often as a small cost allows
  bool Samples = true;
  uint32_t SampleRate = 0;
  int32_t Rank = -1, WorldSize = -1; ///< as torchrun, Open MPI, MPICH or Slurm set them
  /// CLOCK_REALTIME at load, or SEAMSCOPE_SINCE: a trace written later is of this run, and kept.
  uint64_t RunSinceNs = 0;
  uint32_t RunTag = 0;     ///< runTag() of SEAMSCOPE_SINCE; 0: not set
  uint32_t Processors = 0; ///< in the affinity mask, before OpenMP binds threads; 0: unknown
};

/// The mode from the environment. A process that does not record reads nothing else.
SeamscopeMode modeFromEnvironment();

/// Reads the rest of the environment into \p C, and how many processors there are.
void readEnvironment(Config &C);

/// Sets the trace's path. A relative \p Path starts at the current folder. Returns false if it is
/// too long.
bool setOutput(Config &C, const char *Path);

/// Sets \p Path to the trace's path for process \p Pid. A process other than \p Owner gets a name
/// of its own unless the name has a %p.
void outputPath(const Config &C, uint32_t Pid, uint32_t Owner, char (&Path)[PATH_MAX]);

} // namespace seamscope
#endif // SEAMSCOPE_CORE_CONFIG_H
