//===- Attribution.h - where the time between two runs went --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares a step of a compiled run with the same step of an eager run. All
// time of both steps is attributed to parts, to the ns. An eager operator goes
// to the kernel call that took over its work: the compiled graphs say which
// operators are expected in which order, and the eager run's sequence is
// matched with that. What cannot be placed is Unattributed, never spread.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_ATTRIBUTION_H
#define SEAMSCOPE_TOOLS_ANALYSIS_ATTRIBUTION_H

#include "analysis/compare/Alignment.h"
#include "analysis/compare/PairedTimes.h"
#include "analysis/compare/Parts.h"
#include "analysis/compare/StepWork.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// A call that a compiled graph makes.
struct PlannedCall {
  std::vector<SiteId> Sites; ///< of a generated kernel, rising; empty if it is not in the trace
  std::string Operator;      ///< of a library kernel: its name in the trace
  bool Generated = false;
  StepPart Part = StepPart::Other;
  std::optional<int64_t> Bytes = {}; ///< lower bound of bytes read and written; nothing: unknown
  bool Shared = false;               ///< other calls also do a part of the operators' work
  /// The library operator, such as aten::convolution, for which a generated kernel changes the
  /// layout of inputs; that is most of its work. No eager operator does this. Empty: it does not.
  std::string LayoutFor = {};
  /// The branch that makes the call; nothing: the graph itself.
  std::optional<uint32_t> Branch = {};
};

/// Two calls of a graph that together do the work of an operator.
struct SharedWork {
  uint32_t Owner = 0, Other = 0;
  /// The operator, as an index of PlannedGraph::Eager; nothing: a part of one, wherever that is
  /// placed.
  std::optional<uint32_t> Eager;
};

/// A graph within a graph. A higher-order operator, such as cond or while_loop, decides whether and
/// how often it runs.
struct PlannedBranch {
  std::vector<ShapedOp> Eager; ///< as of the graph
  std::vector<uint32_t> EagerNodes;
  std::map<uint32_t, std::vector<uint32_t>> Runs; ///< see PlannedGraph
};

/// A compiled graph: its calls, and the operators that the program runs instead in eager mode.
/// ShapedOp::Owner is an index of Calls.
struct PlannedGraph {
  std::string Region; ///< the scope around its calls, see CompiledBackward
  std::vector<PlannedCall> Calls;
  std::vector<ShapedOp> Eager;
  std::vector<uint32_t> EagerNodes; ///< by Eager, its node in the captured graph
  /// Operators that several calls compute, by index of Eager: the operators that each is made of. A
  /// Python function, such as multi_head_attention_forward, runs these instead of one that has its
  /// name.
  std::map<uint32_t, std::vector<ShapedOp>> Inside = {};
  std::vector<SharedWork> Shared;
  std::vector<PlannedBranch> Branches;
  /// By index of Eager, the branches that run before that operator, as indices of Branches.
  std::map<uint32_t, std::vector<uint32_t>> Runs;
  std::optional<uint32_t> Backward; ///< the graph of its backward pass, if there is one
  bool CallsNumPy = false; ///< in eager mode the program calls NumPy, which leaves no events
  /// For the graph of a backward pass: what it computes for a node of the captured graph.
  std::map<uint32_t, std::vector<ShapedOp>> ForNode;
  /// For a graph that computes gradients itself, as with torch.func.grad: the operators that do.
  std::vector<ShapedOp> Gradients;
};

/// Calls and time of one operator.
struct OpTimes {
  uint64_t Calls = 0;
  int64_t Ns = 0;
  uint64_t Proven = 0; ///< of Calls, those that are proven; the others are matched by order alone
  int64_t Bytes = 0;   ///< by formula, for the calls of which they are known
  uint64_t BytesCalls = 0;
};

/// Adds up calls, times and bytes.
OpTimes &operator+=(OpTimes &To, const OpTimes &Other);

/// Bytes that a kernel saves, in all its calls: tensors that the operators passed from one to the
/// next and that now stay inside the kernel.
struct SavedBytes {
  int64_t Eager = 0;
  int64_t Compiled = 0;
};

/// By name and input shapes.
using OpsByShape = std::map<std::pair<std::string, std::string>, OpTimes>;

