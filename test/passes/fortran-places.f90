! A region, a wait and a task have the line of their directive, which flang's calls lack. A loop has
! the line of its `do`, whatever the optimiser made of it. The end of a `single` is recognised.
! REQUIRES: flang-22, real-22
! RUN: rm -rf %t && mkdir %t && cd %t
! DEFINE: %{level} = 0
! DEFINE: %{try} = %flang-22 -fopenmp -O%{level} -gline-tables-only -S -emit-llvm %s -o a.ll && \
! DEFINE:   env SEAMSCOPE_PASS=loops=2 %opt-22 -load-pass-plugin=%plugin-22 -passes='print<seamscope-plan>' \
! DEFINE:     -disable-output a.ll | FileCheck %s
! RUN: %{try}
! REDEFINE: %{level} = 1
! RUN: %{try}
! REDEFINE: %{level} = 2
! RUN: %{try}
! REDEFINE: %{level} = 3
! RUN: %{try}
! RUN: %flang-22 -fopenmp -O1 -S -emit-llvm %s -o a.ll
! RUN: %opt-22 -load-pass-plugin=%plugin-22 -passes='print<seamscope-plan>' -disable-output a.ll | FileCheck %s --check-prefix=PLAIN

! CHECK-DAG: kernel 'work' symbol=work_ source={{.*}}fortran-places.f90:[[#WORK:]]
! CHECK-DAG: region 'work [parallel fortran-places.f90:[[#WORK+5]]]' {{.*}}:[[#WORK+5]]:8 of='work'
! CHECK-DAG: wait 'work [fork and join fortran-places.f90:[[#WORK+5]]]'
! CHECK-DAG: wait 'work [end of for fortran-places.f90:[[#WORK+6]]]' {{.*}} construct=for schedule(static)
! CHECK-DAG: wait 'work [end of single fortran-places.f90:[[#WORK+11]]]' {{.*}} construct=single
! CHECK-DAG: wait 'work [taskgroup fortran-places.f90:[[#WORK+14]]]'
! CHECK-DAG: task 'work [task fortran-places.f90:[[#WORK+15]]]'
! CHECK-DAG: loop 'work [loop fortran-places.f90:[[#WORK+6]]]' {{.*}} depth=0
! CHECK-DAG: loop 'smooth [loop fortran-places.f90:[[#SMOOTH:]]]' {{.*}} depth=0
! CHECK-DAG: loop 'smooth [loop fortran-places.f90:[[#SMOOTH+1]]]' {{.*}} depth=1
! CHECK: loops=3

! PLAIN-DAG: wait 'work_ [end of single #1]' {{.*}} construct=single
! PLAIN-DAG: wait 'work_ [end of for #1]' {{.*}} construct=for
subroutine work(n, a)
 integer, intent(in) :: n
 real, intent(inout) :: a(n)
 integer :: i
 a(1) = 1
 !$omp parallel
 !$omp do
 do i = 1, n
  a(i) = a(i) * 2
 end do
 !$omp end do
 !$omp single
 a(1) = 0
 !$omp end single
 !$omp taskgroup
 !$omp task
 a(2) = 0
 !$omp end task
 !$omp end taskgroup
 !$omp end parallel
end subroutine
subroutine smooth(n, u, v)
 integer, intent(in) :: n
 real, intent(in) :: u(n, n)
 real, intent(out) :: v(n, n)
 integer :: i, j
 do j = 2, n - 1
  do i = 2, n - 1
   v(i, j) = 0.25 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
  end do
 end do
end subroutine
