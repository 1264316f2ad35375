//===- LaunchCalls.h - recognition of launches in host code -----*- C++ -*-===//
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

/// A call that launches GPU work.
struct LaunchCall {
  const llvm::Function *Kernel = nullptr; ///< the host function that stands for it; null: unknown
  std::string Symbol; ///< the kernel's symbol on the device, or else the called function's
  std::string Name;   ///< to show if the kernel is unknown; else empty
};

/// Finds the launches of one module. The code between a launch in the source and the CUDA runtime
/// (the kernel's stub, templates of CUDA's headers) is part of the launch, inlined or not.
class LaunchCalls {
public:
  explicit LaunchCalls(const llvm::Module &M);

  /// Whether the module has kernels or functions that launch.
  bool any() const { return Any; }

  /// Whether calls inside \p F are part of the launches that call it.
  bool isPartOfLaunch(const llvm::Function &F) const;

  /// The launch that \p Call makes; None if it does not launch.
  std::optional<LaunchCall> look(const llvm::CallBase &Call) const;

  /// The source location of a launch: the innermost one outside of stubs and CUDA headers, or else
  /// the outermost. Null without debug information.
  const llvm::DILocation *placeOf(const llvm::CallBase &Call) const;

private:
  struct Stub {
    const llvm::Function *Kernel; ///< the registered function; null: unknown
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
