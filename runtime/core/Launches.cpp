//===- Launches.cpp - calls that have a GPU run something ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To the recorder a launch is a call like that of a kernel. Before it begins, whoever knows GPUs is
// told of it: libseamscope-cuda, which the first launch loads if it is installed.
//
//===----------------------------------------------------------------------===//
#include "core/Process.h"
#include "core/Record.h"

#include <climits>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

#define SEAMSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

namespace seamscope {
namespace {

using Observer = void (*)(SeamscopeGpuLaunch *);

void findObserver(SeamscopeGpuLaunch *Launch);

/// Null: nobody is told.
constinit Observer TheObserver = findObserver;

/// The path of the file \p Name beside this library; false where there is none.
bool pathBeside(char (&Path)[PATH_MAX], const char *Name) {
  Dl_info Self;
  if (!dladdr(reinterpret_cast<const void *>(&findObserver), &Self) || !Self.dli_fname)
    return false;
  const char *Slash = strrchr(Self.dli_fname, '/');
  const int Folder = Slash ? static_cast<int>(Slash - Self.dli_fname) : 0;
  const int Size = Slash ? snprintf(Path, sizeof(Path), "%.*s/%s", Folder, Self.dli_fname, Name)
                         : snprintf(Path, sizeof(Path), "./%s", Name);
  return Size > 0 && static_cast<size_t>(Size) < sizeof(Path) && !access(Path, R_OK);
}

/// Loads libseamscope-cuda, once. No lock is held meanwhile, and no other thread waits for this
/// one: it may have to wait for the loader's lock, whose owner may wait for a launch.
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

SEAMSCOPE_EXPORT void __seamscope_launch_enter_v1(const SeamscopeSite *Site, SeamscopeFrame *Frame,
                                                  SeamscopeGpuLaunch *Launch) {
  if (SEAMSCOPE_UNLIKELY(TheProcess.Forward)) {
    if (TheProcess.Other.LaunchEnter)
      TheProcess.Other.LaunchEnter(Site, Frame, Launch);
    return;
  }
  if (const Observer Tell = loadAcquire(&TheObserver); SEAMSCOPE_UNLIKELY(Tell != nullptr))
    Tell(Launch);
  enterUnmirrored(Site, Frame);
}

SEAMSCOPE_EXPORT SeamscopeStatus seamscope_set_launch_observer(void (*Tell)(SeamscopeGpuLaunch *)) {
  if (TheProcess.Forward)
    return TheProcess.Other.LaunchEnter ? TheProcess.Other.SetLaunchObserver(Tell)
                                        : SEAMSCOPE_ERROR_ARGUMENT;
  storeRelease(&TheObserver, Tell);
  return SEAMSCOPE_OK;
}
