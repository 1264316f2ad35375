//===- Snapshot.h - kernels as they are before the inliner ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The option `replay` names kernels. Before the inliner their code, with all that it calls in the
// module, becomes a text in the module, which the program carries along. A kernel is optimised
// alone as in the program: the code is the same, and so are attributes and target.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_REPLAY_SNAPSHOT_H
#define SEAMSCOPE_PASSES_REPLAY_SNAPSHOT_H

#include "Select.h"

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace seamscope {

/// Keeps the code of the kernels that `replay` names in \p M. \p Level is clang's option.
void takeSnapshot(llvm::Module &M, const Selector &Select, llvm::StringRef Level,
                  llvm::ModuleAnalysisManager &MAM);

/// A kernel that the snapshot has.
struct SnapshotEntry {
  std::string Signature; ///< ReplayRoot::signature()
  std::string Entry;     ///< the function that calls it, in the snapshot
  std::string Problem;   ///< why it cannot be replayed; empty: nothing is in the way
};

/// What the snapshot of a module has.
struct Snapshot {
  llvm::GlobalVariable *Code = nullptr;   ///< null: the module has no snapshot
  std::string Options;                    ///< of clang, to compile it as it was compiled
  llvm::StringMap<SnapshotEntry> Entries; ///< by ReplayRoot::name()
  /// Variables that its code may access, and functions that it may call through pointers, each with
  /// its SeamscopeReplayDataKind.
  std::vector<std::pair<std::string, unsigned>> Data;
};

/// Reads the notes of the snapshot and removes them.
Snapshot takeNotes(llvm::Module &M);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_REPLAY_SNAPSHOT_H
