//===- Rings.cpp - the memory that GPU kernels write stamps into -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda/Rings.h"

#include "cuda/KernelTable.h"
#include "cuda/Libraries.h"
#include "cuda/Ring.h"
#include "cuda/Settings.h"
#include "cuda/State.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace seamscope::cuda {
namespace {

struct Rings {
  std::mutex Lock;
  std::map<CUcontext, std::unique_ptr<Ring>> Of; ///< null: there is no memory
  std::set<std::pair<CUcontext, CUmodule>> Modules;
  bool HasThread = false;
};
Rings &rings() {
  static auto *const Made = new Rings;
  return *Made;
}

/// Launches that were observed, so that the thread need not look where nothing runs.
std::atomic<uint64_t> Observed;

/// While it lives this thread's calls are no part of graphs that the program captures, and do not
/// end their capture.
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

/// Makes \p Context current while it lives.
class ContextScope {
public:
  ContextScope(const Driver &Cuda, CUcontext Context)
      : Cuda(Cuda), Entered(!Cuda.CtxPushCurrent(Context)) {}
  ~ContextScope() {
    CUcontext Ours;
    if (Entered)
      Cuda.CtxPopCurrent(&Ours);
  }
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;
  explicit operator bool() const { return Entered; }

private:
  const Driver &Cuda;
  bool Entered;
};

void drainUntilExit() {
  uint64_t Before = 0;
  unsigned Idle = 0;
  for (;;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const uint64_t Now = observedLaunches();
    // What was launched before may still run for long: it is looked for ever less often.
    Idle = Now == Before ? Idle + 1 : 0;
    Before = Now;
    if (isOver())
      return;
    if (Idle < 8 || Idle % 64 == 0)
      drainRings(Drain::Gone);
  }
}

/// Under the lock.
void startThread(Rings &R) {
  if (R.HasThread)
    return;
  R.HasThread = true;
  // Signals are for the program's threads.
  sigset_t All, Old;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Old);
  std::thread(drainUntilExit).detach();
  pthread_sigmask(SIG_SETMASK, &Old, nullptr);
}

} // namespace

uint64_t observedLaunches() { return Observed.load(std::memory_order_relaxed); }

bool setUpModule(CUmodule Module) {
  const Driver *const Cuda = Driver::get();
  CUcontext Context = nullptr;
  CUdeviceptr Control = 0;
  size_t Size = 0;
  if (!Cuda || !Settings::get().Stamps || isOver() || Cuda->CtxGetCurrent(&Context) || !Context ||
      Cuda->ModuleGetGlobal(&Control, &Size, Module, SEAMSCOPE_GPU_CONTROL) ||
      Size != sizeof(SeamscopeGpuControl))
    return false;
  const CaptureScope Capture(*Cuda);
  Rings &R = rings();
  const std::lock_guard Guard(R.Lock);
  const auto [Place, IsNew] = R.Of.try_emplace(Context);
  if (IsNew)
    Place->second = Ring::make(*Cuda, Context);
  if (!Place->second)
    return false;
  if (!R.Modules.emplace(Context, Module).second)
    return true;
  if (Cuda->MemcpyHtoD(Control, &Place->second->control(), sizeof(SeamscopeGpuControl)))
    return false;
  readKernels(Module);
  startThread(R);
  return true;
}

void observeLaunch(SeamscopeGpuLaunch *Launch) {
  Observed.fetch_add(1, std::memory_order_relaxed);
  const Driver *const Cuda = Driver::get();
  if (!Launch || !Cuda || !Launch->function_of || Launch->abi != SEAMSCOPE_GPU_ABI_VERSION)
    return;
  CUcontext Context = nullptr;
  if (Cuda->CtxGetCurrent(&Context))
    return;
  if (Context && __atomic_load_n(&Launch->context, __ATOMIC_RELAXED) == Context)
    return;
  void *Function = nullptr;
  CUmodule Module = nullptr;
  // The first call of the runtime on a thread makes its context current.
  if (!Settings::get().Stamps || Launch->function_of(&Function, Launch->kernel) || !Function ||
      Cuda->CtxGetCurrent(&Context) || !Context ||
      Cuda->FuncGetModule(&Module, static_cast<CUfunction>(Function)))
    return;
  if (setUpModule(Module) && !Cuda->ModuleEnumerateFunctions)
    readKernel(Module, static_cast<CUfunction>(Function), nullptr);
  __atomic_store_n(&Launch->context, Context, __ATOMIC_RELAXED);
}

void drainRings(Drain How) {
  const Driver *const Cuda = Driver::get();
  if (!Cuda)
    return;
  const CaptureScope Capture(*Cuda);
  Rings &R = rings();
  const std::lock_guard Guard(R.Lock);
  std::erase_if(R.Of, [&](const auto &Each) {
    if (!Each.second)
      return false;
    const ContextScope Scope(*Cuda, Each.first);
    if (Scope && !(How == Drain::AtEnd && Cuda->CtxSynchronize()) &&
        Each.second->drain(How != Drain::Gone))
      return false;
    warn("the context of GPU kernels that were timed from within is lost: what they wrote last is "
         "missing");
    return true;
  });
}

} // namespace seamscope::cuda
