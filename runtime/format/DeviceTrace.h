//===- DeviceTrace.h - GPU entries of a spool, as typed facts --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and tracks are those of torch.profiler, so that readers of its traces can read these.
// Begins are converted to the spool's clock; durations are the device's own, to the ns.
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

/// A process or a track of a device, as in the trace.
struct DeviceTrackFacts {
  uint32_t Device;
  uint64_t Tid;
  bool IsSm;       ///< a track of the blocks that ran on one SM; false: of a stream
  uint32_t Number; ///< of the SM, or of the stream, which may be UnknownStream

  static constexpr size_t NameBytes = 32;
  /// Writes "stream 7", "stream not known" or "SM 3" to \p Into and returns it.
  const char *name(char (&Into)[NameBytes]) const {
    if (!IsSm && Number == UnknownStream)
      return "stream not known";
    snprintf(Into, NameBytes, "%s %u", IsSm ? "SM" : "stream", Number);
    return Into;
  }
};

/// The product of the sizes of a kernel's grid or block.
constexpr uint64_t product(const uint32_t (&Size)[3]) {
  return uint64_t{Size[0]} * Size[1] * Size[2];
}

/// `Part / Whole * Scale` in thousandths, rounded; -1 if \p Whole is 0.
constexpr int64_t thousandths(uint64_t Part, uint64_t Whole, uint64_t Scale = 1) {
  if (!Whole)
    return -1;
  const auto Exact = static_cast<unsigned __int128>(Part) * (1000 * Scale) + Whole / 2;
  return static_cast<int64_t>(std::min<unsigned __int128>(Exact / Whole, INT64_MAX));
}

/// One event: an activity with its inside, if there is one; an inside alone; or a block.
struct DeviceEventFacts {
  enum class Arrow : uint8_t { None, Begins, Ends };

  const DeviceActivity *Activity;
  const DeviceInside *Inside;
  const DeviceBlockSpan *Span;
  const DeviceWork *Work; ///< null: not known
  /// Any launch of the kernel with stamps: it has the kernel's name and line. Null: unknown.
  const DeviceInside *Kernel;
  const char *Category;
  char Composed[80]; ///< its name, if that is put together
  const char *Known; ///< its name; null: see Composed
  int64_t Pid;       ///< number of the device, or the host's process; -1: CUPTI's own work
  uint64_t Tid;
  bool IsOnDevice;
  uint32_t Device;
  uint64_t BeginNs, LengthNs;
  const char *name() const { return Known ? Known : Composed; }

  Arrow Flow; ///< from the call on the host to the work that it launched, by correlation
};

/// Figures of one launch from its stamps. Ratios are in thousandths; below 0: unknown.
struct InsideFacts {
  uint32_t Sms, Blocks, Warps, OpenWarps, ResidentBlocks;
  uint64_t Ns;
  bool IsIncomplete; ///< the figures cover a part of the launch, and imply nothing about the whole
  int64_t TailPercent, SmImbalance, WarpImbalance, Waves;
  int64_t Share;     ///< share of the launch's warps that left stamps
  int64_t LostWarps; ///< below 0: unknown
};

class DeviceTrace {
public:
  /// Collects the entries of \p From, which must outlive this object. With windows, takes only
  /// activities that begin in one of them. Returns false if there is no memory.
  bool read(const SpoolReader &From, const SeamscopeWindow *Windows, size_t WindowCount);

  bool empty() const { return !Activities.size() && !Insides.size() && !Properties.size(); }

  /// The text with that id; empty: none.
  const char *text(uint32_t Id) const;

  /// Calls Visit(const DeviceProperties &) for each device.
  template <typename FnT> void forEachDevice(FnT Visit) const {
    for (const DeviceProperties *Each : Properties)
      Visit(*Each);
  }
  const DeviceProperties *propertiesOf(uint32_t Device) const;

