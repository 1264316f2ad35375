// Where the system refuses samples, or ends who asks for them, the trace says so in a line and has
// the rest. SEAMSCOPE_SAMPLES=off asks for none.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang-22 -O1 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t/a
// RUN: cd %t && %clang-22 -O1 %S/Inputs/filter.c -o filter
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=errno.json ./filter errno ./a 2>&1 | FileCheck %s --allow-empty --check-prefix=SILENT
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=kill.json ./filter kill ./a 2>&1 | FileCheck %s --allow-empty --check-prefix=SILENT
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=allow.json ./filter allow ./a 2>&1 | FileCheck %s --allow-empty --check-prefix=SILENT
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=off.json SEAMSCOPE_SAMPLES=off ./a
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=bad.json SEAMSCOPE_SAMPLES=0 ./a 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=fast.json SEAMSCOPE_SAMPLES=2000 ./a
// RUN: cd %t && %python %S/Inputs/sample-states.py errno kill allow off bad fast | FileCheck %s
// REQUIRES: llvm-22, samples
// SILENT-NOT: {{.}}
// BAD: seamscope: SEAMSCOPE_SAMPLES='0' is neither off nor a number from 1 to 10000; it is ignored
// CHECK: errno: refused, perf_event_open is not permitted, 1 calls
// CHECK: kill: refused, a filter of system calls ends who calls perf_event_open, 1 calls
// CHECK: allow: on, asked 0, 1 calls
// CHECK: off: off, 1 calls
// CHECK: bad: on, asked 0, 1 calls
// CHECK: fast: on, asked 2000, 1 calls
#include "Inputs/kernel.h"
int main(void) { kernel(); }
