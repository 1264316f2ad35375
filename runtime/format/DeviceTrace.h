//===- DeviceTrace.h - what a spool has of GPUs, as typed facts ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and tracks are those of torch.profiler, so that whatever reads its traces reads these.
// Begins are placed on the spool's clock; durations are the device's own, to the ns.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_DEVICETRACE_H
#define SEAMSCOPE_FORMAT_DEVICETRACE_H

#include "format/CallSums.h"
#include "format/DeviceNames.h"
#include "format/GrowingArray.h"
#include "format/SpoolReader.h"
#include "seamscope/seamscope.h"

#include <algorithm>
#include <compare>
#include <cstdio>
#include <utility>

namespace seamscope::format {

/// A process or a track of a device, as the trace names them.
struct DeviceTrackFacts {
  uint32_t Device;
  uint64_t Tid;
  bool IsSm;       ///< a track of the blocks that ran on one SM; else of a stream
  uint32_t Number; ///< of the SM, or of the stream, which may be UnknownStream

  static constexpr size_t NameBytes = 32;
  /// "stream 7", "stream not known", "SM 3", written into \p Into.
  const char *name(char (&Into)[NameBytes]) const {
    if (!IsSm && Number == UnknownStream)
      return "stream not known";
    snprintf(Into, NameBytes, "%s %u", IsSm ? "SM" : "stream", Number);
    return Into;
  }
};

/// Of a kernel's grid or block.
constexpr uint64_t product(const uint32_t (&Size)[3]) {
  return uint64_t{Size[0]} * Size[1] * Size[2];
}

/// `Part / Whole * Scale` in thousandths, rounded; -1 where there is no whole.
constexpr int64_t thousandths(uint64_t Part, uint64_t Whole, uint64_t Scale = 1) {
  if (!Whole)
    return -1;
  const auto Exact = static_cast<unsigned __int128>(Part) * (1000 * Scale) + Whole / 2;
  return static_cast<int64_t>(std::min<unsigned __int128>(Exact / Whole, INT64_MAX));
}

/// One event: an activity, with what is known of its inside, or one of the others alone.
struct DeviceEventFacts {
  enum class Arrow : uint8_t { None, Begins, Ends };

  const DeviceActivity *Activity;
  const DeviceInside *Inside;
  const DeviceBlockSpan *Span;
  const char *Category;
  char Composed[80]; ///< its name, where that is put together
  const char *Known; ///< its name; null: Composed
  int64_t Pid;       ///< number of the device, or the host's process; -1: CUPTI's own work
  uint64_t Tid;
  bool IsOnDevice;
  uint32_t Device;
  uint64_t BeginNs, LengthNs;
  const char *name() const { return Known ? Known : Composed; }

  Arrow Flow; ///< from the call on the host to the work that it launched; by correlation
};

/// What the stamps say of one launch. Ratios are in thousandths; below 0: not known.
struct InsideFacts {
  const char *Kernel, *File; ///< empty: not known
  uint32_t Line;
  uint32_t Sms, Blocks, Warps, OpenWarps, ResidentBlocks;
  uint64_t Ns;
  bool IsIncomplete; ///< a part was left by chance: nothing follows from it for the whole
  int64_t TailPercent, SmImbalance, WarpImbalance, Waves;
  int64_t Share;     ///< of the launch's warps that left stamps
  int64_t LostWarps; ///< below 0: not known
};

class DeviceTrace {
public:
  /// Collects the entries of \p From, which must live as long. Of activities those that begin in a
  /// window, if there are any. False when there is no memory.
  bool read(const SpoolReader &From, const SeamscopeWindow *Windows, size_t WindowCount);

  bool empty() const { return !Activities.size() && !Insides.size() && !Properties.size(); }

  /// The text that an entry names; empty: it has none.
  const char *text(uint32_t Id) const;

  /// Visit(const DeviceProperties &).
  template <typename FnT> void forEachDevice(FnT Visit) const {
    for (const DeviceProperties *Each : Properties)
      Visit(*Each);
  }
  const DeviceProperties *propertiesOf(uint32_t Device) const;

  /// Visit(const DeviceTrackFacts &) for each track once, streams first, by device and number.
  template <typename FnT> void forEachTrack(FnT Visit) const {
    for (const bool IsSm : {false, true}) {
      const GrowingList<DeviceTrack> &Tracks = IsSm ? Sms : Streams;
      for (size_t I = 0; I < Tracks.size(); ++I)
        if (!I || !(Tracks[I - 1] == Tracks[I]))
          Visit(DeviceTrackFacts{Tracks[I].Device, (IsSm ? FirstSmTrack : 0) + Tracks[I].Number,
                                 IsSm, Tracks[I].Number});
    }
  }