  /// Calls Visit(const DeviceTrackFacts &) once for each track: streams first, by device and
  /// number.
  template <typename FnT> void forEachTrack(FnT Visit) const {
    for (const bool IsSm : {false, true}) {
      const GrowingList<DeviceTrack> &Tracks = IsSm ? Sms : Streams;
      for (size_t I = 0; I < Tracks.size(); ++I)
        if (!I || !(Tracks[I - 1] == Tracks[I]))
          Visit(DeviceTrackFacts{Tracks[I].Device, (IsSm ? FirstSmTrack : 0) + Tracks[I].Number,
                                 IsSm, Tracks[I].Number});
    }
  }

  /// Calls Visit(const DeviceEventFacts &) for each event that is not left out.
  template <typename FnT> void forEachEvent(FnT Visit) const {
    forEach([&](const Event &Each) { Visit(factsOf(Each)); });
  }

  /// \p Kernel: the launch, if CUPTI recorded it; else null.
  InsideFacts insideFacts(const DeviceInside &Inside, const DeviceActivity *Kernel) const;
  /// Calls Visit(const DeviceLoop &) for the loops of a launch, in the kernel's order.
  template <typename FnT> void forEachLoop(const DeviceInside &Inside, FnT Visit) const {
    const auto [First, Last] = loopsOf(Inside);
    for (const DeviceLoop *const *Each = First; Each != Last; ++Each)
      Visit(**Each);
  }
  /// Whether the kernel counts its work, but the counters of this launch did not arrive: it did not
  /// end, or its record was overwritten before it was read.
  bool isWorkLost(const DeviceEventFacts &Of) const;
  /// Calls Visit(const DeviceCountedKernel &) for each kernel that counts its work.
  template <typename FnT> void forEachCountedKernel(FnT Visit) const {
    for (const DeviceCountedKernel *Each : CountedKernels)
      Visit(*Each);
  }
  /// The captured launch that created this node of a CUDA graph; null: unknown.
  const SiteView *captureOf(uint64_t Node) const;
  /// Calls Visit(const DeviceExternal &, bool IsMain) for the numbers that other layers gave to
  /// this correlation. The first is the main one: torch's, if there is one.
  template <typename FnT> void forEachExternal(uint32_t Correlation, FnT Visit) const;

  uint64_t count(DeviceCountOf What) const { return Counts[static_cast<size_t>(What)]; }
  /// The most by which the clocks' difference changed since the first reading, in ns.
  uint64_t clockSkewNs() const { return ClockSkewNs; }
  /// Numbers of launches: with stamps; with stamps and an activity; without stamps, of kernels that
  /// left stamps in other launches.
  size_t stamped() const { return Insides.size(); }
  size_t stampedJoined() const;
  uint64_t withoutStamps() const { return WithoutStamps; }
  /// Whether stamps were joined with activities by order rather than by number.
  bool isJoinedInOrder() const { return InOrder; }
  size_t leftOut() const { return LeftOut.size(); }

  /// Calls Visit(uint64_t BeginNs, uint64_t Bytes) for each event, with its begin in ns since the
  /// spool's start and the approximate length of its text.
  template <typename FnT> void forEachSize(FnT Visit) const {
    forEach([&](const Event &Each) { Visit(beginOf(Each), bytesOf(Each)); });
  }

  uint64_t events() const {
    uint64_t Count = 0;
    forEach([&](const Event &) { ++Count; });
    return Count;
  }

  /// Replaces events that began at \p UntilNs or later by sums. Returns false if there is no
  /// memory.
  bool leaveOut(uint64_t UntilNs);
  /// Calls Visit(const DeviceEventFacts &, const CallSumsNs &, Histogram) for each sum of left-out
  /// events of one name on one track. The histogram's buckets are of ns.
  template <typename FnT> void forEachSums(FnT Visit) const;

private:
  /// Larger numbers of devices are damage: no trace has tracks of so many.
  static constexpr uint32_t MostDevices = 4096;
  /// Track numbers of SMs begin behind those of streams, which are small.
  static constexpr uint64_t FirstSmTrack = 1000000;

  /// A track of a device: a stream or an SM.
  struct DeviceTrack {
    uint32_t Device, Number;
    bool operator==(const DeviceTrack &) const = default;
    auto operator<=>(const DeviceTrack &) const = default;
  };

