//===- ProgramNotes.h - what a program tells of how it was compiled --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines in the section `.comment`, which is not loaded and in which linkers keep each text once:
//
//   seamscope kernels=GLOB         some file was compiled with this glob
//   seamscope found kernels=GLOB   and some file has a function that matches it
//   seamscope lto=link             some file was left to the link, which did not instrument it
//
// One file cannot know whether a glob matches anything in the program; `seamscope run` reads these.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_PROGRAMNOTES_H
#define SEAMSCOPE_PASSES_PROGRAMNOTES_H

#include "Options.h"
#include "llvm/IR/Module.h"

namespace seamscope {

/// Notes the globs of `kernels`, and which of them match a function that \p M defines.
void noteKernelGlobs(llvm::Module &M, const Options &Opts);

/// Notes that \p M waits for the link, or with \p Waits false that it no longer does.
void noteLinkStep(llvm::Module &M, bool Waits);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_PROGRAMNOTES_H
