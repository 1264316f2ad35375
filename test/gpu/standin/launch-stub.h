//===- launch-stub.h - a CUDA runtime that only takes launches ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TEST_LAUNCHSTUB_H
#define SEAMSCOPE_TEST_LAUNCHSTUB_H

/// What a launch does, given the kernel's host function and arguments. Null: nothing.
extern "C" void (*OnLaunch)(const void *Kernel, void **Arguments);

#endif // SEAMSCOPE_TEST_LAUNCHSTUB_H
