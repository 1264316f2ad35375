//===- Process.cpp - opening, modes, fork, start and end -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Process.h"

#include "core/Clock.h"
#include "core/Modules.h"
#include "core/Threads.h"

#include <dlfcn.h>
#include <type_traits>
#include <unistd.h>

namespace seamscope {

constinit Process TheProcess = {};

static void configure() {
  Process &P = TheProcess;
  if (P.Configured)
    return;
  readEnvironment(P.Settings);
  P.Owner = static_cast<uint32_t>(getpid());
  P.Configured = true;
}

bool ensureOpen() {
  Process &P = TheProcess;
  if (P.Spool.isOpen())
    return true;
  if (P.Failed)
    return false;
  configure();
  if (!P.Spool.open(P.Settings, P.Mode)) {
    P.Failed = true;
    applyMode(SEAMSCOPE_OFF);
    return false;
  }
  P.Pid = static_cast<uint32_t>(getpid());
  P.Sites.copyTo(P.Spool);
  startHelper();
  return true;
}

void applyMode(SeamscopeMode Mode) {
  Process &P = TheProcess;
  if (Mode != SEAMSCOPE_OFF) {
    storeRelaxed(&P.RecordMode, Mode);
    numberSites();
  }
  storeRelaxed(&P.Mode, Mode);
  setGates(Mode != SEAMSCOPE_OFF);
}

/// Another copy of the library that came first serves the process: two recorders would write two
/// half traces under one name.
static bool findPrimary() {
  Process &P = TheProcess;
  const auto Find = [](auto &Pointer, const char *Name) {
    Pointer =
        reinterpret_cast<std::remove_reference_t<decltype(Pointer)>>(dlsym(RTLD_DEFAULT, Name));
    return Pointer != nullptr;
  };
  Primary Other = {};
  if (!Find(Other.Register, "__seamscope_register_v1") ||
      Other.Register == &__seamscope_register_v1)
    return false;
  if (!Find(Other.Unregister, "__seamscope_unregister_v1") ||
      !Find(Other.Enter, "__seamscope_enter_v1") ||
      !Find(Other.RegionEnter, "__seamscope_region_enter_v1") ||
      !Find(Other.Exit, "__seamscope_exit_v1") || !Find(Other.Mode, "seamscope_mode") ||
      !Find(Other.SetMode, "seamscope_set_mode") || !Find(Other.Site, "seamscope_site") ||
      !Find(Other.Begin, "seamscope_begin") || !Find(Other.SetSchedule, "seamscope_set_schedule") ||
      !Find(Other.Step, "seamscope_step") || !Find(Other.Flush, "seamscope_flush") ||
      !Find(Other.Write, "seamscope_write") || !Find(Other.SetOutput, "seamscope_set_output") ||
      !Find(Other.SpanSite, "seamscope_span_site") || !Find(Other.Thread, "seamscope_thread") ||
      !Find(Other.InKernel, "seamscope_in_kernel") || !Find(Other.LastEnd, "seamscope_last_end") ||
      !Find(Other.Span, "seamscope_span") || !Find(Other.SetMirror, "seamscope_set_mirror") ||
      !Find(Other.MirrorThread, "seamscope_mirror_thread") ||
      !Find(Other.SetRank, "seamscope_set_rank"))
    return false;
  P.Other = Other;
  P.Forward = true;
  return true;
}

// The locks are held across the fork, so that the child finds no table half changed.
// No signal may come meanwhile: its handler's first kernel would wait for them for ever.
static sigset_t MaskBeforeFork;
static void beforeFork() {
  sigset_t All, Old;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Old);
  TheProcess.Lock.lock();
  MaskBeforeFork = Old;
}
static void afterForkInParent() {
  const sigset_t Old = MaskBeforeFork;
  TheProcess.Lock.unlock();
  pthread_sigmask(SIG_SETMASK, &Old, nullptr);
}

static void afterForkInChild() {
  Process &P = TheProcess;
  P.ForkTick = clock::now();
  P.Spool.abandon();
  P.Sites.forgetSpool();
  forgetThreads();
  forgetExport();
  P.HelperRuns = false;
  P.WroteOutput = false;
  P.Pid = static_cast<uint32_t>(getpid());
  P.Lock.unlock();
  pthread_sigmask(SIG_SETMASK, &MaskBeforeFork, nullptr);
}

static void watchForks() {
  static bool Watching = false;
  if (!Watching)
    pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
  Watching = true;
}

/// Before the constructors of everything that depends on the library.
__attribute__((constructor)) static void start() {
  const SeamscopeMode Mode = modeFromEnvironment();
  if (Mode == SEAMSCOPE_OFF && !dlsym(RTLD_DEFAULT, "__seamscope_register_v1"))
    return;
  if (findPrimary() || Mode == SEAMSCOPE_OFF)
    return;
  watchForks();
  Quiet Q;
  Process &P = TheProcess;
  SpinGuard Guard(P.Lock);
  configure();
  P.Settings.Mode = Mode;
  applyMode(Mode);
}

