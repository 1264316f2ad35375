//===- slots.cpp - checks that slots have the clock readings ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs instrumented kernels on the CPU with rings of all sizes. Compares each slot with the clock
// readings that the stand-in noted, and the kernels' results with those of the same kernels
// without a ring.
//
//===----------------------------------------------------------------------===//
#include "seamscope/gpu.h"
#include "standin.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>

extern "C" {
using Kernel = void(float *, const float *, float, unsigned);
Kernel saxpy, leave, reduce, gemm, calls, never, empty, stencil, histogram, rows;
extern SeamscopeGpuControl __seamscope_gpu_control_v1;
#define ENTRY(name) extern const SeamscopeGpuKernel __seamscope_gpu_kernel_v1_##name;
ENTRY(saxpy)
ENTRY(leave)
ENTRY(reduce)
ENTRY(gemm) ENTRY(calls) ENTRY(never) ENTRY(empty) ENTRY(stencil) ENTRY(histogram) ENTRY(rows)
}

namespace {

struct Known {
  const char *Name;
  Kernel *Run;
  const SeamscopeGpuKernel *Entry;
};
const Known Kernels[] = {
#define KNOWN(name) {#name, name, &__seamscope_gpu_kernel_v1_##name},
    KNOWN(saxpy) KNOWN(leave) KNOWN(reduce) KNOWN(gemm) KNOWN(calls) KNOWN(never) KNOWN(empty)
        KNOWN(stencil) KNOWN(histogram) KNOWN(rows)};

int Failures = 0;

void expect(bool Holds, const std::string &What) {
  if (!Holds && ++Failures < 20)
    std::printf("FAILED: %s\n", What.c_str());
}

std::string textAt(const SeamscopeGpuKernel *Entry, uint32_t Offset) {
  return Offset ? reinterpret_cast<const char *>(Entry) + Offset : "";
}

/// The expected slots of one launch, only from the clock readings.
std::map<uint32_t, SeamscopeGpuSlot> expected(const standin::Launch &Run, const Known &What,
                                              const SeamscopeGpuControl &Ring) {
  const uint32_t All = static_cast<uint32_t>((Run.Threads.all() + 31) / 32);
  const uint32_t Warps = std::min<uint32_t>(All, Ring.most_warps);
  std::map<uint32_t, SeamscopeGpuSlot> Slots;
  for (uint32_t Block = 0; Block < Run.Blocks.all(); ++Block)
    for (uint32_t Warp = 0; Warp < Warps; ++Warp) {
      const uint64_t Index = uint64_t(Block >> Ring.block_shift) * Warps + Warp;
      if (Block % (1u << Ring.block_shift) || Index >= 1ull << Ring.segment_shift)
        continue;
      SeamscopeGpuSlot Slot = {};
      Slot.grid = static_cast<uint32_t>(Run.Grid);
      Slot.kernel = What.Entry->id;
      Slot.block = Block;
      Slot.warp = Warp;
      const uint64_t Segment = Run.Grid % (1u << Ring.ring_shift);
      Slots[static_cast<uint32_t>((Segment << Ring.segment_shift) + Index)] = Slot;
    }
  for (const standin::ClockRead &Read : Run.Reads)
    for (auto &[Number, Slot] : Slots)
      if (Slot.block == Read.Block && Slot.warp == Read.Thread / 32) {
        if (Read.AtEntry) {
          Slot.begin_ns = Read.Ns;
          Slot.begin_clock = Read.Clock;
          Slot.sm = Read.Sm;
        } else {
          Slot.end_ns = Read.Ns;
          Slot.end_clock = Read.Clock;
        }
      }
  return Slots;
}

void runOnce(std::mt19937 &Random, const Known &What, uint32_t Shift, uint32_t Segment,
             uint32_t Rings, uint32_t Most) {
  const bool Square = std::string(What.Name) == "gemm";
  const auto Some = [&](uint32_t Max) { return 1 + static_cast<uint32_t>(Random() % Max); };
  standin::Size Blocks{Some(5), Some(3), Some(2)}, Threads{Some(70), Some(3), Some(2)};
  unsigned N = Some(400);
  if (Square) {
    Blocks = {Some(3), 0, 1};
    Blocks.Y = Blocks.X;
    Threads = {8, 8, 1};
    N = Blocks.X * 8;
  }
  std::vector<float> X(16384), Plain(16384), Timed(16384);
  for (size_t I = 0; I < X.size(); ++I)
    X[I] = static_cast<float>(Random() % 100) / 8;
  __seamscope_gpu_control_v1 = {};
  const standin::Launch Off =
      standin::launch(Blocks, Threads, [&] { What.Run(Plain.data(), X.data(), 0.5f, N); });
  expect(Off.Reads.empty(), std::string(What.Name) + " reads a clock that nobody asked for");

  std::vector<SeamscopeGpuSlot> Slots(size_t(1) << (Segment + Rings));
  std::memset(static_cast<void *>(Slots.data()), 0xee, Slots.size() * sizeof(Slots[0]));
  const std::vector<SeamscopeGpuSlot> Before = Slots;
  SeamscopeGpuControl Ring = {};
  Ring.slots = reinterpret_cast<uintptr_t>(Slots.data());
  Ring.block_shift = static_cast<uint8_t>(Shift);
  Ring.segment_shift = static_cast<uint8_t>(Segment);
  Ring.ring_shift = static_cast<uint8_t>(Rings);
  Ring.most_warps = static_cast<uint8_t>(Most);
  __seamscope_gpu_control_v1 = Ring;
  const standin::Launch On =
      standin::launch(Blocks, Threads, [&] { What.Run(Timed.data(), X.data(), 0.5f, N); });
  __seamscope_gpu_control_v1 = {};
  expect(std::memcmp(Plain.data(), Timed.data(), Plain.size() * sizeof(float)) == 0,
         std::string(What.Name) + " computes something else when it is timed");
  expect(On.Trapped == Off.Trapped, std::string(What.Name) + " traps otherwise");

  const auto Wanted = expected(On, What, Ring);
  for (uint32_t I = 0; I < Slots.size(); ++I) {
    const auto Found = Wanted.find(I);
    // The reserved word is not written.
    const size_t Size = offsetof(SeamscopeGpuSlot, threads);
    const SeamscopeGpuSlot &Right = Found == Wanted.end() ? Before[I] : Found->second;
    expect(std::memcmp(&Slots[I], &Right, Size) == 0,
           std::string(What.Name) + ", slot " + std::to_string(I) + " of " +
               std::to_string(Slots.size()) + ": block " + std::to_string(Slots[I].block) +
               " warp " + std::to_string(Slots[I].warp));
  }
}

} // namespace

int main() {
  std::mt19937 Random(20260101);
  std::set<uint32_t> Ids;
  for (const Known &What : Kernels) {
    const SeamscopeGpuKernel *Entry = What.Entry;
    Ids.insert(Entry->id);
    expect(Entry->id == seamscope_gpu_kernel_id(What.Name), "the id is not that of the symbol");
    expect(textAt(Entry, Entry->name) == What.Name &&
               textAt(Entry, Entry->linkage_name) == What.Name,
           "names");
    const std::string File = textAt(Entry, Entry->file);
    expect(File.ends_with("/kernels.cu") && File.starts_with("/") && Entry->line > 10,
           "place of " + std::string(What.Name));
    for (int Times = 0; Times < 12; ++Times) {
      standin::setClocks(Random() % 2 ? ~0ull - 5000 : Random(),
                         Random() % 2 ? ~0ull - 900 : Random());
      runOnce(Random, What, Random() % 4, Random() % 9, Random() % 4, Random() % 3 ? 32 : 1);
    }
  }
  expect(Ids.size() == std::size(Kernels), "two kernels have one id");
  std::printf(Failures ? "%d failures\n" : "every slot is what the clock did\n", Failures);
  return Failures != 0;
}
