// A library is loaded and closed a thousand times: all events are recorded, its sites once.
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx-22 -O2 -DLIBRARY -fPIC -shared -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t/lib.so
// RUN: %clangxx-22 -O2 %s -I%include -o %t/a -ldl
// RUN: env SEAMSCOPE=trace SEAMSCOPE_LIMIT=4M SEAMSCOPE_OUT=%t/t.json %t/a %t/lib.so
// RUN: %python %S/Inputs/count.py %t/t.json | FileCheck %s
// REQUIRES: llvm-22
// CHECK: calls inside: 3000
// CHECK: lost: 0
// CHECK: nesting: right
#ifdef LIBRARY
extern "C" __attribute__((noinline, annotate("seamscope.kernel"))) void inside() {
  asm volatile("" ::: "memory");
}
#else
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
int main(int, char **Arguments) {
  for (int I = 0; I < 1000; ++I) {
    void *Library = dlopen(Arguments[1], RTLD_NOW);
    if (!Library) {
      puts(dlerror());
      return 1;
    }
    const auto Inside = reinterpret_cast<void (*)()>(dlsym(Library, "inside"));
    for (int J = 0; J < 3; ++J)
      Inside();
    dlclose(Library);
  }
}
#endif
