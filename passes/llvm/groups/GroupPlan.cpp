//===- GroupPlan.cpp - operator groups that the MLIR passes marked ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "groups/GroupPlan.h"

#include "Hookable.h"
#include "groups/GroupMarkers.h"
#include "seamscope/group.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace seamscope {
namespace {

/// Reads the first argument of a marker, a SeamscopeGroup.
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
  SitePlan Site = makeKernel(Name.str(), Function, Source);
  Site.Ops = Ops.str();
  return Site;
}

AllocaInst *frameOf(const CallInst &Marker, unsigned At) {
  return dyn_cast<AllocaInst>(Marker.getArgOperand(At)->stripPointerCasts());
}

} // namespace

std::vector<GroupsPlan> planGroups(Module &M) {
  MapVector<AllocaInst *, GroupsPlan> ByFrame;
  SmallVector<CallInst *> Enters = groupEnters(M);
  std::reverse(Enters.begin(), Enters.end()); // uses are listed last first
  for (CallInst *Enter : Enters) {
    AllocaInst *Frame = frameOf(*Enter, 1);
    if (!Frame || !Frame->isStaticAlloca() || whyNotHookable(*Enter->getFunction()))
      continue;
    std::optional<SitePlan> Site = siteOf(Enter->getArgOperand(0));
    if (!Site)
      continue;
    GroupsPlan &Groups = ByFrame[Frame];
    Groups.Frame = Frame;
    const auto Same = find_if(Groups.Groups, [&](const GroupPlan &Group) {
      return Group.Enters.front()->getArgOperand(0) == Enter->getArgOperand(0);
    });
    if (Same != Groups.Groups.end())
      Same->Enters.push_back(Enter);
    else
      Groups.Groups.push_back({std::move(*Site), {Enter}});
  }
  for (CallInst *Exit : groupExits(M))
    if (const auto At = ByFrame.find(frameOf(*Exit, 0)); At != ByFrame.end())
      At->second.Exits.push_back(Exit);
  std::vector<GroupsPlan> Result;
  for (auto &[Frame, Groups] : ByFrame) {
    // Replace either all calls that share a frame or none of them.
    size_t Uses = 0, Known = Groups.Exits.size();
    for (const User *Use : Frame->users())
      Uses += isa<CallInst>(Use) && !cast<CallInst>(Use)->isLifetimeStartOrEnd();
    for (const GroupPlan &Group : Groups.Groups)
      Known += Group.Enters.size();
    if (Uses == Known && !Groups.Exits.empty())
      Result.push_back(std::move(Groups));
  }
  return Result;
}

const GroupPlan *groupAround(const std::vector<GroupsPlan> &All, const CallBase &Call,
                             const DominatorTree &Tree) {
  for (const GroupsPlan &Groups : All) {
    if (Groups.Frame->getFunction() != Call.getFunction())
      continue;
    for (const GroupPlan &Group : Groups.Groups)
      for (const CallInst *Enter : Group.Enters)
        // The group was entered, and not left in between.
        if (Tree.dominates(Enter, &Call) && none_of(Groups.Exits, [&](const CallInst *Exit) {
              return Tree.dominates(Enter, Exit) && Tree.dominates(Exit, &Call);
            }))
          return &Group;
  }
  return nullptr;
}

} // namespace seamscope
