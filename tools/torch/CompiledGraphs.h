//===- CompiledGraphs.h - from a kernel back to the Python line -----------===//
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

/// An operator of the eager program that a call of a kernel stands for.
struct EagerOp {
  std::string Name;     ///< "aten::add"
  uint32_t Node = 0;    ///< of the graph that dynamo captured
  bool Partial = false; ///< other calls of the graph do a part of the node, too
  /// Other kernels, of this graph or of that of the other pass, compute of the node what this one
  /// does, each for itself (rematerialisation).
  bool Recomputed = false;
};

/// A call of a kernel in a graph: the place, not one execution. A graph's run makes each of its
/// calls once and in order.
struct KernelUse {
  uint32_t Graph = 0;               ///< index of CompileLog::Graphs
  uint32_t Call = 0;                ///< index of the graph's Code.Calls
  std::vector<uint32_t> PostNodes;  ///< of the graph's PostGrad, in its order
  std::vector<uint32_t> PreNodes;   ///< of the graph's PreGrad, in its order
  std::vector<std::string> Unknown; ///< nodes that Inductor named and no graph has
  std::vector<SourceLine> Python;   ///< each once, in the order of the nodes
  /// Of each line of Python what called it, innermost first, out to where the program began,
  /// without torch's frames around the compiled function; empty: unknown.
  std::vector<std::vector<SourceLine>> Callers;
  std::vector<ModulePath> Modules; ///< that the captured nodes ran in, each once, in their order
  /// In the order of the nodes; none where PreNodes is empty. Of a backward pass: those of the
  /// forward pass that it computes again.
  std::vector<EagerOp> Eager;
  /// Of a backward pass the operators whose gradients it computes.
  std::vector<EagerOp> GradientsOf;
  /// The lines were written down when the graph was cached; the file may have changed since.
  bool OldLines = false;
};

/// Answers what a kernel stands for, from the logs of a run.
class CompiledGraphs {
public:
  explicit CompiledGraphs(CompileLog Log);

  const CompileLog &log() const { return Log; }

  /// All calls, graph by graph, in the order in which a run of the graph makes them.
  std::span<const KernelUse> uses() const { return Uses; }

  /// The calls of one graph.
  std::span<const KernelUse> usesIn(uint32_t Graph) const {
    return uses().subspan(FirstUse[Graph], FirstUse[Graph + 1] - FirstUse[Graph]);
  }

  const CompiledGraph &graphOf(const KernelUse &Use) const { return Log.Graphs[Use.Graph]; }
  const CodeCall &callOf(const KernelUse &Use) const { return graphOf(Use).Code.Calls[Use.Call]; }
  /// The graph of the forward pass of which graph \p Backward is the backward pass; nothing: there
  /// is none, or it is none.
  std::optional<uint32_t> forwardOf(uint32_t Backward) const;
  /// The source of the kernel that is called; null for a library's.
  const KernelSource *sourceOf(const KernelUse &Use) const;

  /// The calls of kernels of this name, or of which a device's trace may have this name, as indices
  /// of uses().
  std::vector<uint32_t> usesOf(std::string_view Kernel) const;

  /// The calls of the kernel whose generated file has the text \p File. A name is no proof: graphs
  /// have different kernels of one name, and one library for kernels of the same text, which has
  /// the name that the graph gave it for which it was compiled, perhaps in another program. Of the
  /// functions of one file that of the name \p Kernel is meant.
  std::vector<uint32_t> usesOfFile(std::string_view File, std::string_view Kernel) const;

  /// The call of a graph with this provenance handle; null when there is none.
  const KernelUse *find(uint32_t Graph, std::string_view Kernel, uint32_t Handle) const;

private:
  void readOldLines();
  const SourceLine *newLine(const CompiledGraph &Graph, const SourceLine &Old) const;
  /// \p Nodes: of PostGrad, by name.
  void addUse(uint32_t Graph, uint32_t Call, const std::vector<std::string> &Nodes);
  void addLines(KernelUse &Use, const std::vector<std::string> &PreNames);
  void addOrigin(KernelUse &Use, uint32_t Node) const;
  /// Where all lines are torch's own (its modules and optimizers), those that called it.
  void addLinesOfProgram(KernelUse &Use) const;
  void addPostLine(KernelUse &Use, uint32_t Node) const;
  /// A kernel that only lays inputs out anew is there for what uses them.
  void addLinesOfUsers(KernelUse &Use) const;
  void addEagerOps(uint32_t Graph);
  /// By node of PostGrad that is computed element by element, the generated kernels of the graph
  /// that compute it, as numbers of its calls.
  std::map<uint32_t, std::vector<size_t>> computedBy(uint32_t Graph) const;
  /// By node of PreGrad the nodes of PostGrad that are computed for it, rising.
  std::map<uint32_t, std::vector<uint32_t>> postNodes(const CompiledGraph &Graph) const;
  void markRecomputed(uint32_t Graph);
  /// Marks what the graph of a backward pass computes in place of taking it from the forward pass.
  void markRecomputedInBackward(uint32_t Forward, uint32_t Backward);

  CompileLog Log;
  std::vector<KernelUse> Uses;
  std::vector<size_t> FirstUse; ///< by graph, and one more
  std::map<std::string, std::vector<uint32_t>, std::less<>> ByName;
  /// By graph and index of its Code.Kernels.
  std::map<std::pair<uint32_t, size_t>, std::vector<uint32_t>> BySource;
  /// By process and compile id, what became of the lines that are written in cached graphs; a line
  /// without a number: more than one.
  std::map<std::pair<uint32_t, std::string>, std::map<SourceLine, SourceLine>> NewLines;
};

/// The nodes of the captured graph for which node \p Post of PostGrad is computed.
std::vector<uint32_t> nodesFor(const CompiledGraph &Graph, uint32_t Post);

/// Of line \p Number of \p Use and what called it, the innermost one of the program itself and not
/// of a library; null: there is none.
const SourceLine *lineOfProgram(const KernelUse &Use, size_t Number);

/// Whether \p File, a generated .cpp, is that of the kernel text \p Kernel: Inductor adds its
/// Python binding behind the text.
bool isSourceOf(std::string_view Kernel, std::string_view File);

/// Which of Inductor's templates the C++ of a kernel was made from: "gemm", "attention", or empty:
/// it is of loops.
std::string_view templateOf(std::string_view Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_COMPILEDGRAPHS_H
