#include "seamscope/seamscope.h"
#include <cstdio>

#ifdef __clang__
__attribute__((annotate("seamscope.kernel")))
#endif
__attribute__((noinline)) float sum(const float *Data, int N) {
  float Total = 0;
  for (int I = 0; I < N; ++I)
    Total += Data[I];
  return Total;
}

int main(int Argc, char **) {
  float Data[512];
  for (float &Value : Data)
    Value = static_cast<float>(Argc);
  printf("version %s, sum %g\n", seamscope_version(), sum(Data, 512));
}
