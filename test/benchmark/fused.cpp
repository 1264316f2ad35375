//===- fused.cpp - the demo's fused kernel, plain and traced alternately -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: fused BLOCKS
//
// The demo's source is compiled twice into this program, with -DSIDE=plain and, with the plugin,
// -DSIDE=traced; compiled without SIDE this file is the main program. Both sides work on the same
// memory: the place of pages differs from process to process and changes the time of such a kernel
// by several percent, far more than the measured effect.
//
// Prints the median over blocks (plain, traced, traced, plain) of traced over plain, the quartiles,
// the median time of a plain call in ns, and the number of traced calls.
//
//===----------------------------------------------------------------------===//
#ifdef SIDE
#define CONCAT_(A, B) A##B
#define CONCAT(A, B) CONCAT_(A, B)
#define main CONCAT(unused_main_, SIDE)
#include "../../demo/fused.cpp"
#undef main

extern "C" __attribute__((noinline, annotate("seamscope.off"))) void
CONCAT(fused_, SIDE)(float *Out, const float *A0, const float *A1, const float *A2, const float *A3,
                     const float *A4) {
  fused(Out, A0, A1, A2, A3, A4);
}
#else
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using Kernel = void(float *Out, const float *A0, const float *A1, const float *A2, const float *A3,
                    const float *A4);
extern "C" Kernel fused_plain, fused_traced;

constexpr size_t Rows = 16384, Columns = 512;

static double now() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return static_cast<double>(T.tv_sec) * 1e9 + static_cast<double>(T.tv_nsec);
}

int main(int Count, char **Arguments) {
  const int Blocks = Count > 1 ? std::atoi(Arguments[1]) : 0;
  if (Blocks < 1) {
    std::fprintf(stderr, "usage: fused BLOCKS\n");
    return 2;
  }
  std::vector<float> A0(Rows * Columns, 1), A2(Rows * Columns, 2), Out(Rows * Columns);
  std::vector<float> A1(Columns, 3), A3(Columns, 4), A4(Columns, 5);
  const auto NsOf = [&](Kernel *Side) {
    const double Begin = now();
    Side(Out.data(), A0.data(), A1.data(), A2.data(), A3.data(), A4.data());
    return now() - Begin;
  };
  // Threads are started, pages touched and caches warmed.
  constexpr int WarmUp = 3;
  for (int I = 0; I < WarmUp; ++I) {
    NsOf(fused_plain);
    NsOf(fused_traced);
  }
  std::vector<double> Ratios, Plain;
  for (int I = 0; I < Blocks; ++I) {
    const double First = NsOf(fused_plain);
    const double Traced = NsOf(fused_traced) + NsOf(fused_traced);
    const double Last = NsOf(fused_plain);
    Ratios.push_back(Traced / (First + Last));
    Plain.push_back((First + Last) / 2);
  }
  std::sort(Ratios.begin(), Ratios.end());
  std::sort(Plain.begin(), Plain.end());
  std::printf("{\"ratio\": %.6f, \"low\": %.6f, \"high\": %.6f, \"plain\": %.0f, \"calls\": %d}\n",
              Ratios[Ratios.size() / 2], Ratios[Ratios.size() / 4], Ratios[Ratios.size() * 3 / 4],
              Plain[Plain.size() / 2], WarmUp + 2 * Blocks);
}
#endif
