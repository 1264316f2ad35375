//===- SwitchLog.cpp - states of threads, from switch records ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "samples/SwitchLog.h"

#include "core/Platform.h"

#include <cstring>
#include <sys/mman.h>

namespace seamscope::samples {

using namespace format;

static constexpr SampleKind Runs = static_cast<SampleKind>(0);

/// More would be no part of a switch, and of one from a thread.
static constexpr int64_t MostPartNs = 20000, MostOutNs = 5000;

static size_t hashOf(uint32_t Tid) { return (Tid * uint64_t{0x9e3779b97f4a7c15u}) >> 40; }

void SwitchLog::begin(uint64_t Ns, LogSink To) {
  if (Threads)
    memset(static_cast<void *>(Threads), 0, Capacity * sizeof(Thread));
  Used = 0;
  BeginNs = Ns;
  SwitchNs = 0;
  Sink = To;
  Full = false;
  Samples = Switches = Dropped = UnnamedNs = 0;
}

SwitchLog::Thread *SwitchLog::find(uint32_t Tid) {
  if (!Capacity)
    return nullptr;
  for (size_t At = hashOf(Tid) & (Capacity - 1); Threads[At].Tid; At = (At + 1) & (Capacity - 1))
    if (Threads[At].Tid == Tid)
      return &Threads[At];
  return nullptr;
}

bool SwitchLog::grow() {
  const size_t Bigger = Capacity ? Capacity * 2 : 64;
  auto *const New = static_cast<Thread *>(allocatePages(Bigger * sizeof(Thread)));
  if (!New)
    return false;
  forEachThread([&](Thread &Of) {
    size_t At = hashOf(Of.Tid) & (Bigger - 1);
    while (New[At].Tid)
      At = (At + 1) & (Bigger - 1);
    New[At] = Of;
  });
  if (Threads)
    munmap(static_cast<void *>(Threads), Capacity * sizeof(Thread));
  Threads = New;
  Capacity = Bigger;
  return true;
}

SwitchLog::Thread *SwitchLog::add(uint32_t Tid, uint64_t Ns, SampleKind Kind, const char *Name) {
  if (2 * (Used + 1) > Capacity && !grow())
    return nullptr;
  size_t At = hashOf(Tid) & (Capacity - 1);
  while (Threads[At].Tid)
    At = (At + 1) & (Capacity - 1);
  Thread &Of = Threads[At];
  memset(static_cast<void *>(&Of), 0, sizeof(Of));
  Of.Tid = Tid;
  Of.SwitchNs = SwitchNs;
  Of.RunNs = Ns;
  ++Used;
  SampledThreadEntry Entry = {};
  Entry.Head = {sizeof(Entry), SamplingEntryKind::Thread};
  Entry.Tid = Tid;
  Entry.FromNs = Ns;
  strncpy(Entry.Name, Name, sizeof(Entry.Name) - 1);
  if (!Full)
    Of.Entry = Sink.AddThread(Entry);
  enter(Of, Ns, Kind);
  return &Of;
}

SwitchLog::Thread *SwitchLog::at(uint32_t Tid, uint64_t Ns) {
  Thread *const Known = find(Tid);
  return Known ? Known : add(Tid, Ns, Runs, "");
}

/// Moves the threads behind it, which may have been put there because of it.
void SwitchLog::remove(Thread &Of) {
  size_t Hole = static_cast<size_t>(&Of - Threads);
  for (size_t At = (Hole + 1) & (Capacity - 1); Threads[At].Tid; At = (At + 1) & (Capacity - 1)) {
    const size_t Wanted = hashOf(Threads[At].Tid) & (Capacity - 1);
    if (((At - Wanted) & (Capacity - 1)) >= ((At - Hole) & (Capacity - 1))) {
      Threads[Hole] = Threads[At];
      Hole = At;
    }
  }
  Threads[Hole].Tid = 0;
  --Used;
}

void SwitchLog::addExisting(uint32_t Tid, bool IsRunning, const char *Name) {
  if (find(Tid))
    return;
  if (Thread *const Of = add(Tid, BeginNs, IsRunning ? Runs : SampleKind::Unknown, Name))
    Of->IsFirst = !IsRunning;
}

void SwitchLog::append(uint64_t Ns, uint32_t Tid, SampleKind Kind, uint32_t Wait, uint64_t Value) {
  if (!Full && !Sink.Append({Ns, Tid, static_cast<uint32_t>(Kind) | Wait << 8, Value}))
    Full = true;
  Dropped += Full;
}

void SwitchLog::storeSum(Thread &Of) {
  if (!Of.SumEnd)
    return;
  // The two kinds lie one behind the other, each in a part of the time by its share.
  const uint64_t Length = Of.SumEnd - Of.SumBegin, Off = Of.SumOff[0] + Of.SumOff[1];
  const uint64_t First =
      Of.SumOff[1] ? Of.SumOff[0] + (Length - Off) / 2 * (Of.SumOff[0] > 0) : Length;
  if (Of.SumOff[0])
    append(Of.SumBegin, Of.Tid, SampleKind::BlockedSum, 0, Of.SumOff[0] << 32 | First);
  if (Of.SumOff[1])
    append(Of.SumBegin + First, Of.Tid, SampleKind::PreemptedSum, 0,
           Of.SumOff[1] << 32 | (Length - First));
  Of.SumBegin = Of.SumEnd = Of.SumOff[0] = Of.SumOff[1] = 0;
}

void SwitchLog::store(Thread &Of, uint64_t Begin, uint64_t End, SampleKind Kind) {
  if (End <= Begin)
    return;
  if (Kind == SampleKind::Blocked && !Of.Wait)
    UnnamedNs += End - Begin;
  if (End - Of.WindowNs > WindowNs) {
    Of.WindowNs = End;
    Of.InWindow = 0;
  }
  const bool IsSummed = Of.InWindow >= ExactStretches && End - Begin < SumNs &&
                        Kind != SampleKind::Unknown && !Of.Wait;
  if (!IsSummed || (Of.SumEnd && End - Of.SumBegin > SumNs))
    storeSum(Of);
  if (!IsSummed) {
    append(Begin, Of.Tid, Kind, Of.Wait, End - Begin);
    ++Of.InWindow;
    return;
  }
  if (!Of.SumEnd)
    Of.SumBegin = Begin;
  Of.SumEnd = End;
  Of.SumOff[Kind == SampleKind::Preempted] += End - Begin;
}

void SwitchLog::enter(Thread &Of, uint64_t Ns, SampleKind Kind) {
  takeLook(Of, Ns);
  if (Of.Kind != Runs)
    store(Of, Of.SinceNs, Ns, Of.Kind);
  else if (Ns > Of.RunNs)
    Of.RanNs += Ns - Of.RunNs;
  if (Kind == SampleKind::Unknown)
    Of.IsComparable = false;
  Of.Kind = Kind;
  Of.SinceNs = Ns;
  Of.IsFirst = Of.Asked = false;
  Of.Wait = 0;
  // What the entry said last holds if the stretch found no room.
  if (!Of.Entry || Full)
    return;
  storeRelaxed(&Of.Entry->Wait, 0u);
  storeRelease(&Of.Entry->Off, Kind == Runs ? 0 : Ns << 3 | static_cast<uint64_t>(Kind));
}

void SwitchLog::look(uint32_t Tid, uint64_t Ns, uint64_t EndNs, uint32_t Wait) {
  Thread *const Of = find(Tid);
  if (!Of)
    return;
  Of->LookWait = Wait;
  Of->LookNs = Ns;
  Of->LookEndNs = EndNs;
}

bool SwitchLog::takeLook(Thread &Of, uint64_t Ns) {
  if (!Of.LookWait || Ns < Of.LookEndNs)
    return false;
  const bool IsOfThis = (Of.Kind == SampleKind::Blocked || Of.IsFirst) && Of.SinceNs <= Of.LookNs;
  if (IsOfThis) {
    Of.Wait = Of.LookWait;
    Of.Kind = SampleKind::Blocked;
    Of.IsFirst = false;
  }
  Of.LookWait = 0;
  return IsOfThis;
}

void SwitchLog::fork(uint32_t Tid, uint32_t Parent, uint64_t Ns) {
  if (Ns < BeginNs)
    return;
  if (Thread *const Known = find(Tid)) {
    // Its first records may come from another processor's buffer before this one.
    if (Known->Entry && Ns < Known->Entry->FromNs) {
      if (!Full) {
        append(Ns, Tid, SampleKind::Preempted, 0, Known->Entry->FromNs - Ns);
        Known->Entry->FromNs = Ns;
      }
      return;
    }
    exit(Tid, Ns); // its end was lost
  }
  const Thread *const From = find(Parent);
  char Name[sizeof(From->Entry->Name)] = "";
  if (From && From->Entry)
    memcpy(Name, From->Entry->Name, sizeof(Name));
  if (Thread *const Of = add(Tid, Ns, SampleKind::Preempted, Name))
    Of->IsComparable = true; // its processor time is 0
}

void SwitchLog::exit(uint32_t Tid, uint64_t Ns) {
  Thread *const Of = Ns < BeginNs ? nullptr : find(Tid);
  if (!Of)
    return;
  // A thread that ends runs.
  if (Of->IsFirst)
    Of->Kind = Runs;
  enter(*Of, Ns, Runs);
  storeSum(*Of);
  if (Of->Entry && !Full)
    storeRelease(&Of->Entry->ToNs, Ns);
  remove(*Of);
}

void SwitchLog::rename(uint32_t Tid, const char *Name, uint64_t Ns) {
  Thread *const Of = Ns < BeginNs ? nullptr : at(Tid, Ns);
  if (Of && Of->Entry) {
    memset(Of->Entry->Name, 0, sizeof(Of->Entry->Name));
    strncpy(Of->Entry->Name, Name, sizeof(Of->Entry->Name) - 1);
  }
}

void SwitchLog::switchIn(uint32_t Tid, uint64_t Ns) {
  if (Ns < BeginNs)
    return;
  ++Switches;
  Thread *const Of = at(Tid, Ns);
  if (!Of || (Of->Kind != Runs && Ns < Of->SinceNs)) // it came late: the time is stored as unknown
    return;
  if (Of->IsFirst)
    Of->Kind = SampleKind::Blocked; // it did not run until now
  const uint64_t RecordNs = Ns;
  if (const int64_t Its = partOf(*Of, Of->Ins + 1); Of->Kind != Runs && Its > 0) {
    const auto Part = static_cast<uint64_t>(Its);
    Ns = Ns - Of->SinceNs < Part ? Of->SinceNs : Ns - Part;
    Of->GivenNs += static_cast<int64_t>(RecordNs - Ns);
  }
  // The end of the time before may yet come from another processor's buffer: switchOut().
  enter(*Of, Ns, Runs);
  Of->RunNs = RecordNs;
  ++Of->Ins;
}

void SwitchLog::switchOut(uint32_t Tid, uint64_t Ns, bool IsPreempted) {
  if (Ns < BeginNs)
    return;
  const SampleKind Kind = IsPreempted ? SampleKind::Preempted : SampleKind::Blocked;
  Thread *const Of = at(Tid, Ns);
  if (!Of)
    return;
  if (Of->Kind == Runs && Ns < Of->SinceNs) {
    store(*Of, Ns, Of->SinceNs, Kind); // it came late
    Of->IsComparable = false;
    return;
  }
  if (Of->IsFirst)
    Of->Kind = Runs; // it ran until now
  else if (Of->Kind == SampleKind::Blocked || Of->Kind == SampleKind::Preempted)
    Of->Kind = SampleKind::Unknown; // it ran meanwhile
  const uint64_t RecordNs = Ns;
  if (const int64_t Its = partOf(*Of, Of->Ins); Of->Kind == Runs && Its < 0) {
    const auto Part = static_cast<uint64_t>(-Its);
    Ns = Ns - Of->SinceNs < Part ? Of->SinceNs : Ns - Part;
  }
  enter(*Of, Ns, Kind);
  Of->RanNs += RecordNs - Ns;
  Of->GivenNs -= static_cast<int64_t>(RecordNs - Ns);
}

void SwitchLog::sample(uint32_t Tid, uint64_t Ns, uint64_t Address) {
  if (Ns < BeginNs || !at(Tid, Ns))
    return;
  append(Ns, Tid, SampleKind::Sample, 0, Address);
  Samples += !Full;
}

void SwitchLog::lose(uint64_t SinceNs) {
  if (SinceNs < BeginNs)
    SinceNs = BeginNs;
  forEachThread([&](Thread &Of) {
    if (Of.Kind != SampleKind::Unknown)
      enter(Of, SinceNs > Of.SinceNs ? SinceNs : Of.SinceNs, SampleKind::Unknown);
    Of.IsFirst = false;
  });
}

static int64_t limited(int64_t Ns, int64_t Least, int64_t Most) {
  return Ns < Least ? Least : Ns > Most ? Most : Ns;
}

int64_t SwitchLog::partOf(const Thread &Of, uint32_t Count) {
  const int64_t Lack = Of.LackNs + Of.SwitchNs * (static_cast<int64_t>(Count) - 1) - Of.GivenNs;
  return Of.SwitchNs + limited(Lack, 0, Of.MostNs);
}

void SwitchLog::compare(Thread &Of, uint64_t CpuNs) {
  if (Of.IsComparable && CpuNs > Of.CpuNs) {
    const auto Count = static_cast<int64_t>(Of.Ins);
    const int64_t All = static_cast<int64_t>(CpuNs - Of.CpuNs) - static_cast<int64_t>(Of.RanNs);
    // What was too much stays: a hypervisor may have taken it.
    SwitchNs = Of.SwitchNs = limited(All / Count, -MostOutNs, MostPartNs);
    Of.LackNs += All - Of.GivenNs;
    Of.MostNs = limited(Of.LackNs / Count, 0, MostPartNs);
  } else {
    Of.LackNs = 0;
  }
  Of.GivenNs = 0;
  Of.CpuNs = CpuNs;
  Of.RanNs = 0;
  Of.Ins = 0;
  Of.IsComparable = true;
}

void SwitchLog::endReading(uint64_t UntilNs) {
  forEachThread([&](Thread &Of) {
    storeSum(Of);
    if (!takeLook(Of, UntilNs) || !Of.Entry || Full)
      return;
    storeRelaxed(&Of.Entry->Wait, Of.Wait);
    storeRelease(&Of.Entry->Off, Of.SinceNs << 3 | static_cast<uint64_t>(Of.Kind));
  });
}

} // namespace seamscope::samples
