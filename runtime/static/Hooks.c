//===- Hooks.c - hooks for statically linked programs ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime is a shared library. A statically linked program with instrumented objects gets these
// hooks in its place, which record nothing. They do not use the C library, which the program may
// lack.
//
//===----------------------------------------------------------------------===//
#include "seamscope/abi.h"
#include "seamscope/replay.h"

/* Zero, so that the inlined parts of the hooks call the functions below. */
__thread SeamscopeThread __seamscope_thread_v3;

void __seamscope_register_v3(SeamscopeModule *module) { (void)module; }

void __seamscope_unregister_v3(SeamscopeModule *module) { (void)module; }

void __seamscope_enter_v3(const SeamscopeSite *site, SeamscopeFrame *frame) {
  (void)site;
  (void)frame;
}

void __seamscope_region_enter_v3(const SeamscopeSite *site, SeamscopeFrame *frame, int32_t thread) {
  (void)site;
  (void)frame;
  (void)thread;
}

void __seamscope_launch_enter_v3(const SeamscopeSite *site, SeamscopeFrame *frame,
                                 struct SeamscopeGpuLaunch *launch) {
  (void)site;
  (void)frame;
  (void)launch;
}

void __seamscope_sample_v3(const SeamscopeSite *site, SeamscopeFrame *frame) {
  (void)site;
  (void)frame;
}

void __seamscope_exit_v3(SeamscopeFrame *frame) { (void)frame; }

void __seamscope_next_v3(const SeamscopeSite *site, SeamscopeFrame *frame) {
  (void)site;
  (void)frame;
}

void __seamscope_record_v3(uint64_t begin, uint64_t duration, uint64_t place) {
  (void)begin;
  (void)duration;
  (void)place;
}

void __seamscope_capture_v3(SeamscopeReplayUnit *unit, void *arguments, uint32_t threads) {
  unit->wanted = 0;
  (void)arguments;
  (void)threads;
}

void __seamscope_add_work_v3(const SeamscopeSite *site, uint64_t *words) {
  (void)site;
  (void)words;
}

int __seamscope_tail_v3(SeamscopeFrame *frame) {
  (void)frame;
  return 0;
}
