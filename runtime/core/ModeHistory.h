//===- ModeHistory.h - the mode that a call began in ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call is recorded when it ends, in the mode that was set at its begin stamp. Only changes
// between trace and profile are kept: a call that begins while the mode is off is not recorded at
// all.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_MODEHISTORY_H
#define SEAMSCOPE_CORE_MODEHISTORY_H

#include "core/Platform.h"
#include "seamscope/seamscope.h"

namespace seamscope {

/// The words that hooks compare with on their fast paths. A forked child sees a zeroed page
/// (MADV_WIPEONFORK), so its hooks take their slow paths without a branch for it, even if no fork
/// handler ran (_Fork, clone).
struct alignas(4096) OwnerPage {
  uint64_t Mask; ///< all ones in the process that has the spool
  /// NotBeforeTrace for hooks in the module, which read the TSC; 0 if the clock is another one.
  uint64_t NotBeforeStamped;
  /// The complements of the ticks from which on calls are traced or added to sums; 0: none are.
  uint64_t NotBeforeTrace, NotBeforeProfile;
  char Rest[4096 - 4 * sizeof(uint64_t)];
};
extern OwnerPage Owner;

} // namespace seamscope

namespace seamscope::modes {

/// Records calls that begin at \p Tick or later in \p Mode, which is not off. Calls from before the
/// first mode count as begun in that mode. Only with Process::Lock held.
void change(uint64_t Tick, SeamscopeMode Mode);

/// The mode of a call that began at \p Begin; off: nothing was ever recorded. Not for the hot path.
SeamscopeMode at(uint64_t Begin);

/// Writes the page again, in a forked child.
void restore();

/// Whether a call that began at \p Begin, which is not all ones, is traced or added to sums, and
/// neither mode nor process changed since.
inline bool isTraced(uint64_t Begin) { return ~Begin < loadRelaxed(&Owner.NotBeforeTrace); }
inline bool isProfiled(uint64_t Begin) { return ~Begin < loadRelaxed(&Owner.NotBeforeProfile); }

} // namespace seamscope::modes
#endif // SEAMSCOPE_CORE_MODEHISTORY_H
