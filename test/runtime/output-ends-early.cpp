// A file size limit, and an output reader that ends early, are reported in one line; the signals that
// the system sends for them do not change the exit status.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir -p %t/out %t/spool
// RUN: %clangxx-22 -O2 -g1 -fpass-plugin=%plugin-22 -I%S/Inputs %s %link-runtime -o %t/program

// The spool fits in the limit:
// RUN: env SEAMSCOPE=trace SEAMSCOPE_THROTTLE=off SEAMSCOPE_OUT=%t/out/k.json SEAMSCOPE_SPOOL_DIR=%t/spool not %python %S/Inputs/with-limit.py 4194304 %t/program > %t/text 2>&1
// RUN: FileCheck %s --input-file=%t/text --check-prefix=SPOOL
// SPOOL: ended by itself
// SPOOL-NEXT: seamscope: {{[0-9]+}} events were dropped
// SPOOL-NEXT: seamscope: cannot write the trace '{{.*}}/k.json': File too large; `seamscope recover {{.*}} writes it elsewhere
// SPOOL-NOT: {{.}}
// RUN: ls %t/out | count 0
// RUN: ls %t/spool | count 1

// RUN: env SEAMSCOPE=trace SEAMSCOPE_THROTTLE=off SEAMSCOPE_OUT=%t/out/k.json SEAMSCOPE_SPOOL_DIR=%t/spool not %python %S/Inputs/with-limit.py 4096 %t/program > %t/text 2>&1
// RUN: FileCheck %s --input-file=%t/text --check-prefix=NONE
// NONE: seamscope: cannot make a spool file in '{{.*}}': File too large; nothing is recorded
// NONE-NEXT: ended by itself
// NONE-NOT: {{.}}

// RUN: mkfifo %t/pipe
// RUN: env SEAMSCOPE=trace SEAMSCOPE_THROTTLE=off SEAMSCOPE_OUT=%t/pipe SEAMSCOPE_SPOOL_DIR=%t/spool not %python %S/Inputs/with-limit.py %t/pipe %t/program > %t/text 2>&1
// RUN: FileCheck %s --input-file=%t/text --check-prefix=PIPE
// PIPE: ended by itself
// PIPE-NEXT: seamscope: cannot write the trace '{{.*}}/pipe': Broken pipe; {{.*}} writes it elsewhere
// PIPE-NOT: {{.}}
#include "kernel-mark.h"
#include <cstdio>

KERNEL void work(volatile int *Count) { *Count = *Count + 1; }

int main() {
  volatile int Count = 0;
  for (int I = 0; I < 200000; ++I)
    work(&Count);
  fputs("ended by itself\n", stderr);
  return 6;
}
