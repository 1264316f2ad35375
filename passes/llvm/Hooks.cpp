//===- Hooks.cpp - calls of the runtime, in IR -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Hooks.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace seamscope {

Value *FrameSlot::address(IRBuilder<> &B) const {
  if (!Index)
    return Room;
  return B.CreateConstInBoundsGEP2_32(Room->getAllocatedType(), Room, 0, Index, "seamscope.frame");
}

HookWriter::HookWriter(Module &M, SiteTable &Table) : M(M), Table(Table) {
  LLVMContext &C = M.getContext();
  I32 = Type::getInt32Ty(C);
  I64 = Type::getInt64Ty(C);
  Ptr = PointerType::getUnqual(C);
  FrameTy = StructType::get(C, {I64, I64, I32, I32}); // outer, begin, site, thread
  static_assert(sizeof(SeamscopeFrame) == 24, "the IR type follows abi.h");
  // The hooks touch the frame and the runtime's own memory: nothing of the program's, so
  // that what LLVM knows of the kernel's memory stays true.
  HookAttributes = HookAttributes.addFnAttribute(C, Attribute::NoUnwind);
  HookAttributes = HookAttributes.addFnAttribute(C, Attribute::WillReturn);
  // A call through the GOT, without the jump through the PLT.
  HookAttributes = HookAttributes.addFnAttribute(C, Attribute::NonLazyBind);
  HookAttributes = HookAttributes.addFnAttribute(
      C, Attribute::getWithMemoryEffects(C, MemoryEffects::inaccessibleOrArgMemOnly()));
  Exit = hook("__seamscope_exit_v1", Type::getVoidTy(C), {Ptr});
}

FunctionCallee HookWriter::hook(StringRef Name, Type *Result, ArrayRef<Type *> Parameters) {
  return M.getOrInsertFunction(Name, FunctionType::get(Result, Parameters, /*isVarArg=*/false),
                               HookAttributes);
}

MDNode *HookWriter::unlikely() { return MDBuilder(M.getContext()).createBranchWeights(1, 100000); }

DebugLoc HookWriter::hookLocation(const Function &F) {
  if (DISubprogram *SP = F.getSubprogram())
    return DILocation::get(F.getContext(), 0, 0, SP);
  return {};
}

AllocaInst *HookWriter::makeRoom(Function &F, Type *Ty, StringRef Name) {
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  AllocaInst *Room = B.CreateAlloca(Ty, nullptr, Name);
  Room->setAlignment(Align(8));
  return Room;
}

FrameSlot HookWriter::launchFrame(Function &F) {
  AllocaInst *const Room = Frames.lookup(&F);
  return Room ? FrameSlot{Room, 0} : makeFrame(F);
}

FrameSlot HookWriter::makeFrame(Function &F) {
  AllocaInst *&Room = Frames[&F];
  if (!Room)
    return {Room = makeRoom(F, FrameTy, "seamscope.frame"), 0};
  const auto *Several = dyn_cast<ArrayType>(Room->getAllocatedType());
  const unsigned Before = Several ? static_cast<unsigned>(Several->getNumElements()) : 1;
  AllocaInst *All = makeRoom(F, ArrayType::get(FrameTy, Before + 1), "seamscope.frames");
  Room->replaceAllUsesWith(All);
  Room->eraseFromParent();
  return {Room = All, Before};
}

void HookWriter::callCold(IRBuilder<> &B, StringRef Name, ArrayRef<Value *> Arguments,
                          EmitHook Emit) {
  const SmallVector<Type *> Parameters(Arguments.size(), Ptr);
  if (Function *F = makeColdCall(M, Name, Parameters, HookAttributes, Emit))
    B.CreateCall(F, Arguments)->setCallingConv(F->getCallingConv());
  else
    Emit(B, Arguments);
}

void HookWriter::insertEnter(const FrameSlot &Frame, GlobalVariable *Site, Instruction *Before,
                             StringRef Name, ArrayRef<Value *> More, EmitHook Emit) {
  const DebugLoc Loc = hookLocation(*Before->getFunction());
  insertClosed(Frame, Before);
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Loc);
  LoadInst *Gate = B.CreateAlignedLoad(I32, Table.gate(), Align(4), "seamscope.gate");
  // Another thread may switch the mode at any moment.
  Gate->setAtomic(AtomicOrdering::Monotonic);
  Value *On = B.CreateICmpNE(Gate, ConstantInt::get(I32, 0));
  Instruction *Then =
      SplitBlockAndInsertIfThen(On, Before->getIterator(), /*Unreachable=*/false, unlikely());
  IRBuilder<> T(Then);
  T.SetCurrentDebugLocation(Loc);
  SmallVector<Value *> Arguments{Site, Frame.address(T)};
  Arguments.append(More.begin(), More.end());
  callCold(T, Name, Arguments, Emit);
}

void HookWriter::insertClosed(const FrameSlot &Frame, Instruction *Before) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(hookLocation(*Before->getFunction()));
  B.CreateAlignedStore(ConstantInt::get(I64, 0), Frame.address(B), Align(8));
}

void HookWriter::insertExit(const FrameSlot &Frame, Instruction *Before, bool Again) {
  const DebugLoc Loc = hookLocation(*Before->getFunction());
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Loc);
  Value *Outer = B.CreateAlignedLoad(I64, Frame.address(B), Align(8), "seamscope.outer");
  Value *Open = B.CreateICmpNE(Outer, ConstantInt::get(I64, 0));
  Instruction *Then =
      SplitBlockAndInsertIfThen(Open, Before->getIterator(), /*Unreachable=*/false, unlikely());
  IRBuilder<> T(Then);
  T.SetCurrentDebugLocation(Loc);
  callCold(T, "seamscope.exit", {Frame.address(T)},
           [&](auto &Builder, auto Arguments) { Builder.CreateCall(Exit, Arguments); });
  if (Again)
    insertClosed(Frame, Then);
}

} // namespace seamscope
