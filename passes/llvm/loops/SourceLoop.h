//===- SourceLoop.h - the source loop of a loop ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_SOURCELOOP_H
#define SEAMSCOPE_PASSES_SOURCELOOP_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace llvm {
class DILocation;
class DISubprogram;
class Loop;
class LoopInfo;
} // namespace llvm

namespace seamscope {

/// A key that is the same for all loops made from one source loop: its location with inlining or,
/// without debug information, the number that markLoops gave it. A loop with neither is its own
/// key.
const void *sourceLoop(const llvm::Loop &L);

/// Differs between copies of a source loop that were there when it was marked: unrolling a loop
/// around it made them, or a test that was moved out of it. Those made later have the same number,
/// or none: remainders that the unroller makes lose it.
std::optional<uint64_t> copyOf(const llvm::Loop &L);

/// The location where the loop begins in the source; null if unknown.
const llvm::DILocation *sourcePlace(const llvm::Loop &L);

/// Groups \p Loops, all of one level, by source loop, in the order of each group's first loop.
llvm::SmallVector<llvm::SmallVector<llvm::Loop *, 2>>
groupBySource(llvm::ArrayRef<llvm::Loop *> Loops);

/// Adds the mark that sourceLoop reads to each loop's metadata. Run it after the last inlining and
/// before loops are split.
void markLoops(const llvm::LoopInfo &Loops, llvm::Function &F);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_SOURCELOOP_H
