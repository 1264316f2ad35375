// Loops in a row touch: the end of one is the begin of the next, exactly, whatever is skipped in between.
// Nothing is lost or left open if recording is switched while they run.
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: env SEAMSCOPE_PASS=loops=auto %clangxx-22 -O2 -g -fpass-plugin=%plugin-22 -I%include %s %link-runtime -o program -pthread
// RUN: env SEAMSCOPE=trace SEAMSCOPE_THROTTLE=off SEAMSCOPE_OUT=row.json timeout 60 ./program row
// RUN: %python %S/Inputs/touching.py row.json touch
// With a clock that is read by a call, and in mode profile, the calls are the same:
// RUN: env SEAMSCOPE=trace SEAMSCOPE_THROTTLE=off SEAMSCOPE_CLOCK=monotonic SEAMSCOPE_OUT=clock.json timeout 60 ./program row
// RUN: %python %S/Inputs/touching.py clock.json count
// RUN: env SEAMSCOPE=profile SEAMSCOPE_THROTTLE=off SEAMSCOPE_OUT=sums.json timeout 60 ./program row
// RUN: %python %S/Inputs/touching.py sums.json count
// RUN: env SEAMSCOPE=trace SEAMSCOPE_THROTTLE=8 SEAMSCOPE_OUT=few.json timeout 60 ./program row 100000
// RUN: %python %S/Inputs/touching.py few.json count 100000
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=switched.json timeout 60 ./program switched
// RUN: %python %S/Inputs/touching.py switched.json nested
// REQUIRES: llvm-22
#include "seamscope/seamscope.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

__attribute__((noinline, annotate("seamscope.kernel"))) static void
row(float *__restrict A, float *__restrict B, float *__restrict C, int N, int M) {
  for (int I = 0; I < N; ++I)
    A[I] = B[I] * 0.5f + 1;
  for (int I = 0; I < M; ++I) // of every second call
    C[I] = A[I] * B[N - 1 - I];
  for (int I = 0; I < N; ++I)
    B[I] = C[I] / (A[N - 1 - I] + 2);
}

int main(int Count, char **Arguments) {
  constexpr int N = 1000;
  std::vector<float> A(N), B(N, 1), C(N, 1);
  const int Calls = Count > 2 ? std::atoi(Arguments[2]) : 1000;
  if (!std::strcmp(Arguments[1], "row")) {
    for (int I = 0; I < Calls; ++I)
      row(A.data(), B.data(), C.data(), Calls > 1000 ? 10 : N, I % 2 ? 10 : 0);
    return 0;
  }
  std::atomic<bool> Ended = false;
  std::thread Switching([&] {
    for (int I = 0; I < 3000; ++I) {
      seamscope_set_mode(I % 3 == 0   ? SEAMSCOPE_OFF
                         : I % 3 == 1 ? SEAMSCOPE_TRACE
                                      : SEAMSCOPE_PROFILE);
      std::this_thread::yield();
    }
    seamscope_set_mode(SEAMSCOPE_TRACE);
    Ended = true;
  });
  while (!Ended)
    row(A.data(), B.data(), C.data(), 100, 10);
  row(A.data(), B.data(), C.data(), 100, 10);
  Switching.join();
}
