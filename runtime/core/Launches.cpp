//===- Launches.cpp - hooks of launches of GPU work ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch is recorded like a call of a kernel. libseamscope-cuda is notified before the launch
// begins. The first launch loads that library if it is installed.
//
//===----------------------------------------------------------------------===//
#include "core/Hooks.h"
#include "core/OtherCopy.h"
#include "core/Process.h"
#include "core/ThreadState.h"
#include "seamscope/devices.h"

#include <dlfcn.h>

namespace seamscope {
namespace {

using Observer = void (*)(SeamscopeGpuLaunch *);

void findObserver(SeamscopeGpuLaunch *Launch);

/// Null: nobody is notified.
constinit Observer TheObserver = findObserver;

/// Loads libseamscope-cuda, once. Holds no lock, and no other thread waits for this one: it may
/// wait for the loader's lock, whose owner may wait for a launch.
SEAMSCOPE_COLD void findObserver(SeamscopeGpuLaunch *Launch) {
  Observer Expected = findObserver;
  if (!__atomic_compare_exchange_n(&TheObserver, &Expected, nullptr, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE)) {
    if (Expected)
      Expected(Launch);
    return;
  }
  const int Errno = errno;
  {
    const MsanCheckPause Pause;
    char Path[PATH_MAX];
    if (pathBeside(Path, "libseamscope-cuda.so")) {
      if (void *Library = dlopen(Path, RTLD_NOW | RTLD_LOCAL)) {
        if (const auto Start =
                reinterpret_cast<int (*)(void)>(dlsym(Library, "seamscope_cuda_start")))
          Start();
      } else {
        const char *Why = dlerror();
        warn("GPU kernels are not timed from within: %s", Why ? Why : Path);
      }
    }
  }
  if (const Observer Found = loadAcquire(&TheObserver))
    Found(Launch);
  errno = Errno;
}

} // namespace
} // namespace seamscope

using namespace seamscope;

SEAMSCOPE_EXPORT void __seamscope_launch_enter_v3(const SeamscopeSite *Site, SeamscopeFrame *Frame,
                                                  SeamscopeGpuLaunch *Launch) {
  SEAMSCOPE_FORWARD(__seamscope_launch_enter_v3, Site, Frame, Launch);
  if (const Observer Notify = loadAcquire(&TheObserver); SEAMSCOPE_UNLIKELY(Notify != nullptr))
    Notify(Launch);
  enterUnmirrored(Site, Frame);
}

SEAMSCOPE_EXPORT uint32_t seamscope_open_call(void) {
  SEAMSCOPE_FORWARD(seamscope_open_call);
  const ThreadState &T = ThisThread;
  if (!T.Slot || T.TopFrame == NoFrame || T.TopFrame & Unlisted || T.NextOpen <= T.Slot->Live->Open)
    return 0;
  return loadRelaxed(&T.NextOpen[-1].Site);
}

SEAMSCOPE_EXPORT int seamscope_launches_graphs(void) {
  SEAMSCOPE_FORWARD(seamscope_launches_graphs);
  return TheProcess.Sites.launchesGraphs();
}

SEAMSCOPE_EXPORT SeamscopeStatus
seamscope_set_launch_observer(void (*Notify)(SeamscopeGpuLaunch *)) {
  SEAMSCOPE_FORWARD(seamscope_set_launch_observer, Notify);
  storeRelease(&TheObserver, Notify);
  return SEAMSCOPE_OK;
}
