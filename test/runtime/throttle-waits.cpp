// Waits that are very many and short are counted like kernels and loops, on each thread, and their time is
// estimated; calls that start teams are never counted only.
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: env SEAMSCOPE_PASS=loops=1 %clangxx-22 -O2 -g1 %openmp-22 -fpass-plugin=%plugin-22 -I%include %s %link-runtime -o program
// RUN: env OMP_NUM_THREADS=2 OMP_DYNAMIC=false timeout 200 %python %S/Inputs/throttle-waits.py %seamscope ./program
// REQUIRES: llvm-22, openmp
#include <cstdio>
#include <cstdlib>
#include <omp.h>

static long Shared[2];

int main(int, char **Arguments) {
  const int Calls = std::atoi(Arguments[1]);
  omp_lock_t Locks[2];
  for (omp_lock_t &Lock : Locks)
    omp_init_lock(&Lock);
#pragma omp parallel
  {
    const int Thread = omp_get_thread_num();
    for (int I = 0; I < Calls; ++I) {
      omp_set_lock(&Locks[Thread]); // no other thread uses it
      Shared[Thread] += I;
      omp_unset_lock(&Locks[Thread]);
    }
  }
  // Teams that each start and end at once.
  for (int I = 0; I < 50000; ++I) {
#pragma omp parallel num_threads(1)
    asm volatile("" ::: "memory");
  }
  std::printf("%ld\n", Shared[0] + Shared[1]);
}
