// Runs the functions of gpu-road.mlir three times and prints the bits of their results; with ON_GPU, on a device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 32, K = 16, N = 64 };
#define MATRIX(P, Rows, Columns) P, P, 0L, (long)(Rows), (long)(Columns), (long)(Columns), 1L
#define VECTOR(P, Size) P, P, 0L, (long)(Size), 1L
#define MATRIX_TYPE float *, float *, long, long, long, long, long
#define VECTOR_TYPE float *, float *, long, long, long
void chain(MATRIX_TYPE, MATRIX_TYPE, MATRIX_TYPE);
void mlp(MATRIX_TYPE, MATRIX_TYPE, VECTOR_TYPE, MATRIX_TYPE, MATRIX_TYPE);

#ifdef ON_GPU
void *mgpuStreamCreate(void);
void mgpuStreamSynchronize(void *);
void mgpuStreamDestroy(void *);
void *mgpuMemAlloc(uint64_t, void *, _Bool);
void mgpuMemFree(void *, void *);
void mgpuMemcpy(void *, void *, size_t, void *);
void mgpuMemset32(void *, unsigned, size_t, void *);
static void *Stream;
static float *allocate(size_t Count) { return mgpuMemAlloc(Count * sizeof(float), Stream, 0); }
static void copy(float *To, float *From, size_t Count) { mgpuMemcpy(To, From, Count * sizeof(float), Stream); }
static void clear(float *To, size_t Count) { mgpuMemset32(To, 0, Count, Stream); }
static void done(void) { mgpuStreamSynchronize(Stream); }
static void release(float *Of) { mgpuMemFree(Of, Stream); }
#else
static float *allocate(size_t Count) { return malloc(Count * sizeof(float)); }
static void copy(float *To, float *From, size_t Count) { memcpy(To, From, Count * sizeof(float)); }
static void clear(float *To, size_t Count) { memset(To, 0, Count * sizeof(float)); }
static void done(void) {}
static void release(float *Of) { free(Of); }
#endif

static float *filled(size_t Count, unsigned Seed) {
  float *Host = malloc(Count * sizeof(float)), *Device = allocate(Count);
  for (size_t I = 0; I < Count; ++I)
    Host[I] = (float)((Seed = Seed * 1664525u + 1013904223u) >> 8) / (1 << 23) - 1;
  copy(Device, Host, Count);
  done();
  free(Host);
  return Device;
}

static void print(float *Device) {
  static float Host[M * N];
  copy(Host, Device, M * N);
  done();
  for (int I = 0; I < M * N; ++I) {
    uint32_t Bits;
    memcpy(&Bits, &Host[I], sizeof(Bits));
    printf("%08x\n", Bits);
  }
}

int main(void) {
#ifdef ON_GPU
  Stream = mgpuStreamCreate();
#endif
  float *A = filled(M * N, 1), *B = filled(M * N, 2), *X = filled(M * K, 3), *W = filled(K * N, 4),
        *Bias = filled(N, 5), *Sum = allocate(M * N), *Out = allocate(M * N);
  for (int Times = 0; Times < 3; ++Times) {
    chain(MATRIX(A, M, N), MATRIX(B, M, N), MATRIX(Out, M, N));
    print(Out);
    clear(Sum, M * N);
    done();
    mlp(MATRIX(X, M, K), MATRIX(W, K, N), VECTOR(Bias, N), MATRIX(Sum, M, N), MATRIX(Out, M, N));
    print(Out);
  }
  float *All[] = {A, B, X, W, Bias, Sum, Out};
  for (int I = 0; I < 7; ++I)
    release(All[I]);
#ifdef ON_GPU
  mgpuStreamDestroy(Stream);
#endif
  return 0; // it may be called under another name than main
}
