//===- ModeHistory.h - the mode that a call began in ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call is recorded when it ends, in the mode that was in force when it began, which its begin
// stamp tells. Only changes between trace and profile are kept: a call that begins while the mode
// is off is not recorded at all.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_MODEHISTORY_H
#define SEAMSCOPE_CORE_MODEHISTORY_H

#include "core/Platform.h"
#include "seamscope/seamscope.h"

namespace seamscope {

/// What the hooks compare with on their fast paths, on a page that is zero in a forked child
/// (MADV_WIPEONFORK). So they take their slow paths there, also where no fork handler ran (_Fork,
/// clone), and need no branch for it.
struct alignas(4096) OwnerPage {
  uint64_t Mask; ///< all ones in the process that has the spool
  /// NotBeforeTrace, for hooks in the module, which read the TSC; 0 where the clock is another one.
  uint64_t NotBeforeStamped;
  /// The complements of the ticks from which on calls are traced, or added to sums; 0: none is.
  uint64_t NotBeforeTrace, NotBeforeProfile;
  char Rest[4096 - 4 * sizeof(uint64_t)];
};
extern OwnerPage Owner;

} // namespace seamscope

namespace seamscope::modes {

/// Records calls that begin from \p Tick on in \p Mode, which is not off. Calls from before the
/// first mode count as of that mode. Only with Process::Lock held.
void change(uint64_t Tick, SeamscopeMode Mode);

/// The mode of a call that began at \p Begin; off: nothing was ever recorded. Not for the hot path.
SeamscopeMode at(uint64_t Begin);

/// Writes the page again, in a new process.
void restore();

/// Whether a call that began at \p Begin, which is not all ones, is traced, or added to sums, and
/// no mode or process ended since.
inline bool isTraced(uint64_t Begin) { return ~Begin < loadRelaxed(&Owner.NotBeforeTrace); }
inline bool isProfiled(uint64_t Begin) { return ~Begin < loadRelaxed(&Owner.NotBeforeProfile); }

} // namespace seamscope::modes
#endif // SEAMSCOPE_CORE_MODEHISTORY_H
