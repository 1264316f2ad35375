//===- CompiledGraphs.h - Python lines of compiled kernels ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_COMPILEDGRAPHS_H
#define SEAMSCOPE_TOOLS_TORCH_COMPILEDGRAPHS_H

#include "torch/CompileLog.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// An operator of the eager program that a kernel call replaces.
struct EagerOp {
  std::string Name;     ///< "aten::add"
  uint32_t Node = 0;    ///< in the graph that dynamo captured
  bool Partial = false; ///< other calls of the graph do part of the node
  /// Other kernels, of this graph or of the other pass, compute the same part of the node again
  /// (rematerialisation).
  bool Recomputed = false;
};

/// A place in a graph where a kernel is called. A run of the graph executes each of its calls once,
/// in order.
struct KernelUse {
  uint32_t Graph = 0;               ///< index in CompileLog::Graphs
  uint32_t Call = 0;                ///< index in the graph's Code.Calls
  std::vector<uint32_t> PostNodes;  ///< in the graph's PostGrad, in order
  std::vector<uint32_t> PreNodes;   ///< in the graph's PreGrad, in order
  std::vector<std::string> Unknown; ///< nodes that Inductor named but the graphs do not have
  std::vector<SourceLine> Python;   ///< unique, in the order of the nodes
  /// The callers of each Python line, innermost first, up to the program's begin, without torch's
  /// frames around the compiled function; empty: unknown.
  std::vector<std::vector<SourceLine>> Callers;
  std::vector<ModulePath> Modules; ///< of the captured nodes, unique, in the order of the nodes
  /// The eager operators, in the order of the nodes; empty if PreNodes is. In a backward pass, the
  /// forward operators that it recomputes.
  std::vector<EagerOp> Eager;
  /// In a backward pass, the operators whose gradients it computes.
  std::vector<EagerOp> GradientsOf;
  /// The lines are as old as the cached graph; the file may have changed since.
  bool OldLines = false;
};

/// Finds what a kernel computes, from the logs of a run.
class CompiledGraphs {
public:
  explicit CompiledGraphs(CompileLog Log);

  const CompileLog &log() const { return Log; }

  /// All calls, by graph and in execution order.
  std::span<const KernelUse> uses() const { return Uses; }

  /// The calls of one graph.
  std::span<const KernelUse> usesIn(uint32_t Graph) const {
    return uses().subspan(FirstUse[Graph], FirstUse[Graph + 1] - FirstUse[Graph]);
  }

  const CompiledGraph &graphOf(const KernelUse &Use) const { return Log.Graphs[Use.Graph]; }
  const CodeCall &callOf(const KernelUse &Use) const { return graphOf(Use).Code.Calls[Use.Call]; }
  /// The forward graph of graph \p Backward; None if there is none or it is not a backward graph.
  std::optional<uint32_t> forwardOf(uint32_t Backward) const;
  /// The source of the called kernel; null for a library's.
  const KernelSource *sourceOf(const KernelUse &Use) const;

  /// The calls of kernels with this name, or whose name in a device's trace may be this one, as
  /// indices of uses().
  std::vector<uint32_t> usesOf(std::string_view Kernel) const;

  /// The calls of the kernel whose generated file has the text \p File. A name alone does not
  /// identify a kernel: graphs reuse names, and kernels with the same text share a library. \p
  /// Kernel names the function in a file with several.
  std::vector<uint32_t> usesOfFile(std::string_view File, std::string_view Kernel) const;

  /// The call of a graph with this provenance handle, or null.
  const KernelUse *find(uint32_t Graph, std::string_view Kernel, uint32_t Handle) const;

private:
  void readOldLines();
  const SourceLine *newLine(const CompiledGraph &Graph, const SourceLine &Old) const;
  /// \p Nodes are names of nodes of PostGrad.
  void addUse(uint32_t Graph, uint32_t Call, const std::vector<std::string> &Nodes);
  void addLines(KernelUse &Use, const std::vector<std::string> &PreNames);
  void addOrigin(KernelUse &Use, uint32_t Node) const;
  /// If all lines are in torch (its modules and optimizers), adds the lines that called them.
  void addLinesOfProgram(KernelUse &Use) const;
  void addPostLine(KernelUse &Use, uint32_t Node) const;
  /// A kernel that only changes the layout of inputs gets the lines of the nodes that use them.
  void addLinesOfUsers(KernelUse &Use) const;
  void addEagerOps(uint32_t Graph);
  /// For each pointwise node of PostGrad, the generated kernels of the graph that compute it, as
  /// indices of its calls.
  std::map<uint32_t, std::vector<size_t>> computedBy(uint32_t Graph) const;
  /// For each node of PreGrad, the nodes of PostGrad that are computed for it, ascending.
  std::map<uint32_t, std::vector<uint32_t>> postNodes(const CompiledGraph &Graph) const;
  void markRecomputed(uint32_t Graph);
  /// Marks what the backward graph computes again and does not take from the forward pass.
  void markRecomputedInBackward(uint32_t Forward, uint32_t Backward);

  CompileLog Log;
  std::vector<KernelUse> Uses;
  std::vector<size_t> FirstUse; ///< by graph, plus the end
  std::map<std::string, std::vector<uint32_t>, std::less<>> ByName;
  /// By graph and index of its Code.Kernels.
  std::map<std::pair<uint32_t, size_t>, std::vector<uint32_t>> BySource;
  /// By process and compile id, maps lines in cached graphs to current lines; line 0 means
  /// ambiguous.
  std::map<std::pair<uint32_t, std::string>, std::map<SourceLine, SourceLine>> NewLines;
};

/// The nodes of the captured graph that node \p Post of PostGrad is computed for.
std::vector<uint32_t> nodesFor(const CompiledGraph &Graph, uint32_t Post);

/// Line \p Number of \p Use or, if that is in a library, its innermost caller in the program; null
/// if there is none.
const SourceLine *lineOfProgram(const KernelUse &Use, size_t Number);

/// Whether the generated .cpp \p File contains the kernel text \p Kernel: Inductor appends its
/// Python binding.
bool isSourceOf(std::string_view Kernel, std::string_view File);

/// The Inductor template that a kernel was made from: "gemm", "attention", or empty for loops.
std::string_view templateOf(std::string_view Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_COMPILEDGRAPHS_H
