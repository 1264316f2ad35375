! Procedures have their names in the source, with module, submodule and host, and are selected by these.
! With debug information, flang's underscore is removed from external procedures.
! REQUIRES: flang-22, flang-19, llvm-22, llvm-19
! DEFINE: %{plan} = %opt-22 -load-pass-plugin=%plugin-22 -passes='print<seamscope-plan>' -disable-output %t/a.ll
! RUN: rm -rf %t && mkdir %t && cd %t
! RUN: %flang-22 -fopenmp -O0 -gline-tables-only -S -emit-llvm %s -o a.ll
! RUN: %{plan} | FileCheck %s
! RUN: env SEAMSCOPE_PASS='kernels=mm::*' %{plan} | FileCheck %s --check-prefix=MODULE
! RUN: env SEAMSCOPE_PASS='kernels=ext,c_*' %{plan} | FileCheck %s --check-prefix=CHOSEN
! RUN: env SEAMSCOPE_PASS='exclude=ext*,*::scale_t' %{plan} | FileCheck %s --check-prefix=EXCLUDED
! RUN: %flang-22 -fopenmp -O0 -S -emit-llvm %s -o a.ll
! RUN: %{plan} | FileCheck %s --check-prefix=PLAIN
! RUN: %flang-19 %openmp-19 -O0 -g -S -emit-llvm %s -o a.ll
! RUN: %opt-19 -load-pass-plugin=%plugin-19 -passes='print<seamscope-plan>' -disable-output a.ll | FileCheck %s

! CHECK-DAG: kernel 'ext' symbol=ext_ source={{.*}}fortran-names.f90:[[#EXT:]] because
! CHECK-DAG: kernel 'ext::inner' symbol=_QFextPinner source={{.*}}:[[#EXT+5]] because
! CHECK-DAG: kernel 'mm::scale_t' symbol=_QMmmPscale_t
! CHECK-DAG: kernel 'mm::sub_m::sm::deep' symbol=_QMmmSsub_mFsmPdeep
! CHECK-DAG: kernel 'c_bound' symbol=c_bound
! CHECK-DAG: kernel 'main::own' symbol=_QFPown
! CHECK-DAG: fork 'main' symbol=_QQmain {{.*}} in=_QQmain
! CHECK-DAG: region 'main [parallel fortran-names.f90:[[#MAIN:]]]' symbol=_QQmain..omp_par source={{.*}}:8 of='main'
! CHECK-DAG: skip _QQmain: it is the program's entry; its parallel regions and messages are timed as kernels

! MODULE: kernel 'mm::scale_t' {{.*}} because named by an option
! MODULE: kernel 'mm::sm'
! MODULE: kernel 'mm::sub_m::sm::deep' {{.*}} because named by an option
! MODULE-NOT: {{kernel|region}} '
! CHOSEN: kernel 'ext' symbol=ext_ {{.*}} because named by an option
! CHOSEN: kernel 'c_bound' {{.*}} because named by an option
! CHOSEN-NOT: {{kernel|region}} '
! EXCLUDED-NOT: kernel 'ext
! EXCLUDED-NOT: kernel 'mm::scale_t
! EXCLUDED: kernel 'mm::sub_m::sm::deep'

! PLAIN-DAG: kernel 'ext_' symbol=ext_ source=? because
! PLAIN-DAG: kernel 'ext::inner' symbol=_QFextPinner
! PLAIN-DAG: region 'main [parallel #1]' symbol=_QQmain..omp_par
subroutine ext(n, x)
 integer :: n, x(n)
 x = x * 2
 call inner
contains
 subroutine inner
  x = x + 1
 end subroutine
end subroutine
module mm
 type :: t
  real, allocatable :: v(:)
 contains
  procedure :: scale => scale_t
 end type
 interface
  module subroutine sm(x)
   real :: x(:)
  end subroutine
 end interface
contains
 subroutine scale_t(this, a)
  class(t) :: this
  real :: a
  this%v = this%v * a
 end subroutine
end module
submodule(mm) sub_m
contains
 module procedure sm
  call deep
 contains
  subroutine deep
   x = x - 1
  end subroutine
 end procedure
end submodule
subroutine bound(n, y) bind(c, name="c_bound")
 use iso_c_binding
 integer(c_int), value :: n
 real(c_double) :: y(n)
 y = y * 2
end subroutine
program everything
 real :: x(1000)
 integer :: i
 !$omp parallel do
 do i = 1, 1000
  x(i) = i
 end do
 call own
 print *, sum(x)
contains
 subroutine own
  x = x + 1
 end subroutine
end program
