//===- Rings.cpp - the memory that GPU kernels write stamps into -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda/Rings.h"

#include "cuda/Guarded.h"
#include "cuda/KernelTable.h"
#include "cuda/Libraries.h"
#include "cuda/OwnCalls.h"
#include "cuda/Ring.h"
#include "cuda/Settings.h"
#include "cuda/State.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace seamscope::cuda {
namespace {

/// A number that no other context of the process has.
using ContextId = uint64_t;

struct Rings {
  std::mutex Lock;
  std::map<ContextId, std::unique_ptr<Ring>> Of; ///< null: there is no memory
  std::set<std::pair<ContextId, CUmodule>> Modules;
  bool HasThread = false;
};
Rings &rings() {
  static auto *const Created = new Rings;
  return *Created;
}

/// The number of observed launches: the thread reads rings less often if there are no new ones.
std::atomic<uint64_t> Observed;

/// A device's primary context keeps its handle after a reset, but gets another id. Drivers before
/// CUDA 12 have no ids; the handle is used instead.
CUresult idOf(const Driver &Cuda, CUcontext Context, ContextId &Id) {
  if (!Cuda.CtxGetId) {
    Id = reinterpret_cast<ContextId>(Context);
    return CUDA_SUCCESS;
  }
  unsigned long long Given = 0;
  const CUresult Error = Cuda.CtxGetId(Context, &Given);
  Id = Given;
  return Error;
}

/// Whether a context was destroyed, rather than lost by an error of a kernel.
bool isDestroyed(const Driver &Cuda, CUcontext Context, ContextId Before) {
  ContextId Now = 0;
  const CUresult Error = idOf(Cuda, Context, Now);
  return Error ? Error == CUDA_ERROR_CONTEXT_IS_DESTROYED || Error == CUDA_ERROR_INVALID_CONTEXT
               : Now != Before;
}

/// While it lives, this thread's calls neither become part of graphs that the program captures nor
/// end a capture.
class CaptureScope {
public:
  explicit CaptureScope(const Driver &Cuda) : Cuda(Cuda) {
    Cuda.ThreadExchangeStreamCaptureMode(&Mode);
  }
  ~CaptureScope() { Cuda.ThreadExchangeStreamCaptureMode(&Mode); }
  CaptureScope(const CaptureScope &) = delete;
  CaptureScope &operator=(const CaptureScope &) = delete;

private:
  const Driver &Cuda;
  CUstreamCaptureMode Mode = CU_STREAM_CAPTURE_MODE_RELAXED;
};

/// While it lives, \p Context is current.
class ContextScope {
public:
  ContextScope(const Driver &Cuda, CUcontext Context)
      : Cuda(Cuda), Entered(!Cuda.CtxPushCurrent(Context)) {}
  ~ContextScope() {
    CUcontext Popped;
    if (Entered)
      Cuda.CtxPopCurrent(&Popped);
  }
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;
  explicit operator bool() const { return Entered; }

private:
  const Driver &Cuda;
  bool Entered;
};

void *drainUntilExit(void *) {
  const OwnCalls Own;
  using std::chrono::milliseconds;
  constexpr milliseconds Least(2), Most(64);
  milliseconds Pause = Least;
  uint64_t Before = 0;
  unsigned Idle = 0;
  for (;;) {
    std::this_thread::sleep_for(Pause);
    const uint64_t Now = observedLaunches();
    // Earlier launches may run for a long time, so rings are still read, but less often.
    Idle = Now == Before ? Idle + 1 : 0;
    // A ring that is overwritten faster than it can be read gives a sample of the launches anyway,
    // and reading it makes the program's launches wait (on an H200 each took 1.5 us longer).
    const bool IsTooFast = (Now - Before) * Least / Pause > 2 * Ring::segments();
    Pause = IsTooFast ? std::min(2 * Pause, Most) : std::max(Pause / 2, Least);
    Before = Now;
    if (isOver())
      return nullptr;
    if (Idle < 8 || Idle % 64 == 0)
      guarded([] { drainRings(Drain::Gone); });
  }
}

/// The caller holds the lock.
void startThread(Rings &R) {
  if (R.HasThread)
    return;
  R.HasThread = true;
  // Signals are for the program's threads.
  sigset_t All, Old;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Old);
  // Without a thread, a ring is only read when a trace is written, and has only the last launches.
  pthread_t Thread;
  if (pthread_create(&Thread, nullptr, drainUntilExit, nullptr))
    warn("GPU kernels that were timed from within may be missing: the thread that reads them "
         "cannot start");
  else
    pthread_detach(Thread);
  pthread_sigmask(SIG_SETMASK, &Old, nullptr);
}

} // namespace

uint64_t observedLaunches() { return Observed.load(std::memory_order_relaxed); }

