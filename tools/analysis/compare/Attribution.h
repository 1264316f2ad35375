//===- Attribution.h - where the time between two runs went --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of a compiled run beside the same step of an eager one. All of both
// steps' time is attributed to parts, to the ns. An eager operator goes to the
// call of a kernel that took over its work: the compiled graphs tell which
// operators are expected in which order, and the eager run's sequence is set
// beside that. What cannot be placed is Unattributed, never spread.
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
  std::vector<SiteId> Sites; ///< of a generated kernel, rising; empty where it is not in the trace
  std::string Operator;      ///< of a library's kernel: how the trace names it
  bool Generated = false;
  StepPart Part = StepPart::Other;
  std::optional<int64_t> Bytes = {}; ///< that it reads and writes at least; nothing: unknown
  bool Shared = false;               ///< other calls do a part of the operators' work, too
  /// The operator of a library, as aten::convolution, for which a generated kernel lays inputs out
  /// anew: most of what it does. No eager operator does that. Empty: it does not.
  std::string LayoutFor = {};
  std::optional<uint32_t> Branch = {}; ///< that makes it; nothing: the graph itself
};

/// Two calls of a graph that do the work of an operator together.
struct SharedWork {
  uint32_t Owner = 0, Other = 0;
  /// The operator, an index of PlannedGraph::Eager; nothing: a part of one, wherever that is
  /// placed.
  std::optional<uint32_t> Eager;
};

/// A graph inside of one, which a higher-order operator, as cond or while_loop, runs if and as
/// often as it decides.
struct PlannedBranch {
  std::vector<ShapedOp> Eager; ///< as of the graph
  std::vector<uint32_t> EagerNodes;
  std::map<uint32_t, std::vector<uint32_t>> Runs; ///< see PlannedGraph
};

/// A compiled graph: its calls, and the operators that the program runs instead when it is not
/// compiled. ShapedOp::Owner is an index of Calls.
struct PlannedGraph {
  std::string Region; ///< the scope around its calls, see CompiledBackward
  std::vector<PlannedCall> Calls;
  std::vector<ShapedOp> Eager;
  std::vector<uint32_t> EagerNodes; ///< by Eager, its node of the captured graph
  /// By index of Eager, of what several calls compute the operators that it is made of: a function
  /// of Python, as multi_head_attention_forward, runs them in place of one that has its name.
  std::map<uint32_t, std::vector<ShapedOp>> Inside = {};
  std::vector<SharedWork> Shared;
  std::vector<PlannedBranch> Branches;
  /// By index of Eager, the branches that run before that operator, as indices of Branches.
  std::map<uint32_t, std::vector<uint32_t>> Runs;
  std::optional<uint32_t> Backward; ///< the graph of its backward pass, where there is one
  bool CallsNumPy = false; ///< in eager mode the program runs NumPy itself, which leaves no events
  /// Of the graph of a backward pass: what it computes for a node of the captured graph.
  std::map<uint32_t, std::vector<ShapedOp>> ForNode;
  /// Of a graph that computes gradients itself, as torch.func.grad has it do: the operators for
  /// them.
  std::vector<ShapedOp> Gradients;
};

/// Calls and time of one operator.
struct OpTimes {
  uint64_t Calls = 0;
  int64_t Ns = 0;
  uint64_t Proven = 0; ///< of Calls; the others by their order alone
  int64_t Bytes = 0;   ///< by formula, of those calls of which they are known
  uint64_t BytesCalls = 0;
};

/// Adds up calls, times and bytes.
OpTimes &operator+=(OpTimes &To, const OpTimes &Other);

/// What a kernel spares: in bytes, of all its calls. Tensors that the operators handed on from one
/// to the next, and that now stay inside.
struct SavedBytes {
  int64_t Eager = 0;
  int64_t Compiled = 0;
};

/// By name and shapes of the inputs.
using OpsByShape = std::map<std::pair<std::string, std::string>, OpTimes>;

