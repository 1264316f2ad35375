//===- Callees.h - the work of functions that kernels call ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_CALLEES_H
#define SEAMSCOPE_PASSES_CALLEES_H

#include "work/CountsByKey.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/PassManager.h"

#include <map>
#include <utility>
#include <vector>

namespace llvm {
class Constant;
class Instruction;
class TargetLibraryInfo;
} // namespace llvm

namespace seamscope {

class Callees {
public:
  /// Functions that count their own work.
  using Counted = llvm::DenseSet<const llvm::Function *>;

  Callees(const Counted &Own, llvm::FunctionAnalysisManager &FAM) : Own(Own), FAM(FAM) {}

  /// The work of one run of \p I, with that of a function that it calls, if this is the same each
  /// time, by the constants that the call passes. Otherwise sets \p Unknown.
  WorkCounts workWithCallee(const llvm::Instruction &I, const llvm::TargetLibraryInfo &Library,
                            std::string &Unknown);

private:
  struct CallWork {
    bool IsKnown = false;
    WorkCounts Counts;
  };
  static constexpr unsigned MaxDepth = 4;

  using Arguments = std::vector<llvm::Constant *>; ///< null: not constant

  /// Adds the work of one call of \p F and clears \p Unknown, if that work is known.
  void add(const llvm::Function &F, const Arguments &Of, WorkCounts &Into, std::string &Unknown);
  CallWork find(const llvm::Function &Callee);
  CallWork follow(const llvm::Function &Callee, const Arguments &Of);

  const Counted &Own;
  llvm::FunctionAnalysisManager &FAM;
  llvm::DenseMap<const llvm::Function *, CallWork> Known;
  std::map<std::pair<const llvm::Function *, Arguments>, CallWork> Followed;
  unsigned Left = 300000; ///< instructions of calls that may still be followed
  unsigned Depth = 0;
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_CALLEES_H
