//===- Enclosing.h - what was open around a call --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_ENCLOSING_H
#define SEAMSCOPE_TOOLS_ANALYSIS_ENCLOSING_H

#include "trace/model/Trace.h"

#include <cstdint>
#include <vector>

namespace seamscope::tools {

/// No event.
constexpr uint32_t NoEvent = UINT32_MAX;

/// How far a call must lie within what encloses it.
enum class Within : uint8_t {
  Begin, ///< it begins there: what it starts may go on behind the end
  Whole, ///< it ends there, too
};

/// For each of \p Calls, events in any order, the innermost event on its thread of a site that
/// \p Holds (by site) and that it lies within; NoEvent: there is none. By event.
std::vector<uint32_t> innermostAround(const Trace &Input, const std::vector<uint32_t> &Calls,
                                      const std::vector<bool> &Holds, Within How);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_ENCLOSING_H
