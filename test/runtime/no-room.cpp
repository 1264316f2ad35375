// A full spool drops calls and counts them; recorded and lost calls are all calls; the program is
// unchanged. A spool or an output that cannot be written gives one line on stderr.
// RUN: %clangxx-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t
// RUN: env SEAMSCOPE=trace SEAMSCOPE_THROTTLE=off SEAMSCOPE_LIMIT=2M SEAMSCOPE_OUT=%t.json %t 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: seamscope: {{[0-9]+}} events were dropped
// FULL-NOT: seamscope
// FULL: done
// RUN: %python -c "import json, sys; t = json.load(open(sys.argv[1])); n = sum(e['ph'] == 'X' for e in t['traceEvents']); lost = t['seamscope']['lost_events']; assert n > 50000 and lost > 0 and n + lost == 300000, (n, lost)" %t.json

// A separate folder: without an argument, recover takes the only spool in it.
// RUN: rm -rf %t.spools && mkdir %t.spools
// RUN: env SEAMSCOPE=trace SEAMSCOPE_THROTTLE=off SEAMSCOPE_SPOOL_DIR=%t.spools SEAMSCOPE_OUT=/dev/full %t 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: env SEAMSCOPE_SPOOL_DIR=%t.spools %seamscope recover -o %t.recovered.json
// RUN: %python %S/Inputs/count.py %t.recovered.json | FileCheck %s --check-prefix=RECOVERED
// OUTPUT: seamscope: cannot write the trace '/dev/full': No space left on device; `seamscope recover '{{.*}}.spool' -o OUT`
// OUTPUT-NOT: seamscope
// RECOVERED: calls kernel: 300000

// RUN: env SEAMSCOPE=trace SEAMSCOPE_THROTTLE=off SEAMSCOPE_SPOOL_DIR=%t.none SEAMSCOPE_OUT=%t.none.json %t 2>&1 | FileCheck %s --check-prefix=SPOOL
// SPOOL: seamscope: cannot make a spool file in '{{.*}}.none': No such file or directory; nothing is recorded
// SPOOL-NOT: seamscope
// SPOOL: done

// RUN: env SEAMSCOPE=trase %t 2>&1 | FileCheck %s --check-prefix=MODE
// MODE: seamscope: SEAMSCOPE='trase' is not off, profile or trace; nothing is recorded
// RUN: env SEAMSCOPE=trace SEAMSCOPE_THROTTLE=off SEAMSCOPE_LIMIT=much SEAMSCOPE_CLOCK=sun SEAMSCOPE_OUT=%t.json %t 2>&1 | FileCheck %s --check-prefix=VALUES
// VALUES-DAG: seamscope: SEAMSCOPE_LIMIT='much' is not a size
// VALUES-DAG: seamscope: SEAMSCOPE_CLOCK='sun' is neither tsc nor monotonic
// REQUIRES: llvm-22
#include "Inputs/kernel.h"
#include <cstdio>
int main() {
  for (int I = 0; I < 300000; ++I)
    kernel();
  puts("done");
}
