//===- DeviceSums.cpp - sums of GPU events that a trace leaves out ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "format/DeviceTrace.h"

#include <algorithm>
#include <tuple>

namespace seamscope::format {

uint64_t DeviceTrace::beginOf(const Event &Of) const {
  if (Of.Activity)
    return place(Of.Activity->BeginNs);
  return Of.Inside ? placeOnDevice(Of.Inside->Device, Of.Inside->BeginNs)
                   : placeOnDevice(Of.Span->Device, Of.Span->BeginNs);
}

uint64_t DeviceTrace::lengthOf(const Event &Of) const {
  if (Of.Activity)
    return Of.Activity->EndNs - Of.Activity->BeginNs;
  return Of.Inside ? Of.Inside->EndNs - Of.Inside->BeginNs : Of.Span->EndNs - Of.Span->BeginNs;
}

uint32_t DeviceTrace::deviceOf(const Event &Of) {
  return Of.Activity ? Of.Activity->Device : Of.Inside ? Of.Inside->Device : Of.Span->Device;
}

uint64_t DeviceTrace::bytesOf(const Event &Of) const {
  constexpr uint64_t Head = 90, Arrow = 100, InsideBytes = 330;
  const DeviceInside *const Kernel = kernelOf(Of);
  const uint64_t NameBytes = Kernel ? strlen(text(Kernel->Name)) : 0;
  if (Of.Span)
    return Head + 50 + NameBytes;
  uint64_t Bytes = Head + (Externals.size() ? 30 : 0);
  if (Kernel)
    Bytes += NameBytes + strlen(text(Kernel->File));
  if (Of.Inside) {
    Bytes += InsideBytes;
    const auto [First, Last] = loopsOf(*Of.Inside);
    for (const DeviceLoop *const *Each = First; Each != Last; ++Each)
      Bytes += 120 + strlen(text((*Each)->Name)) + strlen(text((*Each)->File)) +
               strlen(text((*Each)->InlinedFrom));
  }
  if (Of.Work)
    Bytes += 30 + 8 * Of.Work->Words;
  if (!Of.Activity)
    return Bytes + NameBytes;
  const DeviceActivity &A = *Of.Activity;
  Bytes += 30 + strlen(text(A.Name));
  switch (A.Kind) {
  case DeviceActivityKind::Kernel:
    return Bytes + 190 + Arrow + (A.GraphNode ? 40 : 0);
  case DeviceActivityKind::Copy:
  case DeviceActivityKind::Fill:
    return Bytes + 120 + Arrow;
  case DeviceActivityKind::Wait:
    return Bytes + 100;
  case DeviceActivityKind::RuntimeCall:
  case DeviceActivityKind::DriverCall:
    return Bytes +
           (std::binary_search(Launched.begin(), Launched.end(), A.Correlation) ? Arrow : 0);
  case DeviceActivityKind::Overhead:
    break;
  }
  return Bytes;
}

namespace {

/// The key by which events are summed: everything in their head and their source place.
auto keyOf(const DeviceActivity *A, const DeviceInside *Kernel, const DeviceBlockSpan *S) {
  using Parts =
      std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint64_t, uint32_t, uint32_t, uint32_t>;
  if (S)
    return Parts(UINT32_MAX, S->Kernel, S->Device, S->Sm, 0, 0, 0, 0);
  const uint32_t Name = Kernel ? Kernel->Name : 0, File = Kernel ? Kernel->File : 0,
                 Line = Kernel ? Kernel->Line : 0;
  if (!A)
    return Parts(0, 0, Kernel->Device, UnknownStream, 0, Name, File, Line);
  const bool IsCall =
      A->Kind == DeviceActivityKind::RuntimeCall || A->Kind == DeviceActivityKind::DriverCall;
  // Of a wait, Result is the kind and is part of the key. Of a call, it is the returned value and
  // is not.
  const uint64_t Variant = A->Kind == DeviceActivityKind::Wait
                               ? A->Result
                               : uint64_t{A->Direction} << 32 ^ uint64_t { A->From } << 16 ^ A->To;
  return Parts(static_cast<uint32_t>(A->Kind), A->Name, IsCall ? 0 : A->Device,
               IsCall ? A->Thread : A->Stream, Variant, Name, File, Line);
}

} // namespace

bool DeviceTrace::leaveOut(uint64_t UntilNs) {
  if (UntilNs == UINT64_MAX)
    return true;
  bool Ok = true;
  forEach([&](const Event &Each) {
    if (beginOf(Each) >= UntilNs)
      Ok = Ok && LeftOut.add(Each);
  });
  if (!Ok)
    return false;
  for (size_t I = 0; I < Insides.size(); ++I)
    if (Insides[I] && !ActivityOf[I] && beginOf({nullptr, Insides[I], nullptr}) >= UntilNs)
      Insides[I] = nullptr;
  for (const DeviceActivity *&Each : Activities)
    if (Each && beginOf({Each, nullptr, nullptr}) >= UntilNs)
      Each = nullptr;
  for (const DeviceBlockSpan *&Each : BlockSpans)
    if (Each && beginOf({nullptr, nullptr, Each}) >= UntilNs)
      Each = nullptr;
  std::sort(LeftOut.begin(), LeftOut.end(), [&](const Event &A, const Event &B) {
    return keyOf(A.Activity, kernelOf(A), A.Span) < keyOf(B.Activity, kernelOf(B), B.Span);
  });
  // An arrow begins only if its end is written, too. Tracks stay, since sums have them as well.
  size_t Used = 0;
  GrowingList<uint32_t> Written;
  for (const DeviceActivity *Each : Activities)
    if (Each && isDeviceWork(Each->Kind) && !Written.add(Each->Correlation))
      return false;
  std::sort(Written.begin(), Written.end());
  for (const uint32_t Each : Launched)
    if (std::binary_search(Written.begin(), Written.end(), Each))
      Launched[Used++] = Each;
  Launched.shrink(Used);
  return true;
}

size_t DeviceTrace::endOfSums(size_t First) const {
  const auto Key = [&](size_t I) {
    return keyOf(LeftOut[I].Activity, kernelOf(LeftOut[I]), LeftOut[I].Span);
  };
  size_t End = First + 1;
  while (End < LeftOut.size() && Key(End) == Key(First))
    ++End;
  return End;
}

} // namespace seamscope::format