/// One call of a graph over all compared steps.
struct CallTimes {
  uint64_t Calls = 0;
  int64_t CompiledNs = 0;
  int64_t EagerNs = 0; ///< of the operators that it owns
  OpsByShape Ops;
  std::optional<int64_t> Bytes = 0; ///< of the calls, see PlannedCall; nothing: unknown
  bool Shared = false;              ///< see PlannedCall
  std::string LayoutFor;            ///< see PlannedCall
  /// Graphs and first calls of the groups of calls that it is in: together they do the operators'
  /// work, and alone none of them. Empty: it does the work of its operators alone.
  std::set<std::pair<uint32_t, uint32_t>> Groups;
  PairedTimes Paired; ///< EagerNs and CompiledNs by step

  /// Whether EagerNs is what CompiledNs replaced. What lays inputs out does more, and a call of a
  /// group does a part.
  bool compares() const { return LayoutFor.empty() && Groups.empty(); }
  /// CompiledNs without what a few calls took that took very long.
  int64_t usualNs() const { return Paired.steps() ? Paired.usualCompiledNs() : CompiledNs; }
  /// Whether it takes more than \p Factor times what it replaced, as far as can be told.
  bool isSlower(double Factor = 1) const;

  /// Nothing where other calls do a part of the work, or bytes are not known.
  std::optional<SavedBytes> savedBytes() const;

  /// Adds calls that do the same, in the same steps.
  void add(const CallTimes &Other);
  /// Adds the same call in steps of other runs, which follow at least \p Before.
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
  std::string Name; ///< of the function, or of the step
  uint32_t Run = 0; ///< of several pairs of runs
  int64_t EagerNs = 0;
  int64_t CompiledNs = 0;
  int64_t GuardsNs = 0; ///< of the compiled run's overhead
  /// Of the compiled run's overhead, that in calls of compiled functions and their backward passes;
  /// the rest is the program's own Python, its loss and its optimizer.
  int64_t InCompiledNs = 0;
  /// Of the compiled run, operators in such calls that no graph has: between its graphs.
  int64_t BetweenGraphsNs = 0;
  PassTimes Backward; ///< in which autograd's engine ran; of all parts
  Parts Of = {};
};

/// Steps that are not compared.
struct LeftOut {
  uint64_t Steps = 0;
  int64_t EagerNs = 0;
  int64_t CompiledNs = 0;
};

struct Attribution {
  std::vector<StepTimes> Steps;              ///< steady ones, in the order of time
  std::vector<std::vector<CallTimes>> Calls; ///< by graph and call
  OpsByShape Unplaced;                       ///< eager operators that are Unattributed
  /// Calls of libraries that left no event, by the operator that they stand for: both their time
  /// and that of the eager operators is StepPart::Unknown.
  std::map<std::string, uint64_t> WithoutEvent;
  LeftOut Compiling, WarmUp;
  uint64_t NumPySteps = 0; ///< whose eager time outside of operators is StepPart::Unknown
  size_t Unpaired = 0;
  int64_t CompilingNs = 0;    ///< in the whole compiled run
  bool OnDevice = false;      ///< times are those of the devices' work: see DeviceStep
  StepsBy By = StepsBy::Call; ///< in both runs
  bool OneRun = false;        ///< one process ran both, in turns

  /// Null for calls that never stand by themselves in a step (those of backward graphs), and for
  /// those that no compared step made.
  const CallTimes *find(uint32_t Graph, uint32_t Call) const {
    return Graph < Calls.size() && Call < Calls[Graph].size() && Calls[Graph][Call].Calls
               ? &Calls[Graph][Call]
               : nullptr;
  }
};

/// Times are those of the devices' work (DeviceStep) where both runs have such work, else those of
/// the steps' threads. \p Graphs: of the compiled run, in the order of compilation. \p Eager: read
/// with ReadOptions::Autograd, or what ran for its backward passes stays Unattributed.
Attribution attribute(const Trace &Compiled, const std::vector<PlannedGraph> &Graphs,
                      const Trace &Eager);

/// All of them together.
OpTimes sumOf(const OpsByShape &Ops);

/// All of the steps together; without a name.
StepTimes sumOf(const std::vector<StepTimes> &Steps);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_ATTRIBUTION_H
