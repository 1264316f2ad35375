//===- StableLoads.h - variables that a loop loads again and again -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a parallel region gets its variables by reference. A loop that stores through a
// pointer, or calls a function, loads that pointer again in each iteration, since the optimiser
// cannot know that it is still the same. It is: a program does not store numbers over the pointers
// of its arrays. This file loads such variables once more in front of the loop, so that addresses
// and bounds are expressions of values that exist there. The loop stays as it is.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_STABLELOADS_H
#define SEAMSCOPE_PASSES_STABLELOADS_H

#include <map>
#include <tuple>

namespace llvm {
class DominatorTree;
class LoadInst;
class Loop;
class SCEV;
class ScalarEvolution;
class TargetLibraryInfo;
class Type;
class Value;
} // namespace llvm

namespace seamscope {

class StableLoads {
public:
  StableLoads(llvm::ScalarEvolution &Evolution, const llvm::DominatorTree &Tree,
              const llvm::TargetLibraryInfo &Library)
      : Evolution(Evolution), Tree(Tree), Library(Library) {}

  /// \p Of with loads in \p Outermost replaced by loads in front of it, where these have the same
  /// value.
  const llvm::SCEV *rewritten(const llvm::SCEV *Of, const llvm::Loop &Outermost);

private:
  bool isStable(const llvm::LoadInst &Load, const llvm::Loop &Outermost) const;

  llvm::ScalarEvolution &Evolution;
  const llvm::DominatorTree &Tree;
  const llvm::TargetLibraryInfo &Library;
  /// By address and the loop that they are in front of; null: not stable.
  std::map<std::tuple<const llvm::Value *, const llvm::Type *, const llvm::Loop *>,
           llvm::LoadInst *>
      Copies;
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_STABLELOADS_H
