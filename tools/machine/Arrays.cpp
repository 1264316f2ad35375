//===- Arrays.cpp - the arrays of a level of the memory -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "machine/Arrays.h"

#include <sys/mman.h>

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr uint64_t LeastPart = 3 * 64 * sizeof(double); ///< a block of each array
constexpr uint64_t GapBytes = 16 << 10;                 ///< more than a small page
constexpr uint64_t PageBytes = 2 << 20;                 ///< a large page

} // namespace

std::vector<LevelPlan> planLevels(const Processor &On, uint64_t Memory,
                                  std::vector<std::string> &LeftOut) {
  std::vector<LevelPlan> Plans;
  const auto Threads = static_cast<unsigned>(On.Used.size());
  uint64_t Below = 0; ///< bytes that the caches so far hold for a thread
  for (const CacheLevel &Each : On.Caches) {
    const std::string Name = fmt::format("L{}", Each.Level);
    const uint64_t Part = Each.Bytes / 2 / Each.Sharing;
    if (Part < LeastPart || (Below && Part < Below)) {
      LeftOut.push_back(fmt::format(
          "{} is left out: half of a thread's share is {} bytes, which the level before holds",
          Name, Part));
      continue;
    }
    if (Memory && Part * Threads > Memory) {
      LeftOut.push_back(
          fmt::format("{} is left out: its arrays of {} MB are more than a quarter of "
                      "the available memory",
                      Name, Part * Threads / 1'000'000));
      continue;
    }
    if (Each.Level > 2 && Below && Part > 8 * Below)
      Plans.push_back({Name, 4 * Below, 1, Each.Bytes, Each.Bytes * Each.Caches});
    Plans.push_back({Name, Part, Each.OfFirst, Each.Bytes, Each.Bytes * Each.Caches});
    Below = Each.Bytes / Each.Sharing;
  }
  constexpr uint64_t Unknown = 256 << 20;
  const bool Known = !On.Caches.empty();
  const uint64_t Last = Known ? On.Caches.back().Bytes * On.Caches.back().Caches : Unknown / 4;
  // A part of a set stays in a cache of an eighth of it, too, but a small one. Each processor of a
  // virtual machine may be next to a cache of its own, where the machine says that they share one.
  constexpr uint64_t Sets = 8, MostForHidden = 1 << 30;
  const uint64_t Hidden = Known ? On.Caches.back().Bytes * Threads : 0;
  const uint64_t Wanted = std::max(Sets * Last, std::min(Sets * Hidden, MostForHidden));
  const uint64_t Bytes = Memory ? std::min(Wanted, Memory) : Wanted;
  if (Bytes < 2 * Last)
    LeftOut.push_back(fmt::format("DRAM is left out: a quarter of the available memory, {} MB, is "
                                  "less than twice the last level, {} MB",
                                  Bytes / 1'000'000, Last / 1'000'000));
  else
    Plans.push_back({"DRAM", Bytes / Threads, Known ? On.Caches.back().OfFirst : Threads, 0, 0});
  return Plans;
}

std::unique_ptr<Arrays> Arrays::create(Team &By, unsigned Threads, uint64_t PartBytes) {
  std::unique_ptr<Arrays> New(new Arrays);
  const uint64_t Part = std::max(PartBytes / LeastPart, uint64_t{1}) * LeastPart;
  New->PartElements = Part / sizeof(double);
  New->Stride = New->PartElements + GapBytes / sizeof(double);
  New->Bytes = (New->Stride * sizeof(double) * Threads + PageBytes - 1) / PageBytes * PageBytes;
  void *Mapped =
      mmap(nullptr, New->Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Mapped == MAP_FAILED)
    return nullptr;
  New->Begin = static_cast<double *>(Mapped);
  madvise(Mapped, New->Bytes, MADV_HUGEPAGE);
  By.run(Threads, 1, [&](unsigned Thread) {
    std::fill_n(New->Begin + Thread * New->Stride, New->Stride, 0.5);
  });
  return New;
}

Arrays::~Arrays() {
  if (Begin)
    munmap(Begin, Bytes);
}

Arrays::Walk::Walk(const Arrays &In, unsigned First, unsigned Parts, unsigned Count)
    : A(In.Begin + First * In.Stride),
      Length(((Parts - 1) * In.Stride + In.PartElements) / Count / 64 * 64) {
  B = A + (Count > 1 ? Length : 0);
  C = A + (Count > 2 ? 2 * Length : 0);
}

} // namespace seamscope::tools
