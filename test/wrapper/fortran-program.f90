! seamscope-flang makes a Fortran program that runs as before and records its kernels, regions, loops and waits,
! at every level; so does flang itself with the plugin, which emits objects and assembly, and bitcode for a link.
! REQUIRES: flang-22, flang-19, llvm-22, llvm-19, lld-22, openmp, x86_64
! RUN: rm -rf %t && mkdir %t && cd %t
! DEFINE: %{how} = -O0
! DEFINE: %{try} = env SEAMSCOPE_PASS=loops=2 %seamscope-flang %{how} -fopenmp %s -o program && \
! DEFINE:   ./program | FileCheck %s --check-prefix=OUTPUT && \
! DEFINE:   env OMP_NUM_THREADS=2 SEAMSCOPE=trace SEAMSCOPE_THROTTLE=off SEAMSCOPE_OUT=trace.json ./program \
! DEFINE:     | FileCheck %s --check-prefix=OUTPUT && \
! DEFINE:   %seamscope report --json trace.json | %python %S/Inputs/figures.py | FileCheck %s
! RUN: %{try}
! REDEFINE: %{how} = -O1 -g
! RUN: %{try}
! REDEFINE: %{how} = -O2
! RUN: %{try}
! REDEFINE: %{how} = -O3
! RUN: %{try}
! REDEFINE: %{how} = -O2 -flto -fuse-ld=lld
! RUN: %{try}
! REDEFINE: %{how} = -O2 -flto=thin -fuse-ld=lld
! RUN: %{try}
! RUN: env SEAMSCOPE_FLANG=%flang-19 SEAMSCOPE_PASS=loops=2 %seamscope-flang -O2 %openmp-19 %s -o program
! RUN: env SEAMSCOPE=trace SEAMSCOPE_THROTTLE=off SEAMSCOPE_OUT=trace.json OMP_NUM_THREADS=2 ./program \
! RUN:   | FileCheck %s --check-prefix=OUTPUT
! RUN: %seamscope report --json trace.json | %python %S/Inputs/figures.py | FileCheck %s --check-prefix=OLDER
! OUTPUT: 15. 1.
! CHECK-DAG: kernel 'm::saxpy' 20 fortran-program.f90:[[#SAXPY:]]{{$}}
! CHECK-DAG: region 'm::saxpy [parallel fortran-program.f90:[[#SAXPY+5]]]' 40 fortran-program.f90:[[#SAXPY+5]]{{$}}
! CHECK-DAG: wait for 'm::saxpy [end of for fortran-program.f90:[[#SAXPY+5]]]' 40
! CHECK-DAG: loop 'm::saxpy [loop fortran-program.f90:[[#SAXPY+5]]]' 40
! CHECK-DAG: kernel 'm::smooth' 20 fortran-program.f90:[[#SMOOTH:]]{{$}}
! CHECK-DAG: loop 'm::smooth [loop fortran-program.f90:[[#SMOOTH+5]]]' 20
! CHECK-DAG: loop 'm::smooth [loop fortran-program.f90:[[#SMOOTH+6]]]' 3960
! CHECK: end
! OLDER-DAG: region 'm::saxpy [parallel fortran-program.f90:[[#REGION:]]]' 40 fortran-program.f90
! OLDER-DAG: wait for 'm::saxpy [end of for fortran-program.f90:[[#REGION]]]' 40
! OLDER-DAG: kernel 'm::smooth' 20 fortran-program.f90:[[#SMOOTH:]]{{$}}
! OLDER-DAG: loop 'm::smooth [loop fortran-program.f90:[[#SMOOTH+5]]]' 20
! OLDER-DAG: loop 'm::smooth [loop fortran-program.f90:[[#SMOOTH+6]]]' 3960
! OLDER: end

! RUN: %flang-22 -O2 -fopenmp -fpass-plugin=%plugin-22 -S %s -o a.s
! RUN: FileCheck %s --check-prefix=CODE --input-file=a.s
! CODE: rdtscp
! RUN: %flang-22 -O2 -fopenmp -fpass-plugin=%plugin-22 -c %s -o a.o
! RUN: %flang-22 -fopenmp a.o %link-runtime -o program && ./program | FileCheck %s --check-prefix=OUTPUT

! A compiler that is linked without an assembler gets hooks without inline code.
! RUN: echo 'void LLVMInitializeX86AsmParser(void) {}' | %clang-22 -x c -shared -fPIC - -o none.so
! RUN: env LD_PRELOAD=./none.so %flang-22 -O2 -fopenmp -fpass-plugin=%plugin-22 -S %s -o a.s
! RUN: FileCheck %s --check-prefix=CALLS --input-file=a.s
! CALLS-NOT: rdtscp
! CALLS: __seamscope_enter_v3

! Folders of modules are no inputs, and -fsyntax-only is left alone.
! RUN: mkdir mods && env SEAMSCOPE_WRAPPER=show %seamscope-flang -fsyntax-only -J mods %s 2>&1 | FileCheck %s --check-prefix=SYNTAX
! SYNTAX-NOT: fpass-plugin
module m
contains
 subroutine saxpy(n, a, x, y)
  integer, intent(in) :: n
  real, intent(in) :: a, x(n)
  real, intent(inout) :: y(n)
  integer :: i
  !$omp parallel do
  do i = 1, n
   y(i) = y(i) + a * x(i)
  end do
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
end module
program p
 use m
 real, allocatable :: x(:), y(:), u(:, :), v(:, :)
 integer :: r
 allocate(x(10000), y(10000), u(200, 200), v(200, 200))
 x = 1.5; y = 0; u = 1; v = 1
 do r = 1, 20
  call saxpy(10000, 0.5, x, y)
  call smooth(200, u, v)
  u = v
 end do
 print *, y(10), u(100, 100)
end program
