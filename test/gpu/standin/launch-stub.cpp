//===- launch-stub.cpp - a CUDA runtime that only accepts launches ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "launch-stub.h"

#include <cstddef>

struct Dim3 {
  unsigned X, Y, Z;
};
static thread_local struct {
  Dim3 Grid, Block;
  size_t Shared;
  void *Stream;
} Configuration;

extern "C" {
void (*OnLaunch)(const void *, void **) = nullptr;

unsigned __cudaPushCallConfiguration(Dim3 Grid, Dim3 Block, size_t Shared, void *Stream) {
  Configuration = {Grid, Block, Shared, Stream};
  return 0;
}
int __cudaPopCallConfiguration(Dim3 *Grid, Dim3 *Block, size_t *Shared, void *Stream) {
  *Grid = Configuration.Grid;
  *Block = Configuration.Block;
  *Shared = Configuration.Shared;
  *static_cast<void **>(Stream) = Configuration.Stream;
  return 0;
}
int cudaLaunchKernel(const void *Kernel, Dim3, Dim3, void **Arguments, size_t, void *) {
  if (OnLaunch)
    OnLaunch(Kernel, Arguments);
  return 0;
}
int cudaGraphLaunch(void *, void *) { return 0; }
int cudaGetFuncBySymbol(void **Function, const void *Kernel) {
  *Function = const_cast<void *>(Kernel);
  return 0;
}
}