/// One call of a graph over all compared steps.
struct CallTimes {
  uint64_t Calls = 0;
  int64_t CompiledNs = 0;
  int64_t EagerNs = 0; ///< of the operators that it owns
  OpsByShape Ops;
  std::optional<int64_t> Bytes = 0; ///< over all calls, see PlannedCall; nothing: unknown
  bool Shared = false;              ///< see PlannedCall
  std::string LayoutFor;            ///< see PlannedCall
  /// Graphs and first calls of the groups of calls that it is in: only together do they the
  /// operators' work. Empty: it does the work of its operators alone.
  std::set<std::pair<uint32_t, uint32_t>> Groups;
  PairedTimes Paired; ///< EagerNs and CompiledNs by step

  /// Whether CompiledNs replaced EagerNs. Not so for a call that also changes the layout of inputs,
  /// or for a call of a group, which does a part.
  bool compares() const { return LayoutFor.empty() && Groups.empty(); }
  /// CompiledNs without the extra time of a few very long calls.
  int64_t usualNs() const { return Paired.steps() ? Paired.usualCompiledNs() : CompiledNs; }
  /// Whether it takes more than \p Factor times as long as what it replaced, as far as can be told.
  bool isSlower(double Factor = 1) const;

  /// Nothing if other calls do a part of the work, or if bytes are not known.
  std::optional<SavedBytes> savedBytes() const;

  /// Adds calls that do the same, in the same steps.
  void add(const CallTimes &Other);
  /// Adds the same call in steps of other runs, whose numbers are at least \p Before.
  void addSteps(const CallTimes &Other, uint32_t Before);
};

struct PartTimes {
  int64_t EagerNs = 0;
  int64_t CompiledNs = 0;
  uint64_t Kernels = 0; ///< calls of kernels and operators in the compiled run
  uint64_t Ops = 0;     ///< in the eager run
};

using Parts = std::array<PartTimes, StepParts>;

/// A stretch of a step in both runs.
struct PassTimes {
  int64_t EagerNs = 0;
  int64_t CompiledNs = 0;
};

/// A step in both runs; its parts sum to its two times.
struct StepTimes {
  std::string Name; ///< name of the function or step
  uint32_t Run = 0; ///< which of several pairs of runs
  int64_t EagerNs = 0;
  int64_t CompiledNs = 0;
  int64_t GuardsNs = 0; ///< part of the compiled run's overhead
  /// Part of the compiled run's overhead that is in calls of compiled functions and their backward
  /// passes. The rest is the program's own Python, its loss and its optimizer.
  int64_t InCompiledNs = 0;
  /// Compiled run: operators in such calls that are in no graph, so they run between graphs.
  int64_t BetweenGraphsNs = 0;
  PassTimes Backward; ///< time in which autograd's engine ran; of all parts
  Parts Of = {};
};

/// Steps that are not compared.
struct LeftOut {
  uint64_t Steps = 0;
  int64_t EagerNs = 0;
  int64_t CompiledNs = 0;
};

struct Attribution {
  std::vector<StepTimes> Steps;              ///< steady steps, by time
  std::vector<std::vector<CallTimes>> Calls; ///< by graph and call
  OpsByShape Unplaced;                       ///< eager operators that are Unattributed
  /// Library calls that left no event, by the operator that they stand for. Their time and that of
  /// the eager operators is StepPart::Unknown.
  std::map<std::string, uint64_t> WithoutEvent;
  LeftOut Compiling, WarmUp;
  uint64_t NumPySteps = 0; ///< steps whose eager time outside of operators is StepPart::Unknown
  size_t Unpaired = 0;
  int64_t CompilingNs = 0;    ///< in the whole compiled run
  bool OnDevice = false;      ///< times are of device work: see DeviceStep
  StepsBy By = StepsBy::Call; ///< in both runs
  bool OneRun = false;        ///< one process ran both, alternating

  /// Null for calls that never run in a step by themselves (those of backward graphs), and for
  /// calls that no compared step made.
  const CallTimes *find(uint32_t Graph, uint32_t Call) const {
    return Graph < Calls.size() && Call < Calls[Graph].size() && Calls[Graph][Call].Calls
               ? &Calls[Graph][Call]
               : nullptr;
  }
};

/// Times are of device work (DeviceStep) if both runs have such work, else of the steps' threads.
/// \p Graphs: of the compiled run, in the order of compilation. \p Eager: read with
/// ReadOptions::Autograd, or what ran for its backward passes stays Unattributed.
Attribution attribute(const Trace &Compiled, const std::vector<PlannedGraph> &Graphs,
                      const Trace &Eager);

/// The sum of all.
OpTimes sumOf(const OpsByShape &Ops);

/// All of the steps together; without a name.
StepTimes sumOf(const std::vector<StepTimes> &Steps);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_ATTRIBUTION_H
