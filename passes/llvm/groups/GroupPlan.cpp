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

/// What the first argument of a marker says: a SeamscopeGroup.
std::optional<SitePlan> siteOf(const Value *Group) {
  const auto *Global = dyn_cast<GlobalVariable>(Group->stripPointerCasts());
  const auto *Bytes = Global && Global->hasInitializer()
                          ? dyn_cast<ConstantDataSequential>(Global->getInitializer())
                          : nullptr;
  if (!Bytes || !Bytes->isString(8))
    return std::nullopt;
  StringRef Rest = Bytes->getRawDataValues().drop_front(
      std::min<size_t>(offsetof(SeamscopeGroup, text), Bytes->getNumElements()));
  StringRef Texts[6];
  for (StringRef &Text : Texts) {
    const size_t End = Rest.find('\0');
    if (End == StringRef::npos)
      return std::nullopt;
    Text = Rest.take_front(End);
    Rest = Rest.drop_front(End + 1);
  }
  const auto &[Line, Column, Name, Function, File, Ops] = Texts;
  SourcePoint Source{File.str()};
  if (!Rest.empty() || Line.getAsInteger(10, Source.Line) || Column.getAsInteger(10, Source.Column))
    return std::nullopt;
  SitePlan Site = makeSite(SEAMSCOPE_SITE_KERNEL, Name.str(), Function, Name.str(), Source);
  Site.Ops = Ops.str();
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

std::vector<GroupsPlan> planGroups(Module &M) {
  MapVector<AllocaInst *, GroupsPlan> ByFrame;
  SmallVector<CallInst *> Enters = markers(M, EnterName, 2);
  std::reverse(Enters.begin(), Enters.end()); // uses are listed last first
  for (CallInst *Enter : Enters) {
    AllocaInst *Frame = frameOf(*Enter, 1);
    if (!Frame || !Frame->isStaticAlloca() || whyNotHookable(*Enter->getFunction()))
      continue;
    std::optional<SitePlan> Site = siteOf(Enter->getArgOperand(0));
    if (!Site)
      continue;
    GroupsPlan &Whole = ByFrame[Frame];
    Whole.Frame = Frame;
    const auto Same = find_if(Whole.Groups, [&](const GroupPlan &Group) {
      return Group.Enters.front()->getArgOperand(0) == Enter->getArgOperand(0);
    });
    if (Same != Whole.Groups.end())
      Same->Enters.push_back(Enter);
    else
      Whole.Groups.push_back({std::move(*Site), {Enter}});
  }
  for (CallInst *Exit : markers(M, ExitName, 1))
    if (const auto At = ByFrame.find(frameOf(*Exit, 0)); At != ByFrame.end())
      At->second.Exits.push_back(Exit);
  std::vector<GroupsPlan> Result;
  for (auto &[Frame, Whole] : ByFrame) {
    // All or none of the calls that share a frame.
    size_t Uses = 0, Known = Whole.Exits.size();
    for (const User *Use : Frame->users())
      Uses += isa<CallInst>(Use) && !cast<CallInst>(Use)->isLifetimeStartOrEnd();
    for (const GroupPlan &Group : Whole.Groups)
      Known += Group.Enters.size();
    if (Uses == Known && !Whole.Exits.empty())
      Result.push_back(std::move(Whole));
  }
  return Result;
}

const GroupPlan *groupAround(const std::vector<GroupsPlan> &All, const CallBase &Call,
                             const DominatorTree &Tree) {
  for (const GroupsPlan &Whole : All) {
    if (Whole.Frame->getFunction() != Call.getFunction())
      continue;
    for (const GroupPlan &Group : Whole.Groups)
      for (const CallInst *Enter : Group.Enters)
        // Entered, and no exit in between.
        if (Tree.dominates(Enter, &Call) && none_of(Whole.Exits, [&](const CallInst *Exit) {
              return Tree.dominates(Enter, Exit) && Tree.dominates(Exit, &Call);
            }))
          return &Group;
  }
  return nullptr;
}

} // namespace seamscope
