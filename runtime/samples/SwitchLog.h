//===- SwitchLog.h - states of threads, from switch records -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes stretches in which threads did not run of the records of their switches.
// Up to ExactStretches of a thread in a window are stored one by one; more are
// summed over about a millisecond each, so that a spool grows by less than 100 KB
// a second and thread. Totals stay exact. After records were lost, a thread's
// state is unknown until its next record.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_SAMPLES_SWITCHLOG_H
#define SEAMSCOPE_SAMPLES_SWITCHLOG_H

#include "format/SampleEntry.h"

#include <cstddef>

namespace seamscope::samples {

/// Where a SwitchLog writes.
struct LogSink {
  /// Returns false if there is no room.
  bool (*Append)(const format::SampleRecord &Record);
  /// The entry in the spool; null: there is no room.
  format::SampledThreadEntry *(*AddThread)(const format::SampledThreadEntry &Entry);
};

class SwitchLog {
public:
  static constexpr unsigned ExactStretches = 200;
  static constexpr uint64_t WindowNs = 100000000;
  static constexpr uint64_t SumNs = 1000000;

  struct Thread {
    uint32_t Tid;  ///< 0: this place is free
    uint32_t Wait; ///< number of the SampledWaitEntry while it is blocked; 0: not known
    /// Kind 0: it runs. IsFirst: it existed when recording began, and had no record since.
    format::SampleKind Kind;
    bool IsFirst;
    bool Asked;        ///< somebody looked for what it waits in
    uint64_t SinceNs;  ///< since when it is in this state
    uint64_t WindowNs; ///< begin of the window
    uint32_t InWindow; ///< stretches stored in it
    uint64_t SumBegin, SumEnd,
        SumOff[2];                     ///< stretches that are summed: blocked, preempted; 0: none
    format::SampledThreadEntry *Entry; ///< may be null
  };

  /// Forgets all. Times before \p BeginNs are ignored. \p SwitchNs before its record, a switch to a
  /// thread begins to count as that thread's processor time.
  void begin(uint64_t BeginNs, uint64_t SwitchNs, LogSink Sink);
  /// A thread that existed then.
  void addExisting(uint32_t Tid, bool Runs, const char *Name);

  // Records. They arrive in the order of their times, or nearly.
  void fork(uint32_t Tid, uint32_t Parent, uint64_t Ns);
  void exit(uint32_t Tid, uint64_t Ns);
  void rename(uint32_t Tid, const char *Name, uint64_t Ns);
  void switchIn(uint32_t Tid, uint64_t Ns);
  void switchOut(uint32_t Tid, uint64_t Ns, bool IsPreempted);
  void sample(uint32_t Tid, uint64_t Ns, uint64_t Address);
  /// Records after \p SinceNs may be missing.
  void lose(uint64_t SinceNs);

  /// Stores what is summed.
  void endReading();

  /// Calls Visit(Thread &) for each thread.
  template <typename FnT> void forEachThread(FnT Visit) {
    for (size_t I = 0; I < Capacity; ++I)
      if (Threads[I].Tid)
        Visit(Threads[I]);
  }
  /// The thread; null: it is not known.
  Thread *find(uint32_t Tid);
  /// Sets what a thread waits in: it is blocked.
  static void setWait(Thread &Of, uint32_t Wait);

  /// Whether the sink refused a record: nothing is written any more.
  bool isFull() const { return Full; }
  uint64_t samples() const { return Samples; }
  uint64_t switches() const { return Switches; }
  uint64_t dropped() const { return Dropped; }

private:
  /// The thread; one that is not known gets a life from \p Ns on. Null: no memory.
  Thread *at(uint32_t Tid, uint64_t Ns);
  Thread *add(uint32_t Tid, uint64_t Ns, format::SampleKind Kind, const char *Name);
  bool grow();
  void remove(Thread &Of);
  void store(Thread &Of, uint64_t Begin, uint64_t End, format::SampleKind Kind);
  void storeSum(Thread &Of);
  void append(uint64_t Ns, uint32_t Tid, format::SampleKind Kind, uint32_t Wait, uint64_t Value);
  /// Stores the stretch that ends, and enters a state; Kind 0: it runs.
  void enter(Thread &Of, uint64_t Ns, format::SampleKind Kind);

  Thread *Threads = nullptr; ///< a hash table
  size_t Capacity = 0, Used = 0;
  uint64_t BeginNs = 0, SwitchNs = 0;
  LogSink Sink{};
  bool Full = false;
  uint64_t Samples = 0, Switches = 0, Dropped = 0;
};

} // namespace seamscope::samples
#endif // SEAMSCOPE_SAMPLES_SWITCHLOG_H
