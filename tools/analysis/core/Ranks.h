//===- Ranks.h - the processes of a run, compared -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_RANKS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_RANKS_H

#include "analysis/core/Throttled.h"
#include "trace/model/TimeMap.h"
#include "trace/model/Trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// One of the traces that were joined into a common one.
struct RankInput {
  std::string Label; ///< "rank 3", "process 4711"
  std::string Path;
  std::optional<int64_t> Rank;
  std::vector<std::string> Pids; ///< its processes, as the common trace numbers them
  std::string Damage = {};       ///< why its end is missing; empty: it is complete
};

/// What the times of an input are compared with those of others by.
enum class ClockBasis : uint8_t {
  Trace,       ///< what the traces say of the time of day
  Collectives, ///< collectives that need all ranks
  None,        ///< nothing
};

/// Why collectives do not give an input's clock.
enum class NoClock : uint8_t {
  Known,         ///< they do
  NoCollectives, ///< none that needs all ranks is matched with other inputs
  NoLine,        ///< no offset and rate fit nearly all of them
  TooFar,        ///< its times would not fit a trace
};

/// The clock of an input. Unless nothing is known, it has been moved to that of Reference.
struct RankClock {
  static constexpr size_t NoReference = SIZE_MAX;

  ClockBasis Basis = ClockBasis::Trace;
  size_t Reference = NoReference; ///< input whose clock is the common one, by collectives
  TimeMap Time;                   ///< its times were moved by
  /// How far its times may still be off at most, by collectives. Nothing: not known.
  std::optional<int64_t> ErrorNs;
  NoClock Why = NoClock::NoCollectives;

  /// Whether times of both compare.
  bool comparesWith(const RankClock &Other) const {
    return Basis == Other.Basis && Basis != ClockBasis::None &&
           (Basis == ClockBasis::Trace || Reference == Other.Reference);
  }
};

/// A sentence without its end; empty: Known.
std::string_view noClockText(NoClock Why);

/// What one input did. Times in ns.
struct RankRow {
  uint64_t Events = 0;
  int64_t WindowNs = 0; ///< from its first begin to its last end
  uint64_t KernelCalls = 0;
  int64_t KernelNs = 0;       ///< part of the window in which a kernel ran
  int64_t UnattributedNs = 0; ///< the rest of the window
  int64_t MessageNs = 0; ///< of the window, in calls of MPI on one thread or several; blocked time
};

/// A kernel's calls in one input.
struct RankShare {
  uint64_t Calls = 0;
  int64_t TotalNs = 0; ///< for recursive calls, that of the outermost
  int64_t SumNs = 0;   ///< of all calls
};

/// A kernel, by name and place in the source.
struct RankKernel {
  StringId Name = 0;
  StringId File = 0;
  uint32_t Line = 0;
  int64_t TotalNs = 0;           ///< of all inputs
  std::vector<RankShare> Shares; ///< by input
};

struct RankReport {
  std::vector<RankInput> Inputs;
  std::vector<Error> Unread; ///< why other inputs could not be read
  /// Why the traces' own times cannot be compared; empty: they can.
  std::string NotAligned;
  std::vector<RankClock> Clocks;   ///< by input
  std::vector<RankRow> Rows;       ///< by input
  std::vector<RankKernel> Kernels; ///< the kernel with most time first
};

/// How unevenly work is divided: of inputs with messages, KernelNs.
struct RankImbalance {
  size_t Most = 0;    ///< the input with most work
  int64_t MostNs = 0; ///< its
  int64_t MeanNs = 0; ///< of all inputs with messages
  size_t Waits = 0;   ///< the input that is longest in messages
  int64_t WaitNs = 0; ///< its
  double ratio() const { return static_cast<double>(MostNs) / static_cast<double>(MeanNs); }
};

/// Nothing unless two inputs or more have messages and work.
std::optional<RankImbalance> imbalanceOf(const RankReport &Ranks);

constexpr size_t NoInput = SIZE_MAX;
/// By track, the number of its input; NoInput: none.
std::vector<size_t> inputsOfTracks(const Trace &Whole, const std::vector<RankInput> &Inputs);

/// Splits a common trace by the inputs that it was joined from. \p Untimed: its untimedShares().
RankReport splitByRank(const Trace &Whole, std::vector<RankInput> Inputs,
                       std::span<const UntimedShare> Untimed = {});

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_RANKS_H
