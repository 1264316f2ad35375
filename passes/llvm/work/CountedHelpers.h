//===- CountedHelpers.h - functions that count for their callers -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that an innermost loop calls cannot be inlined there without changing the loop. If its
// work differs from call to call, a kernel calls a copy of it that has one more argument: where the
// copy counts, in words of the kernel's.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_COUNTEDHELPERS_H
#define SEAMSCOPE_PASSES_COUNTEDHELPERS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
class Function;
class Value;
} // namespace llvm

namespace seamscope {

/// A copy of \p F that counts, once counters are written into it.
llvm::Function *copyToCount(llvm::Function &F);
bool isCopyToCount(const llvm::Function &F);
/// The name of the function that \p Copy is of.
llvm::StringRef nameOfCopied(const llvm::Function &Copy);
/// The copy that \p Call calls; null: it calls something else.
llvm::Function *copyCalledBy(const llvm::CallBase &Call);

/// Whether copyToCount can copy what \p Call calls, and callInstead can call the copy.
bool canCallCopy(const llvm::CallBase &Call);
/// Replaces \p Call by one of \p Copy, whose words are not set yet.
void callInstead(llvm::CallBase &Call, llvm::Function &Copy);

/// The address of the words that \p Copy counts in.
llvm::Value *wordsOfCopy(llvm::Function &Copy);
void setWordsOfCopy(llvm::CallBase &Call, llvm::Value *Words);
/// Whether the words of \p Call are set.
bool hasWordsOfCopy(const llvm::CallBase &Call);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_COUNTEDHELPERS_H
