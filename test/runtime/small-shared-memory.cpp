// The program has precedence in /dev/shm. If it is small, as in a container, the spool is elsewhere
// from the start; if others fill it later, the spool takes at most a share of it, and calls that do not
// fit are dropped and counted.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir -p %t/tmp && cd %t
// RUN: %clangxx-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o program
// RUN: %clang-22 -O1 -shared -fPIC %S/Inputs/small-file-system.c -o small.so
// DEFINE: %{run} = env -u SEAMSCOPE_SPOOL_DIR LD_PRELOAD=./small.so TMPDIR=%t/tmp SEAMSCOPE=trace SEAMSCOPE_THROTTLE=off
// RUN: %{run} FREE_AT_START=64 SEAMSCOPE_OUT=killed.json not --crash timeout 60 ./program killed
// RUN: ls %t/tmp | grep spool | count 1
// RUN: %seamscope recover %t/tmp/*.spool -o killed.json
// RUN: %python %S/Inputs/count.py killed.json | FileCheck %s --check-prefix=ELSEWHERE
// ELSEWHERE: calls kernel: 10
// RUN: test ! -w /dev/shm || %{run} FREE_AT_START=100000 FREE_LATER=8 SEAMSCOPE_OUT=share.json timeout 60 ./program > out 2>&1
// RUN: test ! -w /dev/shm || FileCheck %s --input-file=out
// CHECK: seamscope: {{[0-9]+}} events were dropped
// RUN: test ! -w /dev/shm || %python -c "import json; t = json.load(open('share.json')); n = sum(e['ph'] == 'X' for e in t['traceEvents']); lost = t['seamscope']['lost_events']; assert 0 < n <= 8 * 16380 and n + lost == 300000, (n, lost)"
// RUN: ls %t/tmp | count 0
#include "Inputs/kernel.h"
#include <csignal>
int main(int Count, char **) {
  for (int I = 0; I < (Count > 1 ? 10 : 300000); ++I)
    kernel();
  if (Count > 1)
    raise(SIGKILL);
}
