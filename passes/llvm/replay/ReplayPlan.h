//===- ReplayPlan.h - kernels that can be replayed, as plain data ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_REPLAY_REPLAYPLAN_H
#define SEAMSCOPE_PASSES_REPLAY_REPLAYPLAN_H

#include "replay/Invoker.h"
#include "replay/Snapshot.h"

#include <string>
#include <vector>

namespace seamscope {

/// A kernel of the snapshot that is timed.
struct ReplayPlan {
  ReplayRoot Root;
  std::string Kernel; ///< its name in the trace
  std::string Entry;
  std::string Problem; ///< why it cannot be replayed; empty: nothing is in the way
};

struct ReplaysPlan {
  Snapshot Of;
  std::vector<ReplayPlan> Kernels;
};

/// Those of the \p Kernels, with their names, that the snapshot of \p M has. Takes its notes.
ReplaysPlan planReplays(llvm::Module &M,
                        llvm::ArrayRef<std::pair<ReplayRoot, std::string>> Kernels);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_REPLAY_REPLAYPLAN_H
