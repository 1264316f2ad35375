//===- ReplayResult.h - a kernel alone, and in its program -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_REPLAYRESULT_H
#define SEAMSCOPE_TOOLS_RUN_REPLAYRESULT_H

#include "run/replay/CallLog.h"
#include "run/replay/ReplayLoops.h"
#include "trace/io/Error.h"
#include "trace/model/Trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// Times of calls: the median with its 95 % interval by order statistics, and the least.
struct ReplayTimes {
  int64_t MedianNs = 0, LowNs = 0, HighNs = 0, MinNs = 0;
  uint64_t Calls = 0;
};

/// Of at least one time.
ReplayTimes replayTimes(std::vector<int64_t> Ns);

/// How the memory of the tensors was before each call.
struct ReplayVariant {
  std::string Name; ///< "hot"
  ReplayTimes Times;
};

/// Why a call in the program may take longer than alone: by what was measured.
struct ReplayCause {
  std::string Cause;
  int64_t Ns = 0; ///< a call, at most
};

/// The kernel with hot caches, with a change: rounds in which the program as it is and the changed
/// one were measured next to each other.
struct ReplayVaried {
  std::string Name, Kind;   ///< "threads", "compiler", "flags", "eager", "inductor" or "without"
  std::string Problem = {}; ///< why there is no figure; empty: there is one
  std::vector<int64_t> Ns = {};
  std::vector<double> Ratios = {}; ///< of the changed time to that next to it

  void add(int64_t BaseNs, int64_t ChangedNs);
  std::optional<int64_t> medianNs() const;
  /// How much less than the program as it is next to it: median of the rounds, least, greatest.
  struct Part {
    int64_t Median, Low, High;
  };
  std::optional<Part> part() const;
  /// Median, least and greatest.
  struct Ratio {
    double Median, Low, High;
    bool operator==(const Ratio &) const = default;
  };
  std::optional<Ratio> ratio() const;
  /// "faster", "slower" or "same": all rounds agree, by more than 2 %, or not.
  std::string verdict() const;
};

/// Parts of the time with hot caches, of a kernel whose operators were left out one at a time.
struct ReplayAblation {
  /// By operator: its place and code, and times without it. A part is the median of what a call
  /// took less; see partNs().
  std::vector<ReplayVaried> Operators;
  ReplayVaried Floor; ///< without all of these
  uint64_t NotTried = 0;
  /// Medians; nothing: there is no figure.
  std::optional<int64_t> kernelNs() const;
  /// What the kernel takes beyond its floor and the parts: parts that overlap have less each.
  std::optional<int64_t> overlappedNs() const;
};

struct Replayed {
  std::string Kernel;
  uint64_t Call = 0; ///< 0: an operator of torch, with these inputs
  std::string Inputs = {};
  std::string Device = {};  ///< "cuda:0"; empty: processors
  uint64_t OtherInputs = 0; ///< with which the program calls it, too
  int Threads = 0;
  uint64_t OfTheName = 1;  ///< kernels
  bool HasSizes = false;   ///< it takes numbers: calls may differ in size
  bool IsCaptured = false; ///< the contents of the tensors are those of the program
  uint64_t ReadBytes = 0, WrittenBytes = 0; ///< of tensors, each element once
  bool CountsPages = false;                 ///< these bytes are those of whole pages
  std::vector<ReplayVariant> Variants;
  bool HasNoNew = false;  ///< with its results in new memory the kernel failed
  uint64_t Preempted = 0; ///< involuntary switches while they were measured
  // In the program; nothing if the trace has no such calls.
  std::optional<ReplayTimes> InPlace;
  std::optional<int64_t> PreemptedNs, BlockedNs; ///< a call, mean; nothing: not known
  std::optional<int64_t> WaitNs; ///< a call and thread, mean: for the others of its team
  std::optional<int64_t> Flop;   ///< of a call; nothing: not known
  std::string Folder;
  std::vector<ReplayLoop> Loops;
  std::vector<ReplayVaried> Varied;
  std::optional<ReplayAblation> Ablation;

  const ReplayTimes *find(std::string_view Name) const;
};

/// Adds the times that the harness printed. Nothing, or what is wrong with them.
std::optional<Error> addMeasured(Replayed &To, const std::string &Path);

/// The time of all calls in \p Of of the kernel that \p Call is one of.
int64_t totalInPlace(const Trace &Of, const KernelCall &Call);

/// The sites in \p Of of the kernel that \p Call is one of.
std::vector<bool> sitesOf(const Trace &Of, const KernelCall &Call);

/// Adds the calls in \p Of of the kernel that \p Call is one of.
void addInPlace(Replayed &To, const Trace &Of, const KernelCall &Call);

/// What of the difference between the program and hot caches measured causes explain at most, the
/// largest first.
std::vector<ReplayCause> explain(const Replayed &Of);

/// The same as a sentence; empty: there is nothing to compare with.
std::string verdict(const Replayed &Of);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_REPLAYRESULT_H
