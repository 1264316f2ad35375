// A tool for NVTX that is attached sees each kernel that is recorded as a range of the domain
// `seamscope`: nested as they ran, also after a longjmp, with a string registered once a site and a
// payload that its schema describes; alone or behind `run`. The trace has the same calls as ever.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda, nvtx-payload, llvm-22
// RUN: rm -rf %t && mkdir -p %t
// RUN: %host-cc -O1 -fPIC -shared -fvisibility=hidden -I%cuda/include %S/Inputs/kernel-tool.c -o %t/tool.so
// RUN: %clang-22 -O1 -gline-tables-only -fpass-plugin=%plugin-22 %s %link-runtime -o %t/kernels
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/out.json NVTX_INJECTION64_PATH=%t/tool.so %t/kernels > %t/alone.txt
// RUN: FileCheck %s < %t/alone.txt
// RUN: env NVTX_INJECTION64_PATH=%t/tool.so %seamscope run -o %t/run.json -- %t/kernels > %t/run.txt
// RUN: diff %t/alone.txt %t/run.txt
// RUN: %python %S/Inputs/kernel-calls.py %t/out.json %t/run.json | FileCheck %s --check-prefix=TRACE
// TRACE: inner 2
// TRACE-NEXT: outer 2
// TRACE-NEXT: inner 2
// TRACE-NEXT: outer 2
//
// Without recording, and where it is switched off, it is told of nothing.
// RUN: env NVTX_INJECTION64_PATH=%t/tool.so %t/kernels | FileCheck %s --check-prefix=NONE
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/off.json SEAMSCOPE_NVTX=off NVTX_INJECTION64_PATH=%t/tool.so %t/kernels | FileCheck %s --check-prefix=NONE
// NONE-NOT: domain
// NONE: done
//
// CHECK: domain seamscope
// CHECK-NEXT: schema seamscope site of 2, 16 bytes
// CHECK-NEXT: string outer
// CHECK-NEXT: 0 outer site=known line=[[#OUTER:]]
// CHECK-NEXT: string inner
// CHECK-NEXT: 1 inner site=known line=[[#INNER:]]
// CHECK-NEXT: string leaves
// CHECK-NEXT: 1 leaves site=known line=[[#INNER + 9]]
// CHECK-NEXT: 0 outer site=known line=[[#OUTER]]
// CHECK-NEXT: 1 inner site=known line=[[#INNER]]
// CHECK-NEXT: 1 leaves site=known line=[[#INNER + 9]]
// CHECK-NEXT: done
#include <setjmp.h>
#include <stdio.h>

static jmp_buf Back;
static volatile float Data[64];

__attribute__((noinline)) static void inner(int N) {
  for (int I = 0; I < N; ++I)
    Data[I] *= 2;
}





__attribute__((noinline)) static void leaves(int N) {
  for (int I = 0; I < N; ++I)
    Data[I] += 1;
  longjmp(Back, 1);
}

__attribute__((noinline)) static void outer(int N) {
  for (int I = 0; I < N; ++I)
    Data[I] += 1;
  inner(N);
  if (!setjmp(Back))
    leaves(N);
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  outer(64);
  outer(64);
  puts("done");
  return 0;
}
