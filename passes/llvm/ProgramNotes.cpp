//===- ProgramNotes.cpp - compile-time notes in the object file ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramNotes.h"
#include "Names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Support/GlobPattern.h"

#include <map>

using namespace llvm;

namespace seamscope {
namespace {

constexpr StringLiteral LinkNote = "seamscope lto=link";

/// Code generation writes each string of this metadata to `.comment`; clang's version is one of
/// them.
NamedMDNode *comments(Module &M) { return M.getOrInsertNamedMetadata("llvm.ident"); }

bool isNote(const MDNode *Node, StringRef Text) {
  const auto *String =
      Node->getNumOperands() == 1 ? dyn_cast<MDString>(Node->getOperand(0)) : nullptr;
  return String && String->getString() == Text;
}

void note(Module &M, StringRef Text) {
  NamedMDNode *All = comments(M);
  if (none_of(All->operands(), [&](const MDNode *Node) { return isNote(Node, Text); }))
    All->addOperand(MDNode::get(M.getContext(), MDString::get(M.getContext(), Text)));
}

} // namespace

void noteKernelGlobs(Module &M, const Options &Opts) {
  for (const std::string &Text : Opts.Kernels) {
    note(M, "seamscope kernels=" + Text);
    Expected<GlobPattern> Glob = GlobPattern::create(Text);
    if (!Glob) {
      consumeError(Glob.takeError()); // Selector::create reports it
      continue;
    }
    if (any_of(M, [&](const Function &F) {
          return !F.isDeclaration() && (Glob->match(F.getName()) || Glob->match(displayName(F)));
        }))
      note(M, "seamscope found kernels=" + Text);
  }
}

void noteSkipped(Module &M, const Plan &P) {
  std::map<Reason, unsigned> Counts;
  for (const SkipPlan &Skip : P.Skipped)
    ++Counts[Skip.Why];
  if (Counts.empty())
    return;
  std::string Text = "seamscope timed nothing";
  for (const auto &[Why, Count] : Counts) {
    Text += (" " + slug(Why) + "=" + Twine(Count)).str();
    note(M, ("seamscope reason " + slug(Why) + " " + text(Why)).str());
  }
  note(M, Text + " of " + M.getSourceFileName());
}

void noteLinkStep(Module &M, bool Waits) {
  if (Waits)
    return note(M, LinkNote);
  NamedMDNode *All = M.getNamedMetadata("llvm.ident");
  if (!All || none_of(All->operands(), [](const MDNode *Node) { return isNote(Node, LinkNote); }))
    return;
  SmallVector<MDNode *> Kept;
  for (MDNode *Node : All->operands())
    if (!isNote(Node, LinkNote))
      Kept.push_back(Node);
  All->clearOperands();
  for (MDNode *Node : Kept)
    All->addOperand(Node);
}

} // namespace seamscope
