//===- WorkApply.h - counters of work, in IR --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_WORKAPPLY_H
#define SEAMSCOPE_PASSES_WORKAPPLY_H

#include "work/WorkPlan.h"

namespace llvm {
class AllocaInst;
class GlobalVariable;
class IRBuilderBase;
} // namespace llvm

namespace seamscope {

/// The words of one call, on its stack.
struct WorkRoom {
  const FunctionWork *Work = nullptr;
  llvm::AllocaInst *Words = nullptr; ///< null: those of a caller
  unsigned Zeroed = 0;               ///< so many, the first ones, begin as 1 0 0 ..., see Hooks.h
  llvm::GlobalVariable *Late = nullptr; ///< the SeamscopeWork
  llvm::Value *Local = nullptr;         ///< their address; in GPU code one of local memory
};

/// The address of word \p Index, which may be a value.
llvm::Value *wordAt(llvm::IRBuilderBase &B, const WorkRoom &Room, llvm::Value *Index);
llvm::Value *wordAt(llvm::IRBuilderBase &B, const WorkRoom &Room, unsigned Index);

/// Writes the counters, before any other change to the functions: the analyses of \p FAM, from
/// which the plan was made, must still hold. No edge changes.
std::vector<WorkRoom> insertCounters(const std::vector<FunctionWork> &Plan,
                                     llvm::FunctionAnalysisManager &FAM);

/// Sets the words of \p Room to their values at the begin of a call, before \p Before. At the begin
/// of a function they are set already, except for the first word of a function that has hooks.
void resetWords(const WorkRoom &Room, llvm::Instruction *Before);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_WORKAPPLY_H
