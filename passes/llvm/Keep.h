//===- Keep.h - kernels and the inliner ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that is inlined everywhere has no calls left to time. Before the inliner runs, some
// kernels are kept from being inlined and the others are noted, so that those that are gone at the
// end of the pipeline can be found by the loops that they left, and named.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_KEEP_H
#define SEAMSCOPE_PASSES_KEEP_H

#include "Select.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include <vector>

namespace seamscope {

/// As Opts.Keep says, marks kernels of \p M `noinline` and notes the others. Kernels that the user
/// named and Inductor's are always kept.
///
/// `auto` also keeps kernels that start a team. It keeps functions with loops unless they are
/// inline or linkonce, run in a loop outside `main`, or do little in a call with constant
/// arguments: there the optimiser inlines because it pays.
///
/// With \p Deferred, kernels that the user did not name are only marked, for applyKeepMark().
/// Profile-guided optimisation inlines before it counts: a function changed before that would not
/// match a profile made without the plugin.
void keepKernels(llvm::Module &M, const Selector &Select, const Options &Opts,
                 llvm::FunctionAnalysisManager &FAM, bool Deferred);

/// Marks \p F `noinline` if keepKernels() marked it. Call it before the inliner visits its callers.
void applyKeepMark(llvm::Function &F);

/// A kernel that existed before the inliner ran and that it may inline.
struct NotedKernel {
  std::string Symbol;
  llvm::DISubprogram *Subprogram; ///< null without debug information
  bool Shared;                    ///< from a header: other files have the same function
  bool Inlined;                   ///< all its calls in the module are gone
};

/// Whether code of a noted kernel may have been inlined into \p F.
bool holdsNotedKernel(const llvm::Function &F);

/// The kernels noted by keepKernels(). Removes the notes.
std::vector<NotedKernel> takeNotedKernels(llvm::Module &M);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_KEEP_H
