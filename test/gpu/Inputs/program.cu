// Programs as people write them, by what they do on a GPU: program WHICH prints a checksum.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <thread>
#include <unistd.h>
#include <vector>

#define CHECK(call)                                                                                \
  if (const cudaError_t error = (call)) {                                                          \
    std::printf("%s: %s\n", #call, cudaGetErrorString(error));                                     \
    std::exit(3);                                                                                  \
  }

template <typename T> __global__ void saxpy(T *y, const T *x, T a, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}

__global__ void gemm(float *y, const float *x, float a, unsigned n) {
  __shared__ float left[8][8], right[8][8];
  const unsigned r = blockIdx.y * 8 + threadIdx.y, c = blockIdx.x * 8 + threadIdx.x;
  float sum = 0;
  for (unsigned k = 0; k < n; k += 8) {
    left[threadIdx.y][threadIdx.x] = x[r * n + k + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = x[(k + threadIdx.y) * n + c];
    __syncthreads();
    for (unsigned j = 0; j < 8; ++j)
      sum += left[threadIdx.y][j] * right[j][threadIdx.x];
    __syncthreads();
  }
  y[r * n + c] = a * sum;
}

__global__ void reduce(float *y, const float *x, float a, unsigned n) {
  __shared__ float part[128];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? a * x[i] : 0;
  __syncthreads();
  for (unsigned s = 64; s; s >>= 1) {
    if (t < s)
      part[t] += part[t + s];
    __syncthreads();
  }
  if (t >= 32 || t % 4)
    return;
  if (t)
    return;
  y[blockIdx.x] = part[0];
}

__attribute__((noinline)) __device__ float polynomial(float x, unsigned degree) {
  float sum = 1;
  for (unsigned i = 0; i < degree; ++i)
    sum = sum * x + 1;
  return sum;
}

__global__ void calls(float *y, const float *x, float a, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = polynomial(a * x[i], 3 + i % 4);
}

constexpr unsigned N = 1024;

struct Buffers {
  float *x, *y;
  std::vector<float> host = std::vector<float>(N);
  Buffers() {
    CHECK(cudaMalloc(&x, N * sizeof(float)));
    CHECK(cudaMalloc(&y, N * sizeof(float)));
    for (unsigned i = 0; i < N; ++i)
      host[i] = static_cast<float>(i % 7);
    CHECK(cudaMemcpy(x, host.data(), N * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(y, 0, N * sizeof(float)));
  }
  void show(const char *what) {
    CHECK(cudaMemcpy(host.data(), y, N * sizeof(float), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (unsigned i = 0; i < N; ++i)
      sum += host[i] * static_cast<float>(i % 5);
    std::printf("%s %.1f\n", what, sum);
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
  }
};

void runStreams(Buffers &on) {
  cudaStream_t streams[3];
  for (cudaStream_t &each : streams)
    CHECK(cudaStreamCreate(&each));
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      const unsigned part = N / 4;
      for (unsigned k = 0; k < 4; ++k)
        saxpy<<<part / 64, 64, 0, streams[i]>>>(on.y + i * part, on.x + i * part, 2.0f, part); // streams
      CHECK(cudaStreamSynchronize(streams[i]));
    });
  for (std::thread &each : threads)
    each.join();
}

void runGraph(Buffers &on) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  saxpy<<<4, 256, 0, stream>>>(on.y, on.x, 1.0f, N); // captured
  calls<<<8, 128, 0, stream>>>(on.y, on.x, 0.5f, N); // captured
  CHECK(cudaStreamEndCapture(stream, &graph));
  // The names of the first graph's nodes must not be taken for those of the second graph's.
  cudaGraphExec_t other;
  CHECK(cudaGraphInstantiate(&other, graph, 0));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(other, stream)); // replayed
  for (unsigned i = 0; i < 3; ++i)
    CHECK(cudaGraphLaunch(exec, stream)); // replayed
  CHECK(cudaStreamSynchronize(stream));
}

/// Numbers of other layers, recorded by CUPTI as for torch.profiler and OpenACC.
void runExternal(Buffers &on) {
  // From the loaded CUPTI; an unrecorded program has not loaded it.
  using Push = int(int, unsigned long long);
  using Pop = int(int, unsigned long long *);
  void *const cupti = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
  const auto push = reinterpret_cast<Push *>(
      cupti ? dlsym(cupti, "cuptiActivityPushExternalCorrelationId") : nullptr);
  const auto pop = reinterpret_cast<Pop *>(
      cupti ? dlsym(cupti, "cuptiActivityPopExternalCorrelationId") : nullptr);
  const auto launch = [&] {
    saxpy<<<N / 128, 128>>>(on.y, on.x, 1.0f, N); // external
  };
  const auto within = [&](int kind, unsigned long long id, auto &&body) {
    if (push)
      push(kind, id);
    body();
    if (pop)
      pop(kind, nullptr);
  };
  launch();
  within(3, 70, [&] {
    launch();
    within(3, 5'000'000'000, launch);
    within(4, 71, [&] { CHECK(cudaMemset(on.x, 0, 64)); });
    within(2, 72, launch);
  });
  within(5, 73, launch);
  launch();
}

int main(int argc, char **argv) {
  const char *which = argc > 1 ? argv[1] : "saxpy";
  Buffers on;
  if (!std::strcmp(which, "saxpy"))
    for (unsigned k = 0; k < 5; ++k)
      saxpy<<<N / 128, 128>>>(on.y, on.x, 2.0f, N); // saxpy
  if (!std::strcmp(which, "gemm"))
    gemm<<<dim3(4, 4), dim3(8, 8)>>>(on.y, on.x, 1.0f, 32); // gemm
  if (!std::strcmp(which, "reduce"))
    reduce<<<N / 128, 128>>>(on.y, on.x, 1.0f, N - 5); // reduce
  if (!std::strcmp(which, "calls"))
    calls<<<5, 224>>>(on.y, on.x, 0.5f, N); // calls
  if (!std::strcmp(which, "streams"))
    runStreams(on);
  if (!std::strcmp(which, "graph"))
    runGraph(on);
  if (!std::strcmp(which, "external"))
    runExternal(on);
  if (!std::strcmp(which, "killed")) {
    for (unsigned k = 0; k < 5; ++k)
      saxpy<<<N / 128, 128>>>(on.y, on.x, 2.0f, N); // killed
    CHECK(cudaDeviceSynchronize());
    using Flush = int(const char *);
    if (const auto flush = reinterpret_cast<Flush *>(dlsym(RTLD_DEFAULT, "seamscope_flush")))
      flush("/dev/null");
    kill(getpid(), SIGKILL);
  }
  if (!std::strcmp(which, "reset")) {
    for (unsigned k = 0; k < 3; ++k)
      saxpy<<<N / 128, 128>>>(on.y, on.x, 1.0f, N); // reset
    CHECK(cudaDeviceSynchronize());
    usleep(300000); // by then the stamps have been read
    CHECK(cudaDeviceReset());
    on = Buffers();
    for (unsigned k = 0; k < 2; ++k)
      saxpy<<<N / 128, 128>>>(on.y, on.x, 2.0f, N); // reset
  }
  if (!std::strcmp(which, "many"))
    for (unsigned k = 0; k < 300; ++k)
      saxpy<<<2, 64>>>(on.y, on.x, 1.0f, N); // many
  CHECK(cudaDeviceSynchronize());
  on.show(which);
}
