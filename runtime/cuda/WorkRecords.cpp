//===- WorkRecords.cpp - the sums of counters of one context ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda/WorkRecords.h"

#include "cuda/Entries.h"
#include "cuda/KernelTable.h"
#include "cuda/Libraries.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace seamscope::cuda {

constexpr uint64_t Capacity = SEAMSCOPE_GPU_WORK_LAUNCHES;

CUdeviceptr WorkRecords::memory(CUdevice On) {
  if (Asked)
    return Memory;
  Asked = true;
  Device = On;
  CUdeviceptr New = 0;
  void *Read = nullptr;
  if (Cuda.MemAlloc(&New, sizeof(SeamscopeGpuWork)) || Stream.zero(New, sizeof(SeamscopeGpuWork)) ||
      Cuda.MemAllocHost(&Read, Capacity * sizeof(SeamscopeGpuWorkRecord))) {
    warn("the work of GPU kernels is not counted: device %d lacks memory for the sums",
         static_cast<int>(Device));
    return 0;
  }
  Records = static_cast<SeamscopeGpuWorkRecord *>(Read);
  return Memory = New;
}

/// Fetches records [From, To) to their places.
bool WorkRecords::fetch(uint64_t From, uint64_t To) {
  while (From < To) {
    const uint64_t At = From % Capacity;
    const uint64_t Count = std::min(To - From, Capacity - At);
    const CUdeviceptr First = Memory + offsetof(SeamscopeGpuWork, records);
    if (Stream.copyFrom(Records + At, First + At * sizeof(*Records), Count * sizeof(*Records)))
      return false;
    From += Count;
  }
  return true;
}

bool WorkRecords::fetchTickets(uint64_t &Tickets) {
  return !Stream.copyFrom(&Tickets, Memory + offsetof(SeamscopeGpuWork, tickets), sizeof(Tickets));
}

/// A record that has its ticket in the first copy is whole in the second one, unless a later record
/// with its place had begun by then.
bool WorkRecords::drain() {
  uint64_t To = 0;
  if (!Memory)
    return true;
  if (!fetchTickets(To))
    return false;
  const uint64_t From = To > Capacity ? std::max(Seen, To - Capacity) : Seen;
  if (From >= To)
    return true;
  if (!fetch(From, To))
    return false;
  std::vector<bool> AreWritten;
  for (uint64_t I = From; I < To; ++I)
    AreWritten.push_back(Records[I % Capacity].ticket == I + 1);
  uint64_t Begun = 0;
  if (!fetch(From, To) || !fetchTickets(Begun))
    return false;
  for (Seen = From; Seen < To; ++Seen) {
    if (Begun > Capacity && Seen < Begun - Capacity)
      continue;
    if (!AreWritten[Seen - From])
      break; // the next drain reads it
    write(Records[Seen % Capacity]);
  }
  return true;
}

void WorkRecords::write(const SeamscopeGpuWorkRecord &Record) const {
  const KernelCounts Counts = kernelCounts(Record.counts);
  if (!Counts.Text || Counts.Words > SEAMSCOPE_GPU_WORK_WORDS)
    return;
  const size_t Bytes = sizeof(format::DeviceWork) + Counts.Words * sizeof(uint64_t);
  std::vector<uint64_t> Room(Bytes / sizeof(uint64_t));
  auto &Entry = *reinterpret_cast<format::DeviceWork *>(Room.data());
  Entry.Number = static_cast<uint32_t>(Record.owner >> 32);
  Entry.Kernel = static_cast<uint32_t>(Record.owner);
  Entry.Device = static_cast<uint32_t>(Device);
  Entry.Counts = Record.counts;
  Entry.EndNs = Record.ns;
  Entry.Words = Counts.Words;
  memcpy(&Entry + 1, Record.words, Counts.Words * sizeof(uint64_t));
  appendEntry(Entry.Head, format::DeviceEntryKind::Work, static_cast<uint32_t>(Bytes));
}

} // namespace seamscope::cuda
