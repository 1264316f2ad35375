//===- Observer.h - what torch calls, and what the runtime calls -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TORCH_OBSERVER_H
#define SEAMSCOPE_TORCH_OBSERVER_H

#include "seamscope/spans.h"

#include <ATen/record_function.h>

#include <memory>

namespace seamscope::bridge {

/// An operator, autograd node or user scope begins. Null: it is not recorded.
std::unique_ptr<at::ObserverContext> beginCall(const at::RecordFunction &Call);

/// It ends, perhaps on another thread.
void endCall(const at::RecordFunction &Call, at::ObserverContext *Context);

/// Somebody else begins a scope on this thread: at which of seamscope_now().
uint64_t scopeBegins();

/// Shows kernels and regions to torch's own profiler while it runs on their thread.
const SeamscopeMirror *mirror();

/// Forked children are quiet unless \p Children: most are workers that end without a word.
void watchForks(bool Children);

/// Whether the library that \p Site lies in makes RecordFunctions of its own for its kernels
/// (TORCHINDUCTOR_CPP_ENABLE_KERNEL_PROFILE).
bool recordsItself(const SeamscopeSite *Site);

} // namespace seamscope::bridge
#endif // SEAMSCOPE_TORCH_OBSERVER_H
