//===- DeviceEvents.cpp - a spool's GPU data ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/spool/DeviceEvents.h"

#include "trace/model/KernelNumbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace seamscope::tools {

using namespace format;

namespace {

int64_t clamped(uint64_t Number) {
  return static_cast<int64_t>(
      std::min<uint64_t>(Number, uint64_t{std::numeric_limits<int64_t>::max()}));
}

std::optional<double> ratio(int64_t Thousandths) {
  if (Thousandths < 0)
    return std::nullopt;
  return static_cast<double>(Thousandths) / 1000;
}

} // namespace

uint64_t DeviceEvents::add(StringId ProcessName) {
  addDevices();
  addTracks(ProcessName);
  uint64_t Refused = 0;
  From.forEachEvent([&](const DeviceEventFacts &Of) { Refused += !addEvent(Of); });
  return Refused;
}

void DeviceEvents::addDevices() {
  // No device has larger figures, and their products would overflow.
  const auto Figure = [](uint32_t Number) {
    return Number <= uint32_t{std::numeric_limits<int32_t>::max()} ? int64_t{Number} : 0;
  };
  From.forEachDevice([&](const DeviceProperties &Of) {
    Into.addDevice(static_cast<int32_t>(Of.Device), text(From.text(Of.Name)),
                   {Figure(Of.Major), Figure(Of.Minor), Figure(Of.Sms), Figure(Of.WarpSize),
                    Figure(Of.ThreadsPerSm), Figure(Of.RegistersPerSm), Figure(Of.SharedPerSm)});
  });
}

void DeviceEvents::addTracks(StringId ProcessName) {
  From.forEachTrack([&](const DeviceTrackFacts &Track) {
    const StringId Pid = Into.strings().intern(fmt::to_string(Track.Device));
    if (!Track.IsSm) {
      Process &Of = Into.process(Pid);
      if (ProcessName)
        Of.Name = ProcessName;
      Of.Labels = Into.strings().intern(fmt::format("GPU {}", Track.Device));
    }
    char Name[DeviceTrackFacts::NameBytes];
    Into.nameThread(Into.track(Pid, Into.strings().intern(fmt::to_string(Track.Tid))),
                    text(Track.name(Name)));
  });
}

SiteId DeviceEvents::siteOf(const DeviceEventFacts &Of) {
  Site What;
  What.Name = text(Of.name());
  What.Category = text(Of.Category);
  const SiteKind Kind = kindOfCategory(Of.Category);
  if (Kind == SiteKind::Kernel || Kind == SiteKind::Copy)
    What.Device = static_cast<int32_t>(Of.Device);
  if (Of.Kernel && !Of.Span) {
    What.Kernel = text(From.text(Of.Kernel->Name));
    What.File = text(From.text(Of.Kernel->File));
    What.Line = Of.Kernel->Line;
  }
  return Into.site(What);
}

bool DeviceEvents::addEvent(const DeviceEventFacts &Of) {
  const StringId Pid = Into.strings().intern(fmt::to_string(Of.Pid));
  if (Keep.Processes)
    Into.process(Pid);
  const TrackId Track = Into.track(Pid, Into.strings().intern(fmt::to_string(Of.Tid)));
  const SiteId Site = siteOf(Of);
  if (Of.BeginNs > std::numeric_limits<int64_t>::max() ||
      Of.LengthNs > std::numeric_limits<int64_t>::max() ||
      !Into.addCall(static_cast<int64_t>(Of.BeginNs), static_cast<int64_t>(Of.LengthNs), Site,
                    Track, -1))
    return false;
  const SiteKind Kind = Into.kind(Site);
  if (Of.Inside)
    addInside(*Of.Inside, Of.Activity);
  addCounters(Of);
  if (!Of.Activity)
    return true;
  const DeviceActivity &A = *Of.Activity;
  if (A.Correlation &&
      (Kind == SiteKind::Kernel || Kind == SiteKind::Copy || Kind == SiteKind::Launch))
    Into.correlate(A.Correlation);
  if (A.Kind == DeviceActivityKind::Kernel) {
    if (const SiteView *const Launch = From.captureOf(A.GraphNode))
      addCapture(*Launch);
    if (Keep.Launches)
      addLaunch(A);
  }
  if (Keep.Memory && Kind == SiteKind::Copy)
    Into.add(CopySize{0, clamped(A.Bytes)});
  if (Keep.Syncs && A.Kind == DeviceActivityKind::Wait)
    Into.add(DeviceSync{0, A.Correlation ? int64_t{A.Correlation} : -1,
                        A.Stream == UnknownStream ? -1 : int64_t{A.Stream}, -1, -1,
                        static_cast<int32_t>(A.Device)});
  return true;
}

