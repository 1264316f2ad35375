//===- SavingBounds.h - what shorter work could shorten -------------------===//
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
#include <vector>

namespace seamscope::tools {

/// Which events of devices' work are meant.
using WorkFilter = std::function<bool(uint32_t)>;

/// What other work hides cannot be saved: a kernel among others, or one that is done long before
/// the host launches the next.
class SavingBounds {
public:
  SavingBounds(const Trace &Source, const std::vector<Origin> &Links,
               const std::vector<DeviceRow> &Devices);

  /// By device the time in which what \p Is is true of ran and nothing else did. What \p IsIgnored
  /// is true of counts as nothing.
  std::map<int32_t, int64_t>
  aloneNs(const WorkFilter &Is, const WorkFilter &IsIgnored = [](uint32_t) { return false; }) const;

  /// What the trace could be shorter by if such work took no time at all: no more than it ran alone
  /// on a device, nor than it has of the critical path, where that is known.
  int64_t ofWork(const WorkFilter &Is) const;
  /// The same of what the host does, and of launching.
  int64_t ofHost() const;

private:
  struct Path {
    std::map<uint32_t, int64_t> WorkNs; ///< by event
    int64_t HostNs = 0;
    int64_t UnknownNs = 0;
  };

  const Trace &Source;
  const std::vector<Origin> &Links;
  std::optional<Path> Critical; ///< nothing: not known
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SAVINGBOUNDS_H
