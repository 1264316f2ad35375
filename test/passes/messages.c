// Calls of MPI are waits of the function that has them, which is a kernel; main's are kernels themselves. Calls that
// only answer are neither. `make` is C++ for the compiler's sake: a call with cleanups around it is timed too.
// REQUIRES: llvm-22
// RUN: %clang-22 -O2 -g -S -emit-llvm %s -o %t.ll
// RUN: timeout 60 %opt-22 -load-pass-plugin=%plugin-22 -disable-output -passes='print<seamscope-plan>' %t.ll | FileCheck %s --implicit-check-not=rank
// RUN: timeout 60 %clang-22 -x c++ -O2 -S -emit-llvm -fpass-plugin=%plugin-22 %s -o - | FileCheck %s --check-prefix=CXX
// RUN: %clang-22 -O2 -g -c -fpass-plugin=%plugin-22 %s -o %t.o -Rpass=seamscope 2>&1 | FileCheck %s --check-prefix=REMARK
#ifdef __cplusplus
extern "C" {
#endif
int MPI_Recv(void *, int, int, int, int, int, void *);
int PMPI_Allreduce(const void *, void *, int, int, int, int);
int MPI_Comm_rank(int, int *);
int MPI_Send_c(const void *, long, int, int, int, int);
void mpi_barrier_(int *, int *);
void mpi_waitall_f08_(int *, int *);
#ifdef __cplusplus
}
#endif

// CHECK: kernel 'exchange' {{.*}} because exchanges messages with MPI
// CHECK: message 'main [MPI_Recv]' symbol=main source={{.*}}messages.c:[[#MAIN:]]:{{[0-9]+}} in=main
// CHECK: message 'inlined [MPI_Send]' symbol=inlined source={{.*}}messages.c:{{[0-9]+}} in=main
// CHECK: wait 'exchange [MPI_Allreduce messages.c:[[#LINE:]]]' symbol=exchange {{.*}} construct=MPI_Allreduce of='exchange' in=exchange calls=1
// CHECK: wait 'exchange [MPI_Barrier messages.c:[[#LINE + 2]]]'
// CHECK: wait 'exchange [MPI_Waitall messages.c:[[#LINE + 3]]]'
// CHECK: wait 'main [MPI_Recv messages.c:[[#MAIN]]]' {{.*}} of='main [MPI_Recv]'
// REMARK-DAG: timing kernel 'exchange': exchanges messages with MPI
// REMARK-DAG: timing message as kernel 'main [MPI_Recv]'
__attribute__((noinline)) void exchange(double *X, int *F) {
  PMPI_Allreduce(X, X + 1, 1, 0, 0, 0);
  MPI_Comm_rank(0, F);
  mpi_barrier_(F, F);
  mpi_waitall_f08_(F, F);
}
static inline void inlined(double *X) { MPI_Send_c(X, 1, 0, 0, 0, 0); }

#ifdef __cplusplus
struct Cleanup {
  ~Cleanup();
};
// CXX: define {{.*}}make
// CXX: invoke {{.*}} @MPI_Recv
// CXX-NEXT: to label %[[AFTER:.*]] unwind
// CXX: {{^}}[[AFTER]]:
// CXX-NOT: {{^}}}
// CXX: @seamscope.exit
void make(double *X) {
  Cleanup C;
  MPI_Recv(X, 1, 0, 0, 0, 0, nullptr);
}
#endif

int main() {
  double X[2] = {1, 2};
  int F = 0;
  MPI_Comm_rank(0, &F);
  MPI_Recv(X, 1, 0, F, 0, 0, &F);
  inlined(X);
  exchange(X, &F);
  return X[1] > 0;
}
