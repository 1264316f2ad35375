// Loops and waits of a team that is killed at a random moment: all that was committed before is recovered,
// even of loops whose calls are only counted.
// RUN: env SEAMSCOPE_PASS=loops=3 %clangxx-22 -O2 -fopenmp -fpass-plugin=%plugin-22 %s -I%include %link-runtime -o %t
// RUN: env OMP_NUM_THREADS=2 KMP_BLOCKTIME=0 %python %S/Inputs/kill-and-recover.py %t %seamscope 30 loop=202 omp_wait=2 | FileCheck %s
// REQUIRES: llvm-22, openmp
// CHECK: 30 kills, nothing committed was lost
#include <fcntl.h>
#include <omp.h>
#include <sys/mman.h>
#include <unistd.h>

static float Values[256];
static volatile int Length = 256;

// Publishes in a shared file how many rounds each of two threads has finished: a worksharing loop, a loop around
// two hundred short loops, and waits at the end of the former and before the critical section.
int main(int, char **Arguments) {
  const int File = open(Arguments[1], O_RDWR);
  auto *Finished = static_cast<volatile long *>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, File, 0));
#pragma omp parallel num_threads(2)
  {
    float Sum = 0, All[64] = {};
    for (long I = 1;; ++I) {
#pragma omp for
      for (int J = 0; J < Length; ++J)
        Values[J] *= 0.5f;
      for (int K = 0; K < Length - 56; ++K)
        for (int J = 0; J < Length; ++J)
          All[J % 64] += Sum;
#pragma omp critical
      Sum += All[I % 64];
      asm volatile("" ::"r"(&All), "x"(Sum) : "memory");
      Finished[omp_get_thread_num() * 64] = I;
    }
  }
}
