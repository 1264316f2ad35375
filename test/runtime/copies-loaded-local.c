// Two copies of the library, loaded with RTLD_LOCAL like Python modules, each with a plugin linked to
// it. The first copy serves the process, and one trace has all calls. The copies have different names,
// as in wheels of different projects; otherwise the loader would load one.
// REQUIRES: llvm-22
// RUN: rm -rf %t && mkdir -p %t/a %t/b
// RUN: cp %runtime-lib/libseamscope.so.0 %t/a/libfirst.so && cp %runtime-lib/libseamscope.so.0 %t/b/libsecond.so
// RUN: sed -i s/libseamscope.so.0/libseamscope.so.X/g %t/b/libsecond.so
// RUN: %clang-22 -O2 -shared -fPIC -DPLUGIN=one -fpass-plugin=%plugin-22 %s -I%include %t/a/libfirst.so -o %t/one.so
// RUN: %clang-22 -O2 -shared -fPIC -DPLUGIN=two -fpass-plugin=%plugin-22 %s -I%include %t/b/libsecond.so -o %t/two.so
// RUN: %clang-22 -O2 %s -I%include -o %t/program -ldl
// RUN: cd %t && env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/k.json timeout 60 ./program %t/a/libfirst.so %t/one.so %t/b/libsecond.so %t/two.so
// RUN: ls %t | grep json | count 1
// RUN: %python %S/Inputs/count.py %t/k.json | FileCheck %s
// CHECK: calls one: 10
// CHECK: calls two: 10
// CHECK: lost: 0
// Both have the clock that the environment asks for.
// RUN: env SEAMSCOPE=trace SEAMSCOPE_CLOCK=monotonic SEAMSCOPE_OUT=%t/m.json timeout 60 %t/program %t/a/libfirst.so %t/one.so %t/b/libsecond.so %t/two.so

// Every function of the library is forwarded, but for those that call only others which are.
// RUN: nm -D --defined-only %runtime-lib/libseamscope.so.0 | awk '$2 == "T" { print $3 }' | sort > %t/exported
// RUN: sed -nE 's/^SEAMSCOPE_(LATER_)?ENTRY_POINT[(]([a-z0-9_]+).*/\2/p' %source/runtime/core/EntryPoints.def | sort > %t/listed
// RUN: comm -3 %t/exported %t/listed | FileCheck %s --check-prefix=OWN --match-full-lines
// OWN: __seamscope_group_enter_v1
// OWN-NEXT: __seamscope_group_exit_v1
// OWN-NEXT: __seamscope_next_v3
// OWN-NEXT: __seamscope_record_v3
// OWN-NEXT: __seamscope_sample_v3
// OWN-NEXT: __seamscope_tail_v3
// OWN-NEXT: seamscope_end
// OWN-NEXT: seamscope_version
// OWN-NOT: {{.}}
#ifdef PLUGIN
__attribute__((noinline, annotate("seamscope.kernel"))) void PLUGIN(void) {
  __asm__ volatile("" ::: "memory");
}
void run(void) {
  for (int I = 0; I < 10; ++I)
    PLUGIN();
}
#else
#include <dlfcn.h>
#include <stdio.h>
typedef unsigned long long Clock(void);
static Clock *clockOf(void *Copy) { return (Clock *)dlsym(Copy, "seamscope_now"); }
int main(int Count, char **Paths) {
  Clock *First = 0;
  for (int I = 1; I < Count; I += 2) {
    // The plugin refers to its copy by a name that the loader knows only from here on.
    void *Copy = dlopen(Paths[I], RTLD_NOW | RTLD_LOCAL);
    void *Plugin = Copy ? dlopen(Paths[I + 1], RTLD_NOW | RTLD_LOCAL) : 0;
    if (!Plugin) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    ((void (*)(void))dlsym(Plugin, "run"))();
    if (!First)
      First = clockOf(Copy);
    const unsigned long long Before = First(), Between = clockOf(Copy)(), After = First();
    if (Before > Between || Between > After) {
      fprintf(stderr, "%s has another clock\n", Paths[I]);
      return 1;
    }
  }
  return 0;
}
#endif