/// After the destructors of everything that depends on the library.
__attribute__((destructor)) static void finish() {
  Process &P = TheProcess;
  if (P.Forward || !P.Spool.isOpen())
    return;
  {
    Quiet Q;
    SpinGuard Guard(P.Lock);
    applyMode(SEAMSCOPE_OFF);
  }
  const int Errno = errno;
  checkOpenMP();
  if (const uint64_t Lost = loadRelaxed(&P.Spool.header()->LostEvents))
    say("%llu events were dropped: the spool was full (SEAMSCOPE_LIMIT, or space in its folder)",
        static_cast<unsigned long long>(Lost));
  if (P.Sites.count() == 0 || P.NoOutput || exportTrace(nullptr))
    P.Spool.remove();
  errno = Errno;
}

} // namespace seamscope

using namespace seamscope;

#define SEAMSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

SEAMSCOPE_EXPORT const char *seamscope_version(void) { return SEAMSCOPE_VERSION; }

SEAMSCOPE_EXPORT SeamscopeMode seamscope_mode(void) {
  if (TheProcess.Forward)
    return TheProcess.Other.Mode();
  return loadRelaxed(&TheProcess.Mode);
}

SEAMSCOPE_EXPORT SeamscopeStatus seamscope_set_mode(SeamscopeMode Mode) {
  if (Mode != SEAMSCOPE_OFF && Mode != SEAMSCOPE_PROFILE && Mode != SEAMSCOPE_TRACE)
    return SEAMSCOPE_ERROR_ARGUMENT;
  if (TheProcess.Forward)
    return TheProcess.Other.SetMode(Mode);
  watchForks();
  Quiet Q;
  SpinGuard Guard(TheProcess.Lock);
  if (Mode != SEAMSCOPE_OFF && !ensureOpen())
    return SEAMSCOPE_ERROR_IO;
  // A spool opened while nothing was recorded is of the first mode that records.
  if (Mode != SEAMSCOPE_OFF)
    if (uint32_t &First = TheProcess.Spool.header()->Mode; loadRelaxed(&First) == SEAMSCOPE_OFF)
      storeRelaxed(&First, static_cast<uint32_t>(Mode));
  applyMode(Mode);
  return SEAMSCOPE_OK;
}

SEAMSCOPE_EXPORT SeamscopeStatus seamscope_flush(const char *Path) {
  if (Path && !*Path)
    return SEAMSCOPE_ERROR_ARGUMENT;
  if (TheProcess.Forward)
    return TheProcess.Other.Flush(Path);
  {
    Quiet Q;
    SpinGuard Guard(TheProcess.Lock);
    if (!Path && TheProcess.NoOutput)
      return SEAMSCOPE_ERROR_ARGUMENT;
    if (!TheProcess.Spool.isOpen())
      return SEAMSCOPE_OK;
  }
  return exportTrace(Path) ? SEAMSCOPE_OK : SEAMSCOPE_ERROR_IO;
}

SEAMSCOPE_EXPORT SeamscopeStatus seamscope_write(const char *Path, const SeamscopeWindow *Windows,
                                                 uint32_t Count) {
  if (!Path || !*Path || !Windows || !Count)
    return SEAMSCOPE_ERROR_ARGUMENT;
  for (uint32_t I = 0; I < Count; ++I)
    if (Windows[I].end < Windows[I].begin || (I && Windows[I].begin < Windows[I - 1].end))
      return SEAMSCOPE_ERROR_ARGUMENT;
  if (TheProcess.Forward)
    return TheProcess.Other.Write(Path, Windows, Count);
  {
    Quiet Q;
    SpinGuard Guard(TheProcess.Lock);
    if (!ensureOpen())
      return SEAMSCOPE_ERROR_IO;
  }
  return exportTrace(Path, {Windows, Count}) ? SEAMSCOPE_OK : SEAMSCOPE_ERROR_IO;
}

SEAMSCOPE_EXPORT SeamscopeStatus seamscope_set_output(const char *Path) {
  if (Path && !*Path)
    return SEAMSCOPE_ERROR_ARGUMENT;
  if (TheProcess.Forward)
    return TheProcess.Other.SetOutput(Path);
  Quiet Q;
  SpinGuard Guard(TheProcess.Lock);
  configure();
  if (Path && !setOutput(TheProcess.Settings, Path))
    return SEAMSCOPE_ERROR_ARGUMENT;
  TheProcess.Owner = static_cast<uint32_t>(getpid());
  TheProcess.NoOutput = !Path;
  TheProcess.WroteOutput = false;
  return SEAMSCOPE_OK;
}
