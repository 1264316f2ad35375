// Times on a GPU, for the cost of recording: bench WHAT COUNT [ROUNDS BLOCKS] prints ns.
//   kernel N    median time of launches of a kernel, N inner steps, by events around 20 launches each
//   launch N    host time of one launch of an empty kernel, over N launches
//   blocks N    one launch of N blocks
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                                \
  if (const cudaError_t error = (call)) {                                                          \
    std::printf("%s: %s\n", #call, cudaGetErrorString(error));                                     \
    std::exit(3);                                                                                  \
  }

__global__ void work(float *y, const float *x, float a, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = x[i % 1024];
  for (unsigned k = 0; k < n; ++k)
    sum = sum * a + 1;
  if (sum == 3)
    y[0] = sum;
}

__global__ void nothing(float *, const float *, float, unsigned) {}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "kernel";
  const unsigned count = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1000;
  const unsigned rounds = argc > 4 ? static_cast<unsigned>(std::atoi(argv[3])) : 60;
  const unsigned blocks = argc > 4 ? static_cast<unsigned>(std::atoi(argv[4])) : 264;
  float *x, *y;
  CHECK(cudaMalloc(reinterpret_cast<void **>(&x), 4096));
  CHECK(cudaMalloc(reinterpret_cast<void **>(&y), 4096));
  CHECK(cudaMemset(x, 0, 4096));
  if (!std::strcmp(what, "kernel")) {
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    std::vector<float> times;
    for (unsigned round = 0; round < rounds; ++round) {
      CHECK(cudaEventRecord(begin, nullptr));
      for (unsigned k = 0; k < 20; ++k)
        work<<<blocks, 256>>>(y, x, 0.5f, count); // bench
      CHECK(cudaEventRecord(end, nullptr));
      CHECK(cudaEventSynchronize(end));
      float milliseconds = 0;
      CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
      if (round >= rounds / 6)
        times.push_back(milliseconds / 20);
    }
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    std::printf("%.1f\n", times[times.size() / 2] * 1e6);
  } else if (!std::strcmp(what, "launch")) {
    nothing<<<1, 32>>>(y, x, 0, 0);
    CHECK(cudaDeviceSynchronize());
    // In batches that fit in the driver's queue, since a launch must not wait for the device.
    double total = 0;
    for (unsigned done = 0; done < count; done += 200) {
      const auto begin = std::chrono::steady_clock::now();
      for (unsigned k = 0; k < 200; ++k)
        nothing<<<1, 32>>>(y, x, 0, 0); // bench
      total += std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
      CHECK(cudaDeviceSynchronize());
    }
    std::printf("%.1f\n", total / count);
  } else {
    work<<<count, 256>>>(y, x, 0.5f, 10); // bench
    CHECK(cudaDeviceSynchronize());
    std::printf("0\n");
  }
  CHECK(cudaDeviceSynchronize());
}
