//===- Conventions.h - naming conventions of other tools -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything recognised by name alone: clang's start-up code and OpenMP helpers, Inductor's
// kernels, the C++ standard library. "Symbol" is the linker's name, "Shown" the demangled one.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_CONVENTIONS_H
#define SEAMSCOPE_PASSES_CONVENTIONS_H

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

namespace seamscope {

/// Inductor compiles these to test whether the machine has an instruction set, and loads the result
/// in a process without the runtime: a hook would make the test fail and every kernel scalar.
bool isInductorProbe(llvm::StringRef Symbol);

/// Whether Inductor's C++ wrapper gives kernels names like \p Symbol.
bool isInductorName(llvm::StringRef Symbol);

/// Inductor's extension modules export `kernel` and make it callable from Python.
bool isInductorModule(const llvm::Module &M);

/// In cpp_wrapper mode the module also holds the C++ code that calls the kernels, with an entry
/// function for Python.
bool isInductorWrapper(const llvm::Module &M);

/// Code that ahead-of-time compiled packages include to load and run a model.
bool isInductorRuntime(llvm::StringRef Shown);

/// Whether \p F initialises or destroys global objects.
bool isStartupCode(const llvm::Function &F);

/// Whether debug information says that \p Unit (or null) is Fortran.
bool isFortran(const llvm::DICompileUnit *Unit);

/// Whether a module's name is its source file; flang and MLIR give all modules the same name.
bool isSourceFile(llvm::StringRef Module);

/// `main`, and the body of a Fortran program, which flang's `main` calls.
bool isProgramEntry(llvm::StringRef Symbol);

/// Whether \p Shown belongs to the C++ standard library or to flang's intrinsic procedures.
bool isStandardLibrary(llvm::StringRef Shown);

/// The outlined body of a parallel region, or the function with its code that the body calls with
/// -g.
bool isOutlinedSymbol(llvm::StringRef Symbol);

/// The function that an outlined body belongs to; \p Symbol itself if it is not an outlined body.
llvm::StringRef withoutOutlinedSuffix(llvm::StringRef Symbol);

/// A task, a reduction, or what registers code for devices.
bool isOpenMPHelper(llvm::StringRef Symbol);

/// An `omp target` region: the symbol of the function around it, the line, and which of the regions
/// at that line.
struct TargetRegion {
  llvm::StringRef Function;
  unsigned Line, Number;
};

/// The target region that the function \p Symbol is.
std::optional<TargetRegion> targetRegion(llvm::StringRef Symbol);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_CONVENTIONS_H
