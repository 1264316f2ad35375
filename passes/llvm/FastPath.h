//===- FastPath.h - the common case of hooks, in IR -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of the runtime makes its caller save and restore nine registers at both ends of each timed
// call, and takes two jumps. The common case needs fewer registers, so it is emitted into the
// module, once for all its hooks, as are the countdowns of throttled sites. seamscope/abi.h
// describes what they do.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_FASTPATH_H
#define SEAMSCOPE_PASSES_FASTPATH_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace seamscope {

/// Emits a call of the runtime, for all other cases.
using EmitSlowPath = llvm::function_ref<void(llvm::IRBuilder<> &)>;

/// Emits code that works on the runtime's per-thread state. \p B is at the end of a block without a
/// terminator, before and after.
class FastPath {
public:
  explicit FastPath(llvm::Module &M);

  /// Whether the target can read the clock without a call.
  bool hasStamps() const { return X86; }

  /// Whether the target can count calls of throttled sites.
  bool canThrottle() const { return HasThreads; }

  /// Opens a call of \p Site with \p Frame. \p Team is the thread's number in the team of a region,
  /// or -1.
  void emitEnter(llvm::IRBuilder<> &B, llvm::Value *Site, llvm::Value *Frame, llvm::Value *Team,
                 EmitSlowPath Slow);

  /// Closes the call; \p Region says whether it is a region's. \p Full calls __seamscope_record_v3
  /// with its begin, duration and place.
  void emitExit(llvm::IRBuilder<> &B, llvm::Value *Frame, bool Region, EmitSlowPath Slow,
                llvm::function_ref<void(llvm::IRBuilder<> &, llvm::ArrayRef<llvm::Value *>)> Full);

  /// Closes the call and opens one of \p Site with the same stamp.
  void emitNext(llvm::IRBuilder<> &B, llvm::Value *Site, llvm::Value *Frame, EmitSlowPath Slow,
                llvm::function_ref<void(llvm::IRBuilder<> &, llvm::ArrayRef<llvm::Value *>)> Full);

  /// Counts a call of a throttled \p Site: branches to \p Untimed if the call is not timed and to
  /// \p Sample if it is. If the site is not throttled, continues at \p B, whose block has a
  /// terminator.
  void emitCountdown(llvm::IRBuilder<> &B, llvm::Value *Site, llvm::BasicBlock *Untimed,
                     llvm::BasicBlock *Sample);

private:
  llvm::Value *thread(llvm::IRBuilder<> &B);
  llvm::Value *field(llvm::IRBuilder<> &B, llvm::Value *Base, uint64_t Offset);
  llvm::LoadInst *load(llvm::IRBuilder<> &B, llvm::Type *Ty, llvm::Value *Base, uint64_t Offset);
  llvm::StoreInst *store(llvm::IRBuilder<> &B, llvm::Value *Stored, llvm::Value *Base,
                         uint64_t Offset);
  llvm::Value *stamp(llvm::IRBuilder<> &B);
  llvm::Value *claimRecord(llvm::IRBuilder<> &B, llvm::Value *Thread);
  class Branches;
  /// The values to record for a call that ended.
  struct EndedCall {
    llvm::Value *Begin, *Place, *Now, *Duration;
  };
  /// Stamps the end of the innermost call if \p Frame is its frame and \p ExtraCondition holds,
  /// which is emitted before the stamp.
  EndedCall emitEndStamp(llvm::IRBuilder<> &B, Branches &Paths, llvm::Value *Thread,
                         llvm::Value *Frame, llvm::function_ref<llvm::Value *()> ExtraCondition);
  /// The id of a site, as 64 bits, and whether this process may record it.
  std::pair<llvm::Value *, llvm::Value *> emitId(llvm::IRBuilder<> &B, llvm::Value *Thread,
                                                 llvm::Value *Site);
  void
  emitRecord(llvm::IRBuilder<> &B, Branches &Paths, llvm::Value *Thread, const EndedCall &Call,
             llvm::function_ref<void(llvm::IRBuilder<> &, llvm::ArrayRef<llvm::Value *>)> Full);

  llvm::Module &M;
  llvm::IntegerType *I32, *I64;
  llvm::PointerType *Ptr;
  bool X86, HasThreads;
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_FASTPATH_H
