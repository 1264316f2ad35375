//===- LaunchNames.h - how CUDA names what launches -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that is known of launches by name alone.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_LAUNCHNAMES_H
#define SEAMSCOPE_PASSES_LAUNCHNAMES_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace seamscope {

/// A function that has a GPU run something.
struct LaunchApi {
  llvm::StringRef Name; ///< without what tells its kinds of streams apart
  int Kernel;           ///< which argument tells the kernel by its host function; -1: none
};

/// The function \p Symbol of the CUDA runtime, the driver, or MLIR's wrappers, if it launches.
std::optional<LaunchApi> launchApi(llvm::StringRef Symbol);

/// The templates that CUDA's headers have over some of them, and code of theirs.
std::optional<LaunchApi> launchTemplate(llvm::StringRef Symbol);

/// The kernel as the device knows it, by the symbol of the host function that launches it: clang's
/// `_Z20__device_stub__saxpyPf` is of `_Z5saxpyPf`, nvcc's `_ZL25__device_stub__Z5saxpyPfPf` too.
/// Nothing where \p Symbol is no such name.
std::optional<std::string> kernelOfStub(llvm::StringRef Symbol);

/// Whether that is nvcc's way, in which the function itself is not the one that is registered.
bool isNvccStub(llvm::StringRef Symbol);

/// Whether \p Symbol is what nvcc puts between a kernel that is a template and its stub.
bool isNvccWrapper(llvm::StringRef Symbol);

/// Whether a source file came with a CUDA toolkit, or with clang for CUDA.
bool isCudaHeader(llvm::StringRef Path);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_LAUNCHNAMES_H
