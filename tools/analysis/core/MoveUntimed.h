//===- MoveUntimed.h - where untimed calls lie ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_CORE_MOVEUNTIMED_H
#define SEAMSCOPE_TOOLS_ANALYSIS_CORE_MOVEUNTIMED_H

#include "analysis/core/Throttled.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace seamscope::tools {

/// Time of untimed calls that lay in another row. A row without calls around gets it from \p From
/// None, which is the number of rows.
struct MovedTime {
  uint32_t From = 0, To = 0;
  int64_t Ns = 0;
  double Calls = 0;
  double WholeNs = 0; ///< by the timed calls alone, also if there was no room for it
};

struct MovedTimes {
  std::vector<Room> OfRow;
  std::vector<MovedTime> Moves;
};

/// Moves the time of untimed calls to their own rows, from the rows of the calls around them or,
/// without such, from \p UnattributedNs. The total stays the same. A timed call does not overlap
/// the calls next to it, as others do, so that there may be too much: then a row keeps as much as
/// it took by itself between calls that were all timed (CallerTimes.h), in proportion. \p OnTracks:
/// only these; null: all. \p Kept: rows whose time was moved already, with its part of what the
/// timed calls say; null: none.
MovedTimes moveUntimed(const Trace &Input, std::span<const uint32_t> RowOfSite,
                       std::vector<int64_t> &RowNs, int64_t &UnattributedNs,
                       const std::vector<bool> *OnTracks = nullptr,
                       const std::vector<std::optional<double>> *Kept = nullptr);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_CORE_MOVEUNTIMED_H
