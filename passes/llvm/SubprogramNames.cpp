//===- SubprogramNames.cpp - symbols of functions in line tables -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SubprogramNames.h"

#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace seamscope {

/// Named metadata: the subprograms that have been given a symbol.
static constexpr StringLiteral Named = "seamscope.named";

void nameSubprograms(Module &M) {
  NamedMDNode *All = nullptr;
  for (const Function &F : M) {
    DISubprogram *SP = F.getSubprogram();
    if (!SP || !SP->isDistinct() || !SP->getLinkageName().empty() || SP->getName() == F.getName())
      continue;
    SP->replaceLinkageName(MDString::get(M.getContext(), F.getName()));
    if (!All)
      All = M.getOrInsertNamedMetadata(Named);
    All->addOperand(MDNode::get(M.getContext(), SP));
  }
}

void restoreSubprograms(Module &M) {
  NamedMDNode *All = M.getNamedMetadata(Named);
  if (!All)
    return;
  for (const MDNode *Node : All->operands())
    if (auto *SP = dyn_cast_or_null<DISubprogram>(Node->getOperand(0).get()))
      SP->replaceLinkageName(nullptr);
  M.eraseNamedMetadata(All);
}

} // namespace seamscope
