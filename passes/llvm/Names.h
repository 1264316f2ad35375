//===- Names.h - from symbols to names people know -------------------------===//
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

/// The function that the user wrote: \p Symbol without what outlining of OpenMP regions, ThinLTO
/// and function specialisation append.
llvm::StringRef kernelSymbol(llvm::StringRef Symbol);

/// \p Symbol demangled: qualified, with template arguments, without parameters, and
/// without the suffixes of kernelSymbol. A name that is not mangled stays.
std::string displayName(llvm::StringRef Symbol);

/// The same, without the underscore that Fortran compilers append to external procedures.
std::string displayName(const llvm::Function &F);
std::string displayName(const llvm::DISubprogram &Of);

/// The same of a symbol of \p M, which may be inlined everywhere.
std::string displayName(llvm::StringRef Symbol, const llvm::Module &M);

/// The symbol of \p Of, or its name: with line tables alone clang gives no symbols.
llvm::StringRef symbolOf(const llvm::DISubprogram &Of);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_NAMES_H
