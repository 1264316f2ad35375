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

/// What the source says of functions with __attribute__((annotate("seamscope.…"))).
struct Annotations {
  bool Kernel = false; ///< seamscope.kernel, or implied by the two below
  bool Off = false;    ///< seamscope.off
  std::string Ops;     ///< seamscope.ops=a,b
  std::string Name;    ///< seamscope.name=x
};

/// Reads every seamscope annotation of \p M. An unknown one is a warning on \p M's context.
llvm::DenseMap<const llvm::Function *, Annotations> readAnnotations(const llvm::Module &M);

/// Decides, function by function, without changing anything.
class Selector {
public:
  /// Fails on a bad glob or an unreadable or malformed list file.
  static llvm::Expected<Selector> create(const Options &Opts, const llvm::Module &M);
  Selector(Selector &&);
  ~Selector();

  /// Whether \p F is a kernel. Loops are looked at through \p FAM only where the
  /// answer depends on them.
  Verdict judge(llvm::Function &F, llvm::FunctionAnalysisManager &FAM) const;

  /// What the user said of \p F by an option, a list or an annotation; nothing: its code decides.
  std::optional<Verdict> asked(const llvm::Function &F) const;

  /// Whether the user excluded \p F by any door; its regions go with it.
  bool isExcluded(const llvm::Function &F) const;

  /// Whether an option names, or excludes, what the user knows by \p Symbol or \p Shown and what
  /// may be no function of this module.
  bool names(llvm::StringRef Symbol, llvm::StringRef Shown) const;
  bool excludes(llvm::StringRef Symbol, llvm::StringRef Shown) const;

  /// Annotations of \p F; empty ones if it has none.
  const Annotations &annotations(const llvm::Function &F) const;

private:
  struct State;
  explicit Selector(std::unique_ptr<State> S);
  std::unique_ptr<State> S;
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_SELECT_H