/// \p Launched: the function that is launched, or null. The caller has a CaptureScope.
static bool setUpModule(const Driver &Cuda, CUmodule Module, bool JustLoaded, CUfunction Launched) {
  CUcontext Context = nullptr;
  ContextId Id = 0;
  CUdeviceptr Control = 0;
  size_t Size = 0;
  if (!Settings::get().Stamps || isOver() || Cuda.CtxGetCurrent(&Context) || !Context ||
      idOf(Cuda, Context, Id) ||
      Cuda.ModuleGetGlobal(&Control, &Size, Module, SEAMSCOPE_GPU_CONTROL) ||
      Size != sizeof(SeamscopeGpuControl))
    return false;
  Rings &R = rings();
  const std::lock_guard Guard(R.Lock);
  const auto [Place, IsNew] = R.Of.try_emplace(Id);
  if (IsNew)
    Place->second = Ring::make(Cuda, Context);
  if (!Place->second)
    return false;
  Ring &Of = *Place->second;
  const bool IsKnown = !R.Modules.emplace(Id, Module).second && !JustLoaded;
  if (Launched && !listsKernels(Module))
    readKernel(Of.stream(), Module, Launched);
  if (IsKnown)
    return true;
  /// Sets a variable that not every module has. Returns false if that fails.
  const auto Set = [&](const char *Name, auto AddressOf) {
    CUdeviceptr Variable = 0;
    if (Cuda.ModuleGetGlobal(&Variable, &Size, Module, Name) || Size != sizeof(uint64_t))
      return true;
    const uint64_t Address = (Of.*AddressOf)();
    return !Of.stream().copyTo(Variable, &Address, sizeof(Address));
  };
  if (!Set(SEAMSCOPE_GPU_LOOPS, &Ring::loops) || !Set(SEAMSCOPE_GPU_WORK, &Ring::work))
    return false;
  if (Of.stream().copyTo(Control, &Of.control(), sizeof(SeamscopeGpuControl)))
    return false;
  readKernels(Of.stream(), Module);
  startThread(R);
  return true;
}

bool setUpModule(CUmodule Module, bool JustLoaded) {
  const Driver *const Cuda = Driver::get();
  if (!Cuda || isOver())
    return false;
  const OwnCalls Own;
  const CaptureScope Capture(*Cuda);
  return setUpModule(*Cuda, Module, JustLoaded, nullptr);
}

void observeLaunch(SeamscopeGpuLaunch *Launch) {
  Observed.fetch_add(1, std::memory_order_relaxed);
  if (!Launch || !Settings::get().Stamps || !Launch->function_of ||
      Launch->abi != SEAMSCOPE_GPU_ABI_VERSION)
    return;
  const Driver *const Cuda = Driver::get();
  if (!Cuda)
    return;
  CUcontext Context = nullptr;
  if (Cuda->CtxGetCurrent(&Context))
    return;
  ContextId Id = 0;
  if (Context && !idOf(*Cuda, Context, Id) &&
      __atomic_load_n(&Launch->context, __ATOMIC_RELAXED) == reinterpret_cast<void *>(Id))
    return;
  const OwnCalls Own;
  const CaptureScope Capture(*Cuda);
  void *Function = nullptr;
  CUmodule Module = nullptr;
  // The first call of the runtime on a thread makes its context current.
  if (Launch->function_of(&Function, Launch->kernel) || !Function ||
      Cuda->CtxGetCurrent(&Context) || !Context || idOf(*Cuda, Context, Id) ||
      Cuda->FuncGetModule(&Module, static_cast<CUfunction>(Function)))
    return;
  setUpModule(*Cuda, Module, false, static_cast<CUfunction>(Function));
  __atomic_store_n(&Launch->context, reinterpret_cast<void *>(Id), __ATOMIC_RELAXED);
}

void drainRings(Drain How) {
  const Driver *const Cuda = Driver::get();
  if (!Cuda)
    return;
  const OwnCalls Own;
  const CaptureScope Capture(*Cuda);
  Rings &R = rings();
  const std::lock_guard Guard(R.Lock);
  // At the program's end the driver goes away.
  if (isOver())
    return;
  std::erase_if(R.Of, [&](const auto &Each) {
    if (!Each.second)
      return false;
    const CUcontext Context = Each.second->context();
    // A context with the same handle does not have this ring's memory and stream.
    if (!isDestroyed(*Cuda, Context, Each.first)) {
      const ContextScope Scope(*Cuda, Context);
      if (Scope && !(How == Drain::AtEnd && Cuda->CtxSynchronize()) &&
          Each.second->drain(How != Drain::Gone))
        return false;
    }
    Each.second->writeKnown();
    std::erase_if(R.Modules, [&](const auto &Of) { return Of.first == Each.first; });
    if (isDestroyed(*Cuda, Context, Each.first))
      warn(
          "a device was reset, or its context destroyed, while GPU kernels were timed from within: "
          "what they wrote last may be missing; what runs from now on is recorded");
    else
      warn("the context of GPU kernels that were timed from within is lost: what they wrote last "
           "is missing");
    return true;
  });
}

void waitForDrains() { const std::lock_guard Guard(rings().Lock); }

} // namespace seamscope::cuda
