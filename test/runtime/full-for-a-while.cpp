// A spool on a file system that is full for a while continues when there is room again: calls lost
// meanwhile are counted, and a site that was new then has its name.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clangxx-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o program
// RUN: %clang-22 -O1 -shared -fPIC %S/Inputs/small-file-system.c -o small.so
// RUN: env LD_PRELOAD=./small.so SEAMSCOPE=trace SEAMSCOPE_THROTTLE=off SEAMSCOPE_OUT=k.json timeout 100 ./program > calls 2> text
// RUN: FileCheck %s --input-file=text
// CHECK: seamscope: {{[0-9]+}} events were dropped
// RUN: %python -c "import json; t = json.load(open('k.json')); x = [e for e in t['traceEvents'] if e['ph'] == 'X']; lost = t['seamscope']['lost_events']; calls = int(open('calls').read()); assert lost > 0 and len(x) + lost == calls, (len(x), lost, calls); assert sum(e['name'] == 'after' for e in x) == 1000"
// Linux before 5.14 cannot populate a mapping; there the file is enlarged.
// RUN: rm -f full && env LD_PRELOAD=./small.so NO_POPULATE=1 SEAMSCOPE=trace SEAMSCOPE_THROTTLE=off SEAMSCOPE_OUT=k.json timeout 100 ./program > calls 2> text
// RUN: FileCheck %s --input-file=text
// RUN: %python -c "import json; t = json.load(open('k.json')); x = [e for e in t['traceEvents'] if e['ph'] == 'X']; lost = t['seamscope']['lost_events']; calls = int(open('calls').read()); assert lost > 0 and len(x) + lost == calls, (len(x), lost, calls); assert sum(e['name'] == 'after' for e in x) == 1000"
#include "Inputs/kernel.h"
#include "seamscope/spans.h"
#include <cstdio>
#include <unistd.h>
int main() {
  long Calls = 0;
  const auto Run = [&](int Count) {
    for (int I = 0; I < Count; ++I, ++Calls)
      kernel();
  };
  Run(1000);
  fclose(fopen("full", "w"));
  // More than what may have been prepared ahead.
  Run(2000000);
  if (seamscope_last_end())
    return 1;
  // Many sites, so that their block is full, too.
  char Name[512];
  for (int I = 0; I < 1500; ++I) {
    snprintf(Name, sizeof(Name), "%0400d", I);
    seamscope_site(Name, nullptr, 0);
  }
  const unsigned After = seamscope_site("after", nullptr, 0);
  unlink("full");
  for (int Try = 0; Try < 5000 && !seamscope_last_end(); ++Try) {
    usleep(10000);
    Run(3);
  }
  for (int I = 0; I < 1000; ++I, ++Calls)
    seamscope::Scope Scope(After);
  printf("%ld\n", Calls);
}
