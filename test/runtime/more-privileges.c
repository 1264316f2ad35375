// A setuid program that switches recording on ignores its caller's variables: output path and libraries to
// load. All variables are read by one function.
// REQUIRES: llvm-22, root
// RUN: rm -rf %t && mkdir -p %t/spools && chmod 777 %t/spools && cd %t
// RUN: %clang-22 -O2 -fpass-plugin=%plugin-22 %s -I%include %link-runtime -ldl -o plain
// RUN: %clang-22 -O2 -shared -fPIC -DEVIL %s -o evil.so
// RUN: %clang-22 -shared -Wl,-soname,libcuda.so.1 -x c /dev/null -o libcuda.so.1
// RUN: cp plain privileged && chown nobody privileged && chmod 4755 privileged
// DEFINE: %{run} = env SEAMSCOPE_OUT=%t/out.json SEAMSCOPE_SPOOL_DIR=%t/none SEAMSCOPE_CUPTI=%t/evil.so CUDA_HOME=%t SEAMSCOPE_CUDA=on NVTX_INJECTION64_PATH=%t/evil.so SEAMSCOPE_NVTX_NEXT=%t/evil.so timeout 60
// Without elevated privileges the caller's variables are used.
// RUN: cd spools
// RUN: %{run} ../plain %t/libcuda.so.1 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: %if cuda %{ env SEAMSCOPE_CUPTI=%t/evil.so SEAMSCOPE_OUT=%t/plain.json timeout 60 ../plain %t/libcuda.so.1 2>&1 | FileCheck %s --check-prefix=LOADED %}
// LOADED: evil was loaded
// PLAIN: cannot make a spool file in '{{.*}}/none'
// RUN: %{run} ../privileged %t/libcuda.so.1 2>&1 | FileCheck %s --check-prefix=PRIVILEGED --allow-empty
// PRIVILEGED-NOT: evil
// PRIVILEGED-NOT: none
// RUN: test ! -e ../out.json
// RUN: ls | FileCheck %s --check-prefix=OWN
// OWN: seamscope.{{[0-9]+}}.json
// RUN: grep -rlE '\bgetenv *\(|secure_getenv|getauxval' %S/../../runtime --include=*.cpp --include=*.h --include=*.c | FileCheck %s --check-prefix=SOURCES
// SOURCES: runtime/core/Environment.h
// SOURCES-NOT: {{.}}
#ifdef EVIL
#include <stdio.h>
__attribute__((constructor)) static void load(void) { fputs("evil was loaded\n", stderr); }
#else
#include "Inputs/kernel.h"
#include "seamscope/seamscope.h"
#include <dlfcn.h>
#include <stdlib.h>
int main(int Count, char **Arguments) {
  (void)Count;
  seamscope_set_mode(SEAMSCOPE_TRACE);
  kernel();
  // The GPU part looks for NVIDIA's libraries if there is a driver.
  dlopen(Arguments[1], RTLD_NOW);
  void *Gpu = dlopen("libseamscope-cuda.so", RTLD_NOW);
  int (*Start)(void) = Gpu ? (int (*)(void))dlsym(Gpu, "seamscope_cuda_start") : NULL;
  if (Start)
    Start();
  return 0;
}
#endif
