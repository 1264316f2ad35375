//===- SavingBounds.h - upper bounds of savings ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SAVINGBOUNDS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SAVINGBOUNDS_H

#include "analysis/devices/Devices.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// Selects events of device work.
using WorkFilter = std::function<bool(uint32_t)>;

class CriticalPaths;

/// Work that other work hides cannot be saved: a kernel among others, or one that ends long before
/// the host launches the next.
class SavingBounds {
public:
  /// \p Paths: of the same trace; null: it has no work of devices.
  SavingBounds(const Trace &Source, const std::vector<Origin> &Links,
               const std::vector<DeviceRow> &Devices, const CriticalPaths *Paths);

  /// By device, the time in which work selected by \p Is ran and nothing else did. Work selected by
  /// \p IsIgnored does not count.
  std::map<int32_t, int64_t>
  aloneNs(const WorkFilter &Is, const WorkFilter &IsIgnored = [](uint32_t) { return false; }) const;

  /// By how much the trace could be shorter if such work took no time: at most the time that it ran
  /// alone on a device, and at most its part of the critical path, if known.
  int64_t ofWork(const WorkFilter &Is) const;
  /// The same for the host's work, and for launching.
  int64_t ofHost() const;

private:
  struct Path {
    const std::vector<std::pair<uint32_t, int64_t>> *WorkNs; ///< WholePath::WorkNs
    int64_t HostNs = 0;
    int64_t UnknownNs = 0;
  };

  /// The begin or end of work.
  struct Edge {
    int64_t Ns;
    uint32_t Work;
    bool Ends;
  };

  std::map<int32_t, std::vector<Edge>> Edges; ///< by device, then by time
  std::optional<Path> Critical;               ///< nothing: not known
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SAVINGBOUNDS_H
