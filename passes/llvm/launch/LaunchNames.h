//===- LaunchNames.h - names of functions that launch -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything about launches that is recognised by name alone.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_LAUNCHNAMES_H
#define SEAMSCOPE_PASSES_LAUNCHNAMES_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace seamscope {

/// A function that launches GPU work.
struct LaunchApi {
  llvm::StringRef Name; ///< without the suffixes for kinds of streams
  int Kernel;           ///< which argument is the kernel's host function; -1: none
};

/// \p Symbol if it is a function of the CUDA runtime, the driver or MLIR's wrappers that launches.
std::optional<LaunchApi> launchApi(llvm::StringRef Symbol);

/// The same for templates in CUDA's headers that wrap these functions, and code inside them.
std::optional<LaunchApi> launchTemplate(llvm::StringRef Symbol);

/// The kernel's device symbol from the symbol of the host function that launches it: both clang's
/// `_Z20__device_stub__saxpyPf` and nvcc's `_ZL25__device_stub__Z5saxpyPfPf` give `_Z5saxpyPf`.
/// None if \p Symbol is not such a name.
std::optional<std::string> kernelOfStub(llvm::StringRef Symbol);

/// Whether \p Symbol is a stub by nvcc, which registers another function in its place.
bool isNvccStub(llvm::StringRef Symbol);

/// Whether \p Symbol is the wrapper that nvcc puts between a kernel template and its stub.
bool isNvccWrapper(llvm::StringRef Symbol);

/// Whether a source file belongs to a CUDA toolkit, or to clang's CUDA headers.
bool isCudaHeader(llvm::StringRef Path);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_LAUNCHNAMES_H
