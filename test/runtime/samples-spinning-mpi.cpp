// A rank that waits for another one in a library without hooks, which calls MPI: MPI polls, and by
// samples that is a wait.
// REQUIRES: mpi, llvm-22, samples
// RUN: rm -rf %t.dir && mkdir -p %t.dir && cd %t.dir
// RUN: env MPICH_CC="%clang-22" OMPI_CC="%clang-22" mpicc -shared -fPIC -O1 %S/Inputs/mpi-barrier.c -o libbarrier.so
// RUN: env MPICH_CXX="%clangxx-22" OMPI_CXX="%clangxx-22" mpicxx -O1 -g -fpass-plugin=%plugin-22 %s %link-runtime -L. -lbarrier -Wl,-rpath,%t.dir -o p
// RUN: env SEAMSCOPE=trace SEAMSCOPE_SAMPLES=1000 timeout 120 mpiexec -n 2 sh -c 'SEAMSCOPE_OUT=rank${PMI_RANK-$OMPI_COMM_WORLD_RANK}.json exec ./p'
// RUN: %seamscope report --json rank1.json > report.json
// RUN: %python %S/Inputs/check-spinning.py report.json | FileCheck %s
// CHECK: waiter spins
#include <ctime>
#include <mpi.h>

#define KERNEL __attribute__((noinline, annotate("seamscope.kernel")))

extern "C" void meet();

static volatile double Sum;

static double used() {
  timespec Now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  return static_cast<double>(Now.tv_sec) + static_cast<double>(Now.tv_nsec) * 1e-9;
}

KERNEL void worker(double Seconds) {
  for (const double End = used() + Seconds; used() < End;)
    for (int I = 0; I < 100000; ++I)
      Sum = Sum + I;
}

KERNEL void waiter() { meet(); }

int main(int Count, char **Arguments) {
  MPI_Init(&Count, &Arguments);
  int Rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &Rank);
  worker(Rank ? 0.1 : 1);
  waiter();
  MPI_Finalize();
}
