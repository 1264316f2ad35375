//===- UserPlace.h - code of libraries, as the user sees it ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of Kokkos, RAJA, TBB or the standard library stand in headers that the user did not
// write. They are shown at the line of the user's file that calls them, by the inlined-at chain of
// debug information, or else at that of the user's function that they call.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_USERPLACE_H
#define SEAMSCOPE_PASSES_USERPLACE_H

#include "SourcePoint.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

namespace seamscope {

/// Whether a source file belongs to the system or to a framework, and not to the program whose
/// file \p Unit is compiled. Folders that both are in say nothing.
bool isLibraryFile(llvm::StringRef Path, llvm::StringRef Unit);

/// Whether the code at \p Place, or the function, stands in such a file.
bool isLibraryCode(const llvm::DILocation &Place);
bool isLibraryCode(const llvm::DISubprogram &Function);

/// The way from code of a library to the code of the user that it was inlined into.
struct UserCall {
  const llvm::DILocation *At;      ///< the call, in the user's file
  const llvm::DILocation *Through; ///< a location in the function that is called there
};

/// The call through which library code at \p Place came into the user's file; none: \p Place is the
/// user's, or the chain ends in the library.
std::optional<UserCall> userCall(const llvm::DILocation *Place);

/// The user's function that \p F, a function of a library, or a team that it starts, runs; null:
/// none. Calls of an object come first. \p Only: in these blocks.
const llvm::DISubprogram *userFunctionIn(const llvm::Function &F,
                                         llvm::ArrayRef<llvm::BasicBlock *> Only = {});

/// The name of a function without template arguments.
std::string withoutArguments(llvm::StringRef Shown);

/// The function in which a lambda is written; other functions are returned unchanged.
std::string functionOfLambda(llvm::StringRef Shown);

/// A kernel that is library code: `solve [Kokkos solver.cpp:20]`.
struct LibraryKernel {
  std::string Name;
  SourcePoint Source;
};

/// If \p F belongs to a library and runs a function of the user.
std::optional<LibraryKernel> libraryKernel(const llvm::Function &F);

/// If the code at \p Place is of a library and was inlined into the user's.
std::optional<LibraryKernel> libraryKernel(const llvm::DILocation *Place);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_USERPLACE_H
