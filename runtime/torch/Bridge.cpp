//===- Bridge.cpp - torch's operators as spans, our kernels for its profiler ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled on the user's machine against the torch that is installed there: what a RecordFunction
// gives an observer is C++, whose layout belongs to one version of torch. bridge.py builds, keeps
// and loads the library.
//
//===----------------------------------------------------------------------===//
#include "Observer.h"
#include "Waits.h"

#include "seamscope/spans.h"

#include <ATen/ops/empty.h>
#include <ATen/record_function.h>

#include <cstring>
#include <string>
#include <vector>

using namespace seamscope::bridge;

#define SEAMSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

bool Probed;
at::CallbackHandle Observer;
bool Started, Paused;

/// Whether what torch hands over reads as this library was compiled to read it: a version may be
/// built in more than one way.
bool isAsCompiled() {
  const at::CallbackHandle Handle = at::addThreadLocalCallback(
      at::RecordFunctionCallback(
          [](const at::RecordFunction &Call) -> std::unique_ptr<at::ObserverContext> {
            const auto Inputs = Call.inputs();
            Probed = std::string("aten::empty") == Call.name() && Inputs.size() == 6 &&
                     Inputs[0].isIntList() && Inputs[0].toIntVector() == std::vector<int64_t>{2, 3};
            return nullptr;
          })
          .needsInputs(true)
          .scopes({at::RecordScope::FUNCTION}));
  at::empty({2, 3});
  at::removeCallback(Handle);
  return Probed;
}

} // namespace

/// Why nothing was started, or null: all is well. \p Version is that of the torch in this process,
/// \p Children not 0: forked children record too.
SEAMSCOPE_EXPORT const char *seamscope_torch_start(const char *Version, int Children) {
  if (std::strcmp(Version, SEAMSCOPE_TORCH_VERSION) != 0)
    return "it was built for another version of torch";
  if (Started)
    return nullptr;
  try {
    if (!isAsCompiled())
      return "this build of torch hands over other data than its headers say";
  } catch (...) {
    return "torch threw an exception at the first operator";
  }
  Started = true;
  watchForks(Children != 0);
  seamscope_set_mirror(mirror());
  // No sampling: every call counts. Inputs are valid when a call begins.
  Observer =
      at::addGlobalCallback(at::RecordFunctionCallback(beginCall, endCall).needsInputs(true));
  return nullptr;
}

/// Has the runtime know this thread, which is not the one that started the bridge.
SEAMSCOPE_EXPORT void seamscope_torch_set_up_thread() { seamscope_thread(); }

/// Takes torch's operators out of the trace for a while (\p Pause not 0), or back in: what is
/// paused costs them nothing.
SEAMSCOPE_EXPORT void seamscope_torch_pause(int Pause) {
  if (!Started || Paused == (Pause != 0))
    return;
  Paused = Pause != 0;
  Waits::forgetAll();
  if (Paused)
    at::disableCallback(Observer);
  else
    at::reenableCallback(Observer);
}

/// When a scope that torch knows nothing of begins on this thread, in ticks: a wait lies on one
/// side of that.
SEAMSCOPE_EXPORT uint64_t seamscope_torch_scope_begins() { return scopeBegins(); }
