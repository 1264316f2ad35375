//===- Groups.cpp - groups of operators, without the LLVM pass ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "seamscope/group.h"

#include "core/Fork.h"
#include "core/OtherCopy.h"
#include "core/Process.h"
#include "seamscope/seamscope.h"

#include <stdlib.h>
#include <string.h>

using namespace seamscope;

SEAMSCOPE_EXPORT uint32_t seamscope_group_site(SeamscopeGroup *Group) {
  SEAMSCOPE_FORWARD(seamscope_group_site, Group);
  if (const uint32_t Known = loadRelaxed(&Group->id))
    return Known;
  checkForFork();
  const char *Texts[6];
  const char *At = Group->text;
  for (const char *&Each : Texts) {
    Each = At;
    At += strlen(At) + 1;
  }
  SiteText Text = {};
  Text.Kind = SEAMSCOPE_SITE_KERNEL;
  Text.Line = static_cast<uint32_t>(strtoul(Texts[0], nullptr, 10));
  Text.Column = static_cast<uint32_t>(strtoul(Texts[1], nullptr, 10));
  Text.Name = Text.Kernel = Texts[2];
  Text.LinkageName = Texts[3];
  Text.File = Texts[4];
  Text.Ops = Texts[5];
  Process &P = TheProcess;
  SignalBlocker Blocker;
  SpinGuard Guard(P.Lock);
  const uint32_t Id = P.Sites.intern(Text, P.Spool);
  storeRelaxed(&Group->id, Id);
  return Id;
}

SEAMSCOPE_EXPORT void __seamscope_group_enter_v1(SeamscopeGroup *Group, SeamscopeFrame *Frame) {
  Frame->outer = 0;
  if (seamscope_mode() == SEAMSCOPE_OFF)
    return;
  if (const uint32_t Site = seamscope_group_site(Group))
    seamscope_begin(Site, Frame);
}

SEAMSCOPE_EXPORT void __seamscope_group_exit_v1(SeamscopeFrame *Frame) { seamscope_end(Frame); }
