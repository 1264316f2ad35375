//===- LaunchCalls.h - which calls of host code launch ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_LAUNCHCALLS_H
#define SEAMSCOPE_PASSES_LAUNCHCALLS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include <optional>
#include <string>

namespace llvm {
class DILocation;
class DISubprogram;
} // namespace llvm

namespace seamscope {

/// A call that has a GPU run something.
struct LaunchCall {
  const llvm::Function *Kernel = nullptr; ///< by which the host knows it; null: not known here
  std::string Symbol; ///< of the kernel as the device knows it, or else of what is called
  std::string Name;   ///< to show, where no kernel is known; else empty
};

/// Finds the launches of one module. What stands between a launch in the source and the function of
/// the CUDA runtime, the kernel's stub and templates of CUDA's headers, is a part of the launch,
/// inlined or not.
class LaunchCalls {
public:
  explicit LaunchCalls(const llvm::Module &M);

  /// Whether the module has anything that could be launched or that launches.
  bool any() const { return Any; }

  /// Whether calls within \p F are a part of the launches that call it.
  bool isPartOfLaunch(const llvm::Function &F) const;

  /// What \p Call launches; nothing: it is no launch.
  std::optional<LaunchCall> look(const llvm::CallBase &Call) const;

  /// The place of a launch in the source: the innermost one that is in neither a stub nor a header
  /// of CUDA's; where all are, the outermost. Null without debug information.
  const llvm::DILocation *placeOf(const llvm::CallBase &Call) const;

private:
  struct Stub {
    const llvm::Function *Kernel; ///< what is registered; null: not known here
    std::string Symbol;
  };

  void readRegistrations(const llvm::Module &M);
  void readOffloadEntries(const llvm::Module &M);
  void addStub(const llvm::Function &F);
  void addWrapper(const llvm::Function &F);
  bool launchesInside(const llvm::Function &F) const;
  const llvm::Function *kernelInside(const llvm::Function &F) const;
  LaunchCall ofKernel(const llvm::Function &Kernel) const;
  std::optional<LaunchCall> inlinedStub(const llvm::CallBase &Call) const;

  llvm::DenseMap<const llvm::Function *, Stub> Stubs;
  llvm::DenseMap<const llvm::DISubprogram *, const llvm::Function *> StubOfSubprogram;
  bool Any = false;
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_LAUNCHCALLS_H
