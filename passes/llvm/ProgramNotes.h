//===- ProgramNotes.h - compile-time notes in the object file --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The notes are lines in the section `.comment`, which is not loaded; linkers keep one copy of
// each:
//
//   seamscope kernels=GLOB         a file was compiled with this glob
//   seamscope found kernels=GLOB   a file has a function that matches it
//   seamscope lto=link             a file was left to the link, which did not instrument it
//   seamscope timed nothing NoLoop=2 TooSmall=1 of k.cpp
//                                  nothing in a file is timed: how many functions for each reason
//   seamscope reason NoLoop it has no loop
//
// `seamscope run` reads them: one file alone cannot tell whether a glob matches anything in the
// program, or whether anything in it is timed.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_PROGRAMNOTES_H
#define SEAMSCOPE_PASSES_PROGRAMNOTES_H

#include "Plan.h"

namespace seamscope {

/// Notes the globs of `kernels`, and which of them match a function that \p M defines.
void noteKernelGlobs(llvm::Module &M, const Options &Opts);

/// Notes why no function of \p M is timed; \p P is empty.
void noteSkipped(llvm::Module &M, const Plan &P);

/// Adds the note that \p M waits for the link, or removes it if \p Waits is false.
void noteLinkStep(llvm::Module &M, bool Waits);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_PROGRAMNOTES_H
