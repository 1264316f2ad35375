//===- GpuLoops.cpp - the loops of GPU kernels, summed --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stamps are in clocks of an SM, and the number of clocks in a ns changes with
// its frequency. So a loop's time is its share of the kernel's: the share of
// all clocks of the kernel's threads that are in the loop. Fractions of a ns
// are cut off, or the loops of a kernel could add up to more than the kernel.
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/GpuLoops.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace seamscope::tools {
namespace {

/// One kernel's loops while they are summed. Two kernels may have one name: then a loop is
/// identified by its site and the loop around it.
class Sums {
public:
  void add(std::span<const KernelLoop> Launch, int64_t Ns) {
    ++Its.Launches;
    Its.TotalNs += Ns;
    std::vector<uint32_t> Numbers;
    for (const KernelLoop &Loop : Launch) {
      const uint32_t Parent = Loop.Parent ? Numbers[Loop.Parent - 1] : GpuLoop::None;
      const uint32_t Number = numberOf(Loop.Site, Parent);
      Numbers.push_back(Number);
      GpuLoop &Into = Its.Loops[Number];
      Into.Calls += static_cast<uint64_t>(Loop.Entries);
      if (!Loop.KernelClocks || !Loop.Threads)
        continue;
      TotalNs[Number] += static_cast<double>(Ns) * static_cast<double>(Loop.Clocks) /
                         static_cast<double>(Loop.KernelClocks);
      Into.Clocks += static_cast<double>(Loop.Clocks) / static_cast<double>(Loop.Threads);
    }
  }

  GpuKernelLoops finish(const std::vector<Site> &Sites) {
    Its.SelfNs = Its.TotalNs;
    for (size_t I = 0; I < Its.Loops.size(); ++I) {
      GpuLoop &Loop = Its.Loops[I];
      Loop.TotalNs = Loop.SelfNs = static_cast<int64_t>(TotalNs[I]);
      Loop.Clocks /= static_cast<double>(Its.Launches);
    }
    for (const GpuLoop &Loop : Its.Loops)
      (Loop.Parent == GpuLoop::None ? Its.SelfNs : Its.Loops[Loop.Parent].SelfNs) -= Loop.TotalNs;
    return inOrder(Sites);
  }

private:
  uint32_t numberOf(SiteId Site, uint32_t Parent) {
    const auto [Known, New] =
        Places.try_emplace({Parent, Site}, static_cast<uint32_t>(Its.Loops.size()));
    if (New) {
      GpuLoop &Loop = Its.Loops.emplace_back();
      Loop.Site = Site;
      Loop.Parent = Parent;
      Loop.Depth = Parent == GpuLoop::None ? 1 : Its.Loops[Parent].Depth + 1;
      TotalNs.push_back(0);
    }
    return Known->second;
  }

  /// Each loop followed by its inner loops, siblings in source order.
  GpuKernelLoops inOrder(const std::vector<Site> &Sites) const {
    GpuKernelLoops Result = Its;
    Result.Loops.clear();
    add(Sites, Result, GpuLoop::None, GpuLoop::None);
    return Result;
  }

  void add(const std::vector<Site> &Sites, GpuKernelLoops &To, uint32_t Parent,
           uint32_t NewParent) const {
    std::vector<uint32_t> Inner;
    for (uint32_t I = 0; I < Its.Loops.size(); ++I)
      if (Its.Loops[I].Parent == Parent)
        Inner.push_back(I);
    std::ranges::stable_sort(Inner, {}, [&](uint32_t I) {
      const Site &What = Sites[Its.Loops[I].Site];
      return std::tuple(What.File, What.Line, What.Column);
    });
    for (const uint32_t I : Inner) {
      To.Loops.push_back(Its.Loops[I]);
      To.Loops.back().Parent = NewParent;
      add(Sites, To, I, static_cast<uint32_t>(To.Loops.size() - 1));
    }
  }

  GpuKernelLoops Its;
  std::vector<double> TotalNs; ///< by loop
  std::map<std::pair<uint32_t, SiteId>, uint32_t> Places;
};

} // namespace

GpuLoops gpuLoops(const Trace &Input) {
  std::map<std::pair<StringId, int32_t>, Sums> All;
  const std::span<const KernelLoop> Loops = Input.Details.KernelLoops;
  for (size_t First = 0, Last; First < Loops.size(); First = Last) {
    const uint32_t Event = Loops[First].Event;
    for (Last = First; Last < Loops.size() && Loops[Last].Event == Event;)
      ++Last;
    const Site &Kernel = Input.Sites[Input.Events.Site[Event]];
    All[{Kernel.Name, Kernel.Device}].add(Loops.subspan(First, Last - First),
                                          Input.Events.DurationNs[Event]);
  }
  GpuLoops Result;
  for (auto &[Key, Each] : All)
    Result.emplace(Key, Each.finish(Input.Sites));
  return Result;
}

} // namespace seamscope::tools
