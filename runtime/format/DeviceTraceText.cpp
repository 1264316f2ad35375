//===- DeviceTraceText.cpp - the text of GPUs' Chrome events ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "format/DeviceNames.h"
#include "format/DeviceTrace.h"

#include <algorithm>

namespace seamscope::format {
namespace {

/// Behind the streams, whose numbers are small.
constexpr uint64_t FirstSmTrack = 1000000;

bool isCall(DeviceActivityKind Kind) {
  return Kind == DeviceActivityKind::RuntimeCall || Kind == DeviceActivityKind::DriverCall;
}

uint64_t product(const uint32_t (&Size)[3]) { return uint64_t{Size[0]} * Size[1] * Size[2]; }

void triple(JsonText &Out, const char *Key, const uint32_t (&Size)[3]) {
  Out.raw(",\"").raw(Key).raw("\":[").number(uint64_t{Size[0]}).raw(",");
  Out.number(uint64_t{Size[1]}).raw(",").number(uint64_t{Size[2]}).raw("]");
}

void number(JsonText &Out, const char *Key, uint64_t Value) {
  Out.raw(",\"").raw(Key).raw("\":").number(Value);
}

/// `"Key": Part / Whole * Scale`, with three decimals; nothing where there is no whole.
void ratio(JsonText &Out, const char *Key, uint64_t Part, uint64_t Whole, uint64_t Scale = 1) {
  if (!Whole)
    return;
  const auto Thousandths = static_cast<unsigned __int128>(Part) * (1000 * Scale) + Whole / 2;
  Out.raw(",\"").raw(Key).raw("\":").thousandths(static_cast<uint64_t>(Thousandths / Whole));
}

uint64_t warpsOfBlock(const DeviceActivity &Kernel) { return (product(Kernel.Block) + 31) / 32; }

/// Whose slots are not there though they should be, by seamscope/gpu.h.
uint64_t lostWarps(const DeviceInside &I, const DeviceActivity &Kernel) {
  const uint64_t Blocks = product(Kernel.Grid);
  if (!Blocks || I.BlockShift > 31 || I.SegmentShift > 31)
    return 0;
  const uint64_t Kept = ((Blocks - 1) >> I.BlockShift) + 1;
  const uint64_t Wanted = Kept * std::min<uint64_t>(warpsOfBlock(Kernel), I.MostWarps);
  const uint64_t Stored = std::min(Wanted, uint64_t{1} << I.SegmentShift);
  return Stored > I.Warps ? Stored - I.Warps : 0;
}

/// Whether the kernel went on for long behind the last stamp: it was read before its last threads
/// left.
bool endsEarly(const DeviceInside &I, const DeviceActivity &Kernel) {
  const uint64_t Ns = Kernel.EndNs - Kernel.BeginNs;
  return Ns > (I.EndNs - I.BeginNs) + std::max<uint64_t>(10'000, Ns / 10);
}

} // namespace

void DeviceTrace::writeProperties(JsonText &Out) const {
  const char *Comma = ",\"deviceProperties\":[";
  for (const DeviceProperties *Each : Properties) {
    Out.raw(Comma).raw("{\"id\":").number(uint64_t{Each->Device});
    Comma = ",";
    Out.member("name", text(Each->Name));
    const struct {
      const char *Key;
      uint64_t Value;
    } Members[] = {{"totalGlobalMem", Each->MemoryBytes},
                   {"computeMajor", Each->Major},
                   {"computeMinor", Each->Minor},
                   {"maxThreadsPerMultiprocessor", Each->ThreadsPerSm},
                   {"maxBlocksPerMultiprocessor", Each->BlocksPerSm},
                   {"regsPerMultiprocessor", Each->RegistersPerSm},
                   {"warpSize", Each->WarpSize},
                   {"sharedMemPerMultiprocessor", Each->SharedPerSm},
                   {"numSms", Each->Sms},
                   {"clockRateKhz", Each->ClockKhz},
                   {"memoryClockRateKhz", Each->MemoryClockKhz},
                   {"memoryBusBits", Each->MemoryBusBits}};
    for (const auto &[Key, Value] : Members)
      if (Value)
        number(Out, Key, Value);
    Out.raw("}");
  }
  if (Properties.size())
    Out.raw("]");
}

void DeviceTrace::writeSummary(JsonText &Out) const {
  if (empty())
    return;
  uint64_t Joined = 0;
  for (size_t I = 0; I < Insides.size(); ++I)
    Joined += ActivityOf[I] != 0;
  Out.raw(",\"cuda\":{\"clock_skew_ns\":").number(ClockSkewNs);
  number(Out, "dropped_records", Counts[static_cast<size_t>(DeviceCountOf::DroppedRecords)]);
  number(Out, "broken_records", Counts[static_cast<size_t>(DeviceCountOf::BrokenRecords)]);
  Out.raw(",\"records_taken_over\":");
  Out.raw(Counts[static_cast<size_t>(DeviceCountOf::TakenOver)] ? "true" : "false");
  if (Counts[static_cast<size_t>(DeviceCountOf::CapturesSeen)])
    Out.raw(",\"captures\":\"seen\"");
  else if (Counts[static_cast<size_t>(DeviceCountOf::CapturesUnseen)])
    Out.raw(",\"captures\":\"not seen\"");
  number(Out, "stamped_launches", Insides.size());
  number(Out, "stamped_launches_joined", Joined);
  number(Out, "launches_without_stamps", WithoutStamps);
  if (LeftOut.size())
    number(Out, "left_out", LeftOut.size());
  Out.raw(",\"joined_by\":\"").raw(InOrder ? "order" : "number").raw("\"}");
}

void DeviceTrace::writeTracks(JsonText &Out) const {
  const auto Begin = [&](const char *Name, uint64_t Pid, uint64_t Tid) -> JsonText & {
    Out.raw(",\n{\"ph\":\"M\",\"name\":\"").raw(Name).raw("\",\"pid\":").number(Pid);
    return Out.raw(",\"tid\":").number(Tid).raw(",\"args\":{");
  };
  uint32_t Last = MostDevices;
  const auto Device = [&](uint32_t Number) {
    if (Number == Last)
      return;
    Last = Number;
    Begin("process_name", Number, 0).raw("\"name\":");
    Out.string(Spool->header().ProcessName, sizeof(Spool->header().ProcessName)).raw("}}");
    Begin("process_labels", Number, 0)
        .raw("\"labels\":\"GPU ")
        .number(uint64_t{Number})
        .raw("\"}}");
    // Behind the host's, as torch.profiler has them.
    Begin("process_sort_index", Number, 0).raw("\"sort_index\":");
    Out.number(uint64_t{5000000} + Number).raw("}}");
  };
  for (size_t I = 0; I < Streams.size(); ++I) {
    const DeviceTrack &Track = Streams[I];
    if (I && Streams[I - 1] == Track)
      continue;
    Device(Track.Device);
    Begin("thread_name", Track.Device, Track.Number).raw("\"name\":\"stream ");
    if (Track.Number == UnknownStream)
      Out.raw("not known\"}}");
    else
      Out.number(uint64_t{Track.Number}).raw("\"}}");
  }
  for (size_t I = 0; I < Sms.size(); ++I) {
    const DeviceTrack &Track = Sms[I];
    if (I && Sms[I - 1] == Track)
      continue;
    Begin("thread_name", Track.Device, FirstSmTrack + Track.Number).raw("\"name\":\"SM ");
    Out.number(uint64_t{Track.Number}).raw("\"}}");
    Begin("thread_sort_index", Track.Device, FirstSmTrack + Track.Number).raw("\"sort_index\":");
    Out.number(FirstSmTrack + Track.Number).raw("}}");
  }
}

void DeviceTrace::writeEvents(JsonText &Out) const {
  if (empty() && !BlockSpans.size())
    return;
  writeTracks(Out);
  forEach([&](const Event &Each) {
    if (Each.Activity)
      writeActivity(Out, Each);
    else if (Each.Inside)
      writeKernelWithoutActivity(Out, *Each.Inside);
    else
      writeBlockSpan(Out, *Each.Span);
  });
}

void DeviceTrace::writeHead(JsonText &Out, const Event &Of) const {
  const auto Named = [&](const char *Category, const char *Name) -> JsonText & {
    Out.raw("\"cat\":\"").raw(Category).raw("\",\"name\":").string(*Name ? Name : "[no name]");
    return Out.raw(",\"pid\":");
  };
  if (Of.Span) {
    Named("gpu_block", kernelOf(*Of.Span)).number(uint64_t{Of.Span->Device});
    Out.raw(",\"tid\":").number(FirstSmTrack + Of.Span->Sm);
    return;
  }
  if (!Of.Activity) {
    Named("kernel", text(Of.Inside->Name)).number(uint64_t{Of.Inside->Device});
    Out.raw(",\"tid\":").number(uint64_t{UnknownStream});
    return;
  }
  const DeviceActivity &A = *Of.Activity;
  switch (A.Kind) {
  case DeviceActivityKind::Copy:
    Out.raw("\"cat\":\"").raw(categoryOf(A.Kind)).raw("\",\"name\":\"Memcpy");
    Out.raw(*copyName(A.Way) ? " " : "").raw(copyName(A.Way));
    if (*memoryName(A.From) && *memoryName(A.To))
      Out.raw(" (").raw(memoryName(A.From)).raw(" -> ").raw(memoryName(A.To)).raw(")");
    Out.raw("\",\"pid\":");
    break;
  case DeviceActivityKind::Fill:
    Out.raw("\"cat\":\"").raw(categoryOf(A.Kind)).raw("\",\"name\":\"Memset");
    if (*memoryName(A.To))
      Out.raw(" (").raw(memoryName(A.To)).raw(")");
    Out.raw("\",\"pid\":");
    break;
  case DeviceActivityKind::Wait:
    Named(categoryOf(A.Kind), waitName(A.Result));
    break;
  default:
    Named(categoryOf(A.Kind), text(A.Name));
  }
  if (A.Kind == DeviceActivityKind::Overhead)
    Out.raw("-1,\"tid\":0");
  else if (isOnDevice(A.Kind))
    Out.number(uint64_t{A.Device}).raw(",\"tid\":").number(uint64_t{A.Stream});
  else
    Out.number(uint64_t{Spool->header().Pid}).raw(",\"tid\":").number(uint64_t{A.Thread});
}

void DeviceTrace::writeActivity(JsonText &Out, const Event &Of) const {
  const DeviceActivity &A = *Of.Activity;
  const bool OnDevice = isOnDevice(A.Kind);
  Out.raw(",\n{\"ph\":\"X\",");
  writeHead(Out, Of);
  const uint64_t BeginNs = place(A.BeginNs);
  Out.raw(",\"ts\":").thousandths(BeginNs).raw(",\"dur\":").thousandths(A.EndNs - A.BeginNs);
  Out.raw(",\"args\":{\"correlation\":").number(uint64_t{A.Correlation});
  writeExternal(Out, A.Correlation);
  if (OnDevice) {
    number(Out, "device", A.Device);
    number(Out, "context", A.Context);
    if (A.Stream != UnknownStream)
      number(Out, "stream", A.Stream);
  }
  if (A.Graph)
    number(Out, "graph id", A.Graph);
  if (A.GraphNode)
    number(Out, "graph node id", A.GraphNode);
  writeCapture(Out, A.GraphNode);
  if (isCall(A.Kind) && A.Result)
    number(Out, "result", A.Result);
  if (A.Kind == DeviceActivityKind::Kernel)
    writeKernelArguments(Out, Of);
  if (A.Kind == DeviceActivityKind::Copy || A.Kind == DeviceActivityKind::Fill) {
    number(Out, "bytes", A.Bytes);
    ratio(Out, "memory bandwidth (GB/s)", A.Bytes, A.EndNs - A.BeginNs);
  }
  if (A.Kind == DeviceActivityKind::Wait)
    Out.raw(",\"cuda_sync_kind\":\"").raw(waitName(A.Result)).raw("\"");
  Out.raw("}}");
  writeFlow(Out, A);
}

/// "External id" as torch.profiler writes it, for which it uses the layer custom0; where that gave
/// none, of the first layer that did. Those of others have a key of their own.
void DeviceTrace::writeExternal(JsonText &Out, uint32_t Correlation) const {
  const DeviceExternal *const *const First = std::lower_bound(
      Externals.begin(), Externals.end(), Correlation,
      [](const DeviceExternal *Each, uint32_t Wanted) { return Each->Correlation < Wanted; });
  const DeviceExternal *const *Last = First, *const *Main = First;
  for (; Last != Externals.end() && (*Last)->Correlation == Correlation; ++Last)
    if ((*Last)->Layer == ExternalLayerOfTorch)
      Main = Last;
  if (!Correlation || First == Last)
    return;
  number(Out, "External id", (*Main)->Id);
  for (const DeviceExternal *const *Each = First; Each != Last; ++Each) {
    if (Each == Main)
      continue;
    Out.raw(",\"External id, ").raw(externalLayerName((*Each)->Layer)).raw("\":");
    Out.number((*Each)->Id);
  }
}

/// The arrow from the call on the host to the work that it launched.
void DeviceTrace::writeFlow(JsonText &Out, const DeviceActivity &A) const {
  const bool IsEnd = isDeviceWork(A.Kind);
  if (!A.Correlation ||
      !(IsEnd ||
        (isCall(A.Kind) && std::binary_search(Launched.begin(), Launched.end(), A.Correlation))))
    return;
  Out.raw(",\n{\"ph\":\"").raw(IsEnd ? "f" : "s").raw("\",\"id\":").number(uint64_t{A.Correlation});
  Out.raw(",\"pid\":").number(uint64_t{IsEnd ? A.Device : Spool->header().Pid});
  Out.raw(",\"tid\":").number(uint64_t{IsEnd ? A.Stream : A.Thread});
  Out.raw(",\"ts\":").thousandths(place(A.BeginNs));
  Out.raw(",\"cat\":\"ac2g\",\"name\":\"ac2g\"").raw(IsEnd ? ",\"bp\":\"e\"}" : "}");
}

void DeviceTrace::writeKernelArguments(JsonText &Out, const Event &Of) const {
  const DeviceActivity &A = *Of.Activity;
  if (A.Registers)
    number(Out, "registers per thread", A.Registers);
  number(Out, "shared memory", uint64_t{A.StaticShared} + A.DynamicShared);
  const uint64_t Blocks = product(A.Grid), Threads = product(A.Block);
  if (const DeviceProperties *Its = propertiesOf(A.Device); Its && Its->Sms) {
    const uint64_t WarpSize = Its->WarpSize ? Its->WarpSize : 32;
    ratio(Out, "blocks per SM", Blocks, Its->Sms);
    ratio(Out, "warps per SM", Blocks * ((Threads + WarpSize - 1) / WarpSize), Its->Sms);
  }
  if (Blocks && Threads) {
    triple(Out, "grid", A.Grid);
    triple(Out, "block", A.Block);
  }
  if (Of.Inside)
    writeInside(Out, *Of.Inside, &A);
}

void DeviceTrace::writePlace(JsonText &Out, const DeviceInside &I) const {
  Out.member("kernel", text(I.Name));
  Out.member("file", text(I.File));
  if (I.Line)
    number(Out, "line", I.Line);
}

void DeviceTrace::writeInside(JsonText &Out, const DeviceInside &I,
                              const DeviceActivity *Kernel) const {
  writePlace(Out, I);
  Out.raw(",\"inside\":{\"sms\":").number(uint64_t{I.Sms});
  number(Out, "blocks", I.Blocks);
  number(Out, "warps", I.Warps);
  number(Out, "open_warps", I.Open);
  number(Out, "resident_blocks", I.Resident);
  number(Out, "ns", I.EndNs - I.BeginNs);
  // Of a part that was left by chance nothing follows for the whole.
  if (I.Overwritten || (Kernel && (lostWarps(I, *Kernel) || endsEarly(I, *Kernel))))
    number(Out, "incomplete", 1);
  else
    writeRatios(Out, I, Kernel);
  if (Kernel)
    writeShare(Out, I, *Kernel);
  writeLoops(Out, I);
  Out.raw("}");
}

void DeviceTrace::writeLoops(JsonText &Out, const DeviceInside &I) const {
  const auto [First, Last] = loopsOf(I);
  if (First == Last)
    return;
  number(Out, "loop_warps", (*First)->Warps);
  number(Out, "loop_threads", (*First)->Threads);
  number(Out, "kernel_clocks", (*First)->KernelClocks);
  const char *Comma = ",\"loops\":[";
  for (const DeviceLoop *const *Each = First; Each != Last; ++Each) {
    const DeviceLoop &Loop = **Each;
    Out.raw(Comma).raw("{\"name\":").string(text(Loop.Name));
    Comma = ",";
    Out.member("file", text(Loop.File));
    if (Loop.Line)
      number(Out, "line", Loop.Line);
    if (Loop.Column)
      number(Out, "column", Loop.Column);
    if (Loop.Parent)
      number(Out, "parent", Loop.Parent);
    Out.member("inlined_from", text(Loop.InlinedFrom));
    number(Out, "entries", Loop.Entries);
    number(Out, "clocks", Loop.Clocks);
    Out.raw("}");
  }
  Out.raw("]");
}

void DeviceTrace::writeRatios(JsonText &Out, const DeviceInside &I,
                              const DeviceActivity *Kernel) const {
  ratio(Out, "tail_percent", I.TailNs, uint64_t{I.Sms} * (I.EndNs - I.BeginNs), 100);
  ratio(Out, "sm_imbalance", I.MostSmNs * I.Sms, I.SmNs);
  ratio(Out, "warp_imbalance", I.MostWarpClocks, I.WarpClocks);
  if (Kernel && I.Blocks == product(Kernel->Grid))
    ratio(Out, "waves", I.Blocks, uint64_t{I.Sms} * I.Resident);
}

void DeviceTrace::writeShare(JsonText &Out, const DeviceInside &I,
                             const DeviceActivity &Kernel) const {
  ratio(Out, "share", I.Warps, product(Kernel.Grid) * warpsOfBlock(Kernel));
  number(Out, "lost_warps", lostWarps(I, Kernel));
}

void DeviceTrace::writeKernelWithoutActivity(JsonText &Out, const DeviceInside &I) const {
  Out.raw(",\n{\"ph\":\"X\",");
  writeHead(Out, {nullptr, &I, nullptr});
  Out.raw(",\"ts\":").thousandths(placeOnDevice(I.Device, I.BeginNs));
  Out.raw(",\"dur\":").thousandths(I.EndNs - I.BeginNs);
  Out.raw(",\"args\":{\"device\":").number(uint64_t{I.Device});
  Out.raw(",\"only from within\":true");
  writeInside(Out, I, nullptr);
  Out.raw("}}");
}

void DeviceTrace::writeBlockSpan(JsonText &Out, const DeviceBlockSpan &Span) const {
  Out.raw(",\n{\"ph\":\"X\",");
  writeHead(Out, {nullptr, nullptr, &Span});
  Out.raw(",\"ts\":").thousandths(placeOnDevice(Span.Device, Span.BeginNs));
  Out.raw(",\"dur\":").thousandths(Span.EndNs - Span.BeginNs);
  Out.raw(",\"args\":{\"number\":").number(uint64_t{Span.Number});
  number(Out, "block", Span.Block);
  number(Out, "warps", Span.Warps);
  Out.raw("}}");
}

} // namespace seamscope::format
