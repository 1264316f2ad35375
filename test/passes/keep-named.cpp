// Kernels that the user names are kept, wherever they are called, and with `keep=auto` those that start a team.
// RUN: env SEAMSCOPE_PASS=kernels=listed timeout 60 %clangxx-22 -O2 %openmp-22 -S -emit-llvm \
// RUN:   -fpass-plugin=%plugin-22 -o - %s | FileCheck %s --check-prefix=LISTED
// RUN: env SEAMSCOPE_PASS=keep=auto timeout 60 %clangxx-22 -O2 %openmp-22 -S -emit-llvm \
// RUN:   -fpass-plugin=%plugin-22 -o - %s | FileCheck %s
// REQUIRES: llvm-22, openmp

// LISTED-DAG: call {{.*}}@_ZL6listedPfi
// LISTED-DAG: call {{.*}}@_ZL9annotatedPfi
// CHECK-DAG: call {{.*}}@_ZL4teamPfi
// CHECK-DAG: call {{.*}}@_ZL9annotatedPfi
static void listed(float *a, int n) {
  for (int i = 0; i < n; ++i)
    a[i] += 1;
}

__attribute__((annotate("seamscope.kernel"))) static void annotated(float *a, int n) {
  for (int i = 0; i < n; ++i)
    a[i] += 2;
}

static void team(float *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    a[i] += 3;
}

void loop(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    listed(a, n);
    annotated(a, n);
    team(a, n);
  }
}
