//===- DeviceTraceText.h - the text of GPUs' Chrome events -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_DEVICETRACETEXT_H
#define SEAMSCOPE_FORMAT_DEVICETRACETEXT_H

#include "format/DeviceTrace.h"
#include "format/JsonText.h"

namespace seamscope::format {

/// Writes the facts about devices with torch.profiler's keys, so that readers of its traces can
/// read these.
class DeviceTraceText {
public:
  DeviceTraceText(const DeviceTrace &Devices, const SpoolHeader &Header, JsonText &Out)
      : Devices(Devices), Header(Header), Out(Out) {}

  /// Adds `,"deviceProperties":[...]` if any are known.
  void writeProperties();
  /// Adds `,"cuda":{...}` if there is any content.
  void writeSummary();
  /// Adds tracks and events, each with ",\n" before it.
  void writeEvents();
  /// Adds an object to "profile" for each sum of left-out events. \p Any: whether the list has
  /// objects before; updated.
  void writeSums(bool &Any);

private:
  void number(const char *Key, uint64_t Value);
  /// Writes a member with three decimals; nothing if \p Thousandths is below 0.
  void ratio(const char *Key, int64_t Thousandths);
  void triple(const char *Key, const uint32_t (&Size)[3]);
  void writeTracks();
  /// Writes `"cat":..,"name":..,"pid":..,"tid":..`.
  void writeHead(const DeviceEventFacts &Of);
  void writeEvent(const DeviceEventFacts &Of);
  void writeActivity(const DeviceEventFacts &Of);
  void writeKernelArguments(const DeviceEventFacts &Of);
  void writePlace(const DeviceEventFacts &Of);
  void writeInside(const DeviceInside &Inside, const DeviceActivity *Kernel);
  void writeWork(const DeviceEventFacts &Of);
  void writeLoops(const DeviceInside &Inside);
  void writeCapture(uint64_t Node);
  void writeExternal(uint32_t Correlation);
  void writeFlow(const DeviceEventFacts &Of);

  const DeviceTrace &Devices;
  const SpoolHeader &Header;
  JsonText &Out;
};

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_DEVICETRACETEXT_H