void DeviceEvents::addLaunch(const DeviceActivity &Of) {
  LaunchShape Shape;
  if (product(Of.Grid) && product(Of.Block))
    for (size_t I = 0; I < 3; ++I) {
      Shape.Grid[I] = Of.Grid[I];
      Shape.Block[I] = Of.Block[I];
    }
  if (Of.Registers)
    Shape.Registers = Of.Registers;
  Shape.SharedBytes = int64_t{Of.StaticShared} + Of.DynamicShared;
  if (Of.Stream != UnknownStream)
    Shape.Stream = Of.Stream;
  Into.add(Shape);
}

void DeviceEvents::addCounters(const DeviceEventFacts &Of) {
  if (From.isWorkLost(Of))
    return Into.add(LaunchCounters{0, 0, 0, text(WorkIsLost)});
  if (!Of.Work)
    return;
  std::string Words = "[";
  for (uint32_t I = 0; I < Of.Work->Words; ++I)
    Words += fmt::format("{}{}", I ? "," : "", Of.Work->words()[I]);
  char Id[CountsIdBytes];
  Into.add(LaunchCounters{0, text(countsId(Of.Work->Counts, Id)), text((Words + "]").c_str()), 0});
}

void DeviceEvents::addInside(const DeviceInside &Inside, const DeviceActivity *Kernel) {
  const InsideFacts Of = From.insideFacts(Inside, Kernel);
  const KernelInside Read = {0,
                             Of.Sms,
                             Of.Blocks,
                             Of.Warps,
                             Of.OpenWarps,
                             std::max<int64_t>(Of.LostWarps, 0),
                             Of.ResidentBlocks,
                             ratio(Of.Share),
                             ratio(Of.Waves),
                             ratio(Of.TailPercent),
                             ratio(Of.SmImbalance),
                             ratio(Of.WarpImbalance)};
  if (!isPossible(Read))
    return;
  Into.add(Read);
  addLoops(Inside);
}

void DeviceEvents::addLoops(const DeviceInside &Inside) {
  std::vector<Site> Sites;
  std::vector<KernelLoop> Loops;
  bool AllNamed = true;
  From.forEachLoop(Inside, [&](const DeviceLoop &Of) {
    Site &What = Sites.emplace_back();
    What.Category = text("gpu_loop");
    What.Name = text(From.text(Of.Name));
    What.File = text(From.text(Of.File));
    What.InlinedFrom = text(From.text(Of.InlinedFrom));
    What.Line = Of.Line;
    What.Column = Of.Column;
    AllNamed = AllNamed && What.Name;
    KernelLoop &Loop = Loops.emplace_back();
    Loop.Parent = Of.Parent;
    Loop.Entries = clamped(Of.Entries);
    Loop.Clocks = clamped(Of.Clocks);
    // All loops of a launch are of the same threads.
    Loop.KernelClocks = Loops.size() > 1 ? Loops[0].KernelClocks : clamped(Of.KernelClocks);
    Loop.Threads = Loops.size() > 1 ? Loops[0].Threads : clamped(Of.Threads);
  });
  if (!AllNamed || !isPossible(Loops))
    return;
  for (size_t I = 0; I < Loops.size(); ++I) {
    Loops[I].Site = Into.site(Sites[I]);
    Into.add(Loops[I]);
  }
}

void DeviceEvents::addCapture(const SiteView &Launch) {
  Site What;
  What.Name = text(Launch.Name);
  if (!What.Name)
    return;
  What.Category = text("cuda_launch");
  What.Kernel = text(*Launch.Kernel ? Launch.Kernel : Launch.Name);
  What.File = text(Launch.File);
  What.Line = Launch.Line;
  What.Column = Launch.Column;
  if (std::strcmp(Launch.LinkageName, Launch.Name))
    What.LinkageName = text(Launch.LinkageName);
  Into.add(KernelCapture{0, Into.site(What)});
}

} // namespace seamscope::tools
