//===- FastPath.h - what hooks do in the common case, in IR -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of the runtime costs its caller what it clobbers: nine registers, saved and restored on
// both ends of each timed call, and two jumps. The common case takes fewer registers than that, and
// stands in the module itself, once for all of its hooks, as do the countdowns of throttled sites,
// which stand at the hooks. What they do is described in seamscope/abi.h.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_FASTPATH_H
#define SEAMSCOPE_PASSES_FASTPATH_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace seamscope {

/// Where it is emitted all else goes to: calls the runtime.
using EmitSlowPath = llvm::function_ref<void(llvm::IRBuilder<> &)>;

/// Emits the state of the threads of a module's code, and what is done with it. \p B is at the end
/// of a block without a terminator, before and after.
class FastPath {
public:
  explicit FastPath(llvm::Module &M);

  /// Whether the target has stamps that need no call.
  bool hasStamps() const { return X86; }

  /// Whether it can count calls.
  bool canThrottle() const { return HasThreads; }

  /// Opens the call of \p Site with \p Frame; \p Team is the number of a region's thread, or -1.
  void emitEnter(llvm::IRBuilder<> &B, llvm::Value *Site, llvm::Value *Frame, llvm::Value *Team,
                 EmitSlowPath Slow);

  /// Closes the call, that of a region if \p Region. \p Full calls __seamscope_record_v2 with its
  /// begin, duration and place.
  void emitExit(llvm::IRBuilder<> &B, llvm::Value *Frame, bool Region, EmitSlowPath Slow,
                llvm::function_ref<void(llvm::IRBuilder<> &, llvm::ArrayRef<llvm::Value *>)> Full);

  /// Closes the call and opens one of \p Site by the same stamp.
  void emitNext(llvm::IRBuilder<> &B, llvm::Value *Site, llvm::Value *Frame, EmitSlowPath Slow,
                llvm::function_ref<void(llvm::IRBuilder<> &, llvm::ArrayRef<llvm::Value *>)> Full);

  /// Counts a call of \p Site where it is throttled: goes to \p Untimed where it is not timed, to
  /// \p Sample where it is, and is else at \p B, whose block ends with a branch.
  void emitCountdown(llvm::IRBuilder<> &B, llvm::Value *Site, llvm::BasicBlock *Untimed,
                     llvm::BasicBlock *Sample);

private:
  llvm::Value *thread(llvm::IRBuilder<> &B);
  llvm::Value *field(llvm::IRBuilder<> &B, llvm::Value *Of, uint64_t Offset);
  llvm::LoadInst *load(llvm::IRBuilder<> &B, llvm::Type *Ty, llvm::Value *Of, uint64_t Offset);
  llvm::StoreInst *store(llvm::IRBuilder<> &B, llvm::Value *What, llvm::Value *Of, uint64_t Offset);
  llvm::Value *stamp(llvm::IRBuilder<> &B);
  llvm::Value *claimRecord(llvm::IRBuilder<> &B, llvm::Value *Thread);
  class Ways;
  /// What is to be stored of a call that ended.
  struct Ending {
    llvm::Value *Begin, *Place, *Now, *Duration;
  };
  /// Stamps the end of the innermost call where the frame is that call's and \p More, which is
  /// emitted before the stamp, holds.
  Ending emitEnding(llvm::IRBuilder<> &B, Ways &Both, llvm::Value *Thread, llvm::Value *Frame,
                    llvm::function_ref<llvm::Value *()> More);
  /// The id of a site, as 64 bits, and whether this process may record it.
  std::pair<llvm::Value *, llvm::Value *> emitId(llvm::IRBuilder<> &B, llvm::Value *Thread,
                                                 llvm::Value *Site);
  void
  emitRecord(llvm::IRBuilder<> &B, Ways &Both, llvm::Value *Thread, const Ending &Call,
             llvm::function_ref<void(llvm::IRBuilder<> &, llvm::ArrayRef<llvm::Value *>)> Full);

  llvm::Module &M;
  llvm::IntegerType *I32, *I64;
  llvm::PointerType *Ptr;
  bool X86, HasThreads;
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_FASTPATH_H
