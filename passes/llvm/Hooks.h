//===- Hooks.h - calls of the runtime, in IR --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At the begin of a site:                At its end:
//   frame.outer = 0                        if (frame.outer != 0)    // unlikely
//   if (gate != 0)       // unlikely         __seamscope_exit_v3(&frame)
//     __seamscope_enter_v3(&site, &frame)
//
// Both calls go through functions that preserve registers (ColdCalls.h); on targets that allow it
// these do the common case themselves (FastPath.h). Hooks of a site that may be throttled count the
// call first:
//
//   if (gate != 0)
//     if (site.throttle == 0 || thread.throttles == 0)  __seamscope_enter_v3(&site, &frame)
//     else if (--countdown < 0)                         __seamscope_sample_v3(&site, &frame)
//
// A function that counts its work has the words of a call behind its frame. The first word says
// whether recording was on at the begin, so the frame need not be closed before, and one test at
// the end is for both:
//
//   words[0] = 0                           if (byte 0 of words[0] != 0)
//   if (gate != 0)                           if (frame.outer != 0)
//     frame.outer = 0                          __seamscope_exit_v3(&frame)
//     byte 0 of words[0] = 1                 __seamscope_add_work_v3(&site_of_work, words)
//     ... as above
//
// The frame stays in memory on purpose: a register that is live across the whole kernel could cost
// its loops a spill.
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

/// Stack space for a SeamscopeFrame in a function.
struct FrameSlot {
  llvm::AllocaInst *Room;
  unsigned Index;               ///< of the frame among those in Room
  bool HasWords = false;        ///< the words of the call are behind it
  llvm::Value *Words = nullptr; ///< those of the call, if they are elsewhere

  /// The frame's address, for use at \p B.
  llvm::Value *address(llvm::IRBuilder<> &B) const;
  /// That of the words.
  llvm::Value *words(llvm::IRBuilder<> &B) const;
  /// That of the words behind a frame.
  static llvm::Value *wordsBehind(llvm::IRBuilder<> &B, llvm::Value *Frame);
};

/// Writes hooks into the functions of one module.
class HookWriter {
public:
  HookWriter(llvm::Module &M, SiteTable &Table);

  /// Makes a frame for \p F or a part of it, above the frames made before: the runtime takes a call
  /// with a lower frame for an inner call. Slots returned before are invalid afterwards.
  FrameSlot makeFrame(llvm::Function &F);

  /// The same, the last one for \p F, with \p Words behind it, which are there afterwards and
  /// nowhere else. They stay where they are if no functions preserve registers on this target.
  FrameSlot makeFrame(llvm::Function &F, llvm::AllocaInst &Words);

  /// The frame of \p F with number \p Index; numbers stay valid when more frames are made.
  FrameSlot frameAt(llvm::Function &F, unsigned Index) { return {Frames.lookup(&F).Room, Index}; }

  /// The frame that all launches in \p F share; only one launch is open at a time. Call it before
  /// any makeFrame().
  FrameSlot launchFrame(llvm::Function &F);

  /// Opens the frame before \p Before if recording is on. \p Counted: the site may be throttled.
  void insertEnter(const FrameSlot &Frame, llvm::GlobalVariable *Site, llvm::Instruction *Before,
                   bool Counted);

  /// Opens the frame of a region, with the number of the thread in its team; for a league, with the
  /// number of the team.
  void insertRegionEnter(const FrameSlot &Frame, llvm::GlobalVariable *Site,
                         llvm::Instruction *Before, bool IsTeams);

  /// Opens the frame with another hook: \p Emit emits its call in a function \p Name, which gets
  /// the site, the frame's address, and \p More.
  void insertEnter(const FrameSlot &Frame, llvm::GlobalVariable *Site, llvm::Instruction *Before,
                   llvm::StringRef Name, llvm::ArrayRef<llvm::Value *> More, EmitHook Emit);

  /// If the frame is open, closes it before \p Before; if recording is on, opens it for \p Site,
  /// which may be throttled. Both use one stamp.
  void insertNext(const FrameSlot &Frame, llvm::GlobalVariable *Site, llvm::Instruction *Before);

  /// If the frame is open, ends its call before \p Before. With \p Close it is also marked closed,
  /// for other exits that may follow.
  void insertExit(const FrameSlot &Frame, llvm::Instruction *Before, bool Close = false,
                  bool IsRegion = false);