  /// Visit(const DeviceEventFacts &) for each event that is not left out.
  template <typename FnT> void forEachEvent(FnT Visit) const {
    forEach([&](const Event &Each) { Visit(factsOf(Each)); });
  }

  /// \p Kernel: the launch, where CUPTI recorded it; else null.
  InsideFacts insideFacts(const DeviceInside &Inside, const DeviceActivity *Kernel) const;
  /// Visit(const DeviceLoop &) for the loops of a launch, in the kernel's order.
  template <typename FnT> void forEachLoop(const DeviceInside &Inside, FnT Visit) const {
    const auto [First, Last] = loopsOf(Inside);
    for (const DeviceLoop *const *Each = First; Each != Last; ++Each)
      Visit(**Each);
  }
  /// The launch that was captured into that node of a CUDA graph; null: not known.
  const SiteView *captureOf(uint64_t Node) const;
  /// Visit(const DeviceExternal &, bool IsMain) for the numbers that other layers gave to what has
  /// this correlation; the first is the main one, torch's where there is one.
  template <typename FnT> void forEachExternal(uint32_t Correlation, FnT Visit) const;

  uint64_t count(DeviceCountOf What) const { return Counts[static_cast<size_t>(What)]; }
  /// Most that readings of the clocks went apart by since the first.
  uint64_t clockSkewNs() const { return ClockSkewNs; }
  /// Launches that left stamps; of these those whose activity was found; launches of kernels that
  /// left stamps in others.
  size_t stamped() const { return Insides.size(); }
  size_t stampedJoined() const;
  uint64_t withoutStamps() const { return WithoutStamps; }
  /// Whether stamps were joined with activities by order, not by number.
  bool isJoinedInOrder() const { return InOrder; }
  size_t leftOut() const { return LeftOut.size(); }

  /// Visit(uint64_t BeginNs, uint64_t Bytes) for each event: when it began, in ns since the spool's
  /// start, and how long its text is, about.
  template <typename FnT> void forEachSize(FnT Visit) const {
    forEach([&](const Event &Each) { Visit(beginOf(Each), bytesOf(Each)); });
  }

  /// How many they are.
  uint64_t events() const {
    uint64_t Count = 0;
    forEach([&](const Event &) { ++Count; });
    return Count;
  }

  /// Has events that began at \p UntilNs or later written as sums. False: there is no memory.
  bool leaveOut(uint64_t UntilNs);
  /// Visit(const DeviceEventFacts &, const CallSumsNs &, Histogram) for all that was left out of
  /// one name on one track; the buckets of the histogram are of ns.
  template <typename FnT> void forEachSums(FnT Visit) const;

private:
  /// No trace has tracks of so many devices.
  static constexpr uint32_t MostDevices = 4096;
  /// Behind the streams, whose numbers are small.
  static constexpr uint64_t FirstSmTrack = 1000000;

  /// A track of a device: a stream or an SM.
  struct DeviceTrack {
    uint32_t Device, Number;
    bool operator==(const DeviceTrack &) const = default;
    auto operator<=>(const DeviceTrack &) const = default;
  };

  /// What becomes one event: an activity, with what is known of its inside, or one of the others
  /// alone.
  struct Event {
    const DeviceActivity *Activity;
    const DeviceInside *Inside;
    const DeviceBlockSpan *Span;
  };

  template <typename FnT> void forEach(FnT Visit) const {
    for (size_t I = 0; I < Activities.size(); ++I)
      if (Activities[I])
        Visit(Event{Activities[I], InsideOf[I] ? Insides[InsideOf[I] - 1] : nullptr, nullptr});
    for (size_t I = 0; I < Insides.size(); ++I)
      if (Insides[I] && !ActivityOf[I])
        Visit(Event{nullptr, Insides[I], nullptr});
    for (const DeviceBlockSpan *Each : BlockSpans)
      if (Each)
        Visit(Event{nullptr, nullptr, Each});
  }
  static bool isOnDevice(DeviceActivityKind Kind) {
    return isDeviceWork(Kind) || Kind == DeviceActivityKind::Wait;
  }
  static uint32_t deviceOf(const Event &Of);
  uint64_t beginOf(const Event &Of) const;
  uint64_t lengthOf(const Event &Of) const;
  uint64_t bytesOf(const Event &Of) const;
  const char *kernelOf(const DeviceBlockSpan &Span) const;
  DeviceEventFacts factsOf(const Event &Of) const;
  size_t endOfSums(size_t First) const;

