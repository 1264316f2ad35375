//===- SampleEntry.h - samples and switches in a spool ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where threads ran and when they did not, as the kernel's perf events report it.
// All times are CLOCK_MONOTONIC in ns. Plain data, like the rest of the spool
// (Spool.h). Blocks of kind Samples hold SampleRecords. Blocks of kind Sampling
// hold entries that begin with their size, which is stored last.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_SAMPLEENTRY_H
#define SEAMSCOPE_FORMAT_SAMPLEENTRY_H

#include <cstdint>

namespace seamscope::format {

/// SampleStatus::State.
enum : uint32_t {
  SamplesOff = 0,     ///< they were not asked for
  SamplesOn = 1,      ///< they are recorded
  SamplesRefused = 2, ///< the kernel refused them: SampleStatus::Why
};

/// Part of the spool's header. Counters are atomic.
struct SampleStatus {
  uint32_t State;
  uint32_t AskedRate;    ///< samples a second, SEAMSCOPE_SAMPLES; 0: none was given
  uint32_t Rate;         ///< samples a second of processor time
  uint32_t SampleCostNs; ///< one sample; 0: not measured
  uint32_t SwitchCostNs; ///< the part of a switch that counts as the thread's time; 0: not measured
  uint32_t Reserved;
  uint64_t BeginNs;  ///< when recording began
  uint64_t UntilNs;  ///< the records until then are in the spool
  uint64_t Samples;  ///< written
  uint64_t Switches; ///< seen
  uint64_t Lost;     ///< records that found no room in the kernel's buffers
  uint64_t Dropped;  ///< records that found no room in the spool
  char Why[96];      ///< NUL-terminated
};

/// SampleRecord::kind(), and the state of a thread.
enum class SampleKind : uint8_t {
  Sample = 1,    ///< the thread ran
  Blocked = 2,   ///< the thread waited, until it ran again
  Preempted = 3, ///< another thread ran in its place
  Unknown = 4,   ///< records were lost: the thread ran or not
  /// Sums of short stretches, see SampleRecord::Value.
  BlockedSum = 5,
  PreemptedSum = 6,
};

/// A sample of a thread, or a stretch in which it did not run.
struct SampleRecord {
  uint64_t Ns; ///< of a stretch, the begin; stored last; 0: not in use
  uint32_t Tid;
  uint32_t What; ///< the kind, and from bit 8 the number of a SampledWaitEntry; 0: not known
  /// Sample: address of an instruction. Stretch: its length in ns. Sum: the length of the time in
  /// which the stretches lie, and from bit 32 their total length.
  uint64_t Value;

  SampleKind kind() const { return static_cast<SampleKind>(What & 0xff); }
  uint32_t wait() const { return What >> 8; }
};
static_assert(sizeof(SampleRecord) == 24);

enum class SamplingEntryKind : uint32_t {
  Thread = 1,
  Module = 2,
  Wait = 3,
};

/// The begin of every entry.
struct SamplingEntry {
  uint32_t Size; ///< of the whole entry, a multiple of 8; stored last; 0: no more in this block
  SamplingEntryKind Kind;
};

/// A thread whose switches are recorded. An id can be that of several threads, one after the other.
struct SampledThreadEntry {
  SamplingEntry Head;
  uint32_t Tid;
  uint32_t Wait;   ///< while it does not run: number of a SampledWaitEntry; atomic
  uint64_t FromNs; ///< the begin of the thread or of recording
  uint64_t ToNs;   ///< its end; 0: it lives; atomic
  /// While it does not run: 8 * (the time since) + a SampleKind; 0: it runs; atomic.
  uint64_t Off;
  char Name[16]; ///< NUL-terminated
};
static_assert(sizeof(SampledThreadEntry) == 56);

/// Executable memory, from a moment on until other memory is mapped there. Behind the struct: the
/// path of the file, NUL-terminated; "//anon" and "[vdso]" are not files.
struct SampledModuleEntry {
  SamplingEntry Head;
  uint64_t FromNs;
  uint64_t Begin, End; ///< addresses
  uint64_t Offset;     ///< of Begin in the file
  uint8_t BuildId[20];
  uint32_t BuildIdSize; ///< 0: not known
};
static_assert(sizeof(SampledModuleEntry) == 64);

/// What blocked threads wait in: a system call, and the stack above the caller's frame. Behind the
/// struct: StackBytes bytes from Sp on.
struct SampledWaitEntry {
  SamplingEntry Head;
  uint32_t Id;        ///< from 1
  int32_t SystemCall; ///< number; -1: none
  uint64_t Arguments[6];
  uint64_t Sp, Pc;
  uint64_t StackBytes;
};
constexpr uint32_t MaxWaitStack = 2048;
/// Of waits that are longer, all are looked at; of others, one in so many: each moment of a
/// thread's blocked time has the same chance.
constexpr uint64_t LongWaitNs = 50000000;

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_SAMPLEENTRY_H
