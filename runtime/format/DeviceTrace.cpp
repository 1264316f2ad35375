//===- DeviceTrace.cpp - GPU entries of a spool, joined and placed ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "format/DeviceTrace.h"

#include <algorithm>
#include <tuple>

namespace seamscope::format {

bool DeviceTrace::collect(const DeviceEntry &Entry) {
  switch (Entry.Kind) {
  case DeviceEntryKind::Text: {
    const auto &Text = reinterpret_cast<const DeviceText &>(Entry);
    // Ids are dense: an id that a file of this size cannot have is damage.
    if (!Text.Id || Text.Id > Spool->blocks() * (BlockBytes / sizeof(DeviceText)))
      return true;
    const char **Place = Texts.at(Text.Id);
    if (Place)
      *Place = reinterpret_cast<const char *>(&Text + 1);
    return Place != nullptr;
  }
  case DeviceEntryKind::Clock:
    return Clocks.add(reinterpret_cast<const DeviceClock &>(Entry));
  case DeviceEntryKind::Properties: {
    const auto &Of = reinterpret_cast<const DeviceProperties &>(Entry);
    return Of.Device >= MostDevices || propertiesOf(Of.Device) || Properties.add(&Of);
  }
  case DeviceEntryKind::Activity: {
    const auto &Activity = reinterpret_cast<const DeviceActivity &>(Entry);
    if (Activity.EndNs < Activity.BeginNs || Activity.Device >= MostDevices) {
      ++Counts[static_cast<size_t>(DeviceCountOf::BrokenRecords)];
      return true;
    }
    return Activities.add(&Activity);
  }
  case DeviceEntryKind::Inside: {
    const auto &Inside = reinterpret_cast<const DeviceInside &>(Entry);
    return Inside.EndNs < Inside.BeginNs || Inside.Device >= MostDevices || Insides.add(&Inside);
  }
  case DeviceEntryKind::BlockSpan: {
    const auto &Span = reinterpret_cast<const DeviceBlockSpan &>(Entry);
    return Span.EndNs < Span.BeginNs || Span.Device >= MostDevices || BlockSpans.add(&Span);
  }
  case DeviceEntryKind::Loop: {
    const auto &Loop = reinterpret_cast<const DeviceLoop &>(Entry);
    return Loop.Clocks > Loop.KernelClocks || Loop.Device >= MostDevices || Loops.add(&Loop);
  }
  case DeviceEntryKind::Work: {
    const auto &Work = reinterpret_cast<const DeviceWork &>(Entry);
    return Work.Words > (Entry.Size - sizeof(Work)) / sizeof(uint64_t) ||
           Work.Device >= MostDevices || Works.add(&Work);
  }
  case DeviceEntryKind::CountedKernel:
    return CountedKernels.add(&reinterpret_cast<const DeviceCountedKernel &>(Entry));
  case DeviceEntryKind::External:
    return Externals.add(&reinterpret_cast<const DeviceExternal &>(Entry));
  case DeviceEntryKind::GraphNode:
    return GraphNodes.add(&reinterpret_cast<const DeviceGraphNode &>(Entry));
  case DeviceEntryKind::Count: {
    const auto &Count = reinterpret_cast<const DeviceCount &>(Entry);
    if (const auto What = static_cast<size_t>(Count.What); What < sizeof(Counts) / sizeof(*Counts))
      Counts[What] += Count.Number;
    return true;
  }
  }
  return true;
}

bool DeviceTrace::read(const SpoolReader &From, const SeamscopeWindow *Windows,
                       size_t WindowCount) {
  Spool = &From;
  bool Ok = true;
  From.forEachDeviceEntry([&](const DeviceEntry &Entry) { Ok = Ok && collect(Entry); });
  if (!Ok)
    return false;
  keepSteps();
  dropOlder();
  if (!joinInsides() || !joinWorks() || !collectCaptures())
    return false;
  collectCountedKernels();
  if (Windows) {
    const auto IsOutside = [&](uint64_t Ns) {
      for (size_t I = 0; I < WindowCount; ++I)
        if (Ns >= From.nsSinceStart(Windows[I].begin) && Ns < From.nsSinceStart(Windows[I].end))
          return false;
      return true;
    };
    for (const DeviceActivity *&Each : Activities)
      if (IsOutside(place(Each->BeginNs)))
        Each = nullptr;
    for (const DeviceInside *&Each : Insides)
      if (IsOutside(placeOnDevice(Each->Device, Each->BeginNs)))
        Each = nullptr;
    for (const DeviceBlockSpan *&Each : BlockSpans)
      if (IsOutside(placeOnDevice(Each->Device, Each->BeginNs)))
        Each = nullptr;
  }
  return collectKernels() && collectTracks();
}

/// Also counts launches without stamps of kernels that left stamps in other launches: they ran
/// faster than the ring was read.
bool DeviceTrace::collectKernels() {
  for (const DeviceInside *Each : Insides)
    if (Each && !Kernels.add(Each))
      return false;
  std::sort(Kernels.begin(), Kernels.end(), [](const DeviceInside *A, const DeviceInside *B) {
    return std::tuple(A->Kernel, A) < std::tuple(B->Kernel, B);
  });
  Kernels.shrink(static_cast<size_t>(std::unique(Kernels.begin(), Kernels.end(),
                                                 [](const DeviceInside *A, const DeviceInside *B) {
                                                   return A->Kernel == B->Kernel;
                                                 }) -
                                     Kernels.begin()));
  for (size_t I = 0; I < Activities.size(); ++I)
    WithoutStamps += Activities[I] && !InsideOf[I] && kernelOf({Activities[I], nullptr, nullptr});
  return true;
}

const DeviceInside *DeviceTrace::kernelOf(const Event &Of) const {
  if (Of.Inside)
    return Of.Inside;
  if (!Of.Span && Of.Activity->Kind != DeviceActivityKind::Kernel)
    return nullptr;
  const uint32_t Wanted = Of.Span ? Of.Span->Kernel : Of.Activity->Kernel;
  const DeviceInside *const *Known = std::lower_bound(
      Kernels.begin(), Kernels.end(), Wanted,
      [](const DeviceInside *Each, uint32_t Kernel) { return Each->Kernel < Kernel; });
  return Known != Kernels.end() && (*Known)->Kernel == Wanted ? *Known : nullptr;
}

/// Readings of the clocks vary by some ns. One offset is kept until a later one differs by more
/// than that, so that gaps are the device's own, to the ns.
void DeviceTrace::keepSteps() {
  constexpr int64_t NoiseNs = 1000;
  size_t Used = 0;
  int64_t First = 0, Last = 0;
  for (size_t I = 0; I < Clocks.size(); ++I) {
    const auto Offset = static_cast<int64_t>(Clocks[I].Ns - Spool->nsSinceStart(Clocks[I].Tick));
    if (!I)
      First = Offset;
    const auto Apart = [&](int64_t From) { return Offset < From ? From - Offset : Offset - From; };
    ClockSkewNs = std::max(ClockSkewNs, static_cast<uint64_t>(Apart(First)));
    if (I && Apart(Last) <= NoiseNs)
      continue;
    Clocks[Used++] = Clocks[I];
    Last = Offset;
  }
  Clocks.shrink(Used);
}

/// A trace that was written before left older entries of the same launches in the spool. The last
/// entry counts.
void DeviceTrace::dropOlder() {
  const auto KeepLast = [](auto &List, auto KeyOf) {
    // Addresses have the order of the file. (A stable sort would need the C++ library.)
    std::sort(List.begin(), List.end(), [&](const auto *A, const auto *B) {
      return std::tuple(KeyOf(*A), A) < std::tuple(KeyOf(*B), B);
    });
    size_t Used = 0;
    for (size_t I = 0; I < List.size(); ++I) {
      Used -= Used && KeyOf(*List[Used - 1]) == KeyOf(*List[I]);
      List[Used++] = List[I];
    }
    List.shrink(Used);
  };
  KeepLast(Insides, [](const DeviceInside &Each) {
    return std::tuple(Each.Device, Each.Number, Each.Kernel);
  });
  KeepLast(Loops, [](const DeviceLoop &Each) {
    return std::tuple(Each.Device, Each.Number, Each.Kernel, Each.Index);
  });
  KeepLast(Externals,
           [](const DeviceExternal &Each) { return std::tuple(Each.Correlation, Each.Layer); });
  KeepLast(BlockSpans, [](const DeviceBlockSpan &Each) {
    return std::tuple(Each.Device, Each.Number, Each.Kernel, Each.Block);
  });
}

/// A launch has one number in the stamps and in CUPTI's records, but the replays of a CUDA graph's
/// node have the same: the stamps are of the one that ran then. If no numbers match, the two count
/// differently: then the order of a kernel's launches joins them, if there are as many of both.
bool DeviceTrace::joinInsides() {
  if (!InsideOf.at(Activities.size()) || !ActivityOf.at(Insides.size()))
    return false;
  struct Key {
    uint32_t Device, Kernel, Number;
    auto operator<=>(const Key &) const = default;
  };
  struct Launch {
    Key Of;
    uint32_t Index; ///< in Activities
    auto operator<=>(const Launch &) const = default;
  };
  GrowingList<Launch> Recorded;
  for (size_t I = 0; I < Activities.size(); ++I)
    if (const DeviceActivity &A = *Activities[I]; A.Kind == DeviceActivityKind::Kernel)
      if (!Recorded.add(
              {{A.Device, A.Kernel, static_cast<uint32_t>(A.Number)}, static_cast<uint32_t>(I)}))
        return false;
  std::sort(Recorded.begin(), Recorded.end());
  const auto With = [&](const DeviceInside &I) {
    const Key Wanted = {I.Device, I.Kernel, I.Number};
    const Launch *const First =
        std::lower_bound(Recorded.begin(), Recorded.end(), Launch{Wanted, 0});
    return std::pair(
        First, std::find_if<const Launch *>(First, Recorded.end(),
                                            [&](const Launch &Each) { return Each.Of != Wanted; }));
  };
  bool Any = false;
  for (size_t I = 0; I < Insides.size(); ++I) {
    const auto [First, Last] = With(*Insides[I]);
    Any |= First != Last;
    if (Last - First == 1)
      join(I, First->Index);
  }
  if (!Any && Insides.size() && !joinInOrder())
    return false;
  if (!measureAhead())
    return false;
  for (size_t I = 0; I < Insides.size(); ++I) {
    const auto [First, Last] = With(*Insides[I]);
    if (Last - First < 2)
      continue;
    int64_t *const Ahead = AheadNs.at(Insides[I]->Device);
    if (!Ahead)
      return false;
    // If all kernels are of graphs: a ring that was read at the end has the last replay.
    if (!*Ahead)
      *Ahead = aheadOf(*Insides[I], *Activities[(Last - 1)->Index]);
    const Launch *const Ran = std::find_if(First, Last, [&](const Launch &Each) {
      return fits(*Insides[I], *Activities[Each.Index], *Ahead);
    });
    if (Ran != Last)
      join(I, Ran->Index);
    else
      Insides[I] = nullptr; // parts of several replays
  }
  return true;
}

void DeviceTrace::join(size_t Inside, size_t Activity) {
  InsideOf[Activity] = static_cast<uint32_t>(Inside + 1);
  ActivityOf[Inside] = static_cast<uint32_t>(Activity + 1);
}

/// Zero stands for unknown; 1 in its place is off by 1 ns at most.
int64_t DeviceTrace::aheadOf(const DeviceInside &Inside, const DeviceActivity &Kernel) {
  const auto Ns = static_cast<int64_t>(Inside.BeginNs - Kernel.BeginNs);
  return Ns ? Ns : 1;
}

/// Whether the stamps lie within the kernel, but for the resolution of the clocks.
bool DeviceTrace::fits(const DeviceInside &Inside, const DeviceActivity &Kernel, int64_t Ahead) {
  constexpr int64_t SlackNs = 1000;
  const auto At = [&](uint64_t Ns) {
    return static_cast<int64_t>(Ns - static_cast<uint64_t>(Ahead) - Kernel.BeginNs);
  };
  const auto Length = static_cast<int64_t>(Kernel.EndNs - Kernel.BeginNs);
  return At(Inside.BeginNs) >= -SlackNs && At(Inside.EndNs) <= Length + SlackNs;
}

/// A warp begins after its kernel, so the least difference of the begins is that of the clocks.
bool DeviceTrace::measureAhead() {
  for (size_t I = 0; I < Insides.size(); ++I)
    if (ActivityOf[I]) {
      int64_t *Ahead = AheadNs.at(Insides[I]->Device);
      if (!Ahead)
        return false;
      const int64_t Seen = aheadOf(*Insides[I], *Activities[ActivityOf[I] - 1]);
      *Ahead = *Ahead ? std::min(*Ahead, Seen) : Seen;
    }
  return true;
}

bool DeviceTrace::joinInOrder() {
  struct Entry {
    uint32_t Device, Kernel;
    uint64_t BeginNs;
    uint32_t Index;
    auto operator<=>(const Entry &) const = default;
    bool isOfSame(const Entry &Other) const {
      return Device == Other.Device && Kernel == Other.Kernel;
    }
  };
  GrowingList<Entry> Stamped, Recorded;
  for (size_t I = 0; I < Insides.size(); ++I)
    if (!Stamped.add({Insides[I]->Device, Insides[I]->Kernel, Insides[I]->BeginNs,
                      static_cast<uint32_t>(I)}))
      return false;
  for (size_t I = 0; I < Activities.size(); ++I)
    if (const DeviceActivity &A = *Activities[I]; A.Kind == DeviceActivityKind::Kernel)
      if (!Recorded.add({A.Device, A.Kernel, A.BeginNs, static_cast<uint32_t>(I)}))
        return false;
  std::sort(Stamped.begin(), Stamped.end());
  std::sort(Recorded.begin(), Recorded.end());
  for (size_t S = 0; S < Stamped.size();) {
    const auto IsOther = [&](const Entry &Each) { return !Each.isOfSame(Stamped[S]); };
    const Entry *const StampedEnd = std::find_if(&Stamped[S], Stamped.end(), IsOther);
    const Entry *First = std::find_if_not(Recorded.begin(), Recorded.end(), IsOther);
    const Entry *const RecordedEnd = std::find_if<const Entry *>(First, Recorded.end(), IsOther);
    const auto Count = static_cast<size_t>(StampedEnd - &Stamped[S]);
    if (static_cast<size_t>(RecordedEnd - First) == Count)
      for (size_t I = 0; I < Count; ++I) {
        join(Stamped[S + I].Index, First[I].Index);
        InOrder = true;
      }
    S += Count;
  }
  return true;
}

bool DeviceTrace::collectTracks() {
  for (const DeviceActivity *Each : Activities) {
    if (!Each)
      continue;
    if (isDeviceWork(Each->Kind) && !Launched.add(Each->Correlation))
      return false;
    if ((isDeviceWork(Each->Kind) || Each->Kind == DeviceActivityKind::Wait) &&
        !Streams.add({Each->Device, Each->Stream}))
      return false;
  }
  for (size_t I = 0; I < Insides.size(); ++I)
    if (Insides[I] && !ActivityOf[I] && !Streams.add({Insides[I]->Device, UnknownStream}))
      return false;
  for (const DeviceBlockSpan *Each : BlockSpans)
    if (Each && !Sms.add({Each->Device, Each->Sm}))
      return false;
  std::sort(Launched.begin(), Launched.end());
  std::sort(Streams.begin(), Streams.end());
  std::sort(Sms.begin(), Sms.end());
  return true;
}

std::pair<const DeviceLoop *const *, const DeviceLoop *const *>
DeviceTrace::loopsOf(const DeviceInside &Inside) const {
  const auto Launch = [](const auto &Of) { return std::tuple(Of.Device, Of.Number, Of.Kernel); };
  const DeviceLoop *const *const First = std::lower_bound(
      Loops.begin(), Loops.end(), Launch(Inside),
      [&](const DeviceLoop *Each, const auto &Wanted) { return Launch(*Each) < Wanted; });
  const DeviceLoop *const *Last = First;
  while (Last != Loops.end() && Launch(**Last) == Launch(Inside))
    ++Last;
  return {First, Last};
}

const char *DeviceTrace::text(uint32_t Id) const {
  const char *Text = Id < Texts.size() ? Texts[Id] : nullptr;
  return Text ? Text : "";
}

uint64_t DeviceTrace::place(uint64_t Ns) const {
  // Without readings: CUPTI's clock is the time of day unless another one was set.
  if (!Clocks.size())
    return Ns > Spool->startRealtimeNs() ? Ns - Spool->startRealtimeNs() : 0;
  const auto IsBy = [&](size_t I) {
    return Clocks[I].Ns <= Ns && (I + 1 == Clocks.size() || Ns < Clocks[I + 1].Ns);
  };
  if (!IsBy(LastClock)) {
    LastClock = Clocks.size() - 1;
    while (LastClock && Clocks[LastClock].Ns > Ns)
      --LastClock;
  }
  const DeviceClock &Clock = Clocks[LastClock];
  const uint64_t At = Spool->nsSinceStart(Clock.Tick);
  if (Ns >= Clock.Ns)
    return At + (Ns - Clock.Ns);
  return At > Clock.Ns - Ns ? At - (Clock.Ns - Ns) : 0;
}

uint64_t DeviceTrace::placeOnDevice(uint32_t Device, uint64_t Ns) const {
  const int64_t Ahead = Device < AheadNs.size() ? AheadNs[Device] : 0;
  return place(Ns - static_cast<uint64_t>(Ahead));
}

const DeviceProperties *DeviceTrace::propertiesOf(uint32_t Device) const {
  for (const DeviceProperties *Each : Properties)
    if (Each->Device == Device)
      return Each;
  return nullptr;
}

} // namespace seamscope::format
