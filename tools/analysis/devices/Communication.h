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

/// A device, or the threads of a process, that communicates.
struct CommunicationRow {
  int32_t Device = -1;         ///< -1: a process
  StringId Process = 0;        ///< its pid as text; 0 for a device
  uint64_t Calls = 0;          ///< collectives
  int64_t SumNs = 0;           ///< of the collectives' durations
  int64_t CommunicationNs = 0; ///< time with one or more collectives: OverlappedNs and ExposedNs
  int64_t OverlappedNs = 0;    ///< of that, time in which something was also computed
  int64_t ExposedNs = 0;       ///< of that, the rest
  /// Time in which something was computed: on a device, time with a kernel other than a collective
  /// (as in HolisticTraceAnalysis); on the host, with an operator other than c10d's.
  int64_t ComputeNs = 0;
};

/// Collectives of one kind and size.
struct CollectiveRow {
  CollectiveKind Kind = CollectiveKind::Other;
  bool OfHost = false;
  std::optional<int64_t> SizeBytes; ///< Collective::sizeBytes()
  std::optional<int64_t> InBytes;   ///< that a rank sends
  std::optional<int64_t> GroupSize;
  StringId Group = 0; ///< 0: not known
  uint64_t Calls = 0;
  int64_t TotalNs = 0; ///< sum of durations, with the waits for other ranks
  int64_t MinNs = 0, MaxNs = 0;
  int64_t MedianNs = 0;              ///< nearest rank
  std::optional<int64_t> MovedBytes; ///< sum of SizeBytes
  /// 10^9 bytes a second: MovedBytes over TotalNs; nothing without size or time.
  std::optional<double> AlgorithmGBs;
  /// AlgorithmGBs times busFactor(); nothing if a factor is not known, or if ranks send different
  /// amounts.
  std::optional<double> BusGBs;
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
