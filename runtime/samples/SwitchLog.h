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
    bool Asked; ///< it was looked at in this state
    /// What somebody saw it wait in from LookNs to LookEndNs; 0: nothing. Records decide later
    /// whether it was one wait.
    uint32_t LookWait;
    uint64_t LookNs, LookEndNs;
    uint64_t SinceNs;  ///< since when it is in this state
    uint64_t WindowNs; ///< begin of the window
    uint32_t InWindow; ///< stretches stored in it
    uint64_t SumBegin, SumEnd,
        SumOff[2];                     ///< stretches that are summed: blocked, preempted; 0: none
    format::SampledThreadEntry *Entry; ///< may be null
    // The kernel counts a part of each switch to a thread, before its record, as the thread's
    // processor time, and not a part of each switch from it. They are found by comparing the two.
    int64_t SwitchNs;              ///< the first part less the second
    int64_t GivenNs;               ///< to all switches since CpuNs was read
    int64_t LackNs;                ///< what switches before that lacked
    int64_t MostNs;                ///< of the lack, for one switch
    uint64_t RunNs;                ///< begin of its run, by the record
    uint64_t RanNs;                ///< runs, by records, since CpuNs was read
    uint64_t CpuNs;                ///< its processor time then
    uint64_t NewCpuNs, NewSinceNs; ///< read last; SinceNs then
    uint32_t Ins;                  ///< switches to it since then
    bool IsComparable;             ///< the four are complete
  };

  /// Forgets all. Times before \p BeginNs are ignored.
  void begin(uint64_t BeginNs, LogSink Sink);
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

  /// Whether the thread does not run and has switched so often that compare() is worth it.
  static bool isComparable(const Thread &Of) {
    return Of.Ins >= 64 &&
           (Of.Kind == format::SampleKind::Blocked || Of.Kind == format::SampleKind::Preempted);
  }
  /// Takes the processor time that such a thread has used.
  void compare(Thread &Of, uint64_t CpuNs);
  /// SwitchNs of the last comparison; 0: there was none.
  int64_t switchNs() const { return SwitchNs; }

  /// It waited in \p Wait from \p Ns to \p EndNs, if it was blocked all the time.
  void look(uint32_t Tid, uint64_t Ns, uint64_t EndNs, uint32_t Wait);
  /// Stores what is summed. There are no more records before \p UntilNs.
  void endReading(uint64_t UntilNs);

  /// Calls Visit(Thread &) for each thread.
  template <typename FnT> void forEachThread(FnT Visit) {
    for (size_t I = 0; I < Capacity; ++I)
      if (Threads[I].Tid)
        Visit(Threads[I]);
  }
  /// The thread; null: it is not known.
  Thread *find(uint32_t Tid);

  /// Whether the sink refused a record: nothing is written any more.
  bool isFull() const { return Full; }
  uint64_t samples() const { return Samples; }
  uint64_t switches() const { return Switches; }
  uint64_t dropped() const { return Dropped; }
  /// Blocked time that was stored without what the thread waited in.
  uint64_t unnamedNs() const { return UnnamedNs; }

private:
  /// The thread; one that is not known gets a life from \p Ns on. Null: no memory.
  Thread *at(uint32_t Tid, uint64_t Ns);
  Thread *add(uint32_t Tid, uint64_t Ns, format::SampleKind Kind, const char *Name);
  bool grow();
  void remove(Thread &Of);
  void store(Thread &Of, uint64_t Begin, uint64_t End, format::SampleKind Kind);
  void storeSum(Thread &Of);
  /// Gives a state that lasted until \p Ns, or longer, its wait.
  static bool takeLook(Thread &Of, uint64_t Ns);
  void append(uint64_t Ns, uint32_t Tid, format::SampleKind Kind, uint32_t Wait, uint64_t Value);
  /// What the last of \p Count switches since CpuNs was read has to get, within limits.
  static int64_t partOf(const Thread &Of, uint32_t Count);
  /// Stores the stretch that ends, and enters a state; Kind 0: it runs.
  void enter(Thread &Of, uint64_t Ns, format::SampleKind Kind);

  Thread *Threads = nullptr; ///< a hash table
  size_t Capacity = 0, Used = 0;
  uint64_t BeginNs = 0;
  int64_t SwitchNs = 0; ///< of the thread that was compared last, for new ones
  LogSink Sink{};
  bool Full = false;
  uint64_t Samples = 0, Switches = 0, Dropped = 0, UnnamedNs = 0;
};

} // namespace seamscope::samples
#endif // SEAMSCOPE_SAMPLES_SWITCHLOG_H
