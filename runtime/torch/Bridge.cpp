//===- Bridge.cpp - records torch's operators, reports kernels to torch ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled on the user's machine against the installed torch: a RecordFunction passes C++ objects
// to an observer, and their layout depends on the version of torch. bridge.py builds, caches and
// loads the library.
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
at::CallbackHandle InputsObserver; ///< an observer that only makes torch show the inputs
bool Started, Paused, Sampled, Asking;

/// Whether torch's objects have the layout that this library was compiled for: a version of torch
/// may be built in several ways.
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

void set(at::CallbackHandle Which, bool On) {
  if (On)
    at::reenableCallback(Which);
  else
    at::disableCallback(Which);
}

} // namespace

/// Starts recording. Returns null, or the reason of a failure. \p Version: of the torch in this
/// process; \p Children not 0: forked children record, too; \p Samples not 0:
/// seamscope_torch_inputs() may be called.
SEAMSCOPE_EXPORT const char *seamscope_torch_start(const char *Version, int Children, int Samples) {
  if (std::strcmp(Version, SEAMSCOPE_TORCH_VERSION) != 0)
    return "it was built for another version of torch";
  if (Started)
    return nullptr;
  try {
    if (!isAsCompiled())
      return "this build of torch does not match its headers";
  } catch (...) {
    return "torch threw an exception at the first operator";
  }
  Started = true;
  watchForks(Children != 0);
  seamscope_set_mirror(mirror());
  Sampled = Asking = Samples != 0;
  // Observes every call, without torch's own sampling. Inputs are valid when a call begins.
  Observer =
      at::addGlobalCallback(at::RecordFunctionCallback(beginCall, endCall).needsInputs(!Sampled));
  // One observer records all calls, so that none is lost when the other one is switched.
  if (Sampled)
    InputsObserver = at::addGlobalCallback(
        at::RecordFunctionCallback([](const at::RecordFunction &)
                                       -> std::unique_ptr<at::ObserverContext> {
          return nullptr;
        }).needsInputs(true));
  return nullptr;
}

/// Sets up this thread in the runtime, since another thread started the bridge.
SEAMSCOPE_EXPORT void seamscope_torch_set_up_thread() { seamscope_thread(); }

/// Stops recording torch's operators (\p Pause not 0), or continues. While it is paused, operators
/// have no overhead.
SEAMSCOPE_EXPORT void seamscope_torch_pause(int Pause) {
  if (!Started || Paused == (Pause != 0))
    return;
  Paused = Pause != 0;
  Waits::forgetAll();
  set(Observer, !Paused);
  if (Asking)
    set(InputsObserver, !Paused);
}

/// Whether calls from now on are recorded with their inputs (\p Wanted not 0), on all threads.
/// Torch allocates a list for each list that it shows.
SEAMSCOPE_EXPORT void seamscope_torch_inputs(int Wanted) {
  if (!Sampled || Asking == (Wanted != 0))
    return;
  Asking = Wanted != 0;
  if (!Paused)
    set(InputsObserver, Asking);
}

/// The begin, in ticks, of a scope on this thread that torch does not know. First records the wait
/// before the scope, if there was one.
SEAMSCOPE_EXPORT uint64_t seamscope_torch_scope_begins() { return scopeBegins(); }
