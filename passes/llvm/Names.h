//===- Names.h - names to show for symbols ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_NAMES_H
#define SEAMSCOPE_PASSES_NAMES_H

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include <string>

namespace seamscope {

/// \p Symbol without the suffixes of outlined OpenMP regions, ThinLTO and function specialisation:
/// the function that the user wrote.
llvm::StringRef kernelSymbol(llvm::StringRef Symbol);

/// \p Symbol demangled: qualified, with template arguments, without parameters and without the
/// suffixes that kernelSymbol removes. A name that is not mangled is returned unchanged.
std::string displayName(llvm::StringRef Symbol);

/// The same, without the underscore that Fortran compilers append to external procedures.
std::string displayName(const llvm::Function &F);
std::string displayName(const llvm::DISubprogram &Subprogram);

/// The same for a symbol of \p M whose function may be inlined everywhere.
std::string displayName(llvm::StringRef Symbol, const llvm::Module &M);

/// The symbol of \p Subprogram, or its name: line tables alone do not have symbols.
llvm::StringRef symbolOf(const llvm::DISubprogram &Subprogram);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_NAMES_H
