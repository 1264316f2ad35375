//===- Steps.h - the steps of a program, in two runs of it ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_STEPS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_STEPS_H

#include "trace/model/Trace.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// The scopes by which `seamscope run` marks calls of compiled functions, and compilation.
constexpr std::string_view CompiledCallPrefix = "seamscope.compiled ";
constexpr std::string_view CompileScope = "seamscope.compile";

struct Step {
  StringId Name = 0; ///< of the scope
  TrackId Track = 0;
  int64_t BeginNs = 0;
  int64_t EndNs = 0;
  bool Compiles = false; ///< something was compiled during it, on any thread

  int64_t wallNs() const { return EndNs - BeginNs; }
};

/// Whether it is a scope in which torch compiled.
bool isCompilation(const Trace &Input, const Site &What);

/// Whether the program marks its steps itself (ProfilerStep#).
bool marksSteps(const Trace &Input);

/// The events that mark steps, in the order of the trace.
std::vector<uint32_t> markedSteps(const Trace &Input);

/// What a step is.
enum class StepsBy : uint8_t {
  Mark, ///< what the program marks
  Call, ///< an outermost call of a compiled function
  /// From the begin of such a call to the begin of the next: a turn of the program's loop, with the
  /// backward pass, the optimizer and everything else in it. With several functions, the one that
  /// is called first among those called often enough; the last turn has no end.
  Turn,
};

/// In the order of time.
std::vector<Step> stepsOf(const Trace &Input, StepsBy By);

/// The calls at which turns of a program's loop begin and end, see StepsBy::Turn. \p Calls: in the
/// order of time; \p Key: the function, and anything else that calls of one loop share.
template <typename Call, typename KeyFn>
std::vector<const Call *> loopCalls(const std::vector<Call> &Calls, KeyFn Key) {
  // With fewer, nothing would be left without those that compile.
  constexpr size_t Often = 3;
  std::map<decltype(Key(Calls[0])), size_t> Count;
  for (const Call &Each : Calls)
    ++Count[Key(Each)];
  const auto First =
      std::ranges::find_if(Calls, [&](const Call &Each) { return Count[Key(Each)] >= Often; });
  std::vector<const Call *> Loop;
  for (auto Next = First; Next != Calls.end(); ++Next)
    if (Key(*Next) == Key(*First))
      Loop.push_back(&*Next);
  return Loop;
}

/// How a comparison treats a step.
enum class StepUse : uint8_t {
  Steady,
  Compiling, ///< something was compiled in it
  WarmUp,    ///< one of the first, and slower than the whole later half; or before such a step of
             ///< another function
};

/// One step in both runs: indices of stepsOf().
struct StepPair {
  uint32_t Compiled = 0;
  uint32_t Eager = 0;
  StepUse Use = StepUse::Steady;
};

/// Pairs the steps of two runs of one program: the n-th call of a function with the n-th call of
/// the same. \p Unpaired gets how many had no counterpart.
std::vector<StepPair> pairSteps(const Trace &Compiled, const std::vector<Step> &CompiledSteps,
                                const Trace &Eager, const std::vector<Step> &EagerSteps,
                                size_t &Unpaired);

/// For steps of one function in two runs, in order: how many of the first are warm-up, that is,
/// slower in either run than the whole later half.
size_t warmUpSteps(const std::vector<std::pair<int64_t, int64_t>> &Ns);

/// Removes from the trace the operators that were called during compilation, on the compiling
/// thread: torch tries out on tensors without data what it compiles, and such calls have shapes and
/// no work. Returns how many there were.
uint64_t dropOperatorsOfCompilation(Trace &Input);

/// The time in which something was compiled.
class CompilationTime {
public:
  explicit CompilationTime(const Trace &Input);

  /// How many ns of [\p BeginNs, \p EndNs) are compilation: overlaps count once.
  int64_t in(int64_t BeginNs, int64_t EndNs) const;

private:
  /// In the order of time, none touching another.
  std::vector<std::pair<int64_t, int64_t>> Stretches;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_STEPS_H
