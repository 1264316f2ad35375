//===- Groups.cpp - groups of operators where no pass made hooks of them --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "seamscope/group.h"

#include "core/Process.h"
#include "seamscope/seamscope.h"

using namespace seamscope;

#define SEAMSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

SEAMSCOPE_EXPORT uint32_t seamscope_group_site(SeamscopeGroup *Group) {
  Process &P = TheProcess;
  // A copy of the library from before there were groups has no site for one.
  if (P.Forward)
    return P.Other.GroupSite ? P.Other.GroupSite(Group) : 0;
  if (const uint32_t Known = loadRelaxed(&Group->id))
    return Known;
  checkForFork();
  SignalBlocker Blocker;
  SpinGuard Guard(P.Lock);
  SiteText Text = {};
  Text.Kind = SEAMSCOPE_SITE_KERNEL;
  Text.Line = Group->line;
  Text.Column = Group->column;
  Text.Name = Group->name;
  Text.LinkageName = Group->function;
  Text.Kernel = Group->name;
  Text.File = Group->file;
  Text.Ops = Group->ops;
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
