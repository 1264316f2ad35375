! LAPACK's reference implementation and its BLAS: systems of equations, eigenvalues of symmetric
! matrices, a region of threads that each multiply blocks.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module numbers
 use iso_fortran_env, only: int64, real64
 implicit none
 integer(int64) :: state = 88172645463325252_int64
contains
 subroutine fill(a)
  real(real64), intent(out) :: a(:, :)
  integer :: i, j
  do j = 1, size(a, 2)
   do i = 1, size(a, 1)
    state = ieor(state, shiftl(state, 13))
    state = ieor(state, shiftr(state, 7))
    state = ieor(state, shiftl(state, 17))
    a(i, j) = real(shiftr(state, 11), real64) / 9007199254740992.0_real64
   end do
  end do
 end subroutine
 pure function digest(sum, a) result(next)
  integer(int64), intent(in) :: sum
  real(real64), intent(in) :: a(:)
  integer(int64) :: next
  integer :: i
  next = sum
  do i = 1, size(a)
   next = ieor(next, transfer(a(i), next)) * 1099511628211_int64
  end do
 end function
end module
program driver
 use numbers
 implicit none
 integer, parameter :: n = 60, blocks = 6
 real(real64) :: a(n, n), b(n, 3), c(n, n, blocks), w(n), work(8 * n)
 integer :: pivots(n), info, round, rounds, k
 integer(int64) :: sum = 1469598103934665603_int64
 character(len=20) :: argument
 external :: dgesv, dsyev, dgemm
 rounds = 1
 if (command_argument_count() > 0) then
  call get_command_argument(1, argument)
  read (argument, *) rounds
 end if
 do round = 1, rounds
  call fill(a)
  call fill(b)
  !$omp parallel do schedule(dynamic)
  do k = 1, blocks
   call dgemm('T', 'N', n, n, n, real(k, real64), a, n, a, n, 0.0_real64, c(:, :, k), n)
  end do
  call dgesv(n, 3, a, n, pivots, b, n, info)
  if (info /= 0) error stop 'dgesv failed'
  sum = digest(sum, reshape(b, [size(b)]))
  do k = 1, blocks
   call dsyev('V', 'U', n, c(:, :, k), n, w, work, size(work), info)
   if (info /= 0) error stop 'dsyev failed'
   sum = digest(digest(sum, w), reshape(c(:, :, k), [n * n]))
  end do
 end do
 print '(z16.16)', sum
end program
