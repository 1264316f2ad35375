//===- DeviceFacts.cpp - events of GPUs, as typed facts --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "format/DeviceTrace.h"

#include <cstdio>

namespace seamscope::format {
namespace {

bool isCall(DeviceActivityKind Kind) {
  return Kind == DeviceActivityKind::RuntimeCall || Kind == DeviceActivityKind::DriverCall;
}

uint64_t warpsOfBlock(const DeviceActivity &Kernel) { return (product(Kernel.Block) + 31) / 32; }

/// The number of warps without slots that should have one, by seamscope/gpu.h.
uint64_t lostWarps(const DeviceInside &I, const DeviceActivity &Kernel) {
  const uint64_t Blocks = product(Kernel.Grid);
  if (!Blocks || I.BlockShift > 31 || I.SegmentShift > 31)
    return 0;
  const uint64_t Kept = ((Blocks - 1) >> I.BlockShift) + 1;
  const uint64_t Wanted = Kept * std::min<uint64_t>(warpsOfBlock(Kernel), I.MostWarps);
  const uint64_t Stored = std::min(Wanted, uint64_t{1} << I.SegmentShift);
  return Stored > I.Warps ? Stored - I.Warps : 0;
}

/// Whether the kernel continued for long after the last stamp: it was read before its last threads
/// left.
bool endsEarly(const DeviceInside &I, const DeviceActivity &Kernel) {
  const uint64_t Ns = Kernel.EndNs - Kernel.BeginNs;
  return Ns > (I.EndNs - I.BeginNs) + std::max<uint64_t>(10'000, Ns / 10);
}

const char *orNoName(const char *Name) { return *Name ? Name : "[no name]"; }

} // namespace

DeviceEventFacts DeviceTrace::factsOf(const Event &Of) const {
  DeviceEventFacts Facts{};
  Facts.Activity = Of.Activity;
  Facts.Inside = Of.Inside;
  Facts.Span = Of.Span;
  Facts.Work = Of.Work;
  Facts.Kernel = kernelOf(Of);
  Facts.Device = deviceOf(Of);
  Facts.Pid = Facts.Device;
  Facts.IsOnDevice = !Of.Activity || isOnDevice(Of.Activity->Kind);
  Facts.BeginNs = beginOf(Of);
  Facts.LengthNs = lengthOf(Of);
  if (Of.Span) {
    Facts.Category = "gpu_block";
    Facts.Known = orNoName(text(Facts.Kernel ? Facts.Kernel->Name : 0));
    Facts.Tid = FirstSmTrack + Of.Span->Sm;
    return Facts;
  }
  if (!Of.Activity) {
    Facts.Category = "kernel";
    Facts.Known = orNoName(text(Of.Inside->Name));
    Facts.Tid = UnknownStream;
    return Facts;
  }
  const DeviceActivity &A = *Of.Activity;
  Facts.Category = categoryOf(A.Kind);
  const char *const From = memoryName(A.From), *const To = memoryName(A.To);
  switch (A.Kind) {
  case DeviceActivityKind::Copy: {
    const char *const DirectionName = copyName(A.Direction);
    const bool Both = *From && *To;
    snprintf(Facts.Composed, sizeof(Facts.Composed), "Memcpy%s%s%s%s%s%s%s",
             *DirectionName ? " " : "", DirectionName, Both ? " (" : "", Both ? From : "",
             Both ? " -> " : "", Both ? To : "", Both ? ")" : "");
    break;
  }
  case DeviceActivityKind::Fill:
    snprintf(Facts.Composed, sizeof(Facts.Composed), "Memset%s%s%s", *To ? " (" : "", To,
             *To ? ")" : "");
    break;
  case DeviceActivityKind::Wait:
    Facts.Known = waitName(A.Result);
    break;
  default:
    Facts.Known = orNoName(text(A.Name));
  }
  if (A.Kind == DeviceActivityKind::Overhead) {
    Facts.Pid = -1;
  } else if (Facts.IsOnDevice) {
    Facts.Tid = A.Stream;
  } else {
    Facts.Pid = Spool->header().Pid;
    Facts.Tid = A.Thread;
  }
  if (A.Correlation && isDeviceWork(A.Kind))
    Facts.Flow = DeviceEventFacts::Arrow::Ends;
  else if (A.Correlation && isCall(A.Kind) &&
           std::binary_search(Launched.begin(), Launched.end(), A.Correlation))
    Facts.Flow = DeviceEventFacts::Arrow::Begins;
  return Facts;
}

InsideFacts DeviceTrace::insideFacts(const DeviceInside &I, const DeviceActivity *Kernel) const {
  InsideFacts Facts = {I.Sms, I.Blocks, I.Warps, I.Open, I.Resident, I.EndNs - I.BeginNs, false, -1,
                       -1,    -1,       -1,      -1,     -1};
  const uint64_t Lost = Kernel ? lostWarps(I, *Kernel) : 0;
  Facts.IsIncomplete = I.Overwritten || (Kernel && (Lost || endsEarly(I, *Kernel)));
  if (!Facts.IsIncomplete) {
    Facts.TailPercent = thousandths(I.TailNs, uint64_t{I.Sms} * Facts.Ns, 100);
    Facts.SmImbalance = thousandths(I.MostSmNs * I.Sms, I.SmNs);
    Facts.WarpImbalance = thousandths(I.MostWarpClocks, I.WarpClocks);
    if (Kernel && I.Blocks == product(Kernel->Grid))
      Facts.Waves = thousandths(I.Blocks, uint64_t{I.Sms} * I.Resident);
  }
  if (Kernel) {
    Facts.Share = thousandths(I.Warps, product(Kernel->Grid) * warpsOfBlock(*Kernel));
    Facts.LostWarps = static_cast<int64_t>(std::min<uint64_t>(Lost, INT64_MAX));
  }
  return Facts;
}

size_t DeviceTrace::stampedJoined() const {
  size_t Joined = 0;
  for (size_t I = 0; I < Insides.size(); ++I)
    Joined += ActivityOf[I] != 0;
  return Joined;
}

} // namespace seamscope::format
