// Two processes of MPI, of which one has four times the work: the other waits for it in MPI_Sendrecv, by the program's
// own clocks and by Seamscope's, and nobody's time is unattributed.
// REQUIRES: mpi, llvm-22
// RUN: rm -rf %t.dir && mkdir -p %t.dir && cd %t.dir
// RUN: env MPICH_CC="%clang-22" OMPI_CC="%clang-22" mpicc -O2 -g -fpass-plugin=%plugin-22 %s %link-runtime -o p
// RUN: timeout 120 %seamscope run -o run -- mpiexec -n 2 ./p > clocks
// RUN: %seamscope report run --json -o report.json
// RUN: %python %S/Inputs/messages.py report.json clocks
// RUN: %seamscope report run | FileCheck %s
// CHECK: work is divided unevenly: rank 0 works
// CHECK: exchange{{ .*}}MPI_Sendrecv
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void relax(double *A, const double *B, long N, int Times) {
  for (int T = 0; T < Times; ++T)
    for (long I = 1; I + 1 < N; ++I)
      A[I] = (B[I - 1] + B[I + 1]) / (A[I] + 2);
}

__attribute__((noinline)) static void exchange(double *A, long N, int Other) {
  MPI_Sendrecv(&A[N - 2], 1, MPI_DOUBLE, Other, 0, &A[0], 1, MPI_DOUBLE, Other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int Count, char **Arguments) {
  MPI_Init(&Count, &Arguments);
  int Rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &Rank);
  enum { N = 20000 };
  double *A = calloc(N, sizeof *A), *B = calloc(N, sizeof *B), Sum = 0, Waited = 0;
  for (int Step = 0; Step < 20; ++Step) {
    relax(A, B, N, Rank ? 50 : 200);
    const double Begin = MPI_Wtime();
    exchange(A, N, 1 - Rank);
    Waited += MPI_Wtime() - Begin;
  }
  MPI_Allreduce(&A[5], &Sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%d %.9f\n", Rank, Waited);
  MPI_Finalize();
  return 0;
}
