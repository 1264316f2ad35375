//===- SourceLoop.h - the loop of the source that a loop was made of -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_SOURCELOOP_H
#define SEAMSCOPE_PASSES_SOURCELOOP_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

namespace llvm {
class DILocation;
class DISubprogram;
class Loop;
class LoopInfo;
} // namespace llvm

namespace seamscope {

/// What all loops that were made of one loop of the source have in common: where it stands, inlined
/// where it was, or without debug information the number that markLoops gave it. A loop that has
/// neither is its own.
const void *sourceLoop(const llvm::Loop &L);

/// Where the loop begins in the source; null: it is not known.
const llvm::DILocation *sourcePlace(const llvm::Loop &L);

/// Those of \p Loops, of one level, that are one loop of the source, in the order of the first of
/// each.
llvm::SmallVector<llvm::SmallVector<llvm::Loop *, 2>>
groupBySource(llvm::ArrayRef<llvm::Loop *> Loops);

/// Notes in each loop's metadata what sourceLoop reads. To run when no call is inlined any more,
/// and before one loop becomes several.
void markLoops(const llvm::LoopInfo &Loops, llvm::Function &F);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_SOURCELOOP_H
