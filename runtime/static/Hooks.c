//===- Hooks.c - the hooks in a program that is linked statically ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime is a shared library. Objects that were instrumented before anybody knew that they
// would be linked statically find these in its stead, which record nothing. They need no C library:
// neither may the program.
//
//===----------------------------------------------------------------------===//
#include "seamscope/abi.h"

/* Zero: what the pass wrote into the objects takes the calls below. */
__thread SeamscopeThread __seamscope_thread_v2;

void __seamscope_register_v2(SeamscopeModule *module) { (void)module; }

void __seamscope_unregister_v2(SeamscopeModule *module) { (void)module; }

void __seamscope_enter_v2(const SeamscopeSite *site, SeamscopeFrame *frame) {
  (void)site;
  (void)frame;
}

void __seamscope_region_enter_v2(const SeamscopeSite *site, SeamscopeFrame *frame, int32_t thread) {
  (void)site;
  (void)frame;
  (void)thread;
}

void __seamscope_launch_enter_v2(const SeamscopeSite *site, SeamscopeFrame *frame,
                                 struct SeamscopeGpuLaunch *launch) {
  (void)site;
  (void)frame;
  (void)launch;
}

void __seamscope_sample_v2(const SeamscopeSite *site, SeamscopeFrame *frame) {
  (void)site;
  (void)frame;
}

void __seamscope_exit_v2(SeamscopeFrame *frame) { (void)frame; }

void __seamscope_next_v2(const SeamscopeSite *site, SeamscopeFrame *frame) {
  (void)site;
  (void)frame;
}

void __seamscope_record_v2(uint64_t begin, uint64_t duration, uint64_t place) {
  (void)begin;
  (void)duration;
  (void)place;
}

int __seamscope_tail_v2(SeamscopeFrame *frame) {
  (void)frame;
  return 0;
}
