//===- Reason.h - why a function is timed, or is not -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_REASON_H
#define SEAMSCOPE_PASSES_REASON_H

#include "llvm/ADT/StringRef.h"

namespace seamscope {

/// Why a function is a kernel, or is not. The list is closed: each value has one text, which
/// remarks and plans print.
enum class Reason {
  // Kernels.
  Annotated,
  Listed,
  Parallel,
  Messages,
  InductorKernel,
  Loops,
  All,
  DeviceKernel,
  // Not kernels.
  NoLoop,
  NoMemory,
  TooSmall,
  NotListed,
  Excluded,
  AnnotatedOff,
  ProgramEntry,
  Grouped,
  StartupCode,
  StandardLibrary,
  InductorProbe,
  InductorHelper,
  OutlinedBody,
  OpenMPHelper,
  Naked,
  NotThisModule,
  Coroutine,
  FuncletEH,
  IFuncResolver,
  InstrumentationDisabled,
  AlreadyInstrumented,
  SeamscopeRuntime,
  DeviceFunction,
  UnsupportedTarget,
  Inlined,
  // Not loops.
  LoopTooSmall,
  LoopEdges,
  OnlyLoop,
  LoopsBeyond,
};

/// The text of \p R, for users.
llvm::StringRef text(Reason R);

/// The name of \p R in one word, for scripts; it is also the remark's name.
llvm::StringRef slug(Reason R);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_REASON_H
