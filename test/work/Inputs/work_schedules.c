// Parallel loops with each schedule. Prints what the source says: FLOPs, bytes that it loads and bytes that it
// stores, as `expect NAME FLOP READ WRITE`. With WEIGH, the other file of the program.
#include <omp.h>
#include <stdio.h>

float weigh(float a, float b);
#ifdef WEIGH
float weigh(float a, float b) { return a * b + 0.5f; }
#else

#define KERNEL __attribute__((noinline, annotate("seamscope.kernel"))) static void
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
// Variables by value: loads of others would depend on the number of threads. Each thread reads its own number.
#define PARALLEL(...) PRAGMA(omp parallel for firstprivate(a, x, y, n) __VA_ARGS__)

enum { M = 37, LARGEST = 1000 };
static float table[LARGEST * M], result[LARGEST * M];

#define KERNELS(name, ...)                                                                                             \
  KERNEL k_scale_##name(float a, const float *restrict x, float *restrict y, int n) {                                  \
    PARALLEL(__VA_ARGS__)                                                                                              \
    for (int i = 0; i < n; ++i)                                                                                        \
      y[i] = a * x[i] + y[i];                                                                                          \
  }                                                                                                                    \
  KERNEL k_rows_##name(float a, const float *restrict x, float *restrict y, int n) {                                   \
    PARALLEL(__VA_ARGS__)                                                                                              \
    for (int i = 0; i < n; i += 3) {                                                                                   \
      float sum = a;                                                                                                   \
      for (int j = 0; j < M; ++j)                                                                                      \
        sum += x[i * M + j] * a;                                                                                       \
      y[i] = sum;                                                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  KERNEL k_triangle_##name(float a, const float *restrict x, float *restrict y, int n) {                               \
    PARALLEL(__VA_ARGS__)                                                                                              \
    for (long i = n - 1; i >= 0; --i) {                                                                                \
      float sum = a;                                                                                                   \
      for (long j = 0; j <= i; ++j)                                                                                    \
        sum -= x[j];                                                                                                   \
      y[i] = sum;                                                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  KERNEL k_plane_##name(float a, const float *restrict x, float *restrict y, int n) {                                  \
    PARALLEL(collapse(2) __VA_ARGS__)                                                                                  \
    for (int i = 0; i < n; ++i)                                                                                        \
      for (int j = 0; j < M; ++j)                                                                                      \
        y[i * M + j] = x[i * M + j] / a;                                                                               \
  }                                                                                                                    \
  KERNEL k_calls_##name(float a, const float *restrict x, float *restrict y, int n) {                                  \
    PARALLEL(__VA_ARGS__)                                                                                              \
    for (int i = 0; i < n; ++i)                                                                                        \
      y[i] = weigh(a, x[i]);                                                                                           \
  }                                                                                                                    \
  static void run_##name(const int *sizes, int threads) {                                                              \
    long once = 0, thirds = 0, triangle = 0, own = 0;                                                                  \
    for (const int *at = sizes; *at >= 0; ++at) {                                                                      \
      int n = *at;                                                                                                     \
      k_scale_##name(2, table, result, n);                                                                             \
      k_rows_##name(2, table, result, n);                                                                              \
      k_triangle_##name(2, table, result, n);                                                                          \
      k_plane_##name(2, table, result, n);                                                                             \
      k_calls_##name(2, table, result, n);                                                                             \
      once += n, thirds += (n + 2) / 3, triangle += (long)n * (n + 1) / 2, own += n ? 4 * threads : 0;                 \
    }                                                                                                                  \
    expect("k_scale_" #name, 2 * once, 8 * once + own, 4 * once);                                                      \
    expect("k_rows_" #name, 2 * thirds * M, 4 * thirds * M + own, 4 * thirds);                                         \
    expect("k_triangle_" #name, triangle, 4 * triangle + own, 4 * once);                                               \
    expect("k_plane_" #name, once * M, 4 * once * M + own, 4 * once * M);                                              \
    expect("k_calls_" #name, 2 * once, 4 * once + own, 4 * once);                                                      \
  }

static void expect(const char *name, long flop, long read, long write) {
  printf("expect %s %ld %ld %ld\n", name, flop, read, write);
}

KERNELS(none)
KERNELS(static, schedule(static))
KERNELS(chunks, schedule(static, 3))
KERNELS(dynamic, schedule(dynamic))
KERNELS(dynamic_chunks, schedule(dynamic, 4))
KERNELS(guided, schedule(guided))
KERNELS(guided_chunks, schedule(guided, 5))
KERNELS(auto, schedule(auto))
KERNELS(runtime, schedule(runtime))
KERNELS(monotonic, schedule(monotonic : dynamic, 2))

int main(void) {
  static const int sizes[] = {0, 1, 2, 7, 64, 333, LARGEST, -1};
  int threads = omp_get_max_threads();
  for (int i = 0; i < LARGEST * M; ++i)
    table[i] = i % 17 / 16.0f;
  run_none(sizes, threads);
  run_static(sizes, threads);
  run_chunks(sizes, threads);
  run_dynamic(sizes, threads);
  run_dynamic_chunks(sizes, threads);
  run_guided(sizes, threads);
  run_guided_chunks(sizes, threads);
  run_auto(sizes, threads);
  run_runtime(sizes, threads);
  run_monotonic(sizes, threads);
}
#endif
