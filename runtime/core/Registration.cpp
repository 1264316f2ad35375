//===- Registration.cpp - registers modules and sites ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While the mode is off a module is only put on a list: a process that records nothing reads no
// site tables and creates no file.
//
//===----------------------------------------------------------------------===//
#include "core/Fork.h"
#include "core/Modules.h"
#include "core/OtherCopy.h"
#include "core/Process.h"
#include "core/Recording.h"
#include "core/ThreadBlocks.h"
#include "core/Threads.h"

#include <unistd.h>

namespace seamscope {

/// Puts the module on the list. Returns whether its sites are recorded from now on. Only under
/// SignalBlocker.
static bool registerModule(SeamscopeModule &Module) {
  Process &P = TheProcess;
  SpinGuard Guard(P.Lock);
  // A ThinLTO link can leave a DSO with several calls for its only module.
  for (SeamscopeModule *Old = P.Modules; Old; Old = Old->next)
    if (Old == &Module)
      return false;
  Module.next = P.Modules;
  P.Modules = &Module;
  if (P.Mode == SEAMSCOPE_OFF || Module.sites == Module.sites_end || !ensureOpen())
    return false;
  numberSites(Module);
  storeRelease(Module.gate, 1u);
  return true;
}

} // namespace seamscope

using namespace seamscope;

SEAMSCOPE_EXPORT void __seamscope_register_v3(SeamscopeModule *Module) {
  SEAMSCOPE_FORWARD(__seamscope_register_v3, Module);
  checkForFork();
  // The layout of the table is unknown.
  if (Module->abi != SEAMSCOPE_ABI_VERSION || Module->site_size != sizeof(SeamscopeSite))
    return;
  SignalBlocker Blocker;
  if (!registerModule(*Module))
    return;
  // Otherwise the main thread would be set up in its first call, within the time of the caller.
  if (currentTid() == static_cast<uint32_t>(getpid()) && !ThisThread.Slot && setUpThread() &&
      loadRelaxed(&TheProcess.Mode) == SEAMSCOPE_TRACE)
    makeRoom(1);
}

SEAMSCOPE_EXPORT void __seamscope_unregister_v3(SeamscopeModule *Module) {
  SEAMSCOPE_FORWARD(__seamscope_unregister_v3, Module);
  checkForFork();
  Process &P = TheProcess;
  SignalBlocker Blocker;
  SpinGuard Guard(P.Lock);
  for (SeamscopeModule **Link = &P.Modules; *Link; Link = &(*Link)->next)
    if (*Link == Module) {
      *Link = Module->next;
      Module->next = nullptr;
      storeRelaxed(Module->gate, 0u);
      return;
    }
}

SEAMSCOPE_EXPORT uint32_t seamscope_site(const char *Name, const char *File, uint32_t Line) {
  if (!Name || !*Name)
    return 0;
  SEAMSCOPE_FORWARD(seamscope_site, Name, File, Line);
  checkForFork();
  prefault(Name);
  prefault(File);
  SignalBlocker Blocker;
  SpinGuard Guard(TheProcess.Lock);
  SiteText Text = {};
  Text.Kind = SEAMSCOPE_SITE_SCOPE;
  Text.Line = Line;
  Text.Name = Name;
  Text.File = File;
  return TheProcess.Sites.intern(Text, TheProcess.Spool);
}
