//===- WorkCounts.h - the work of an instruction ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one execution of an instruction computes and moves, by operation and type of its elements
// (seamscope/work.def). Counted after the optimiser: a vector instruction has the work of all lanes
// that its users read.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_WORKCOUNTS_H
#define SEAMSCOPE_PASSES_WORKCOUNTS_H

#include "work/CountsByKey.h"

namespace llvm {
class Function;
class Instruction;
class TargetLibraryInfo;
class Value;
} // namespace llvm

namespace seamscope {

/// Metadata of loads that Seamscope inserts. They are not counted.
constexpr const char *CopyOfLoad = "seamscope.copy";

/// The work of one execution of \p I, without that of functions that it calls. For a call whose
/// work is not known, sets \p Unknown to the reason. Bytes of the function's own stack are left
/// out.
WorkCounts workOf(const llvm::Instruction &I, const llvm::TargetLibraryInfo &Library,
                  std::string &Unknown);

/// If \p I moves a number of bytes or values that is known at run time alone, returns that number
/// (memcpy, memmove, memset, a GPU's bulk copies, vector::assign), and sets \p OfEach to the work
/// of each of them. Otherwise null.
llvm::Value *dynamicBytes(const llvm::Instruction &I, const llvm::TargetLibraryInfo &Library,
                          WorkCounts &OfEach);

/// Whether \p F computes in floating point or in vectors, or moves memory in bulk. Other code has
/// no FLOPs, and its counters would cost more than they say.
bool computes(const llvm::Function &F);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_WORKCOUNTS_H
