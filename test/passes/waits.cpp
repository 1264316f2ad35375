// Each call of the OpenMP runtime that may wait is a site, with its construct and the schedule of the loop that it ends;
// so is the body of each task, and the call that starts a team.
// REQUIRES: llvm-22, llvm-19, openmp
// DEFINE: %{plan-22} = %opt-22 -load-pass-plugin=%plugin-22 -disable-output -passes='print<seamscope-plan>'
// RUN: %clangxx-22 %openmp-22 -O1 -g -S -emit-llvm %s -o %t.ll
// RUN: %{plan-22} %t.ll | FileCheck %s
// RUN: %clangxx-22 %openmp-22 -O0 -g -S -emit-llvm %s -o %t.ll
// RUN: %{plan-22} %t.ll | FileCheck %s
// RUN: env SEAMSCOPE_PASS=no-waits %{plan-22} %t.ll | FileCheck %s --check-prefix=OFF
// RUN: env SEAMSCOPE_PASS=no-regions %{plan-22} %t.ll | FileCheck %s --check-prefix=OFF
// RUN: env SEAMSCOPE_PASS=exclude=team,shared,one,league %{plan-22} %t.ll | FileCheck %s --check-prefix=OFF
// OFF-NOT: {{wait|task}} '
// RUN: %clangxx-22 %openmp-22 -O1 -S -emit-llvm %s -o %t.ll
// RUN: %{plan-22} %t.ll | FileCheck %s --check-prefix=PLAIN
// RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='seamscope,verify' -S %t.ll -o %t.out.ll
// RUN: %clangxx-19 %openmp-19 -O1 -g -S -emit-llvm %s -o %t.ll
// RUN: %opt-19 -load-pass-plugin=%plugin-19 -passes='print<seamscope-plan>' -disable-output %t.ll | FileCheck %s
#include <omp.h>

int take(int);
omp_lock_t Lock;

int team(int N) {
  int Sum = 0;
#pragma omp parallel reduction(+ : Sum)
  {
#pragma omp for
    for (int I = 0; I < N; ++I)
      take(I);
#pragma omp for schedule(dynamic, 4)
    for (int I = 0; I < N; ++I)
      take(I);
#pragma omp for schedule(guided)
    for (int I = 0; I < N; ++I)
      take(I);
#pragma omp sections
    {
#pragma omp section
      take(1);
#pragma omp section
      take(2);
    }
#pragma omp single
    take(3);
#pragma omp critical
    Sum += take(4);
    omp_set_lock(&Lock);
    omp_unset_lock(&Lock);
#pragma omp taskgroup
    {
#pragma omp task
      take(5);
    }
#pragma omp taskwait
#pragma omp barrier
#pragma omp barrier
  }
  return Sum;
}

int shared(int N) {
#pragma omp parallel for schedule(static)
  for (int I = 0; I < N; ++I)
    take(I);
#pragma omp parallel sections
  {
#pragma omp section
    take(1);
#pragma omp section
    take(2);
  }
  return 0;
}

void one(int N) {
#pragma omp parallel
  {
#pragma omp master
    take(N);
#pragma omp barrier
#pragma omp masked filter(1)
    take(N);
#pragma omp barrier
    take(N);
#pragma omp barrier
  }
}

void league(int N) {
#pragma omp teams distribute num_teams(2)
  for (int I = 0; I < N; ++I)
    take(I);
}

// CHECK-DAG: wait 'one [barrier after master waits.cpp:80]' {{.*}} construct=master of='one' {{.*}} calls=1
// CHECK-DAG: wait 'one [barrier after masked waits.cpp:83]' {{.*}} construct=masked of='one' {{.*}} calls=1
// CHECK-DAG: wait 'one [barrier waits.cpp:85]' {{.*}} construct=barrier of='one' {{.*}} calls=1
// CHECK-DAG: region 'league [teams waits.cpp:90]'
// CHECK-DAG: wait 'league [fork and join waits.cpp:90]' {{.*}} construct=parallel teams of='league'
// CHECK-DAG: task 'team [task waits.cpp:[[#]]]' {{.*}} of='team'
// CHECK-DAG: wait 'team [end of for waits.cpp:27]' {{.*}} construct=for schedule(static) of='team' {{.*}} calls=1
// CHECK-DAG: wait 'team [end of for waits.cpp:30]' {{.*}} construct=for schedule(dynamic) of='team' {{.*}} calls=1
// CHECK-DAG: wait 'team [end of for waits.cpp:33]' {{.*}} construct=for schedule(guided) of='team' {{.*}} calls=1
// CHECK-DAG: wait 'team [end of sections waits.cpp:36]' {{.*}} construct=sections of='team' {{.*}} calls=1
// CHECK-DAG: wait 'team [end of single waits.cpp:43]' {{.*}} construct=single of='team' {{.*}} calls=1
// CHECK-DAG: wait 'team [critical waits.cpp:45]' {{.*}} construct=critical of='team' {{.*}} calls=1
// CHECK-DAG: wait 'team [lock waits.cpp:47]' {{.*}} construct=lock of='team' {{.*}} calls=1
// CHECK-DAG: wait 'team [taskgroup waits.cpp:53]' {{.*}} construct=taskgroup of='team' {{.*}} calls=1
// CHECK-DAG: wait 'team [taskwait waits.cpp:54]' {{.*}} construct=taskwait of='team' {{.*}} calls=1
// CHECK-DAG: wait 'team [barrier waits.cpp:55]' {{.*}} construct=barrier of='team' {{.*}} calls=1
// CHECK-DAG: wait 'team [barrier waits.cpp:56]' {{.*}} construct=barrier of='team' {{.*}} calls=1
// CHECK-DAG: wait 'team [reduction waits.cpp:57]' {{.*}} construct=reduction of='team'
// CHECK-DAG: wait 'team [fork and join waits.cpp:25]' {{.*}} construct=parallel of='team' {{.*}} calls=1
// CHECK-DAG: wait 'shared [fork and join waits.cpp:62]' {{.*}} construct=parallel for schedule(static) of='shared'
// CHECK-DAG: wait 'shared [fork and join waits.cpp:65]' {{.*}} construct=parallel sections of='shared'

// Without debug information they have numbers.
// PLAIN-DAG: wait 'team [barrier #1]'
// PLAIN-DAG: wait 'team [barrier #2]'
// PLAIN-DAG: wait 'team [end of for #3]'
