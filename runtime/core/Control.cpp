//===- Control.cpp - recording controlled by the program ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Devices.h"
#include "core/Export.h"
#include "core/Fork.h"
#include "core/OtherCopy.h"
#include "core/Process.h"
#include "core/Recording.h"

#include <unistd.h>

using namespace seamscope;

SEAMSCOPE_EXPORT const char *seamscope_version(void) { return SEAMSCOPE_VERSION; }

SEAMSCOPE_EXPORT SeamscopeMode seamscope_mode(void) {
  SEAMSCOPE_FORWARD(seamscope_mode);
  checkForFork();
  return loadRelaxed(&TheProcess.Mode);
}

SEAMSCOPE_EXPORT SeamscopeStatus seamscope_set_mode(SeamscopeMode Mode) {
  if (Mode != SEAMSCOPE_OFF && Mode != SEAMSCOPE_PROFILE && Mode != SEAMSCOPE_TRACE)
    return SEAMSCOPE_ERROR_ARGUMENT;
  SEAMSCOPE_FORWARD(seamscope_set_mode, Mode);
  checkForFork();
  watchForks();
  SignalBlocker Blocker;
  SpinGuard Guard(TheProcess.Lock);
  if (Mode != SEAMSCOPE_OFF && !ensureOpen())
    return SEAMSCOPE_ERROR_IO;
  // A spool that was opened while recording was off gets the first mode that records.
  if (Mode != SEAMSCOPE_OFF)
    if (uint32_t &First = TheProcess.Spool.header()->Mode; loadRelaxed(&First) == SEAMSCOPE_OFF)
      storeRelaxed(&First, static_cast<uint32_t>(Mode));
  applyMode(Mode);
  return SEAMSCOPE_OK;
}

SEAMSCOPE_EXPORT SeamscopeStatus seamscope_flush(const char *Path) {
  if (Path && !*Path)
    return SEAMSCOPE_ERROR_ARGUMENT;
  SEAMSCOPE_FORWARD(seamscope_flush, Path);
  checkForFork();
  {
    SignalBlocker Blocker;
    SpinGuard Guard(TheProcess.Lock);
    if (!Path && TheProcess.NoOutput)
      return SEAMSCOPE_ERROR_ARGUMENT;
    if (!TheProcess.Spool.isOpen())
      return SEAMSCOPE_OK;
  }
  flushDevices();
  return exportTrace(Path) ? SEAMSCOPE_OK : SEAMSCOPE_ERROR_IO;
}

SEAMSCOPE_EXPORT SeamscopeStatus seamscope_write(const char *Path, const SeamscopeWindow *Windows,
                                                 uint32_t Count) {
  if (!Path || !*Path || !Windows || !Count)
    return SEAMSCOPE_ERROR_ARGUMENT;
  for (uint32_t I = 0; I < Count; ++I)
    if (Windows[I].end < Windows[I].begin || (I && Windows[I].begin < Windows[I - 1].end))
      return SEAMSCOPE_ERROR_ARGUMENT;
  SEAMSCOPE_FORWARD(seamscope_write, Path, Windows, Count);
  checkForFork();
  {
    SignalBlocker Blocker;
    SpinGuard Guard(TheProcess.Lock);
    if (!ensureOpen())
      return SEAMSCOPE_ERROR_IO;
  }
  flushDevices();
  return exportTrace(Path, {Windows, Count}) ? SEAMSCOPE_OK : SEAMSCOPE_ERROR_IO;
}

SEAMSCOPE_EXPORT SeamscopeStatus seamscope_set_output(const char *Path) {
  if (Path && !*Path)
    return SEAMSCOPE_ERROR_ARGUMENT;
  SEAMSCOPE_FORWARD(seamscope_set_output, Path);
  checkForFork();
  SignalBlocker Blocker;
  SpinGuard Guard(TheProcess.Lock);
  configure();
  if (Path && !setOutput(TheProcess.Settings, Path))
    return SEAMSCOPE_ERROR_ARGUMENT;
  TheProcess.Owner = static_cast<uint32_t>(getpid());
  TheProcess.NoOutput = !Path;
  TheProcess.Settings.OutGiven = Path != nullptr;
  TheProcess.WroteOutput = false;
  return SEAMSCOPE_OK;
}
