//===- Copies.h - what devices copied -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_COPIES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_COPIES_H

#include "trace/model/Trace.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// What the name of a copy says: "Memcpy HtoD (Pageable -> Device)".
struct CopyName {
  /// "HtoD", "DtoH", "DtoD", "PtoP", ...; "fill" for a Memset; empty: not in the name.
  std::string_view Direction;
  /// "Pageable", "Pinned", "Device", "Managed", ...; empty: not in the name.
  std::string_view From, To;
  /// Whether the host memory is pinned, not pageable, which the driver has to copy once more;
  /// nothing if the name does not say: AMD's traces have "Host".
  std::optional<bool> Pinned;
};
CopyName parseCopyName(std::string_view Name);

/// Copies and fills of one name on one device.
struct CopyRow {
  int32_t Device = 0;
  StringId Name = 0; ///< see parseCopyName()
  uint64_t Calls = 0;
  int64_t TotalNs = 0; ///< sum of durations
  int64_t MinNs = 0, MaxNs = 0;
  uint64_t SizedCalls = 0; ///< calls whose size is in the trace (ReadOptions::Memory)
  int64_t SizedNs = 0;     ///< their time
  /// Bytes that these moved; nothing: no such calls, or too many bytes.
  std::optional<int64_t> Bytes;
  std::optional<double> GBs; ///< 10^9 bytes a second: Bytes over SizedNs
};

/// What copying cost a device.
struct CopyPlace {
  int32_t Device = 0;
  int64_t CopyNs = 0;       ///< time in which it copied or filled: OverlappedNs and ExposedNs
  int64_t OverlappedNs = 0; ///< of that, time in which a kernel ran too
  int64_t ExposedNs = 0;    ///< of that, the rest
};

struct Copies {
  std::vector<CopyRow> Rows;     ///< longest total first; each copy is in one
  std::vector<CopyPlace> Places; ///< by device
};

Copies copiesOf(const Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_COPIES_H
