//===- ReplayApply.cpp - the code at the begin of a kernel to be replayed -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "replay/ReplayApply.h"

#include "Compat.h"
#include "Hooks.h"
#include "seamscope/replay.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace seamscope {

ReplayWriter::ReplayWriter(Module &M, const ReplaysPlan &P) : M(M), P(P), C(M.getContext()) {
  I32 = Type::getInt32Ty(C);
  I64 = Type::getInt64Ty(C);
  Ptr = PointerType::getUnqual(C);
}

void ReplayWriter::insertAtForks() {
  for (const ReplayPlan &Each : P.Kernels)
    if (Each.Root.Fork)
      insertCapture(Each);
}

void ReplayWriter::insertInFunctions() {
  for (const ReplayPlan &Each : P.Kernels)
    if (!Each.Root.Fork)
      insertCapture(Each);
}

GlobalVariable *ReplayWriter::constant(Constant *Init, const Twine &Name) {
  return new GlobalVariable(M, Init->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage,
                            Init, Name);
}

Constant *ReplayWriter::text(StringRef Of) {
  if (Of.empty())
    return ConstantPointerNull::get(Ptr);
  Constant *&Known = Texts[Of];
  if (!Known)
    Known = constant(ConstantDataArray::getString(C, Of), "seamscope.replay.text");
  return Known;
}

Constant *ReplayWriter::data() {
  if (Data)
    return Data;
  auto *Ty = StructType::get(C, {Ptr, Ptr, I64});
  SmallVector<Constant *> Entries;
  for (const auto &[Name, Kind] : P.Of.Data) {
    Constant *At = ConstantPointerNull::get(Ptr);
    if (GlobalValue *G = M.getNamedValue(Name);
        G && (Kind != SEAMSCOPE_REPLAY_FUNCTION || !G->isDeclaration()))
      At = G;
    Entries.push_back(ConstantStruct::get(Ty, {text(Name), At, ConstantInt::get(I64, Kind)}));
  }
  Data = constant(ConstantArray::get(ArrayType::get(Ty, Entries.size()), Entries),
                  "seamscope.replay.data");
  return Data;
}

GlobalVariable *ReplayWriter::makeUnit(const ReplayPlan &Of) {
  const bool IsPossible = Of.Problem.empty();
  Constant *const Null = ConstantPointerNull::get(Ptr);
  Constant *Invoke = Null;
  if (IsPossible)
    Invoke = makeInvoker(M, Of.Root, "seamscope.invoke", GlobalValue::PrivateLinkage, false);
  const uint64_t Size = M.getDataLayout().getTypeAllocSize(Of.Root.arguments()).getFixedValue();
  Constant *Fields[] = {ConstantInt::get(I32, 1),
                        ConstantInt::get(I32, 0),
                        text(Of.Kernel),
                        text(Of.Entry),
                        IsPossible ? P.Of.Code : Null,
                        text(P.Of.Options),
                        text(std::to_string(LLVM_VERSION_MAJOR)),
                        text(Of.Problem),
                        Invoke,
                        ConstantInt::get(I64, Size),
                        IsPossible ? data() : Null,
                        ConstantInt::get(I64, IsPossible ? P.Of.Data.size() : 0)};
  static_assert(sizeof(SeamscopeReplayUnit) == 88, "the fields above");
  Constant *Init = ConstantStruct::getAnon(Fields);
  return new GlobalVariable(M, Init->getType(), /*isConstant=*/false, GlobalValue::PrivateLinkage,
                            Init, "seamscope.replay.unit");
}

/// The call that gives the number of threads to the fork that follows, or null.
static CallInst *pushBefore(CallInst *Fork) {
  for (Instruction *I = Fork->getPrevNode(); I; I = I->getPrevNode())
    if (auto *Call = dyn_cast<CallInst>(I); Call && Call->getCalledFunction()) {
      if (Call->getCalledFunction()->getName() == "__kmpc_push_num_threads")
        return Call;
      if (!Call->getCalledFunction()->isIntrinsic())
        return nullptr;
    }
  return nullptr;
}

void ReplayWriter::insertCapture(const ReplayPlan &Of) {
  Function &F = *Of.Root.F;
  StructType *Struct = Of.Root.arguments();
  BasicBlock &Entry = F.getEntryBlock();
  auto *Room = new AllocaInst(Struct, M.getDataLayout().getAllocaAddrSpace(), "seamscope.arguments",
                              Entry.getFirstInsertionPt());
  Value *Threads = ConstantInt::get(I32, 0);
  Instruction *Before = nullptr;
  SmallVector<Value *> Values;
  if (CallInst *Fork = Of.Root.Fork) {
    CallInst *Push = pushBefore(Fork);
    Before = Push ? Push : Fork;
    if (Push)
      Threads = Push->getArgOperand(2);
    Values.append(Fork->arg_begin() +
                      static_cast<ptrdiff_t>(Fork->arg_size() - Struct->getNumElements()),
                  Fork->arg_end());
  } else {
    Before = &*PrepareToSplitEntryBlock(Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
    for (Argument &Each : F.args())
      Values.push_back(&Each);
  }
  GlobalVariable *Unit = makeUnit(Of);
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(HookWriter::hookLocation(F));
  Value *Wanted = B.CreateICmpNE(B.CreateLoad(I32, Unit), ConstantInt::get(I32, 0));
  B.SetInsertPoint(SplitBlockAndInsertIfThen(Wanted, Before, /*Unreachable=*/false,
                                             MDBuilder(C).createUnlikelyBranchWeights()));
  B.SetCurrentDebugLocation(HookWriter::hookLocation(F));
  for (unsigned I = 0; I < Values.size(); ++I)
    B.CreateStore(Values[I], B.CreateStructGEP(Struct, Room, I));
  B.CreateCall(M.getOrInsertFunction("__seamscope_capture_v3", Type::getVoidTy(C), Ptr, Ptr, I32),
               {Unit, Room, Threads});
}

} // namespace seamscope
