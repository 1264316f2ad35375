//===- SourceLoop.cpp - the source loop of a loop --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transformations that make several loops from one copy its metadata, but the vectoriser drops the
// source location that clang puts there. So a copy of the location is added before it runs, in an
// entry that LLVM does not know and therefore copies.
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

/// The branch that has the loop's metadata where LLVM itself does not see it any more, since the
/// edge from that branch to the header was split; else null.
static Instruction *branchBeforeSplitEdge(const Loop &L) {
  const BasicBlock *const Latch = L.getLoopLatch();
  const BasicBlock *const Before = Latch ? Latch->getSinglePredecessor() : nullptr;
  if (!Before || !Latch->getSingleSuccessor() || !L.contains(Before) ||
      any_of(L.getSubLoops(), [&](const Loop *Inner) { return Inner->contains(Before); }))
    return nullptr;
  auto *Branch = const_cast<Instruction *>(Before->getTerminator());
  const MDNode *Id = Branch->getMetadata(LLVMContext::MD_loop);
  return Id && Id->getNumOperands() && Id->getOperand(0) == Id ? Branch : nullptr;
}

/// The loop's metadata; null without any.
static MDNode *idOf(const Loop &L) {
  if (MDNode *Id = L.getLoopID())
    return Id;
  const Instruction *Branch = branchBeforeSplitEdge(L);
  return Branch ? Branch->getMetadata(LLVMContext::MD_loop) : nullptr;
}

/// The first location in the loop's metadata.
static const DILocation *namedPlace(const Loop &L) {
  if (const MDNode *Id = idOf(L))
    for (const MDOperand &Operand : drop_begin(Id->operands()))
      if (const auto *Place = dyn_cast_or_null<DILocation>(Operand.get()))
        return Place;
  return nullptr;
}

/// The location of a loop's code, for front ends that do not put one into the metadata. flang gives
/// the latch's test the location of the `do`; if that is lost, the loop's entry may have it.
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

/// What markLoops wrote: a location or a number, and which copy it is; null without it.
static const MDNode *entryOf(const Loop &L) {
  MDNode *const Id = idOf(L);
  const MDNode *Entry = Id ? findOptionMDForLoopID(Id, EntryName) : nullptr;
  return Entry && Entry->getNumOperands() == 3 ? Entry : nullptr;
}

static const Metadata *markOf(const Loop &L) {
  const MDNode *Entry = entryOf(L);
  return Entry ? Entry->getOperand(1).get() : nullptr;
}

/// The same node for all locations with the line, column, scope and inlining of \p Place.
static const DILocation *canonical(const DILocation &Place) {
  return DILocation::get(Place.getContext(), Place.getLine(), Place.getColumn(), Place.getScope(),
                         Place.getInlinedAt());
}

const void *sourceLoop(const Loop &L) {
  if (const Metadata *Mark = markOf(L))
    return Mark;
  if (const DILocation *Place = namedPlace(L))
    return canonical(*Place);
  // The unroller's remainder loop loses the loop's metadata. flang's loops have none until the
  // vectoriser or the unroller splits them.
  if (findOptionMDForLoop(&L, "llvm.loop.unroll.disable") ||
      findOptionMDForLoop(&L, "llvm.loop.isvectorized"))
    if (const DILocation *Place = codePlace(L))
      return canonical(*Place);
  return &L;
}

std::optional<uint64_t> copyOf(const Loop &L) {
  const MDNode *Entry = entryOf(L);
  const auto *Copy =
      Entry ? mdconst::dyn_extract_or_null<ConstantInt>(Entry->getOperand(2)) : nullptr;
  return Copy ? std::optional(Copy->getZExtValue()) : std::nullopt;
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
  const auto NumberOf = [&](uint64_t Value) {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(C), Value));
  };
  uint64_t Number = 0;
  DenseMap<const Metadata *, uint64_t> Copies;
  for (Loop *L : Loops.getLoopsInPreorder()) {
    // Do not add metadata to a loop without any: a branch with metadata is not folded into others.
    MDNode *Id = idOf(*L);
    ++Number;
    if (!Id || markOf(*L))
      continue;
    Metadata *Mark = nullptr;
    if (const DILocation *Place = namedPlace(*L))
      Mark = const_cast<DILocation *>(canonical(*Place));
    else
      Mark = NumberOf(Number);
    SmallVector<Metadata *> Operands{nullptr};
    append_range(Operands, drop_begin(Id->operands()));
    Operands.push_back(
        MDNode::get(C, {MDString::get(C, EntryName), Mark, NumberOf(Copies[Mark]++)}));
    MDNode *New = MDNode::getDistinct(C, Operands);
    New->replaceOperandWith(0, New);
    if (L->getLoopID())
      L->setLoopID(New);
    else
      branchBeforeSplitEdge(*L)->setMetadata(LLVMContext::MD_loop, New);
  }
}

} // namespace seamscope
