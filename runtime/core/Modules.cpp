//===- Modules.cpp - the instrumented objects of the process ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Modules.h"

#include "core/Process.h"
#include "core/Throttle.h"

namespace seamscope {

static const char *textAt(const SeamscopeSite &Site, int32_t Offset) {
  return Offset ? reinterpret_cast<const char *>(&Site) + Offset : nullptr;
}

void numberSites(SeamscopeModule &Module) {
  for (SeamscopeSite *Site = Module.sites; Site < Module.sites_end; ++Site) {
    if (loadRelaxed(&Site->id))
      continue;
    SiteText Text = {};
#define SEAMSCOPE_SITE_NUMBER(Type, field, Field) Text.Field = Site->field;
#define SEAMSCOPE_SITE_TEXT(field, Field) Text.Field = textAt(*Site, Site->field);
#include "seamscope/site.def"
    const uint32_t Id = TheProcess.Sites.intern(Text, TheProcess.Spool);
    storeRelaxed(&Site->throttle, throttleOf(Id));
    storeRelaxed(&Site->id, Id);
  }
}

void numberSites() {
  for (SeamscopeModule *Module = TheProcess.Modules; Module; Module = Module->next)
    numberSites(*Module);
}

void setGates(bool Open) {
  for (SeamscopeModule *Module = TheProcess.Modules; Module; Module = Module->next)
    // After the ids are stored, since a hook that sees the gate open must find them.
    storeRelease(Module->gate, Open ? 1u : 0u);
}

} // namespace seamscope
