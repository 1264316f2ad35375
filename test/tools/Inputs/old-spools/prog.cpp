// What the spools beside it recorded: long calls, many calls, a team, a call left by longjmp, then
// a SIGKILL with calls open.
#include <csetjmp>
#include <csignal>
#include <chrono>
#include <thread>
#include <unistd.h>
static jmp_buf Back;
volatile double Sink;
__attribute__((noinline)) void shortKernel(int N) { double S = 0; for (int I = 0; I < N; ++I) S += I * 0.5 + S * 1e-3; Sink = S; }
__attribute__((noinline)) void longKernel() { std::this_thread::sleep_for(std::chrono::milliseconds(3300)); shortKernel(5000); }
__attribute__((noinline)) void leftByJump() { shortKernel(3000); longjmp(Back, 1); }
__attribute__((noinline)) void team(double *A, int N) {
#pragma omp parallel for
  for (int I = 0; I < N; ++I) A[I] = A[I] * 2 + 1;
}
__attribute__((noinline)) void killed() { shortKernel(4000); usleep(2000); kill(getpid(), SIGKILL); }
static double A[20000];
int main() {
  for (int I = 0; I < 200; ++I) shortKernel(2000 + I * 10);
  if (!setjmp(Back)) leftByJump();
  for (int I = 0; I < 5; ++I) team(A, 20000);
  longKernel();
  killed();
}
