//===- Communication.h - the time in which ranks communicate --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_COMMUNICATION_H
#define SEAMSCOPE_TOOLS_ANALYSIS_COMMUNICATION_H

#include "analysis/devices/Collectives.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Whether an operator of this name starts a collective or waits for one.
bool isOfCommunication(std::string_view Operator);

/// What communicates: a device, or the threads of a process.
struct CommunicationRow {
  int32_t Device = -1;         ///< -1: a process
  StringId Process = 0;        ///< its pid as text; of a device 0
  uint64_t Calls = 0;          ///< collectives
  int64_t SumNs = 0;           ///< of their durations
  int64_t CommunicationNs = 0; ///< in which one ran, or several: OverlappedNs and ExposedNs
  int64_t OverlappedNs = 0;    ///< of that, in which something was computed, too
  int64_t ExposedNs = 0;       ///< of that, the rest
  int64_t ComputeNs = 0;       ///< in which something was computed: on a device in which a kernel
                               ///< ran that is no collective (as HolisticTraceAnalysis has it), on
                               ///< the host an operator other than those of c10d
};

/// Collectives of one kind and size.
struct CollectiveRow {
  CollectiveKind Kind = CollectiveKind::Other;
  bool OfHost = false;
  std::optional<int64_t> SizeBytes; ///< Collective::sizeBytes()
  std::optional<int64_t> InBytes;   ///< that a rank gives
  std::optional<int64_t> GroupSize;
  StringId Group = 0; ///< 0: not known
  uint64_t Calls = 0;
  int64_t TotalNs = 0; ///< sum of durations, with the waiting for others
  int64_t MinNs = 0, MaxNs = 0;
  int64_t MedianNs = 0;               ///< nearest rank
  std::optional<int64_t> MovedBytes;  ///< sum of SizeBytes
  std::optional<double> AlgorithmGBs; ///< 10^9 bytes a second: MovedBytes over TotalNs; nothing
                                      ///< without size or time
  std::optional<double> BusGBs;       ///< that times busFactor(); nothing where a factor is not
                                      ///< known, or ranks give different amounts
};

struct Communication {
  std::vector<CommunicationRow> Places; ///< devices by number, then processes
  std::vector<CollectiveRow> Rows;      ///< longest total first: each collective is in one

  bool any() const { return !Rows.empty(); }
};

/// \p Found: findCollectives() of the same trace.
Communication communication(const Trace &Input, const std::vector<Collective> &Found);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_COMMUNICATION_H
