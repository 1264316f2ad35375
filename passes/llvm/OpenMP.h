//===- OpenMP.h - parallel regions of a module -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_OPENMP_H
#define SEAMSCOPE_PASSES_OPENMP_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace seamscope {

/// A call that starts a team, and the function that every thread of the team runs.
struct ForkSite {
  llvm::CallBase *Call;
  llvm::Function *Body;

  /// Whether it starts a league (`teams`): each thread begins a team of its own.
  bool startsLeague() const;

  /// Whether it starts one team, in any case, and throws nothing.
  bool isPlain() const;
};

/// Flags of the ident_t that libomp's functions take first; 0 if \p Call does not pass one.
uint64_t identFlags(const llvm::CallBase &Call);

/// Line and column of a directive from that ident_t: `;file;function;line;column;;`. 0 is unknown.
std::pair<unsigned, unsigned> directivePlace(const llvm::CallBase &Call);

/// Whether \p F calls the OpenMP runtime to start a team.
bool hasFork(const llvm::Function &F);

/// Which functions start teams, and which functions these teams run.
class ForkGraph {
public:
  explicit ForkGraph(const llvm::Module &M);

  /// Every fork, in the order of the module.
  llvm::ArrayRef<ForkSite> forks() const { return Forks; }

  /// Whether \p F is the body of a region, whichever front end outlined it.
  bool isBody(const llvm::Function &F) const { return FirstFork.contains(&F); }

  /// The symbol of the function that contains \p Fork in the source: the function that it was
  /// inlined from, else the function that forks or, for a nested region, the one around it.
  std::string origin(const ForkSite &Fork) const;

  /// The fork that \p Fork is nested in which is in the code of that function; \p Fork itself if it
  /// is not nested.
  const ForkSite &outermost(const ForkSite &Fork) const;

private:
  llvm::SmallVector<ForkSite> Forks;
  llvm::DenseMap<const llvm::Function *, size_t> FirstFork; ///< for each body, an index into Forks
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_OPENMP_H
