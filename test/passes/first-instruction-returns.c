// In a function whose first instruction is its return, the entry hook comes before the exit hook: its
// calls are in the trace under their name, and every call has a site.
// RUN: timeout 60 %clang-22 -O1 -fpass-plugin=%plugin-22 %s -o %t %link-runtime
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t.json timeout 60 %t
// RUN: FileCheck %s < %t.json
// REQUIRES: llvm-22

// CHECK-COUNT-3: {"ph":"X",{{.*}}"name":"empty"
// CHECK-NOT: "ph":"X"
__attribute__((annotate("seamscope.kernel"), noinline)) void empty(void) {}

// Fill the stack with values that are not 0.
__attribute__((noinline)) void dirty(void) {
  volatile long words[64];
  for (int i = 0; i < 64; ++i)
    words[i] = 0x5ea5c09e;
}

int main(void) {
  void (*volatile call)(void) = empty;
  for (int i = 0; i < 3; ++i) {
    dirty();
    call();
  }
}