  /// One event: an activity with its inside, if there is one; an inside alone; or a block.
  struct Event {
    const DeviceActivity *Activity;
    const DeviceInside *Inside;
    const DeviceBlockSpan *Span;
    const DeviceWork *Work = nullptr;
  };

  template <typename FnT> void forEach(FnT Visit) const {
    for (size_t I = 0; I < Activities.size(); ++I)
      if (Activities[I])
        Visit(Event{Activities[I], InsideOf[I] ? Insides[InsideOf[I] - 1] : nullptr, nullptr,
                    WorkOf[I] ? Works[WorkOf[I] - 1] : nullptr});
    for (size_t I = 0; I < Insides.size(); ++I)
      if (Insides[I] && !ActivityOf[I])
        Visit(Event{nullptr, Insides[I], nullptr,
                    WorkOfInside[I] ? Works[WorkOfInside[I] - 1] : nullptr});
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
  /// A launch with the kernel's name and line.
  const DeviceInside *kernelOf(const Event &Of) const;
  DeviceEventFacts factsOf(const Event &Of) const;
  size_t endOfSums(size_t First) const;

  bool collect(const DeviceEntry &Entry);
  void keepSteps();
  void dropOlder();
  bool joinInsides();
  void join(size_t Inside, size_t Activity);
  bool measureAhead();
  static int64_t aheadOf(const DeviceInside &Inside, const DeviceActivity &Kernel);
  static bool fits(const DeviceInside &Inside, const DeviceActivity &Kernel, int64_t Ahead);
  bool joinInOrder();
  bool joinWorks();
  void collectCountedKernels();
  bool collectTracks();

  /// Converts the activities' clock to ns since the spool's start.
  uint64_t place(uint64_t Ns) const;
  uint64_t placeOnDevice(uint32_t Device, uint64_t Ns) const;
  bool collectKernels();
  std::pair<const DeviceLoop *const *, const DeviceLoop *const *>
  loopsOf(const DeviceInside &Inside) const;
  bool collectCaptures();

  const SpoolReader *Spool = nullptr;
  GrowingList<const DeviceActivity *> Activities;
  GrowingList<const DeviceInside *> Insides;
  GrowingList<const DeviceBlockSpan *> BlockSpans;
  GrowingList<const DeviceLoop *> Loops; ///< sorted by launch and index
  GrowingList<const DeviceWork *> Works;
  GrowingList<const DeviceCountedKernel *> CountedKernels; ///< sorted by Kernel and Id
  GrowingList<const DeviceProperties *> Properties;
  GrowingList<const DeviceExternal *> Externals; ///< sorted by correlation and layer
  GrowingList<DeviceClock> Clocks;
  GrowingArray<const char *> Texts;          ///< by id
  GrowingArray<uint32_t> InsideOf;           ///< by activity: 1 + index of its inside; 0: none
  GrowingArray<uint32_t> ActivityOf;         ///< by inside: 1 + index of its activity; 0: none
  GrowingArray<uint32_t> WorkOf;             ///< by activity: 1 + index in Works; 0: none
  GrowingArray<uint32_t> WorkOfInside;       ///< the same of insides without an activity
  GrowingList<const DeviceInside *> Kernels; ///< one launch of each, sorted by Kernel
  GrowingList<uint32_t> Launched;            ///< sorted correlations of devices' work
  GrowingList<DeviceTrack> Streams, Sms;     ///< sorted
  GrowingArray<int64_t> AheadNs; ///< by device: how far its clock is ahead of the activities'
  uint64_t Counts[6] = {};       ///< by DeviceCountOf
  bool InOrder = false;
  uint64_t ClockSkewNs = 0;
  GrowingList<const DeviceGraphNode *> GraphNodes; ///< sorted by number
  GrowingList<SiteView> Captures;                  ///< sites of launches, sorted by id
  uint64_t WithoutStamps = 0;
  GrowingList<Event> LeftOut; ///< sorted by the key of their sums
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
