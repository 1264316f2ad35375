//===- FortranNames.h - demangling of flang's symbols ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_FORTRANNAMES_H
#define SEAMSCOPE_PASSES_FORTRANNAMES_H

#include <string>
#include <string_view>

namespace seamscope {

/// The body of a Fortran program, which flang's `main` calls.
inline constexpr std::string_view FortranMain = "_QQmain";

/// The procedure that flang's \p Symbol names, with its module, submodules and hosts: `_QMmPsaxpy`
/// is `m::saxpy`. Empty if \p Symbol is not such a name.
std::string demangleFortran(std::string_view Symbol);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_FORTRANNAMES_H
