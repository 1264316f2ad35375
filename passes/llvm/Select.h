//===- Select.h - which functions are kernels ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_SELECT_H
#define SEAMSCOPE_PASSES_SELECT_H

#include "Options.h"
#include "Reason.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class GlobPattern;
class SpecialCaseList;
} // namespace llvm

namespace seamscope {

/// A decision about one function.
struct Verdict {
  bool Kernel;
  Reason Why;
};

/// Annotations of a function: __attribute__((annotate("seamscope.…"))).
struct Annotations {
  bool Kernel = false; ///< seamscope.kernel, or implied by the two below
  bool Off = false;    ///< seamscope.off
  std::string Ops;     ///< seamscope.ops=a,b
  std::string Name;    ///< seamscope.name=x
};

/// Reads the seamscope annotations of \p M. An unknown one causes a warning on \p M's context.
llvm::DenseMap<const llvm::Function *, Annotations> readAnnotations(const llvm::Module &M);

/// Decides which functions are kernels, without changing anything.
class Selector {
public:
  /// Fails on a bad glob or an unreadable or malformed list file.
  static llvm::Expected<Selector> create(const Options &Opts, const llvm::Module &M);
  Selector(Selector &&);
  ~Selector();

  /// Whether \p F is a kernel. Uses \p FAM to look at loops only if the answer depends on them.
  Verdict judge(llvm::Function &F, llvm::FunctionAnalysisManager &FAM) const;

  /// The user's choice for \p F by an option, a list or an annotation; None if its code decides.
  std::optional<Verdict> asked(const llvm::Function &F) const;

  /// Whether the user excluded \p F, by any means; its regions are excluded too.
  bool isExcluded(const llvm::Function &F) const;

  /// Whether an option names, or excludes, the kernel with this \p Symbol and \p Shown name. It may
  /// be outside this module.
  bool names(llvm::StringRef Symbol, llvm::StringRef Shown) const;
  bool excludes(llvm::StringRef Symbol, llvm::StringRef Shown) const;

  /// Whether `replay` names \p F.
  bool replays(const llvm::Function &F) const;

  /// Annotations of \p F; empty if it has none.
  const Annotations &annotations(const llvm::Function &F) const;

private:
  struct State;
  explicit Selector(std::unique_ptr<State> S);
  std::unique_ptr<State> S;
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_SELECT_H
