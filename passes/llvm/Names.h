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

/// The function whose OpenMP region \p Symbol is the outlined body of: strips
/// every `.omp_outlined`, `.omp_outlined_debug__`, their numbers, and what ThinLTO
/// and function specialisation append. The symbol itself if there is none of them.
llvm::StringRef kernelSymbol(llvm::StringRef Symbol);

/// Whether \p Symbol is the outlined body of an OpenMP region.
bool isOutlinedSymbol(llvm::StringRef Symbol);

/// \p Symbol demangled: qualified, with template arguments, without parameters, and
/// without the suffixes of kernelSymbol. A name that is not mangled stays.
std::string displayName(llvm::StringRef Symbol);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_NAMES_H
