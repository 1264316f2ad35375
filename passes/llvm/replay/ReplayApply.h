//===- ReplayApply.h - the code at the begin of a kernel to be replayed ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_REPLAY_REPLAYAPPLY_H
#define SEAMSCOPE_PASSES_REPLAY_REPLAYAPPLY_H

#include "replay/ReplayPlan.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"

namespace seamscope {

/// Lets the runtime take calls of a module's kernels out of the program, with the code that
/// seamscope/replay.h describes. It stands outside of what is timed.
class ReplayWriter {
public:
  ReplayWriter(llvm::Module &M, const ReplaysPlan &P);

  /// Call it before hooks are inserted: a fork stands behind the call that sets its threads.
  void insertAtForks();
  /// Call it when the hooks are in: the code goes before them.
  void insertInFunctions();

private:
  llvm::GlobalVariable *constant(llvm::Constant *Init, const llvm::Twine &Name);
  llvm::Constant *text(llvm::StringRef Of);
  /// The addresses of the variables that are left; made once for the module.
  llvm::Constant *data();
  /// A SeamscopeReplayUnit.
  llvm::GlobalVariable *makeUnit(const ReplayPlan &Of);
  void insertCapture(const ReplayPlan &Of);

  llvm::Module &M;
  const ReplaysPlan &P;
  llvm::LLVMContext &C;
  llvm::Type *I32, *I64;
  llvm::PointerType *Ptr;
  llvm::StringMap<llvm::Constant *> Texts;
  llvm::Constant *Data = nullptr;
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_REPLAY_REPLAYAPPLY_H
