// A Python program without torch is throttled as any other: its extensions are no part of a comparison of operators.
// REQUIRES: llvm-22
// RUN: rm -rf %t.dir && mkdir -p %t.dir && cd %t.dir
// RUN: %clang-22 -O2 -shared -fPIC -fpass-plugin=%plugin-22 %s %link-runtime -o libext.so
// RUN: timeout 120 %seamscope run -o t.json -- %python -c "import ctypes; ctypes.CDLL('./libext.so').many(3000000)" 2>&1
// RUN: %seamscope report t.json | FileCheck %s
// CHECK: tiny{{ +}}3000000 {{.*}}~
// RUN: timeout 120 %seamscope run --throttle off -o all.json -- %python -c "import ctypes; ctypes.CDLL('./libext.so').many(20000)" 2>&1
// RUN: %seamscope report all.json | FileCheck %s --check-prefix=ALL
// ALL: tiny{{ +}}20000
// ALL-NOT: ~
__attribute__((noinline, annotate("seamscope.kernel"))) static void tiny(volatile int *X) { ++*X; }

void many(int Times) {
  volatile int X = 0;
  for (int I = 0; I < Times; ++I)
    tiny(&X);
}
