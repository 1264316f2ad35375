//===- Hooks.h - calls of the runtime, in IR --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where something begins:                Where it ends:
//   frame.outer = 0                        if (frame.outer != 0)    // unlikely
//   if (gate != 0)       // unlikely         __seamscope_exit_v2(&frame)
//     __seamscope_enter_v2(&site, &frame)
//
// Both calls through functions that preserve registers (ColdCalls.h), in which what is to be done
// stands itself where the target allows it (FastPath.h). A site that may be throttled is counted
// before:
//
//   if (gate != 0)
//     if (site.throttle == 0 || thread.throttles == 0)  __seamscope_enter_v2(&site, &frame)
//     else if (--countdown < 0)                         __seamscope_sample_v2(&site, &frame)
//
// The frame stays in memory on purpose: a value in a register, alive across the whole
// kernel, could cost the kernel's loops a spill.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_HOOKS_H
#define SEAMSCOPE_PASSES_HOOKS_H

#include "ColdCalls.h"
#include "FastPath.h"
#include "SiteTable.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

namespace seamscope {

/// Room for a SeamscopeFrame in the stack of a function.
struct FrameSlot {
  llvm::AllocaInst *Room;
  unsigned Index; ///< of the frame among those in Room

  /// The frame's address, for use at \p B.
  llvm::Value *address(llvm::IRBuilder<> &B) const;
};

/// Writes hooks into the functions of one module.
class HookWriter {
public:
  HookWriter(llvm::Module &M, SiteTable &Table);

  /// A frame for all of \p F, or a part of it. It lies above those made before in \p F: the runtime
  /// takes calls with a lower frame for inner ones. Slots made before are not to be used any more.
  FrameSlot makeFrame(llvm::Function &F);

  /// Of the frames of \p F that with number \p Index, which stays valid when more are made.
  FrameSlot frameAt(llvm::Function &F, unsigned Index) { return {Frames.lookup(&F), Index}; }

  /// The frame that all launches in \p F share, of which one is open at a time. Made before all
  /// others.
  FrameSlot launchFrame(llvm::Function &F);

  /// Opens the frame before \p Before where recording is on. \p Counted: the site may be throttled.
  void insertEnter(const FrameSlot &Frame, llvm::GlobalVariable *Site, llvm::Instruction *Before,
                   bool Counted);

  /// The same of a region: with the number of the thread in its team.
  void insertRegionEnter(const FrameSlot &Frame, llvm::GlobalVariable *Site,
                         llvm::Instruction *Before);

  /// The same in a way of its own: \p Emit emits the call of the hook in a function \p Name, with
  /// the site, the frame's address, and \p More.
  void insertEnter(const FrameSlot &Frame, llvm::GlobalVariable *Site, llvm::Instruction *Before,
                   llvm::StringRef Name, llvm::ArrayRef<llvm::Value *> More, EmitHook Emit);

  /// Closes the frame before \p Before where it is open, and opens it for \p Site, which may be
  /// throttled, where recording is on: by one stamp.
  void insertNext(const FrameSlot &Frame, llvm::GlobalVariable *Site, llvm::Instruction *Before);

  /// Closes the frame before \p Before where it is open; with \p Again in such a way that another
  /// exit finds it closed.
  void insertExit(const FrameSlot &Frame, llvm::Instruction *Before, bool Again = false);
  void insertRegionExit(const FrameSlot &Frame, llvm::Instruction *Before);

  /// Notes before \p Before that the frame is not open.
  void insertClosed(const FrameSlot &Frame, llvm::Instruction *Before);

  /// Line 0 of the function: hooks belong to no source line.
  static llvm::DebugLoc hookLocation(const llvm::Function &F);

  llvm::MDNode *unlikely();

  /// The runtime's function \p Name, with what is true of all hooks.
  llvm::FunctionCallee hook(llvm::StringRef Name, llvm::Type *Result,
                            llvm::ArrayRef<llvm::Type *> Parameters);

private:
  /// Calls what \p Emit emits, or emits it here.
  void callCold(llvm::IRBuilder<> &B, llvm::StringRef Name, llvm::ArrayRef<llvm::Value *> Arguments,
                EmitHook Emit);
  /// Calls the runtime's function.
  void callHook(llvm::IRBuilder<> &B, llvm::StringRef Name, llvm::ArrayRef<llvm::Value *> Arguments,
                llvm::FunctionCallee Hook);
  /// What opens a frame in the common case, and calls \p Hook otherwise.
  void emitEnter(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> Arguments, llvm::Value *Team,
                 llvm::StringRef Name, llvm::FunctionCallee Hook);
  void callEnter(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> Arguments);
  void callExit(llvm::IRBuilder<> &B, llvm::Value *Frame, bool Region);
  void emitExit(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> Arguments, bool Region);
  void emitNext(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> Arguments);
  /// Calls what stores a record for which there was no room.
  void callRecord(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> What);
  /// Opens the frame at the end of a block, which goes on to \p After, unless the call of a site
  /// that may be throttled is not timed.
  void emitCountedEnter(llvm::IRBuilder<> &B, const FrameSlot &Frame, llvm::GlobalVariable *Site,
                        llvm::BasicBlock *After);
  /// The end of a new block before \p Before that is reached where the gate is open.
  llvm::Instruction *insertGate(const FrameSlot &Frame, llvm::Instruction *Before);
  /// Likewise where the frame is open.
  llvm::Instruction *insertOpen(const FrameSlot &Frame, llvm::Instruction *Before);
  llvm::AllocaInst *makeRoom(llvm::Function &F, llvm::Type *Ty, llvm::StringRef Name);

  llvm::Module &M;
  SiteTable &Table;
  FastPath Fast;
  llvm::Type *I32, *I64;
  llvm::PointerType *Ptr;
  llvm::StructType *FrameTy;
  llvm::AttributeList HookAttributes;
  llvm::DenseMap<const llvm::Function *, llvm::AllocaInst *> Frames;
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_HOOKS_H
