//===- Samples.cpp - samples and switches of the process's threads ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "samples/Samples.h"

#include "core/Clock.h"
#include "core/Process.h"
#include "samples/Events.h"
#include "samples/MappedModules.h"
#include "samples/Refusal.h"
#include "samples/SwitchLog.h"
#include "samples/WaitReader.h"

#include <cstdio>
#include <cstring>
#include <sys/prctl.h>
#include <unistd.h>

namespace seamscope {

using namespace format;
using namespace samples;

namespace {

constexpr uint64_t Second = 1000000000;

/// A record may appear that long after its moment, when the processor's own is late.
constexpr uint64_t LateNs = Second / 500;

/// Of the processor's time. What a machine does not show, such as cold caches, may double it.
constexpr uint32_t CostPerThousand = 4;
constexpr uint32_t LeastRate = 50, MostRate = 2000;

/// What samples take of the spool at most, so that calls have room.
constexpr uint64_t SpoolShares = 4;
constexpr uint64_t LeastBlocks = 16;

/// Waits of different places that are stored at most.
constexpr uint32_t MostWaits = 2048;
/// Threads that may be blocked for a short time, of which the wait reader looks at some each time.
constexpr unsigned MostLooks = 8;
/// Blocked time for which the wait reader begins.
constexpr uint64_t WorthLooksNs = Second / 100;

/// All of it belongs to who holds the lock.
struct State {
  SpinLock Lock;
  bool IsOn;
  EventBuffers Events;
  SwitchLog Log;
  uint32_t Opener; ///< the thread that began
  uint32_t Helper; ///< the helper thread, which is not recorded; 0: it has not begun
  uint32_t Reader; ///< the wait reader, a thread of the helper; 0: it has not begun
  uint64_t Lost;
  uint64_t Blocks;      ///< of the spool, taken
  BlockHeader *Records; ///< the block that is being filled
  size_t RecordCount;
  BlockHeader *Entries;
  size_t EntryBytes;
  uint64_t Period;
  uint32_t SampleCostNs; ///< kept across forks
  /// Ranges of code that was generated, of which many are mapped again and again.
  struct Range {
    uint64_t Begin, End;
  } Generated[64];
  unsigned NextGenerated;
  Range Code[256]; ///< executable memory, the first mappings
  unsigned CodeCount;
  uint64_t Waits[MostWaits]; ///< placeOf() of the waits in the spool, by number - 1
  uint32_t WaitCount;
  uint64_t Random; ///< the state of a linear congruential generator
};
State The;

SampleStatus &status() { return TheProcess.Spool.header()->Samples; }

BlockHeader *claimBlock(BlockKind Kind) {
  Arena &Spool = TheProcess.Spool;
  if (The.Blocks >= loadRelaxed(&Spool.header()->CapacityBlocks) / SpoolShares)
    return nullptr;
  BlockHeader *const New = Spool.claim();
  if (!New)
    return nullptr;
  ++The.Blocks;
  storeRelease(&New->Kind, Kind);
  return New;
}

bool appendRecord(const SampleRecord &Record) {
  if (!The.Records || The.RecordCount == SamplesPerBlock) {
    BlockHeader *const New = claimBlock(BlockKind::Samples);
    if (!New)
      return false;
    The.Records = New;
    The.RecordCount = 0;
  }
  auto &To = reinterpret_cast<SampleRecord *>(The.Records + 1)[The.RecordCount++];
  To.Tid = Record.Tid;
  To.What = Record.What;
  To.Value = Record.Value;
  storeRelease(&To.Ns, Record.Ns);
  return true;
}

/// Adds an entry of \p Bytes, with \p Rest behind it. Null: there is no room.
void *addEntry(const void *Entry, size_t Bytes, const void *Rest, size_t RestBytes) {
  const size_t Size = (Bytes + RestBytes + 7) / 8 * 8;
  if (!The.Entries || The.EntryBytes + Size > BlockBytes) {
    BlockHeader *const New = claimBlock(BlockKind::Sampling);
    if (!New)
      return nullptr;
    The.Entries = New;
    The.EntryBytes = sizeof(BlockHeader);
  }
  unsigned char *const To = reinterpret_cast<unsigned char *>(The.Entries) + The.EntryBytes;
  The.EntryBytes += Size;
  constexpr size_t SizeBytes = sizeof(SamplingEntry::Size);
  memcpy(To + SizeBytes, static_cast<const unsigned char *>(Entry) + SizeBytes, Bytes - SizeBytes);
  memcpy(To + Bytes, Rest, RestBytes);
  storeRelease(reinterpret_cast<uint32_t *>(To), static_cast<uint32_t>(Size));
  return To;
}

SampledThreadEntry *addThread(const SampledThreadEntry &Entry) {
  return static_cast<SampledThreadEntry *>(addEntry(&Entry, sizeof(Entry), "", 0));
}

/// Whether code was generated there before. Just-in-time compilers change the protection of their
/// pages with each function.
bool isKnownGenerated(const SampledModuleEntry &Module) {
  for (const State::Range &Each : The.Generated)
    if (Module.Begin >= Each.Begin && Module.End <= Each.End)
      return true;
  The.Generated[The.NextGenerated++ % 64] = {Module.Begin, Module.End};
  return false;
}

void addModule(SampledModuleEntry &Module, const char *Path) {
  if (!strcmp(Path, "//anon") && isKnownGenerated(Module))
    return;
  if (The.CodeCount < 256)
    The.Code[The.CodeCount++] = {Module.Begin, Module.End};
  Module.Head.Kind = SamplingEntryKind::Module;
  addEntry(&Module, sizeof(Module), Path, strlen(Path) + 1);
}

bool isOwn(uint32_t Tid) { return Tid == The.Helper || Tid == The.Reader; }

void handle(const EventRecord &Record, uint64_t LastNs) {
  struct {
    uint32_t Pid, ParentPid, Tid, ParentTid;
  } Task;
  const uint32_t Pid = TheProcess.Pid;
  switch (Record.Head->type) {
  case PERF_RECORD_FORK:
  case PERF_RECORD_EXIT:
    if (Record.Size < sizeof(Task))
      return;
    memcpy(&Task, Record.Fields, sizeof(Task));
    if (Task.Pid != Pid)
      return;
    if (Record.Head->type == PERF_RECORD_FORK && !The.Helper && Task.ParentTid == The.Opener)
      The.Helper = Task.Tid;
    if (Record.Head->type == PERF_RECORD_FORK && Task.ParentTid == The.Helper)
      The.Reader = Task.Tid;
    if (isOwn(Task.Tid))
      return;
    if (Record.Head->type == PERF_RECORD_FORK)
      The.Log.fork(Task.Tid, Task.ParentTid, Record.Ns);
    else
      The.Log.exit(Task.Tid, Record.Ns);
    return;
  case PERF_RECORD_LOST: {
    uint64_t Count[2] = {}; // id, count
    memcpy(Count, Record.Fields, Record.Size < sizeof(Count) ? Record.Size : sizeof(Count));
    The.Lost += Count[1];
    The.Log.lose(LastNs);
    return;
  }
  default:
    break;
  }
  if (Record.Pid != Pid || isOwn(Record.Tid))
    return;
  switch (Record.Head->type) {
  case PERF_RECORD_SAMPLE:
    return The.Log.sample(Record.Tid, Record.Ns, Record.Address);
  case PERF_RECORD_SWITCH:
    if (Record.Head->misc & PERF_RECORD_MISC_SWITCH_OUT)
      The.Log.switchOut(Record.Tid, Record.Ns,
                        Record.Head->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
    else
      The.Log.switchIn(Record.Tid, Record.Ns);
    return;
  case PERF_RECORD_COMM: {
    const char *const Name = reinterpret_cast<const char *>(Record.Fields) + 2 * sizeof(uint32_t);
    if (Record.Size > 2 * sizeof(uint32_t) && memchr(Name, 0, Record.Size - 2 * sizeof(uint32_t)))
      The.Log.rename(Record.Tid, Name, Record.Ns);
    return;
  }
  case PERF_RECORD_MMAP2:
    return addMapping(Record, Pid, addModule);
  default:
    return;
  }
}

/// Reads the records up to \p UntilNs. Returns the share of the fullest buffer that was in use, in
/// percent.
unsigned readUntil(uint64_t UntilNs) {
  SampleStatus &Status = status();
  if (UntilNs < Status.UntilNs)
    return 0;
  unsigned Fullest = 0;
  for (unsigned I = 0; I < The.Events.Count; ++I) {
    const unsigned Share = The.Events.Buffers[I].beginReading();
    Fullest = Share > Fullest ? Share : Fullest;
  }
  for (;;) {
    EventBuffer *First = nullptr;
    const EventRecord *Earliest = nullptr;
    for (unsigned I = 0; I < The.Events.Count; ++I)
      if (const EventRecord *const Next = The.Events.Buffers[I].next();
          Next && Next->Ns <= UntilNs && (!Earliest || Next->Ns < Earliest->Ns)) {
        First = &The.Events.Buffers[I];
        Earliest = Next;
      }
    if (!First)
      break;
    handle(*Earliest, First->LastNs);
    First->take();
  }
  for (unsigned I = 0; I < The.Events.Count; ++I)
    The.Events.Buffers[I].endReading();
  The.Log.endReading(UntilNs);
  storeRelaxed(&Status.Samples, The.Log.samples());
  storeRelaxed(&Status.Switches, The.Log.switches());
  storeRelaxed(&Status.Lost, The.Lost);
  storeRelaxed(&Status.Dropped, The.Log.dropped());
  if (The.Log.isFull()) {
    // What is in the spool holds until the last reading.
    closeEvents(The.Events);
    The.IsOn = false;
  } else {
    storeRelease(&Status.UntilNs, UntilNs);
  }
  return Fullest;
}

/// Equal for stacks with equal return addresses in equal places.
uint64_t placeOf(const BlockedThread &Of) {
  uint64_t Hash = 0xcbf29ce484222325u;
  const auto Add = [&](uint64_t Word) { Hash = (Hash ^ Word) * 0x9e3779b97f4a7c15u ^ Hash >> 32; };
  Add(static_cast<uint64_t>(Of.Wait.SystemCall));
  Add(Of.Wait.Pc);
  for (size_t At = 0; At + 8 <= Of.Wait.StackBytes; At += 8) {
    uint64_t Word;
    memcpy(&Word, Of.Stack + At, sizeof(Word));
    for (unsigned I = 0; I < The.CodeCount; ++I)
      if (Word >= The.Code[I].Begin && Word < The.Code[I].End) {
        Add(At);
        Add(Word);
        break;
      }
  }
  return Hash;
}

/// The number of the wait in the spool; 0: there is no room.
uint32_t waitOf(const BlockedThread &Of) {
  const uint64_t Place = placeOf(Of);
  for (uint32_t I = 0; I < The.WaitCount; ++I)
    if (The.Waits[I] == Place)
      return I + 1;
  if (The.WaitCount == MostWaits)
    return 0;
  SampledWaitEntry Entry = Of.Wait;
  Entry.Head.Kind = SamplingEntryKind::Wait;
  Entry.Id = The.WaitCount + 1;
  if (!addEntry(&Entry, sizeof(Entry), Of.Stack, static_cast<size_t>(Entry.StackBytes)))
    return 0;
  The.Waits[The.WaitCount++] = Place;
  return The.WaitCount;
}

/// Whether a thread has been blocked for so long, and nobody looked. One that existed when
/// recording began may be blocked.
bool isBlocked(const SwitchLog::Thread &Of, uint64_t Now, uint64_t Ns) {
  return (Of.Kind == SampleKind::Blocked || Of.IsFirst) && !Of.Wait && !Of.Asked &&
         Of.SinceNs + Ns < Now;
}

/// Compares threads that switch often with their processor time. A thread's clock needs no
/// descriptor.
void compareThreads() {
  const auto Read = [] { readUntil(clock::readClock(CLOCK_MONOTONIC)); };
  bool Any = false;
  The.Log.forEachThread([&](const SwitchLog::Thread &Of) { Any |= SwitchLog::isComparable(Of); });
  if (!Any)
    return;
  Read();
  The.Log.forEachThread([&](SwitchLog::Thread &Of) {
    timespec Used;
    const auto Clock = static_cast<clockid_t>(~Of.Tid << 3 | 6); // CPUCLOCK_SCHED of a thread
    Of.NewSinceNs = 0;
    if (!SwitchLog::isComparable(Of) || clock_gettime(Clock, &Used))
      return;
    Of.NewCpuNs = static_cast<uint64_t>(Used.tv_sec) * Second + static_cast<uint64_t>(Used.tv_nsec);
    Of.NewSinceNs = Of.SinceNs;
  });
  // Of those that ran meanwhile, the clock does not belong to the records.
  Read();
  The.Log.forEachThread([&](SwitchLog::Thread &Of) {
    if (SwitchLog::isComparable(Of) && Of.NewSinceNs == Of.SinceNs)
      The.Log.compare(Of, Of.NewCpuNs);
  });
  const int64_t Cost = The.Log.switchNs();
  storeRelaxed(&status().SwitchCostNs, static_cast<uint32_t>(Cost > 0 ? Cost : 0));
}

/// A number below \p End.
uint32_t randomBelow(uint32_t End) {
  The.Random = The.Random * 6364136223846793005u + 1442695040888963407u;
  return static_cast<uint32_t>((The.Random >> 32) * End >> 32);
}

/// All threads that are blocked for long, and of the others some at random, which may be blocked
/// for a short time. Each moment of a short wait thus has the same chance to be seen.
unsigned findBlocked(BlockedThread *Into, unsigned Most) {
  const SpinGuard Guard(The.Lock);
  if (!The.IsOn)
    return 0;
  const uint64_t Now = clock::readClock(CLOCK_MONOTONIC);
  readUntil(Now - LateNs);
  unsigned Count = 0;
  The.Log.forEachThread([&](SwitchLog::Thread &Of) {
    if (Count < Most - MostLooks && isBlocked(Of, Now, LongWaitNs)) {
      Of.Asked = true;
      Into[Count++].Tid = Of.Tid;
    }
  });
  uint32_t Others = 0;
  BlockedThread *const Looks = Into + Count;
  The.Log.forEachThread([&](const SwitchLog::Thread &Of) {
    if (Of.Wait || Of.Asked)
      return;
    const uint32_t At = ++Others <= MostLooks ? Others - 1 : randomBelow(Others);
    if (At < MostLooks)
      Looks[At].Tid = Of.Tid;
  });
  return Count + (Others < MostLooks ? Others : MostLooks);
}

/// Reads no records: some from before may appear late.
void storeWaits(const BlockedThread *From, unsigned Count) {
  const SpinGuard Guard(The.Lock);
  for (unsigned I = 0; I < Count && The.IsOn; ++I)
    if (From[I].IsRead)
      The.Log.look(From[I].Tid, From[I].Ns, From[I].EndNs, waitOf(From[I]));
}

void addExisting(uint32_t Tid, void *) {
  char Path[64], Name[16] = "";
  snprintf(Path, sizeof(Path), "/proc/self/task/%u/comm", Tid);
  readLine(Path, Name, sizeof(Name));
  The.Log.addExisting(Tid, false, Name);
}

uint32_t rateOf(const Config &Settings) {
  if (Settings.SampleRate)
    return Settings.SampleRate;
  if (!The.SampleCostNs)
    return LeastRate;
  const uint64_t Rate = Second / 1000 * CostPerThousand / The.SampleCostNs;
  return static_cast<uint32_t>(Rate < LeastRate ? LeastRate : Rate > MostRate ? MostRate : Rate);
}

} // namespace

void startSamples() {
  const Config &Settings = TheProcess.Settings;
  SampleStatus &Status = status();
  The.IsOn = false;
  if (!Settings.Samples)
    return;
  Status.AskedRate = Settings.SampleRate;
  Status.State = SamplesRefused;
  if (TheProcess.Spool.header()->CapacityBlocks < LeastBlocks) {
    snprintf(Status.Why, sizeof(Status.Why), "the spool's limit leaves no room for samples");
    return;
  }
  if (mayKill()) {
    snprintf(Status.Why, sizeof(Status.Why),
             "a filter of system calls ends who calls perf_event_open");
    return;
  }
  if (!The.SampleCostNs)
    The.SampleCostNs = measureSampleCost();
  Status.SampleCostNs = The.SampleCostNs;
  Status.Rate = rateOf(Settings);
  if (const int Error = openEvents(Status.Rate, The.Events)) {
    explainRefusal(Error, Status.Why, sizeof(Status.Why));
    return;
  }
  The.Opener = currentTid();
  The.Helper = The.Reader = 0;
  The.Lost = The.Blocks = 0;
  The.Records = The.Entries = nullptr;
  memset(The.Generated, 0, sizeof(The.Generated));
  The.CodeCount = The.WaitCount = 0;
  The.Random = clock::readClock(CLOCK_MONOTONIC);
  The.Period = Second / 100;
  // From here on, all switches of the threads that exist are in the buffers.
  Status.BeginNs = Status.UntilNs = clock::readClock(CLOCK_MONOTONIC);
  The.Log.begin(Status.BeginNs, {appendRecord, addThread});
  char Name[16] = "";
  prctl(PR_GET_NAME, Name);
  The.Log.addExisting(The.Opener, true, Name);
  forEachOtherThread(addExisting, nullptr);
  findMappedModules(Status.BeginNs, addModule);
  Status.State = SamplesOn;
  SpinGuard Guard(The.Lock);
  The.IsOn = true;
}

uint64_t readSamples() {
  if (!The.Lock.tryLock())
    return Second / 100;
  uint64_t Next = 0;
  if (The.IsOn) {
    const unsigned Share = readUntil(clock::readClock(CLOCK_MONOTONIC) - LateNs);
    if (The.IsOn)
      compareThreads();
    constexpr uint64_t Shortest = Second / 1000, Longest = Second / 20;
    if (Share > 20)
      The.Period = The.Period / 2 < Shortest ? Shortest : The.Period / 2;
    else if (Share < 1)
      The.Period = The.Period * 2 > Longest ? Longest : The.Period * 2;
    Next = The.IsOn ? The.Period : 0;
  }
  bool HasBlocked = false;
  if (Next && !waitReaders()) {
    const uint64_t Now = clock::readClock(CLOCK_MONOTONIC);
    HasBlocked = The.Log.unnamedNs() > WorthLooksNs;
    The.Log.forEachThread(
        [&](const SwitchLog::Thread &Of) { HasBlocked |= isBlocked(Of, Now, WorthLooksNs); });
  }
  The.Lock.unlock();
  if (HasBlocked)
    startWaitReader({findBlocked, storeWaits});
  return Next;
}

void forgetSamples() {
  The.IsOn = false;
  The.Events.Count = 0;
  The.Lock.unlock();
  forgetWaitReader();
}

SamplesHeld::SamplesHeld() {
  The.Lock.lock();
  if (The.IsOn)
    readUntil(clock::readClock(CLOCK_MONOTONIC));
}

SamplesHeld::~SamplesHeld() { The.Lock.unlock(); }

} // namespace seamscope
