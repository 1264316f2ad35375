//===- Names.h - from symbols to names people know -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_NAMES_H
#define SEAMSCOPE_PASSES_NAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace seamscope {

/// The function that the user wrote: \p Symbol without what outlining of OpenMP regions, ThinLTO
/// and function specialisation append.
llvm::StringRef kernelSymbol(llvm::StringRef Symbol);

/// \p Symbol demangled: qualified, with template arguments, without parameters, and
/// without the suffixes of kernelSymbol. A name that is not mangled stays.
std::string displayName(llvm::StringRef Symbol);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_NAMES_H
