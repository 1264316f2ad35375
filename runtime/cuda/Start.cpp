//===- Start.cpp - begin and end of the collection -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library is loaded by the driver (CUDA_INJECTION64_PATH), in any program; by the loader
// (LD_PRELOAD), after which it makes the driver call it; by libseamscope, at the first launch of an
// instrumented program; or by a framework's hook.
//
//===----------------------------------------------------------------------===//
#include "core/Environment.h"
#include "cuda/Activities.h"
#include "cuda/Entries.h"
#include "cuda/Graphs.h"
#include "cuda/Guarded.h"
#include "cuda/Libraries.h"
#include "cuda/Rings.h"
#include "cuda/Settings.h"
#include "cuda/State.h"
#include "seamscope/devices.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <pthread.h>

#define SEAMSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

namespace seamscope::cuda {
namespace {

std::atomic<bool> Recording;

void flush() {
  if (isOver())
    return;
  drainRings(Drain::All);
  if (Recording)
    flushActivities(false);
}

/// An exit handler. It runs before the CUDA runtime's if it was registered after it.
void end() {
  static std::mutex Lock;
  const std::lock_guard Guard(Lock);
  if (isOver())
    return;
  drainRings(Drain::AtEnd);
  if (Recording) {
    flushActivities(true);
    if (!recordsSeen() && observedLaunches()) {
      warn("CUPTI returned no records of GPU work, though there were launches: another profiler "
           "(torch.profiler, nsys) has taken CUPTI over; record without it");
      count(format::DeviceCountOf::TakenOver, 1);
    }
  }
  setOver();
  waitForDrains();
}

void atEnd() { guarded(end); }

void onLaunch(SeamscopeGpuLaunch *Launch) {
  if (isOver())
    return;
  // The CUDA runtime has started, so a handler registered now runs before its own. Registering this
  // handler twice does no harm.
  if (!observedLaunches())
    atexit(atEnd);
  if (Recording)
    watchGraphs();
  observeLaunch(Launch);
}

} // namespace

/// Makes the driver call a preloaded library. Each process of a script loads it, and most of these
/// do not use a GPU. At start the process has one thread, so the environment can be changed.
static void askDriver() {
  constexpr const char *Tool = "CUDA_INJECTION64_PATH";
  const char *const Preloaded = environment("LD_PRELOAD");
  if (!Preloaded || !strstr(Preloaded, "libseamscope-cuda") ||
      seamscope_mode() != SEAMSCOPE_TRACE || !Settings::get().Activities)
    return;
  Dl_info Own = {};
  if (!dladdr(reinterpret_cast<void *>(&askDriver), &Own) || !Own.dli_fname)
    return;
  const char *const Already = environment(Tool);
  if (!Already)
    setenv(Tool, Own.dli_fname, 1);
  else if (!strstr(Already, "libseamscope-cuda") &&
           !(loadedPath("libcudart.so").empty() && loadedPath("libcuda.so").empty()))
    warn("GPU work is not recorded: %s=%s is another tool's; unset it", Tool, Already);
}

__attribute__((constructor)) static void onLoad() { guarded(askDriver); }

} // namespace seamscope::cuda

using namespace seamscope::cuda;

static bool start() {
  static const bool Started = [] {
    // CUDA does not work in a child of a process that used it.
    pthread_atfork(nullptr, nullptr, setOver);
    if (Settings::get().Activities)
      Recording = startActivities();
    if (Recording)
      watchGraphs();
    seamscope_set_launch_observer([](SeamscopeGpuLaunch *L) { guarded([&] { onLaunch(L); }); });
    seamscope_set_device_source([] { guarded(flush); });
    atexit(atEnd);
    return true;
  }();
  return Started;
}

/// Begins the collection, once. Returns 0 if no events are recorded in this process, or not yet.
SEAMSCOPE_EXPORT int seamscope_cuda_start(void) {
  return seamscope_mode() == SEAMSCOPE_TRACE && guarded(start);
}

/// The driver calls this at cuInit, and ignores the result.
SEAMSCOPE_EXPORT int InitializeInjection(void) { return seamscope_cuda_start(), 1; }

/// Makes the kernels of a module, which a framework has loaded into the current context, write
/// stamps. Returns 0 if they do; 1: they are not instrumented, or nothing is recorded.
SEAMSCOPE_EXPORT int seamscope_gpu_module(void *Module) {
  const auto SetUp = [&] { return setUpModule(static_cast<CUmodule>(Module), true); };
  return seamscope_cuda_start() && guarded(SetUp) ? 0 : 1;
}
