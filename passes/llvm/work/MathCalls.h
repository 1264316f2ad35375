//===- MathCalls.h - functions and instructions by name ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_MATHCALLS_H
#define SEAMSCOPE_PASSES_MATHCALLS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace seamscope {

/// The C function of which \p Symbol computes one or several values: `expf` for expf, llvm.exp.f32,
/// glibc's _ZGVdN8v_expf, Sleef_expf8_u10, __svml_expf8 and _simd_exp_f4. Empty: none.
llvm::StringRef mathFunction(llvm::StringRef Symbol);

/// Whether \p Symbol neither computes nor moves a kernel's data: functions of OpenMP's runtime, and
/// some of C's.
bool isWithoutWork(llvm::StringRef Symbol);

/// What an instruction of one processor family computes.
struct TargetOperation {
  llvm::StringRef Key;  ///< of work.def; empty: it only moves or selects lanes
  uint64_t Each;        ///< operations for each lane of the result
  llvm::StringRef Type; ///< of the elements; empty: that of the result
  bool IsScalar;        ///< computes the lowest lane alone
};

/// The instruction that the intrinsic \p Name stands for, if it is known.
std::optional<TargetOperation> targetOperation(llvm::StringRef Name);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_MATHCALLS_H
