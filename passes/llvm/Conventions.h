//===- Conventions.h - how others name what they generate ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that is known by name alone: clang's start-up code and OpenMP helpers, Inductor's kernels,
// the C++ standard library. "Symbol" is a name as the linker knows it, "Shown" a demangled one.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_CONVENTIONS_H
#define SEAMSCOPE_PASSES_CONVENTIONS_H

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

namespace seamscope {

/// Inductor compiles these to ask whether the machine runs an instruction set. It loads
/// the result in a bare process: a hook in it would make every kernel scalar.
bool isInductorProbe(llvm::StringRef Symbol);

/// A kernel with the name that Inductor gives it beside a wrapper in C++.
bool isInductorName(llvm::StringRef Symbol);

/// Inductor's extension modules export `kernel` and make it callable from Python.
bool isInductorModule(const llvm::Module &M);

/// In cpp_wrapper mode the code that calls the kernels is C++ beside them, with a function that
/// Python enters by.
bool isInductorWrapper(const llvm::Module &M);

/// What packages that are compiled ahead of time bring along to load and run a model.
bool isInductorRuntime(llvm::StringRef Shown);

/// Initialises or destroys global objects.
bool isStartupCode(const llvm::Function &F);

/// Whether debug information says that \p Unit (or null) is Fortran.
bool isFortran(const llvm::DICompileUnit *Unit);

/// Whether a module's name is that of its source: flang and MLIR give all modules one name.
bool isSourceFile(llvm::StringRef Module);

/// What the linker's start-up code calls, and the body of a Fortran program, which that is to call.
bool isProgramEntry(llvm::StringRef Symbol);

/// That of C++, and what flang makes of intrinsic procedures.
bool isStandardLibrary(llvm::StringRef Shown);

/// The outlined body of a parallel region, or with -g the function that it only calls.
bool isOutlinedSymbol(llvm::StringRef Symbol);

/// The function that an outlined body was part of; \p Symbol itself where it is no such body.
llvm::StringRef withoutOutlinedSuffix(llvm::StringRef Symbol);

/// A task, a reduction or an entry for a device.
bool isOpenMPHelper(llvm::StringRef Symbol);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_CONVENTIONS_H
