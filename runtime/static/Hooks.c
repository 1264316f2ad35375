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

void __seamscope_register_v1(SeamscopeModule *module) { (void)module; }

void __seamscope_unregister_v1(SeamscopeModule *module) { (void)module; }

void __seamscope_enter_v1(const SeamscopeSite *site, SeamscopeFrame *frame) {
  (void)site;
  (void)frame;
}

void __seamscope_region_enter_v1(const SeamscopeSite *site, SeamscopeFrame *frame, int32_t thread) {
  (void)site;
  (void)frame;
  (void)thread;
}

void __seamscope_launch_enter_v1(const SeamscopeSite *site, SeamscopeFrame *frame,
                                 struct SeamscopeGpuLaunch *launch) {
  (void)site;
  (void)frame;
  (void)launch;
}

void __seamscope_exit_v1(SeamscopeFrame *frame) { (void)frame; }

int __seamscope_tail_v1(SeamscopeFrame *frame) {
  (void)frame;
  return 0;
}
