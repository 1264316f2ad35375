// An output that is a named pipe without a reader does not keep the program from ending: there is
// one line, and the spool can be recovered.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir -p %t/spool && mkfifo %t/pipe
// RUN: %clangxx-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t/program
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/pipe SEAMSCOPE_SPOOL_DIR=%t/spool timeout 60 %t/program 2>&1 | FileCheck %s
// CHECK: done
// CHECK-NEXT: seamscope: cannot write the trace '{{.*}}/pipe': nobody reads it; `seamscope recover '{{.*}}.spool' -o OUT` writes it elsewhere
// CHECK-NOT: {{.}}
// RUN: %seamscope recover %t/spool/*.spool -o %t/recovered.json
// RUN: %python %S/Inputs/count.py %t/recovered.json | FileCheck %s --check-prefix=RECOVERED
// RECOVERED: calls kernel: 10

// A reader that comes a little later gets the trace.
// RUN: sh -c '(sleep 0.2; timeout 60 cat %t/pipe > %t/read.json) & timeout 60 env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/pipe SEAMSCOPE_SPOOL_DIR=%t/spool %t/program; wait'
// RUN: %python %S/Inputs/count.py %t/read.json | FileCheck %s --check-prefix=RECOVERED
// RUN: ls %t/spool | count 0
#include "Inputs/kernel.h"
#include <cstdio>
int main() {
  for (int I = 0; I < 10; ++I)
    kernel();
  fputs("done\n", stderr);
}
