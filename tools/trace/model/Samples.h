//===- Samples.h - where threads ran, and when they did not ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the trace model that comes from the kernel's perf events: exact
// times in which a thread did not run, and samples of where it ran.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_SAMPLES_H
#define SEAMSCOPE_TOOLS_TRACE_SAMPLES_H

#include "trace/model/StringTable.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace seamscope::tools {

/// Columns of samples, by track and time. A sample shows that the thread ran, and where. It is not
/// exact: the samples of a thread share its exact running time.
struct SampleColumns {
  std::vector<int64_t> Ns;
  std::vector<int64_t> Track;   ///< TrackId
  std::vector<int64_t> Address; ///< of an instruction, unsigned
  std::vector<int64_t> Module;  ///< index of Trace::Modules; -1: memory that is not known

  size_t size() const { return Ns.size(); }
};

/// Why a thread did not run.
enum class OffKind : uint8_t {
  Blocked,   ///< it waited for something, until it ran again
  Preempted, ///< it was ready, and another thread ran
  Unknown,   ///< records were lost: it ran or not
};

/// Columns of stretches in which threads did not run, by track and time. Those of one track do not
/// overlap. Between them, within a SampledSpan of the thread, it ran: exactly.
struct OffColumns {
  std::vector<int64_t> BeginNs, EndNs;
  std::vector<int64_t> Track;
  std::vector<int64_t> Kind; ///< OffKind
  /// Time of the stretch in which the thread did not run: all of it, unless short ones were summed.
  std::vector<int64_t> OffNs;
  std::vector<int64_t> Wait; ///< index of Trace::Waits; -1: not known

  size_t size() const { return BeginNs.size(); }
};

/// Executable memory of a process, from a moment on until another module is mapped there.
struct MappedModule {
  StringId Process = 0; ///< pid as text
  StringId Path = 0;    ///< "//anon" and "[vdso]" are not files
  StringId BuildId = 0; ///< hexadecimal; empty: not known
  uint64_t Begin = 0, End = 0;
  uint64_t Offset = 0; ///< of Begin in the file
  int64_t FromNs = 0;
};

/// What blocked threads waited in: a system call, and the stack of its caller.
struct ThreadWait {
  int64_t SystemCall = -1; ///< number on the recording machine; -1: none
  std::array<uint64_t, 6> Arguments{};
  uint64_t Sp = 0, Pc = 0;
  std::string Stack; ///< bytes from Sp on; may be empty
  /// SiteId of a call of MPI that hooks timed; then there is nothing else.
  uint32_t Message = NoMessage;

  static constexpr uint32_t NoMessage = UINT32_MAX;
};

/// A thread whose switches are known in this time. One track may have several, not at once.
struct SampledSpan {
  uint32_t Track = 0;
  int64_t FromNs = 0, ToNs = 0;
  bool HasSwitches = true; ///< else it is one wait, which hooks timed
};

/// How one process was sampled.
struct SampleState {
  enum class Kind : uint8_t {
    Off,     ///< samples were switched off
    On,      ///< samples were recorded
    Refused, ///< the system refused them: Why
  };
  StringId Process = 0; ///< pid as text
  Kind State = Kind::Off;
  std::string Why;
  int64_t AskedRate = 0;    ///< samples a second, as given; 0: not given
  int64_t Rate = 0;         ///< samples a second of processor time
  int64_t SampleCostNs = 0; ///< of one sample; 0: not measured
  int64_t SwitchCostNs = 0; ///< of a switch to a thread, in its time; 0: not measured
  int64_t Switches = 0;     ///< of all threads
  int64_t Lost = 0;         ///< records lost in the kernel
  int64_t Dropped = 0;      ///< records for which the spool had no room
  int64_t BeginNs = 0, UntilNs = 0;

  bool operator==(const SampleState &) const = default;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_SAMPLES_H
