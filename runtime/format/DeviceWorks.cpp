//===- DeviceWorks.cpp - joins counters of work with launches --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "format/DeviceTrace.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace seamscope::format {

/// How far the moment at which a launch's last threads left is from the kernel's end; nothing if it
/// is not within the kernel, but for the resolution of the clocks.
static std::optional<uint64_t> distance(const DeviceWork &Work, const DeviceActivity &Kernel,
                                        int64_t Ahead) {
  constexpr uint64_t SlackNs = 1000;
  const uint64_t At = Work.EndNs - static_cast<uint64_t>(Ahead);
  if (At + SlackNs < Kernel.BeginNs || At > Kernel.EndNs + SlackNs)
    return std::nullopt;
  return At < Kernel.EndNs ? Kernel.EndNs - At : At - Kernel.EndNs;
}

/// The replays of a CUDA graph's node have one number. They run one after the other: if all of them
/// were counted, their order joins them; otherwise the time does. What remains is of no launch.
bool DeviceTrace::joinWorks() {
  if (!WorkOf.at(Activities.size()) || !WorkOfInside.at(Insides.size()))
    return false;
  struct Launch {
    uint32_t Device, Kernel, Number;
    uint64_t Ns;
    uint32_t Index;
    auto launch() const { return std::tuple(Device, Kernel, Number); }
    auto operator<=>(const Launch &) const = default;
  };
  GrowingList<Launch> Recorded, Counted;
  for (size_t I = 0; I < Activities.size(); ++I)
    if (const DeviceActivity &A = *Activities[I]; A.Kind == DeviceActivityKind::Kernel)
      if (!Recorded.add({A.Device, A.Kernel, static_cast<uint32_t>(A.Number), A.BeginNs,
                         static_cast<uint32_t>(I)}))
        return false;
  for (size_t I = 0; I < Works.size(); ++I)
    if (const DeviceWork &W = *Works[I];
        !Counted.add({W.Device, W.Kernel, W.Number, W.EndNs, static_cast<uint32_t>(I)}))
      return false;
  std::sort(Recorded.begin(), Recorded.end());
  std::sort(Counted.begin(), Counted.end());
  const auto Of = [](const GrowingList<Launch> &List, const Launch &Wanted) {
    const auto Before = [](const Launch &A, const Launch &B) { return A.launch() < B.launch(); };
    return std::pair(std::lower_bound(List.begin(), List.end(), Wanted, Before),
                     std::upper_bound(List.begin(), List.end(), Wanted, Before));
  };
  for (const Launch *First = Counted.begin(), *Last; First != Counted.end(); First = Last) {
    Last = Of(Counted, *First).second;
    const auto [FirstRun, LastRun] = Of(Recorded, *First);
    const int64_t Ahead = First->Device < AheadNs.size() ? AheadNs[First->Device] : 0;
    for (const Launch *Each = First; Each != Last; ++Each) {
      const DeviceWork &Work = *Works[Each->Index];
      const auto Distance = [&](const Launch &Run) {
        return distance(Work, *Activities[Run.Index], Ahead);
      };
      const Launch *Ran = nullptr;
      if (Last - First == LastRun - FirstRun) {
        Ran = FirstRun + (Each - First);
        if (Last - First > 1 && Ahead && !Distance(*Ran))
          Ran = nullptr;
      } else if (Ahead) {
        for (const Launch *Run = FirstRun; Run != LastRun; ++Run)
          if (Distance(*Run) && (!Ran || *Distance(*Run) < *Distance(*Ran)))
            Ran = Run;
      }
      if (Ran) // that of two is of neither
        WorkOf[Ran->Index] = WorkOf[Ran->Index] ? 0 : Each->Index + 1;
    }
  }
  // Where CUPTI has no number of the launch, its stamps have one.
  for (size_t I = 0; I < Insides.size(); ++I) {
    const size_t Activity = ActivityOf[I];
    if (!Insides[I] || (Activity && (!InOrder || WorkOf[Activity - 1])))
      continue;
    const DeviceInside &Inside = *Insides[I];
    const auto [First, Last] =
        Of(Counted, {Inside.Device, Inside.Kernel, Inside.Number, Inside.BeginNs, 0});
    const Launch *const Ended =
        std::find_if(First, Last, [&](const Launch &Each) { return Each.Ns >= Inside.BeginNs; });
    if (Ended != Last)
      (Activity ? WorkOf[Activity - 1] : WorkOfInside[I]) = Ended->Index + 1;
  }
  return true;
}

void DeviceTrace::collectCountedKernels() {
  const auto IdOf = [](const DeviceCountedKernel *Each) {
    return std::tuple(Each->Kernel, Each->Id);
  };
  std::sort(CountedKernels.begin(), CountedKernels.end(),
            [&](const auto *A, const auto *B) { return IdOf(A) < IdOf(B); });
  const auto *const Last =
      std::unique(CountedKernels.begin(), CountedKernels.end(),
                  [&](const auto *A, const auto *B) { return IdOf(A) == IdOf(B); });
  CountedKernels.shrink(static_cast<size_t>(Last - CountedKernels.begin()));
}

bool DeviceTrace::isWorkLost(const DeviceEventFacts &Of) const {
  if (Of.Work || Of.Span || (Of.Activity && Of.Activity->Kind != DeviceActivityKind::Kernel))
    return false;
  const uint32_t Wanted = Of.Activity ? Of.Activity->Kernel : Of.Inside->Kernel;
  const auto *const Known = std::lower_bound(
      CountedKernels.begin(), CountedKernels.end(), Wanted,
      [](const DeviceCountedKernel *Each, uint32_t Kernel) { return Each->Kernel < Kernel; });
  return Wanted && Known != CountedKernels.end() && (*Known)->Kernel == Wanted;
}

} // namespace seamscope::format
