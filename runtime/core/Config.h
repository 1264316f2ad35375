//===- Config.h - what the environment asks for ----------------------------===//
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

/// Read once at load; each bad value is one line on stderr, and its default holds.
struct Config {
  SeamscopeMode Mode = SEAMSCOPE_OFF; ///< SEAMSCOPE
  bool OutGiven = false;              ///< SEAMSCOPE_OUT, or the program, names the trace
  char Out[PATH_MAX] = "";            ///< absolute; may hold %p
  char SpoolDir[PATH_MAX] = "";       ///< SEAMSCOPE_SPOOL_DIR; empty: the usual places
  uint64_t LimitBytes = 1ull << 30;   ///< SEAMSCOPE_LIMIT
  /// SEAMSCOPE_OUT_LIMIT, of the trace's text; 0: none
  uint64_t OutLimitBytes = format::DefaultOutLimit;
  /// SEAMSCOPE_THROTTLE: one call of a hot site in so many is timed; 0: all are
  uint32_t Throttle = DefaultThrottle;
  int32_t Rank = -1, WorldSize = -1; ///< as torchrun, Open MPI, MPICH or Slurm set them
  uint64_t RunSinceNs = 0;           ///< CLOCK_REALTIME when it was read, or SEAMSCOPE_SINCE: a
                                     ///< trace written since is of this run, and kept
  uint32_t RunTag = 0;               ///< of SEAMSCOPE_SINCE; 0: it is not set
};

/// The mode that the environment asks for. A process that records nothing reads no more.
SeamscopeMode modeFromEnvironment();

/// The rest of the environment, into \p C.
void readEnvironment(Config &C);

/// Sets where traces go; a relative \p Path counts from the current folder. False when it is too
/// long.
bool setOutput(Config &C, const char *Path);

/// Writes the trace's path for process \p Pid to \p Path. A process that is not the one that read
/// the environment (\p Owner) gets a name of its own unless the name has a %p.
void outputPath(const Config &C, uint32_t Pid, uint32_t Owner, char (&Path)[PATH_MAX]);

} // namespace seamscope
#endif // SEAMSCOPE_CORE_CONFIG_H
