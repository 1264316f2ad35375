//===- sums.cpp - checks the sums of counters of launches ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs kernels that count (Inputs/work.cu) on the CPU and looks at the memory that they add to:
// records of launches in the order of their ends, zeros where no launch runs, and nothing of a
// launch that cannot be counted as a whole.
//
//===----------------------------------------------------------------------===//
#include "seamscope/gpu.h"
#include "standin.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

extern "C" {
using Kernel = void(float *, const float *, unsigned);
Kernel axpy, uneven;
extern uint64_t __seamscope_gpu_work_v1;
extern const SeamscopeGpuCounts __seamscope_gpu_counts_v1_axpy, __seamscope_gpu_counts_v1_uneven;
}

namespace {

const auto Work = std::make_unique<SeamscopeGpuWork>();
float X[512], Y[512];
int Failures = 0;

void expect(bool Holds, const std::string &What) {
  if (!Holds && ++Failures < 20)
    std::printf("FAILED: %s\n", What.c_str());
}

uint64_t run(Kernel *Of, uint32_t Blocks, uint32_t Threads, unsigned N) {
  return standin::launch({Blocks}, {Threads}, [=] { Of(Y, X, N); }).Grid;
}

SeamscopeGpuWorkSums &sumsOf(uint64_t Grid) {
  return Work->sums[Grid % SEAMSCOPE_GPU_WORK_LAUNCHES];
}

void expectZeros(const std::string &When) {
  static const SeamscopeGpuWorkSums Zeros = {};
  for (const SeamscopeGpuWorkSums &Each : Work->sums)
    expect(!std::memcmp(&Each, &Zeros, sizeof(Zeros)), "sums " + When + " are not zero");
}

/// The record of the newest launch: all threads, and those of axpy that have an element.
void expectRecord(uint64_t Ticket, uint64_t Grid, uint64_t Threads, uint64_t Elements) {
  const auto &Of = Work->records[(Ticket - 1) % SEAMSCOPE_GPU_WORK_LAUNCHES];
  const std::string Which = "record " + std::to_string(Ticket);
  expect(Work->tickets == Ticket && Of.ticket == Ticket, Which + " is not the newest");
  expect(Of.owner >> 32 == (Grid & UINT32_MAX), Which + " is of another launch");
  expect(Of.counts == __seamscope_gpu_counts_v1_axpy.id, Which + " is of another kernel");
  expect(Of.words[0] == Threads && Of.words[1] == Elements, Which + " has other sums");
}

} // namespace

int main() {
  expect(__seamscope_gpu_counts_v1_axpy.words == 2, "axpy has another number of counters");
  expect(__seamscope_gpu_counts_v1_axpy.id != __seamscope_gpu_counts_v1_uneven.id, "ids are equal");
  run(axpy, 2, 40, 70); // before the host knows the module
  expect(!Work->tickets, "a launch wrote without memory");
  __seamscope_gpu_work_v1 = reinterpret_cast<uint64_t>(Work.get());

  uint64_t Ticket = 0;
  for (uint32_t Round = 0; Round < 100; ++Round) {
    const uint32_t Blocks = 1 + Round % 4, Threads = 1 + Round * 7 % 97, N = Round * 5;
    const uint64_t Grid = run(axpy, Blocks, Threads, N);
    const uint64_t All = uint64_t{Blocks} * Threads;
    expectRecord(++Ticket, Grid, All, std::min<uint64_t>(All, N));
  }
  expectZeros("between launches");

  // A launch of the same number is still running: this one adds nothing.
  SeamscopeGpuWorkSums &Next = sumsOf(run(axpy, 1, 1, 1) + 1);
  ++Ticket;
  Next = {12345, 3, {0, 4}};
  run(axpy, 2, 40, 70);
  expect(Work->tickets == Ticket, "a launch without sums of its own has a record");
  expect(Next.owner == 12345 && Next.threads == 3 && Next.words[1] == 4, "it added to another's");
  Next = {};

  // The first block left before the host set the memory: threads are missing.
  __seamscope_gpu_work_v1 = 0;
  const uint64_t Half = standin::launch({2}, {40}, [] {
                          static uint32_t Begun = 0;
                          if (++Begun > 40)
                            __seamscope_gpu_work_v1 = reinterpret_cast<uint64_t>(Work.get());
                          axpy(Y, X, 70);
                        }).Grid;
  expect(Work->tickets == Ticket, "a launch of which threads are missing has a record");
  expect(sumsOf(Half).threads == 40, "the others did not add theirs");
  sumsOf(Half) = {};

  // More launches than records: the last ones remain.
  for (uint32_t Round = 0; Round < SEAMSCOPE_GPU_WORK_LAUNCHES + 10; ++Round)
    expectRecord(++Ticket, run(axpy, 1, 3, 2), 3, 2);
  if (!Failures)
    std::printf("every record is of a whole launch\n");
  return Failures != 0;
}