  bool collect(const DeviceEntry &Entry);
  void keepSteps();
  void dropOlder();
  bool joinInsides();
  bool joinInOrder();
  bool collectTracks();

  /// Of the activities' clock to ns since the spool's start.
  uint64_t place(uint64_t Ns) const;
  uint64_t placeOnDevice(uint32_t Device, uint64_t Ns) const;
  bool countLaunchesWithoutStamps();
  std::pair<const DeviceLoop *const *, const DeviceLoop *const *>
  loopsOf(const DeviceInside &Inside) const;
  bool collectCaptures();

  const SpoolReader *Spool = nullptr;
  GrowingList<const DeviceActivity *> Activities;
  GrowingList<const DeviceInside *> Insides;
  GrowingList<const DeviceBlockSpan *> BlockSpans;
  GrowingList<const DeviceLoop *> Loops; ///< by launch and index
  GrowingList<const DeviceProperties *> Properties;
  GrowingList<const DeviceExternal *> Externals; ///< by correlation and layer
  GrowingList<DeviceClock> Clocks;
  GrowingArray<const char *> Texts;  ///< by id
  GrowingArray<uint32_t> InsideOf;   ///< by activity: 1 + its inside; 0: none
  GrowingArray<uint32_t> ActivityOf; ///< by inside: 1 + its activity; 0: none
  /// By SeamscopeGpuKernel::id, rising: the text of its name.
  struct KernelText {
    uint32_t Kernel, Name;
    auto operator<=>(const KernelText &) const = default;
  };
  GrowingList<KernelText> KernelNames;
  GrowingList<uint32_t> Launched;        ///< correlations of devices' work, rising
  GrowingList<DeviceTrack> Streams, Sms; ///< rising
  GrowingArray<int64_t> AheadNs;         ///< by device: its clock, of the activities'
  uint64_t Counts[6] = {};               ///< by DeviceCountOf
  bool InOrder = false;
  uint64_t ClockSkewNs = 0;
  GrowingList<const DeviceGraphNode *> GraphNodes; ///< by their numbers
  GrowingList<SiteView> Captures;                  ///< sites of launches, by their ids
  uint64_t WithoutStamps = 0;
  GrowingList<Event> LeftOut; ///< by what they are summed by
  mutable size_t LastClock = 0;
};

template <typename FnT> void DeviceTrace::forEachExternal(uint32_t Correlation, FnT Visit) const {
  const DeviceExternal *const *const First = std::lower_bound(
      Externals.begin(), Externals.end(), Correlation,
      [](const DeviceExternal *Each, uint32_t Wanted) { return Each->Correlation < Wanted; });
  const DeviceExternal *const *Last = First, *const *Main = First;
  for (; Last != Externals.end() && (*Last)->Correlation == Correlation; ++Last)
    if ((*Last)->Layer == ExternalLayerOfTorch)
      Main = Last;
  if (!Correlation || First == Last)
    return;
  Visit(**Main, true);
  for (const DeviceExternal *const *Each = First; Each != Last; ++Each)
    if (Each != Main)
      Visit(**Each, false);
}

template <typename FnT> void DeviceTrace::forEachSums(FnT Visit) const {
  for (size_t I = 0, End; I < LeftOut.size(); I = End) {
    End = endOfSums(I);
    CallSumsNs Sums = {0, 0, UINT64_MAX, 0, UINT64_MAX, 0, 0};
    uint32_t Histogram[HistogramBuckets] = {};
    for (size_t Each = I; Each < End; ++Each) {
      const uint64_t Begin = beginOf(LeftOut[Each]), Length = lengthOf(LeftOut[Each]);
      ++Sums.Calls;
      Sums.TotalNs += Length;
      Sums.MinNs = std::min(Sums.MinNs, Length);
      Sums.MaxNs = std::max(Sums.MaxNs, Length);
      Sums.FirstNs = std::min(Sums.FirstNs, Begin);
      Sums.LastNs = std::max(Sums.LastNs, Begin + Length);
      ++Histogram[histogramBucket(Length)];
    }
    Visit(factsOf(LeftOut[I]), Sums, Histogram);
  }
}

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_DEVICETRACE_H
