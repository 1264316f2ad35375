/*===- kernel-mark.h - marks a kernel of a test -------------------------------===*\
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
\*===----------------------------------------------------------------------===*/
#ifndef SEAMSCOPE_TEST_KERNEL_MARK_H
#define SEAMSCOPE_TEST_KERNEL_MARK_H

/* A function that the pass instruments regardless of its size. */
#define KERNEL __attribute__((noinline, annotate("seamscope.kernel")))

#endif
