//===- GroupPlan.cpp - groups of operators that MLIR marked ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "groups/GroupPlan.h"

#include "Hookable.h"
#include "seamscope/group.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace seamscope {
namespace {

constexpr StringLiteral EnterName = "__seamscope_group_enter_v1";
constexpr StringLiteral ExitName = "__seamscope_group_exit_v1";

std::optional<std::string> textOf(const Constant *Pointer) {
  const auto *Global = dyn_cast<GlobalVariable>(Pointer->stripPointerCasts());
  if (!Global || !Global->hasInitializer())
    return std::nullopt;
  if (isa<ConstantAggregateZero>(Global->getInitializer()))
    return std::string();
  const auto *Bytes = dyn_cast<ConstantDataSequential>(Global->getInitializer());
  if (!Bytes || !Bytes->isCString())
    return std::nullopt;
  return Bytes->getAsCString().str();
}

/// What the first argument of a marker says: a SeamscopeGroup.
std::optional<SitePlan> siteOf(const Value *Group) {
  static_assert(sizeof(SeamscopeGroup) == 48, "the fields are those of group.h");
  const auto *Global = dyn_cast<GlobalVariable>(Group->stripPointerCasts());
  const auto *Fields = Global && Global->hasInitializer()
                           ? dyn_cast<ConstantStruct>(Global->getInitializer())
                           : nullptr;
  if (!Fields || Fields->getNumOperands() != 8)
    return std::nullopt;
  const auto Number = [&](unsigned At) -> std::optional<uint32_t> {
    const auto *Value = dyn_cast<ConstantInt>(Fields->getOperand(At));
    return Value && Value->getBitWidth() == 32 ? std::optional(uint32_t(Value->getZExtValue()))
                                               : std::nullopt;
  };
  const auto Line = Number(1), Column = Number(2);
  const auto Name = textOf(Fields->getOperand(4)), Function = textOf(Fields->getOperand(5)),
             File = textOf(Fields->getOperand(6)), Ops = textOf(Fields->getOperand(7));
  if (!Line || !Column || !Name || !Function || !File || !Ops)
    return std::nullopt;
  SitePlan Site = makeSite(SEAMSCOPE_SITE_KERNEL, *Name, *Function, *Name, {*File, *Line, *Column});
  Site.Ops = *Ops;
  return Site;
}

/// Calls of \p Name as the passes over MLIR make them; null for each other use of it.
SmallVector<CallInst *> markers(const Module &M, StringRef Name, unsigned Arguments) {
  SmallVector<CallInst *> Calls;
  if (const Function *F = M.getFunction(Name))
    for (const Use &U : F->uses()) {
      auto *Call = dyn_cast<CallInst>(U.getUser());
      if (Call && Call->isCallee(&U) && Call->arg_size() == Arguments)
        Calls.push_back(Call);
    }
  return Calls;
}

AllocaInst *frameOf(const CallInst &Marker, unsigned At) {
  return dyn_cast<AllocaInst>(Marker.getArgOperand(At)->stripPointerCasts());
}

} // namespace

bool hasGroups(const Function &F) {
  return any_of(markers(*F.getParent(), EnterName, 2),
                [&](const CallInst *Call) { return Call->getFunction() == &F; });
}

std::vector<GroupPlan> planGroups(Module &M) {
  MapVector<AllocaInst *, GroupPlan> ByFrame;
  for (CallInst *Enter : markers(M, EnterName, 2)) {
    AllocaInst *Frame = frameOf(*Enter, 1);
    if (!Frame || !Frame->isStaticAlloca() || whyNotHookable(*Enter->getFunction()))
      continue;
    std::optional<SitePlan> Site = siteOf(Enter->getArgOperand(0));
    if (!Site)
      continue;
    GroupPlan &Group = ByFrame[Frame];
    Group.Frame = Frame;
    Group.Site = std::move(*Site);
    Group.Enters.push_back(Enter);
  }
  for (CallInst *Exit : markers(M, ExitName, 1))
    if (const auto At = ByFrame.find(frameOf(*Exit, 0)); At != ByFrame.end())
      At->second.Exits.push_back(Exit);
  std::vector<GroupPlan> Result;
  for (auto &[Frame, Group] : ByFrame) {
    // All or none of the calls that share a frame. Two groups never do.
    size_t Uses = 0;
    for (const User *Use : Frame->users())
      Uses += isa<CallInst>(Use) && !cast<CallInst>(Use)->isLifetimeStartOrEnd();
    const Value *Of = Group.Enters.front()->getArgOperand(0);
    if (Uses == Group.Enters.size() + Group.Exits.size() && !Group.Exits.empty() &&
        all_of(Group.Enters, [&](const CallInst *Enter) { return Enter->getArgOperand(0) == Of; }))
      Result.push_back(std::move(Group));
  }
  // Uses are listed last first; the plan is in the order of the code, function by function.
  sort(Result, [](const GroupPlan &A, const GroupPlan &B) {
    return std::tie(A.Site.LinkageName, A.Site.Line, A.Site.Column, A.Site.Name) <
           std::tie(B.Site.LinkageName, B.Site.Line, B.Site.Column, B.Site.Name);
  });
  return Result;
}

const GroupPlan *groupAround(const std::vector<GroupPlan> &Groups, const CallBase &Call,
                             const DominatorTree &Tree) {
  for (const GroupPlan &Group : Groups)
    if (Group.Frame->getFunction() == Call.getFunction() &&
        any_of(Group.Enters, [&](const CallInst *Enter) { return Tree.dominates(Enter, &Call); }) &&
        none_of(Group.Exits, [&](const CallInst *Exit) { return Tree.dominates(Exit, &Call); }))
      return &Group;
  return nullptr;
}

} // namespace seamscope
