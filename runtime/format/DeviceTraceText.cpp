//===- DeviceTraceText.cpp - the text of GPUs' Chrome events ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "format/DeviceTraceText.h"

#include "format/DeviceNames.h"
#include "format/SumsText.h"

namespace seamscope::format {

void DeviceTraceText::number(const char *Key, uint64_t Value) {
  Out.raw(",\"").raw(Key).raw("\":").number(Value);
}

void DeviceTraceText::ratio(const char *Key, int64_t Thousandths) {
  if (Thousandths >= 0)
    Out.raw(",\"").raw(Key).raw("\":").thousandths(static_cast<uint64_t>(Thousandths));
}

void DeviceTraceText::triple(const char *Key, const uint32_t (&Size)[3]) {
  Out.raw(",\"").raw(Key).raw("\":[").number(uint64_t{Size[0]}).raw(",");
  Out.number(uint64_t{Size[1]}).raw(",").number(uint64_t{Size[2]}).raw("]");
}

void DeviceTraceText::writeProperties() {
  bool Any = false;
  Devices.forEachDevice([&](const DeviceProperties &Of) {
    Out.raw(Any ? "," : ",\"deviceProperties\":[").raw("{\"id\":").number(uint64_t{Of.Device});
    Any = true;
    Out.member("name", Devices.text(Of.Name));
    const struct {
      const char *Key;
      uint64_t Value;
    } Members[] = {{"totalGlobalMem", Of.MemoryBytes},
                   {"computeMajor", Of.Major},
                   {"computeMinor", Of.Minor},
                   {"maxThreadsPerMultiprocessor", Of.ThreadsPerSm},
                   {"maxBlocksPerMultiprocessor", Of.BlocksPerSm},
                   {"regsPerMultiprocessor", Of.RegistersPerSm},
                   {"warpSize", Of.WarpSize},
                   {"sharedMemPerMultiprocessor", Of.SharedPerSm},
                   {"numSms", Of.Sms},
                   {"clockRateKhz", Of.ClockKhz},
                   {"memoryClockRateKhz", Of.MemoryClockKhz},
                   {"memoryBusBits", Of.MemoryBusBits}};
    for (const auto &[Key, Value] : Members)
      if (Value)
        number(Key, Value);
    Out.raw("}");
  });
  if (Any)
    Out.raw("]");
}

void DeviceTraceText::writeSummary() {
  if (Devices.empty())
    return;
  Out.raw(",\"cuda\":{\"clock_skew_ns\":").number(Devices.clockSkewNs());
  number("dropped_records", Devices.count(DeviceCountOf::DroppedRecords));
  number("broken_records", Devices.count(DeviceCountOf::BrokenRecords));
  Out.raw(",\"records_taken_over\":");
  Out.raw(Devices.count(DeviceCountOf::TakenOver) ? "true" : "false");
  if (Devices.count(DeviceCountOf::CapturesSeen))
    Out.raw(",\"captures\":\"seen\"");
  else if (Devices.count(DeviceCountOf::CapturesUnseen))
    Out.raw(",\"captures\":\"not seen\"");
  number("stamped_launches", Devices.stamped());
  number("stamped_launches_joined", Devices.stampedJoined());
  number("launches_without_stamps", Devices.withoutStamps());
  if (Devices.leftOut())
    number("left_out", Devices.leftOut());
  Out.raw(",\"joined_by\":\"").raw(Devices.isJoinedInOrder() ? "order" : "number").raw("\"}");
}

void DeviceTraceText::writeTracks() {
  const auto Begin = [&](const char *Name, uint64_t Pid, uint64_t Tid) -> JsonText & {
    Out.raw(",\n{\"ph\":\"M\",\"name\":\"").raw(Name).raw("\",\"pid\":").number(Pid);
    return Out.raw(",\"tid\":").number(Tid).raw(",\"args\":{");
  };
  int64_t Last = -1;
  const auto Device = [&](uint32_t Number) {
    if (Number == Last)
      return;
    Last = Number;
    Begin("process_name", Number, 0).raw("\"name\":");
    Out.string(Header.ProcessName, sizeof(Header.ProcessName)).raw("}}");
    Begin("process_labels", Number, 0)
        .raw("\"labels\":\"GPU ")
        .number(uint64_t{Number})
        .raw("\"}}");
    // After the host's processes, as in torch.profiler.
    Begin("process_sort_index", Number, 0).raw("\"sort_index\":");
    Out.number(uint64_t{5000000} + Number).raw("}}");
  };
  Devices.forEachTrack([&](const DeviceTrackFacts &Track) {
    if (!Track.IsSm)
      Device(Track.Device);
    Begin("thread_name", Track.Device, Track.Tid).raw("\"name\":");
    char Name[DeviceTrackFacts::NameBytes];
    Out.string(Track.name(Name)).raw("}}");
    if (Track.IsSm) {
      Begin("thread_sort_index", Track.Device, Track.Tid).raw("\"sort_index\":");
      Out.number(Track.Tid).raw("}}");
    }
  });
}

void DeviceTraceText::writeEvents() {
  writeTracks();
  Devices.forEachEvent([&](const DeviceEventFacts &Of) { writeEvent(Of); });
}

void DeviceTraceText::writeHead(const DeviceEventFacts &Of) {
  Out.raw("\"cat\":\"").raw(Of.Category).raw("\",\"name\":").string(Of.name());
  Out.raw(",\"pid\":").number(Of.Pid).raw(",\"tid\":").number(Of.Tid);
}

void DeviceTraceText::writeEvent(const DeviceEventFacts &Of) {
  Out.raw(",\n{\"ph\":\"X\",");
  writeHead(Of);
  Out.raw(",\"ts\":").thousandths(Of.BeginNs).raw(",\"dur\":").thousandths(Of.LengthNs);
  Out.raw(",\"args\":{");
  if (Of.Span) {
    Out.raw("\"number\":").number(uint64_t{Of.Span->Number});
    number("block", Of.Span->Block);
    number("warps", Of.Span->Warps);
  } else if (Of.Activity) {
    writeActivity(Of);
  } else {
    Out.raw("\"device\":").number(uint64_t{Of.Device}).raw(",\"only from within\":true");
    writePlace(Of);
    writeInside(*Of.Inside, nullptr);
    writeWork(Of);
  }
  Out.raw("}}");
  writeFlow(Of);
}

void DeviceTraceText::writeActivity(const DeviceEventFacts &Of) {
  const DeviceActivity &A = *Of.Activity;
  Out.raw("\"correlation\":").number(uint64_t{A.Correlation});
  writeExternal(A.Correlation);
  if (Of.IsOnDevice) {
    number("device", A.Device);
    number("context", A.Context);
    if (A.Stream != UnknownStream)
      number("stream", A.Stream);
  }
  if (A.Graph)
    number("graph id", A.Graph);
  if (A.GraphNode)
    number("graph node id", A.GraphNode);
  writeCapture(A.GraphNode);
  const bool IsCall =
      A.Kind == DeviceActivityKind::RuntimeCall || A.Kind == DeviceActivityKind::DriverCall;
  if (IsCall && A.Result)
    number("result", A.Result);
  if (A.Kind == DeviceActivityKind::Kernel)
    writeKernelArguments(Of);
  if (A.Kind == DeviceActivityKind::Copy || A.Kind == DeviceActivityKind::Fill) {
    number("bytes", A.Bytes);
    ratio("memory bandwidth (GB/s)", thousandths(A.Bytes, Of.LengthNs));
  }
  if (A.Kind == DeviceActivityKind::Wait)
    Out.raw(",\"cuda_sync_kind\":\"").raw(waitName(A.Result)).raw("\"");
}

/// Writes as "External id" the number of the layer custom0, as torch.profiler does, or else that of
/// the first layer. Other layers have keys of their own.
void DeviceTraceText::writeExternal(uint32_t Correlation) {
  Devices.forEachExternal(Correlation, [&](const DeviceExternal &Each, bool IsMain) {
    if (IsMain)
      return number("External id", Each.Id);
    Out.raw(",\"External id, ").raw(externalLayerName(Each.Layer)).raw("\":").number(Each.Id);
  });
}

void DeviceTraceText::writeCapture(uint64_t Node) {
  const SiteView *const Site = Devices.captureOf(Node);
  if (!Site)
    return;
  Out.raw(",\"captured at\":{\"name\":").string(Site->Name);
  Out.member("kernel", *Site->Kernel ? Site->Kernel : Site->Name);
  Out.member("file", Site->File);
  Out.member("line", Site->Line);
  Out.member("column", Site->Column);
  if (strcmp(Site->LinkageName, Site->Name))
    Out.member("linkage_name", Site->LinkageName);
  Out.raw("}");
}

/// The arrow from the call on the host to the work that it launched.
void DeviceTraceText::writeFlow(const DeviceEventFacts &Of) {
  if (Of.Flow == DeviceEventFacts::Arrow::None || !Of.Activity)
    return;
  const bool IsEnd = Of.Flow == DeviceEventFacts::Arrow::Ends;
  Out.raw(",\n{\"ph\":\"").raw(IsEnd ? "f" : "s").raw("\",\"id\":");
  Out.number(uint64_t{Of.Activity->Correlation}).raw(",\"pid\":").number(Of.Pid);
  Out.raw(",\"tid\":").number(Of.Tid).raw(",\"ts\":").thousandths(Of.BeginNs);
  Out.raw(",\"cat\":\"ac2g\",\"name\":\"ac2g\"").raw(IsEnd ? ",\"bp\":\"e\"}" : "}");
}

void DeviceTraceText::writeKernelArguments(const DeviceEventFacts &Of) {
  const DeviceActivity &A = *Of.Activity;
  if (A.Registers)
    number("registers per thread", A.Registers);
  number("shared memory", uint64_t{A.StaticShared} + A.DynamicShared);
  const uint64_t Blocks = product(A.Grid), Threads = product(A.Block);
  if (const DeviceProperties *Properties = Devices.propertiesOf(A.Device);
      Properties && Properties->Sms) {
    const uint64_t WarpSize = Properties->WarpSize ? Properties->WarpSize : 32;
    ratio("blocks per SM", thousandths(Blocks, Properties->Sms));
    ratio("warps per SM",
          thousandths(Blocks * ((Threads + WarpSize - 1) / WarpSize), Properties->Sms));
  }
  if (Blocks && Threads) {
    triple("grid", A.Grid);
    triple("block", A.Block);
  }
  writePlace(Of);
  if (Of.Inside)
    writeInside(*Of.Inside, &A);
  writeWork(Of);
}

void DeviceTraceText::writeWork(const DeviceEventFacts &Of) {
  if (Devices.isWorkLost(Of))
    Out.raw(",\"work\":{\"unknown\":\"").raw(WorkIsLost).raw("\"}");
  if (!Of.Work)
    return;
  char Id[CountsIdBytes];
  Out.raw(",\"work\":{\"counts\":\"").raw(countsId(Of.Work->Counts, Id)).raw("\",\"words\":[");
  for (uint32_t I = 0; I < Of.Work->Words; ++I)
    Out.raw(I ? "," : "").number(Of.Work->words()[I]);
  Out.raw("]}");
}

void DeviceTraceText::writePlace(const DeviceEventFacts &Of) {
  if (!Of.Kernel || Of.Span)
    return;
  Out.member("kernel", Devices.text(Of.Kernel->Name));
  Out.member("file", Devices.text(Of.Kernel->File));
  Out.member("line", Of.Kernel->Line);
}

void DeviceTraceText::writeInside(const DeviceInside &Inside, const DeviceActivity *Kernel) {
  const InsideFacts Of = Devices.insideFacts(Inside, Kernel);
  Out.raw(",\"inside\":{\"sms\":").number(uint64_t{Of.Sms});
  number("blocks", Of.Blocks);
  number("warps", Of.Warps);
  number("open_warps", Of.OpenWarps);
  number("resident_blocks", Of.ResidentBlocks);
  number("ns", Of.Ns);
  if (Of.IsIncomplete)
    number("incomplete", 1);
  ratio("tail_percent", Of.TailPercent);
  ratio("sm_imbalance", Of.SmImbalance);
  ratio("warp_imbalance", Of.WarpImbalance);
  ratio("waves", Of.Waves);
  ratio("share", Of.Share);
  if (Of.LostWarps >= 0)
    number("lost_warps", static_cast<uint64_t>(Of.LostWarps));
  writeLoops(Inside);
  Out.raw("}");
}

void DeviceTraceText::writeLoops(const DeviceInside &Inside) {
  bool Any = false;
  Devices.forEachLoop(Inside, [&](const DeviceLoop &Loop) {
    if (!Any) {
      number("loop_warps", Loop.Warps);
      number("loop_threads", Loop.Threads);
      number("kernel_clocks", Loop.KernelClocks);
    }
    Out.raw(Any ? "," : ",\"loops\":[").raw("{\"name\":").string(Devices.text(Loop.Name));
    Any = true;
    Out.member("file", Devices.text(Loop.File));
    Out.member("line", Loop.Line);
    Out.member("column", Loop.Column);
    Out.member("parent", Loop.Parent);
    Out.member("inlined_from", Devices.text(Loop.InlinedFrom));
    number("entries", Loop.Entries);
    number("clocks", Loop.Clocks);
    Out.raw("}");
  });
  if (Any)
    Out.raw("]");
}

void DeviceTraceText::writeSums(bool &Any) {
  Devices.forEachSums([&](const DeviceEventFacts &Of, const CallSumsNs &Sums,
                          const uint32_t (&Histogram)[HistogramBuckets]) {
    beginSums(Out, Any);
    writeHead(Of);
    format::writeSums(Out, Sums);
    Out.raw(",\"args\":{");
    if (Of.IsOnDevice)
      Out.raw("\"device\":").number(uint64_t{Of.Device});
    writePlace(Of);
    Out.raw("}");
    endSums(Out, Histogram, [](uint32_t Bucket) { return histogramFloor(Bucket); });
  });
}

} // namespace seamscope::format
