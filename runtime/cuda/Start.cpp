//===- Start.cpp - begin and end of the collection -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three ways in: the driver loads the library (CUDA_INJECTION64_PATH), which works for any program;
// libseamscope does at the first launch of an instrumented one; a framework's hook does.
//
//===----------------------------------------------------------------------===//
#include "cuda/Activities.h"
#include "cuda/Entries.h"
#include "cuda/Libraries.h"
#include "cuda/Rings.h"
#include "cuda/Settings.h"
#include "cuda/State.h"
#include "seamscope/devices.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <pthread.h>

#define SEAMSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

namespace seamscope::cuda {
namespace {

std::atomic<bool> Over, Recording;

void flush() {
  if (isOver())
    return;
  drainRings(Drain::All);
  if (Recording)
    flushActivities(false);
}

/// Runs before the CUDA runtime's own end if it was registered after it.
void end() {
  static std::mutex Lock;
  const std::lock_guard Guard(Lock);
  if (isOver())
    return;
  drainRings(Drain::AtEnd);
  if (Recording) {
    flushActivities(true);
    if (!recordsSeen() && observedLaunches()) {
      warn("no records of GPU work came, though there were launches: another profiler "
           "(torch.profiler, "
           "nsys) has taken CUPTI over; record without it");
      count(format::DeviceCountOf::TakenOver, 1);
    }
  }
  Over = true;
}

void onLaunch(SeamscopeGpuLaunch *Launch) {
  if (isOver())
    return;
  // The runtime has started by now, and its end comes after this; twice does no harm.
  if (!observedLaunches())
    atexit(end);
  observeLaunch(Launch);
}

} // namespace

bool isOver() { return Over.load(std::memory_order_acquire); }

} // namespace seamscope::cuda

using namespace seamscope::cuda;

/// Begins, once. 0: no events are recorded in this process, or not yet.
SEAMSCOPE_EXPORT int seamscope_cuda_start(void) {
  if (seamscope_mode() != SEAMSCOPE_TRACE)
    return 0;
  static const bool Started = [] {
    // CUDA does not work in a child of a process that used it.
    pthread_atfork(nullptr, nullptr, [] { Over = true; });
    if (Settings::get().Activities)
      Recording = startActivities();
    seamscope_set_launch_observer(onLaunch);
    seamscope_set_device_source(flush);
    atexit(end);
    return true;
  }();
  return Started;
}

/// The driver's entry, at cuInit. What it returns is not looked at.
SEAMSCOPE_EXPORT int InitializeInjection(void) { return seamscope_cuda_start(), 1; }

/// Has the kernels of a module that a framework has loaded into the current context write stamps.
/// 0: they do; 1: the module's kernels are not instrumented, or nothing is recorded.
SEAMSCOPE_EXPORT int seamscope_gpu_module(void *Module) {
  return seamscope_cuda_start() && setUpModule(static_cast<CUmodule>(Module)) ? 0 : 1;
}
