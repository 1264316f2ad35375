// Tasks that threads run after their parts of a region are work of the region, whichever function
// makes them: one that the region calls, with an explicit task or a taskloop.
// REQUIRES: llvm-22, llvm-19, openmp
// DEFINE: %{run} = env SEAMSCOPE=trace SEAMSCOPE_SAMPLES=off SEAMSCOPE_OUT=%t.json OMP_NUM_THREADS=2 OMP_DYNAMIC=false %t
// DEFINE: %{check} = %seamscope report %t.json --json -o %t.report.json && %python %S/Inputs/tasks-in-join.py %t.json %t.report.json
// DEFINE: %{build-22} = %clangxx-22 %openmp-22 -g -fpass-plugin=%plugin-22 %s %link-runtime -o %t
// DEFINE: %{build-19} = %clangxx-19 %openmp-19 -g -fpass-plugin=%plugin-19 %s %link-runtime -o %t
// RUN: %{build-22} -O1 && %{run} && %{check} | FileCheck %s
// RUN: %{build-22} -O3 && %{run} && %{check} | FileCheck %s
// RUN: %{build-19} -O2 && %{run} && %{check} | FileCheck %s
// CHECK: called: 2 threads with 3 tasks each, busy with them
// CHECK: looped: 2 threads with 3 tasks each, busy with them
#include <atomic>
#include <cmath>

static double Values[2][100000];
static std::atomic<int> Met;

/// Both threads must be here at once.
__attribute__((noinline)) static void work(int Of, int Round) {
  ++Met;
  while (Met < 2 * Round + 2)
    ;
  for (double &Each : Values[Of])
    Each = std::sin(Each + Of);
}

__attribute__((noinline)) static void make(int Round) {
  for (int Of = 0; Of < 2; ++Of)
#pragma omp task
    work(Of, Round);
}

__attribute__((noinline)) static void loop(int Round) {
#pragma omp taskloop grainsize(1) nogroup
  for (int Of = 0; Of < 2; ++Of)
    work(Of, Round);
}

__attribute__((noinline)) static void called(int Round) {
#pragma omp parallel
#pragma omp single nowait
  make(Round);
}

__attribute__((noinline)) static void looped(int Round) {
#pragma omp parallel
#pragma omp master
  loop(Round);
}

int main() {
  for (int Round = 0; Round < 3; ++Round)
    called(Round);
  Met = 0;
  for (int Round = 0; Round < 3; ++Round)
    looped(Round);
}
