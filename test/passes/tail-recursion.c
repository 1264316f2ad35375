// Mutual recursion by tail calls takes constant stack with hooks, like without, with recording off and
// on; the outermost calls include the time of all, and each call is recorded once.
// RUN: timeout 60 %clang-22 -O2 -fpass-plugin=%plugin-22 %s -o %t %link-runtime
// RUN: sh -c 'ulimit -s 1024; exec timeout 60 "$0" 10000000' %t
// RUN: env SEAMSCOPE=profile SEAMSCOPE_OUT=%t.json sh -c 'ulimit -s 1024; exec timeout 60 "$0" 10000000' %t
// RUN: FileCheck %s --check-prefix=PROFILE < %t.json
// RUN: env SEAMSCOPE=trace SEAMSCOPE_THROTTLE=off SEAMSCOPE_OUT=%t.json sh -c 'ulimit -s 1024; exec timeout 60 "$0" 50000' %t
// RUN: grep -c '"name":"even"' %t.json | FileCheck %s --check-prefix=CALLS
// RUN: grep -c '"name":"odd"' %t.json | FileCheck %s --check-prefix=CALLS
// RUN: FileCheck %s --check-prefix=TRACE < %t.json
// RUN: timeout 60 %clang-19 -O2 -fpass-plugin=%plugin-19 %s -o %t %link-runtime
// RUN: sh -c 'ulimit -s 1024; exec timeout 60 "$0" 10000000' %t
// RUN: env SEAMSCOPE=profile SEAMSCOPE_OUT=%t.json sh -c 'ulimit -s 1024; exec timeout 60 "$0" 10000000' %t
// REQUIRES: llvm-22, llvm-19
#include <stdlib.h>

// PROFILE: "lost_events":0,"abandoned":[]
// TRACE: "lost_events":0,"abandoned":[]
// CALLS: {{^}}25000{{$}}

#define KERNEL __attribute__((annotate("seamscope.kernel"), noinline))

double sum;
double x[8];

KERNEL int odd(unsigned n, unsigned seed);

KERNEL int even(unsigned n, unsigned seed) {
  for (unsigned i = 0; i < (seed & 7); ++i)
    sum += x[i];
  if (n == 0)
    return 1;
  return odd(n - 1, seed * 3 + 1);
}

KERNEL int odd(unsigned n, unsigned seed) {
  for (unsigned i = 0; i < (seed & 3); ++i)
    sum -= x[i];
  if (n == 0)
    return 0;
  return even(n - 1, seed * 5 + 1);
}

int main(int argc, char **argv) { return even(atoi(argv[1]) - 1, argc) != 0; }
