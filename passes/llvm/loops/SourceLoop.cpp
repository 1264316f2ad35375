//===- SourceLoop.cpp - the loop of the source that a loop was made of -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transformations that make several loops of one copy its metadata, but for the place at which
// clang says that the loop begins: the vectoriser leaves that out. So before it runs the place is
// put into an entry of our own, which it copies as it does all that it does not know.
//
//===----------------------------------------------------------------------===//
#include "loops/SourceLoop.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace seamscope {

static constexpr StringLiteral EntryName = "seamscope.loop";

/// The first place in the loop's metadata.
static const DILocation *namedPlace(const Loop &L) {
  if (const MDNode *Id = L.getLoopID())
    for (const MDOperand &Operand : drop_begin(Id->operands()))
      if (const auto *Place = dyn_cast_or_null<DILocation>(Operand.get()))
        return Place;
  return nullptr;
}

/// Where the code of a loop says it is, of a front end whose metadata says nothing. flang gives the
/// test for another iteration the place of the `do`; where that is lost the way in may have it.
static const DILocation *codePlace(const Loop &L) {
  const BasicBlock *const Latch = L.getLoopLatch();
  const BasicBlock *const Places[] = {Latch && L.isLoopExiting(Latch) ? Latch : nullptr,
                                      L.getLoopPredecessor(), L.getHeader()};
  for (const BasicBlock *Block : Places)
    if (const DILocation *Place = Block ? Block->getTerminator()->getDebugLoc().get() : nullptr;
        Place && Place->getLine())
      return Place;
  return nullptr;
}

/// What markLoops wrote: a place or a number. Null: nothing.
static const Metadata *markOf(const Loop &L) {
  const MDNode *Entry = findOptionMDForLoop(&L, EntryName);
  return Entry && Entry->getNumOperands() == 2 ? Entry->getOperand(1).get() : nullptr;
}

/// One node for all that are at the place, whatever else they say of it.
static const DILocation *unique(const DILocation &Place) {
  return DILocation::get(Place.getContext(), Place.getLine(), Place.getColumn(), Place.getScope(),
                         Place.getInlinedAt());
}

const void *sourceLoop(const Loop &L) {
  if (const Metadata *Mark = markOf(L))
    return Mark;
  if (const DILocation *Place = namedPlace(L))
    return unique(*Place);
  // What the unroller leaves for the last iterations has nothing of the loop's metadata. flang's
  // loops have none, until the vectoriser or the unroller makes two of one.
  if (findOptionMDForLoop(&L, "llvm.loop.unroll.disable") ||
      findOptionMDForLoop(&L, "llvm.loop.isvectorized"))
    if (const DILocation *Place = codePlace(L))
      return unique(*Place);
  return &L;
}

const DILocation *sourcePlace(const Loop &L) {
  if (const auto *Place = dyn_cast_or_null<DILocation>(markOf(L)); Place && Place->getLine())
    return Place;
  if (const DILocation *Place = namedPlace(L); Place && Place->getLine())
    return Place;
  if (const DILocation *Place = codePlace(L))
    return Place;
  for (const Instruction &I : *L.getHeader())
    if (const DILocation *Place = I.getDebugLoc().get(); Place && Place->getLine())
      return Place;
  return nullptr;
}

SmallVector<SmallVector<Loop *, 2>> groupBySource(ArrayRef<Loop *> Loops) {
  MapVector<const void *, SmallVector<Loop *, 2>> Groups;
  for (Loop *L : Loops)
    Groups[sourceLoop(*L)].push_back(L);
  SmallVector<SmallVector<Loop *, 2>> Result;
  for (auto &[Key, Group] : Groups)
    Result.push_back(std::move(Group));
  return Result;
}

void markLoops(const LoopInfo &Loops, Function &F) {
  LLVMContext &C = F.getContext();
  uint64_t Number = 0;
  for (Loop *L : Loops.getLoopsInPreorder()) {
    // A loop without metadata gets none: a branch that has some is not folded into others.
    MDNode *Id = L->getLoopID();
    ++Number;
    if (!Id || markOf(*L))
      continue;
    Metadata *Mark = nullptr;
    if (const DILocation *Place = namedPlace(*L))
      Mark = const_cast<DILocation *>(unique(*Place));
    else
      Mark = ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(C), Number));
    SmallVector<Metadata *> Operands{nullptr};
    append_range(Operands, drop_begin(Id->operands()));
    Operands.push_back(MDNode::get(C, {MDString::get(C, EntryName), Mark}));
    MDNode *New = MDNode::getDistinct(C, Operands);
    New->replaceOperandWith(0, New);
    L->setLoopID(New);
  }
}

} // namespace seamscope
