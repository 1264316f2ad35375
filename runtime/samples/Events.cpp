//===- Events.cpp - the kernel's events of threads, and their buffers -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "samples/Events.h"

#include "core/Clock.h"

#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace seamscope::samples {
namespace {

constexpr uint64_t Second = 1000000000;

perf_event_attr attributes() {
  perf_event_attr A;
  memset(&A, 0, sizeof(A));
  A.size = sizeof(A);
  A.type = PERF_TYPE_SOFTWARE;
  A.config = PERF_COUNT_SW_CPU_CLOCK;
  A.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
  A.exclude_kernel = 1;
  A.exclude_hv = 1;
  A.sample_id_all = 1;
  A.use_clockid = 1;
  A.clockid = CLOCK_MONOTONIC;
  return A;
}

int openEvent(const perf_event_attr &A, pid_t Tid, int Cpu) {
  return static_cast<int>(syscall(SYS_perf_event_open, &A, Tid, Cpu, -1, PERF_FLAG_FD_CLOEXEC));
}

/// A buffer of the size that the limit of locked memory allows; null: none.
void *mapBuffer(int Fd, size_t PageBytes, size_t &Pages) {
  for (; Pages >= 4; Pages /= 2) {
    void *const At =
        mmap(nullptr, (1 + Pages) * PageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, Fd, 0);
    if (At != MAP_FAILED)
      return At;
    if (errno != EPERM && errno != ENOMEM)
      break;
  }
  return nullptr;
}

/// One event of this thread, until others have joined it.
struct Opened {
  int Fd, Cpu;
  size_t Pages;
};

struct Joining {
  const perf_event_attr &Attributes;
  const Opened *All;
  unsigned Count;
  size_t PageBytes;
};

/// Opens events of a thread that exists. They share the buffers; a mapping keeps each.
void join(uint32_t Tid, void *Context) {
  const auto &Of = *static_cast<const Joining *>(Context);
  for (unsigned I = 0; I < Of.Count; ++I) {
    const int Fd = openEvent(Of.Attributes, static_cast<pid_t>(Tid), Of.All[I].Cpu);
    if (Fd < 0)
      continue;
    if (ioctl(Fd, PERF_EVENT_IOC_SET_OUTPUT, Of.All[I].Fd) == 0)
      mmap(nullptr, (1 + Of.All[I].Pages) * Of.PageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, Fd,
           0);
    close(Fd);
  }
}

} // namespace

void EventBuffer::set(void *Mapping, size_t PageBytes, size_t Pages) {
  Page = static_cast<perf_event_mmap_page *>(Mapping);
  Data = static_cast<unsigned char *>(Mapping) + PageBytes;
  Bytes = PageBytes * Pages;
  Tail = Head = LastNs = 0;
  HasNext = false;
}

void EventBuffer::unmap() {
  munmap(Page, static_cast<size_t>(Data + Bytes - reinterpret_cast<unsigned char *>(Page)));
}

unsigned EventBuffer::beginReading() {
  Head = loadAcquire(&Page->data_head);
  return static_cast<unsigned>((Head - Tail) * 100 / Bytes);
}

void EventBuffer::copy(uint64_t From, void *To, size_t Size) const {
  const size_t At = From % Bytes, Before = Bytes - At < Size ? Bytes - At : Size;
  memcpy(To, Data + At, Before);
  memcpy(static_cast<unsigned char *>(To) + Before, Data, Size - Before);
}

const EventRecord *EventBuffer::next() {
  while (!HasNext && Tail + sizeof(perf_event_header) <= Head) {
    perf_event_header Known;
    copy(Tail, &Known, sizeof(Known));
    if (Known.size < sizeof(Known) || Tail + Known.size > Head) {
      Tail = Head; // the kernel does not write such records
      return nullptr;
    }
    const size_t Size = Known.size < sizeof(Copy) ? Known.size : sizeof(Copy);
    copy(Tail, Copy, Size);
    Next = {reinterpret_cast<const perf_event_header *>(Copy), Copy + sizeof(Known), 0, 0, 0, 0, 0};
    // {pid, tid, time}: behind the fields of all records but samples, where they follow the
    // address.
    struct {
      uint32_t Pid, Tid;
      uint64_t Ns;
    } Common;
    const size_t Behind =
        Known.type == PERF_RECORD_SAMPLE ? sizeof(uint64_t) : Size - sizeof(Known) - sizeof(Common);
    if (Known.size <= sizeof(Copy) && Size >= sizeof(Known) + sizeof(Common) &&
        Behind + sizeof(Common) <= Size - sizeof(Known)) {
      memcpy(&Common, Next.Fields + Behind, sizeof(Common));
      if (Known.type == PERF_RECORD_SAMPLE)
        memcpy(&Next.Address, Next.Fields, sizeof(Next.Address));
      Next.Size = Behind;
      Next.Pid = Common.Pid;
      Next.Tid = Common.Tid;
      Next.Ns = Common.Ns;
      HasNext = true;
    } else {
      Tail += Known.size;
    }
  }
  return HasNext ? &Next : nullptr;
}

