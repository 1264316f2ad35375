//===- DeviceTrace.h - what a spool has of GPUs, as Chrome events ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names, keys and tracks are those of torch.profiler, so that whatever reads its traces reads
// these. Begins are placed on the spool's clock; durations are the device's own, to the ns.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_DEVICETRACE_H
#define SEAMSCOPE_FORMAT_DEVICETRACE_H

#include "format/GrowingArray.h"
#include "format/JsonText.h"
#include "format/SpoolReader.h"
#include "seamscope/seamscope.h"

#include <compare>
#include <utility>

namespace seamscope::format {

class DeviceTrace {
public:
  /// Collects the entries of \p From, which must live as long. Of activities those that begin in a
  /// window, if there are any. False when there is no memory.
  bool read(const SpoolReader &From, const SeamscopeWindow *Windows, size_t WindowCount);

  bool empty() const { return !Activities.size() && !Insides.size() && !Properties.size(); }

  /// Adds `,"deviceProperties":[...]` where something is known.
  void writeProperties(JsonText &Out) const;
  /// Adds `,"cuda":{...}` where there is anything.
  void writeSummary(JsonText &Out) const;
  /// Adds the events, each with ",\n" before it.
  void writeEvents(JsonText &Out) const;

  /// Visit(uint64_t BeginNs, uint64_t Bytes) for each event: when it began, in ns since the spool's
  /// start, and how long its text is, about.
  template <typename FnT> void forEachEvent(FnT Visit) const {
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
  /// Adds an object of "profile" for all that was left out of one name on one track. \p Any:
  /// whether others stand before them, or do now.
  void writeSums(JsonText &Out, bool &Any) const;

private:
  /// No trace has tracks of so many devices.
  static constexpr uint32_t MostDevices = 4096;

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
  /// `"cat":..,"name":..,"pid":..,"tid":..`
  void writeHead(JsonText &Out, const Event &Of) const;
  void writePlace(JsonText &Out, const DeviceInside &Inside) const;

  bool collect(const DeviceEntry &Entry);
  void keepSteps();
  void dropOlder();
  bool joinInsides();
  bool joinInOrder();
  bool collectTracks();

  const char *text(uint32_t Id) const;
  /// Of the activities' clock to ns since the spool's start.
  uint64_t place(uint64_t Ns) const;
  uint64_t placeOnDevice(uint32_t Device, uint64_t Ns) const;
  const DeviceProperties *propertiesOf(uint32_t Device) const;

  bool countLaunchesWithoutStamps();

  void writeTracks(JsonText &Out) const;
  void writeActivity(JsonText &Out, const Event &Of) const;
  void writeKernelArguments(JsonText &Out, const Event &Of) const;
  void writeInside(JsonText &Out, const DeviceInside &Inside, const DeviceActivity *Kernel) const;
  void writeLoops(JsonText &Out, const DeviceInside &Inside) const;
  std::pair<const DeviceLoop *const *, const DeviceLoop *const *>
  loopsOf(const DeviceInside &Inside) const;
  void writeRatios(JsonText &Out, const DeviceInside &Inside, const DeviceActivity *Kernel) const;
  void writeShare(JsonText &Out, const DeviceInside &Inside, const DeviceActivity &Kernel) const;
  void writeKernelWithoutActivity(JsonText &Out, const DeviceInside &Inside) const;
  void writeBlockSpan(JsonText &Out, const DeviceBlockSpan &Span) const;
  bool collectCaptures();
  void writeCapture(JsonText &Out, uint64_t Node) const;
  void writeExternal(JsonText &Out, uint32_t Correlation) const;
  void writeFlow(JsonText &Out, const DeviceActivity &Activity) const;

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
  bool InOrder = false;                  ///< insides were joined by order, not by number
  uint64_t ClockSkewNs = 0; ///< most that readings of the clocks went apart by since the first
  GrowingList<const DeviceGraphNode *> GraphNodes; ///< by their numbers
  GrowingList<SiteView> Captures;                  ///< sites of launches, by their ids
  uint64_t WithoutStamps = 0; ///< launches of kernels that left stamps in others
  GrowingList<Event> LeftOut; ///< by what they are summed by
  mutable size_t LastClock = 0;
};

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_DEVICETRACE_H
