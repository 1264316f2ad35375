// pthread_exit in a kernel unwinds through its cleanup; thread-specific destructors may run kernels
// after those of the runtime.
// RUN: %clangxx-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t.json %t
// RUN: %python %S/Inputs/count.py %t.json | FileCheck %s
// REQUIRES: llvm-22
// CHECK: calls kernel: 40
// CHECK: calls leaves: 10
// CHECK: lost: 0
#include "Inputs/kernel.h"
#include <pthread.h>

static pthread_key_t Key;
static void destroy(void *Rounds) {
  kernel();
  if (reinterpret_cast<long>(Rounds) > 1)
    pthread_setspecific(Key, reinterpret_cast<void *>(reinterpret_cast<long>(Rounds) - 1));
}
__attribute__((noinline, annotate("seamscope.kernel"))) static void leaves() {
  kernel();
  pthread_exit(nullptr);
}
int main() {
  pthread_key_create(&Key, destroy);
  for (int I = 0; I < 10; ++I) {
    pthread_t Thread;
    pthread_create(
        &Thread, nullptr,
        [](void *) -> void * {
          pthread_setspecific(Key, reinterpret_cast<void *>(3));
          leaves();
          return nullptr;
        },
        nullptr);
    pthread_join(Thread, nullptr);
  }
}