void EventBuffer::take() {
  LastNs = Next.Ns;
  Tail += Next.Head->size;
  HasNext = false;
}

void EventBuffer::endReading() {
  storeRelease(&Page->data_tail, static_cast<decltype(Page->data_tail)>(Tail));
}

void closeEvents(EventBuffers &From) {
  for (unsigned I = 0; I < From.Count; ++I)
    From.Buffers[I].unmap();
  From.Count = 0;
}

void forEachOtherThread(void (*Visit)(uint32_t Tid, void *Context), void *Context) {
  DIR *const Folder = opendir("/proc/self/task");
  if (!Folder)
    return;
  const auto Own = static_cast<long>(currentTid());
  while (const dirent *Entry = readdir(Folder))
    if (const long Tid = strtol(Entry->d_name, nullptr, 10); Tid > 0 && Tid != Own)
      Visit(static_cast<uint32_t>(Tid), Context);
  closedir(Folder);
}

/// Opens events of one kind. Returns 0 or errno; then there are none.
static int openAll(const perf_event_attr &A, EventBuffers &Into) {
  const long Cpus = sysconf(_SC_NPROCESSORS_CONF);
  const auto PageBytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  if (Cpus <= 0)
    return EINVAL;
  if (!Into.Buffers)
    Into.Buffers =
        static_cast<EventBuffer *>(allocatePages(static_cast<size_t>(Cpus) * sizeof(EventBuffer)));
  auto *const All =
      static_cast<Opened *>(allocatePages(static_cast<size_t>(Cpus) * sizeof(Opened)));
  if (!Into.Buffers || !All)
    return ENOMEM;
  // Threads that take turns fill 4 MB a second, and on a busy machine a reading comes late. Large
  // machines have many buffers.
  size_t Pages = Cpus <= 16 ? 128 : 32;
  int Error = 0;
  Into.Count = 0;
  for (int Cpu = 0; Cpu < Cpus && !Error; ++Cpu) {
    const int Fd = openEvent(A, 0, Cpu);
    if (Fd < 0) {
      Error = errno == ENODEV ? 0 : errno; // a processor that is switched off
      continue;
    }
    if (void *const At = mapBuffer(Fd, PageBytes, Pages)) {
      Into.Buffers[Into.Count].set(At, PageBytes, Pages);
      All[Into.Count++] = {Fd, Cpu, Pages};
    } else {
      Error = ENOBUFS;
      close(Fd);
    }
  }
  if (!Error && !Into.Count)
    Error = ENODEV;
  if (!Error) {
    Joining Others = {A, All, Into.Count, PageBytes};
    forEachOtherThread(join, &Others);
  }
  for (unsigned I = 0; I < Into.Count; ++I)
    close(All[I].Fd);
  if (Error)
    closeEvents(Into);
  munmap(All, static_cast<size_t>(Cpus) * sizeof(Opened));
  return Error;
}

int openEvents(uint32_t Rate, EventBuffers &Into) {
  perf_event_attr Timer = attributes();
  Timer.inherit = 1;
  Timer.inherit_thread = 1; // Linux 5.13
  Timer.context_switch = 1;
  Timer.mmap = 1;
  Timer.mmap2 = 1;
  Timer.build_id = 1;
  Timer.task = 1;
  Timer.comm = 1;
  // A counter of the processor knows the instruction better than a timer does.
  perf_event_attr Counter = Timer;
  Counter.type = PERF_TYPE_HARDWARE;
  Counter.config = PERF_COUNT_HW_CPU_CYCLES;
  Counter.freq = 1;
  Counter.sample_freq = Rate;
  for (unsigned Precise = 4; Precise--;) {
    Counter.precise_ip = Precise & 3;
    const int Fd = openEvent(Counter, 0, -1);
    if (Fd < 0)
      continue;
    close(Fd);
    if (openAll(Counter, Into) == 0)
      return 0;
  }
  Timer.sample_period = Second / Rate;
  return openAll(Timer, Into);
}

uint32_t measureSampleCost() {
  perf_event_attr A = attributes();
  A.sample_period = Second / 20000;
  const int Fd = openEvent(A, 0, -1);
  if (Fd < 0)
    return 0;
  const auto PageBytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void *const At = mmap(nullptr, 2 * PageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, Fd, 0);
  close(Fd);
  if (At == MAP_FAILED)
    return 0;
  // A sample stops the thread, six times. Some stops are longer for other reasons: take the third
  // of the longest ones.
  uint64_t Longest[3] = {};
  const uint64_t Begin = clock::readClock(CLOCK_MONOTONIC);
  for (uint64_t Last = Begin, Now = Begin; Now - Begin < 3 * Second / 10000; Last = Now) {
    Now = clock::readClock(CLOCK_MONOTONIC);
    uint64_t Stop = Now - Last;
    for (uint64_t &Each : Longest)
      if (Stop > Each) {
        const uint64_t Shorter = Each;
        Each = Stop;
        Stop = Shorter;
      }
  }
  munmap(At, 2 * PageBytes);
  return static_cast<uint32_t>(Longest[2]);
}

} // namespace seamscope::samples
