//===- Observer.h - callbacks for torch and for the runtime ----------------===//
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

/// Called when an operator, autograd node or user scope begins. Null: the call is not recorded.
std::unique_ptr<at::ObserverContext> beginCall(const at::RecordFunction &Call);

/// Called when it ends, perhaps on another thread.
void endCall(const at::RecordFunction &Call, at::ObserverContext *Context);

/// The begin, by seamscope_now(), of a scope that is recorded elsewhere.
uint64_t scopeBegins();

/// Reports kernels and regions to torch's own profiler while it runs on their thread.
const SeamscopeMirror *mirror();

/// Installs the fork handler. Forked children record only if \p Children; most are workers.
void watchForks(bool Children);

/// Whether the library with \p Site reports its kernels to the profiler itself
/// (TORCHINDUCTOR_CPP_ENABLE_KERNEL_PROFILE).
bool recordsItself(const SeamscopeSite *Site);

} // namespace seamscope::bridge
#endif // SEAMSCOPE_TORCH_OBSERVER_H
