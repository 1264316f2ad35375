// Doubles 64 numbers twice, on a GPU, by the functions of gpu.mlir.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
void run(float *, float *, long, long, long);
void more(float *, float *, long, long, long);
int main(void) {
  static float Data[64];
  for (int I = 0; I < 64; ++I)
    Data[I] = I + 0.5f;
  run(Data, Data, 0, 64, 1);
  more(Data, Data, 0, 64, 1);
  for (int I = 0; I < 64; ++I)
    if (Data[I] != 4 * (I + 0.5f))
      return puts("wrong"), 3;
  return puts("right"), 0;
}