  /// Sets the first word of a function's call before \p Before.
  void insertFirstWord(const FrameSlot &Frame, llvm::Instruction *Before);

  /// Hands the words of one call to the runtime before \p Before, if recording is on.
  void insertWork(const FrameSlot &Frame, llvm::GlobalVariable *Site, llvm::Instruction *Before);

  /// If the frame is open, ends its call and marks it closed, before \p Before; then hands over the
  /// words. This is one test and one call.
  void insertLeave(const FrameSlot &Frame, bool IsRegion, llvm::GlobalVariable *Site,
                   llvm::Instruction *Before);

  /// Marks the frame as not open, before \p Before.
  void insertClosed(const FrameSlot &Frame, llvm::Instruction *Before);

  /// Line 0 of the function: hooks do not belong to a source line.
  static llvm::DebugLoc hookLocation(const llvm::Function &F);

  llvm::MDNode *unlikely();

  /// The runtime's function \p Name, with the attributes of all hooks.
  llvm::FunctionCallee hook(llvm::StringRef Name, llvm::Type *Result,
                            llvm::ArrayRef<llvm::Type *> Parameters);

private:
  /// Calls a register-preserving function with the code that \p Emit emits, or emits the code in
  /// place.
  void callCold(llvm::IRBuilder<> &B, llvm::StringRef Name, llvm::ArrayRef<llvm::Value *> Arguments,
                EmitHook Emit);
  /// Calls \p Hook, a function of the runtime, through callCold.
  void callHook(llvm::IRBuilder<> &B, llvm::StringRef Name, llvm::ArrayRef<llvm::Value *> Arguments,
                llvm::FunctionCallee Hook);
  /// Emits the common case of opening a frame, and a call of \p Hook for the others.
  void emitEnter(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> Arguments, llvm::Value *Team,
                 llvm::StringRef Name, llvm::FunctionCallee Hook);
  /// The same, without a number in a team.
  void emitPlainEnter(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> Arguments);
  void callExit(llvm::IRBuilder<> &B, llvm::Value *Frame, bool Region);
  void callWork(llvm::IRBuilder<> &B, llvm::Value *Frame, llvm::Value *Words, llvm::Value *Site);
  /// The code at the end of a call: of its frame, if that is open, and of its words.
  void emitLeave(llvm::IRBuilder<> &B, llvm::Value *Frame, llvm::Value *Words, llvm::Value *Site,
                 bool IsRegion);
  llvm::LoadInst *loadOuter(llvm::IRBuilder<> &B, llvm::Value *Frame);
  llvm::LoadInst *loadGate(llvm::IRBuilder<> &B);
  void emitExit(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> Arguments, bool Region);
  void emitNext(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> Arguments);
  /// Calls the runtime to store a record that did not fit in the block.
  void callRecord(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> Record);
  /// Opens the frame, unless the site is throttled and this call is not timed.
  void callCountedEnter(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> Arguments);
  /// Gives \p Use the name and the code of the function that opens a frame. \p Counted: the site
  /// may be throttled.
  void chooseEnter(bool Counted, llvm::function_ref<void(llvm::StringRef, EmitHook)> Use);
  void emitCountedEnter(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> Parameters);
  /// Returns the end of a new block before \p Before that runs only if \p Number is not 0.
  llvm::Instruction *insertIf(llvm::IRBuilder<> &B, llvm::Value *Number, llvm::Instruction *Before);
  /// The same, for a block that runs only if the gate is open.
  llvm::Instruction *insertGate(llvm::Instruction *Before);
  /// The same, for a block that runs only if the frame is open.
  llvm::Instruction *insertOpen(const FrameSlot &Frame, llvm::Instruction *Before);
  llvm::AllocaInst *makeRoom(llvm::Function &F, llvm::Type *Ty, llvm::StringRef Name);

  llvm::Module &M;
  SiteTable &Table;
  FastPath Fast;
  llvm::Type *I32, *I64;
  llvm::PointerType *Ptr;
  llvm::StructType *FrameTy;
  llvm::AttributeList HookAttributes;
  /// Of a function: its frames, and perhaps words behind the last.
  struct FrameRoom {
    llvm::AllocaInst *Room = nullptr;
    unsigned Count = 0;
  };
  llvm::DenseMap<const llvm::Function *, FrameRoom> Frames;
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_HOOKS_H
