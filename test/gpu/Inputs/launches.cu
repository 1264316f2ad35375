// Launches of all kinds; check-launches.py has the expected trace.
#include "../standin/launch-stub.h"
#include "launch.h"

#include <cstdio>
#include <cstdlib> // before a header that includes clang's <new> for CUDA

#include <stdexcept>
#include <thread>
#include <vector>

namespace ns {
__global__ void saxpy(int, float, const float *, float *) {}
} // namespace ns
template <typename T> __global__ void scale(T *, T) {}
__global__ void nested(int) {}
__global__ void throwing() {}
__global__ void threaded(int) {}

inline void wrapped(float *x) { scale<float><<<1, 32>>>(x, 2.f); } // wrapped

void recurse(int depth) { nested<<<1, 1>>>(depth); } // recursion

static bool Throws = false;
static void onLaunch(const void *kernel, void **arguments) {
  if (kernel == reinterpret_cast<const void *>(nested))
    if (const int depth = *static_cast<int *>(*arguments); depth > 0)
      recurse(depth - 1);
  if (Throws && kernel == reinterpret_cast<const void *>(throwing))
    throw std::runtime_error("launch");
}

// A host kernel with launches as calls.
__attribute__((noinline)) float pipeline(float *x, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * 2;
  scale<double><<<1, 1>>>(nullptr, 1.); // in a kernel
  return sum;
}

static int caught() {
  try {
    throwing<<<1, 1>>>(); // throws
  } catch (const std::runtime_error &) {
    return 1;
  }
  return 0;
}

struct Guard {
  ~Guard() { ++Destroyed; }
  static inline int Destroyed = 0;
};
static void throwsPastGuard() {
  Guard guard;
  throwing<<<1, 1>>>(); // throws past a destructor
}
static void throwsPastNothing() {
  throwing<<<1, 1>>>(); // throws past nothing
  std::puts("not reached");
}

int main() {
  std::vector<float> x(1000, 1.f);
  OnLaunch = onLaunch;
  ns::saxpy<<<4, 256>>>(256, 2.f, x.data(), x.data()); // saxpy
  wrapped(x.data());
  for (int i = 0; i < 10; ++i)
    scale<int><<<1, 32>>>(nullptr, i); // loop
  recurse(5);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 100; ++i)
        threaded<<<1, 1>>>(i); // thread
    });
  for (std::thread &thread : threads)
    thread.join();
  const float sum = pipeline(x.data(), static_cast<int>(x.size()));
  Throws = true;
  int exceptions = caught();
  for (auto *function : {throwsPastGuard, throwsPastNothing})
    try {
      function();
    } catch (const std::runtime_error &) {
      ++exceptions;
    }
  void (*pointer)(int) = exceptions == 3 ? threaded : nested;
  pointer<<<1, 1>>>(0);             // pointer
  cudaGraphLaunch(nullptr, nullptr); // graph
  std::printf("sum %g, %d exceptions, %d destroyed\n", sum, exceptions, Guard::Destroyed);
}
