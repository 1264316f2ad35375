//===- Events.h - the kernel's events of threads, and their buffers ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One event for each processor, with a buffer of its own, that all threads of
// the process inherit, and forked children do not. The mapping of a buffer keeps
// its event, so no descriptor stays open.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_SAMPLES_EVENTS_H
#define SEAMSCOPE_SAMPLES_EVENTS_H

#include "core/Platform.h"

#include <linux/perf_event.h>

namespace seamscope::samples {

/// One record of a buffer, and fields behind it that all records have.
struct EventRecord {
  const perf_event_header *Head;
  const unsigned char *Fields; ///< behind the header
  size_t Size;                 ///< of the fields, without those behind them
  uint32_t Pid, Tid;
  uint64_t Ns;      ///< CLOCK_MONOTONIC
  uint64_t Address; ///< samples only
};

/// The buffer of one processor.
class EventBuffer {
public:
  /// \p Mapping: of 1 + \p Pages pages.
  void set(void *Mapping, size_t PageBytes, size_t Pages);
  void unmap();

  /// Begins a reading: takes the position up to which there are records. Returns the share of the
  /// buffer that is in use, in percent.
  unsigned beginReading();
  /// The next record; null: there is none. It is valid until the next call of this buffer.
  const EventRecord *next();
  /// Takes the record that next() returned.
  void take();
  /// Gives the space of taken records back to the kernel.
  void endReading();

  uint64_t LastNs = 0; ///< of the newest record that was taken

private:
  void copy(uint64_t From, void *To, size_t Bytes) const;

  perf_event_mmap_page *Page = nullptr;
  const unsigned char *Data = nullptr;
  uint64_t Bytes = 0, Tail = 0, Head = 0;
  bool HasNext = false;
  EventRecord Next{};
  alignas(8) unsigned char Copy[4096 + 256]; ///< the next record: a path has at most 4096 bytes
};

/// What openEvents() made.
struct EventBuffers {
  EventBuffer *Buffers = nullptr;
  unsigned Count = 0;
};

/// Opens events of all threads of the process that exist and of those that they make. \p Rate:
/// samples a second. Returns 0 or errno; then there are no events.
int openEvents(uint32_t Rate, EventBuffers &Into);
void closeEvents(EventBuffers &From);

/// Calls \p Visit for each thread of the process but this one.
void forEachOtherThread(void (*Visit)(uint32_t Tid, void *Context), void *Context);

/// Measures how long one sample stops this thread, in a third of a millisecond; 0: it cannot be
/// measured.
uint32_t measureSampleCost();

} // namespace seamscope::samples
#endif // SEAMSCOPE_SAMPLES_EVENTS_H
