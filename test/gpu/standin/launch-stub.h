//===- launch-stub.h - a CUDA runtime that only accepts launches -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TEST_LAUNCHSTUB_H
#define SEAMSCOPE_TEST_LAUNCHSTUB_H

/// The effect of a launch, given the kernel's host function and arguments. Null: none.
extern "C" void (*OnLaunch)(const void *Kernel, void **Arguments);

#endif // SEAMSCOPE_TEST_LAUNCHSTUB_H
