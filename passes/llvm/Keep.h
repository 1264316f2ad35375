//===- Keep.h - kernels and the inliner ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that is inlined everywhere has no calls left to time. Some are kept from that, before
// the inliner runs; of the others it is noted that they were there, so that those that are gone at
// the end of the pipeline can be named.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_KEEP_H
#define SEAMSCOPE_PASSES_KEEP_H

#include "Select.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include <vector>

namespace seamscope {

/// Marks the kernels of \p M that must not be inlined `noinline` and notes the others, as Opts.Keep
/// says. With `auto` these are kept: what the user named, what starts a team, Inductor's kernels;
/// and of functions with loops those that are not declared inline, nor a template's or a class's
/// (linkonce), that no loop reaches through any number of calls (loops of `main` do not count), and
/// that no call gives constants with which they do little. Everything else is the optimiser's
/// business: where it inlines, inlining pays.
///
/// With \p Deferred what nobody named is only marked, for applyKeepMark(): profile-guided
/// optimisation inlines before it counts, and a function whose code looks different by then has
/// nothing of a profile that was made without the plugin.
void keepKernels(llvm::Module &M, const Selector &Select, const Options &Opts,
                 llvm::FunctionAnalysisManager &FAM, bool Deferred);

/// Marks \p F `noinline` where keepKernels() marked it. To be called before its callers are inlined
/// into.
void applyKeepMark(llvm::Function &F);

/// A kernel that was there before the inliner.
struct InlinedKernel {
  std::string Symbol;
  llvm::DISubprogram *Subprogram; ///< null without debug information
  bool Shared;                    ///< code of a header: other files have the same function
};

/// Of the kernels that keepKernels() noted, those whose calls in \p M are all gone because they
/// were inlined. Removes the notes.
std::vector<InlinedKernel> takeInlinedKernels(llvm::Module &M);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_KEEP_H
