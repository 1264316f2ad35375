//===- CompileLog.h - what torch.compile wrote of its work ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read from the structured logs that torch writes when TORCH_TRACE names a
// folder; with INDUCTOR_PROVENANCE=1 they tell which nodes a kernel stands for.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_COMPILELOG_H
#define SEAMSCOPE_TOOLS_TORCH_COMPILELOG_H

#include "torch/CompileTimes.h"
#include "torch/FxGraph.h"
#include "torch/GraphBreak.h"
#include "torch/NodeOrigins.h"
#include "torch/OutputCode.h"
#include "torch/Provenance.h"
#include "trace/io/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// A graph that Inductor compiled or took from its cache.
struct CompiledGraph {
  std::string Id;               ///< compile id, "FRAME/RECOMPILE" ("0/0")
  uint32_t Process = 0;         ///< that compiled it; 0: unknown
  std::optional<uint32_t> Rank; ///< of a distributed run
  std::string OutputFile;       ///< where the output code was written
  /// Of a package that is compiled ahead of time the kernels' own file; the output code is that of
  /// the code around them, up to KernelsAt, and then this one's. Else empty.
  std::string KernelFile;
  size_t KernelsAt = 0;
  std::string CacheKey; ///< of Inductor's graph cache; empty: unknown
  bool FromCache = false;
  SourceLine Function;             ///< where the compiled function begins; may be empty
  std::vector<SourceLine> Callers; ///< of it when it was compiled, without torch's; innermost first
  OutputCode Code;
  FxGraph PostGrad; ///< after autograd and decomposition; of a cached graph, as it was cached
  std::shared_ptr<const FxGraph> PreGrad;     ///< as dynamo captured it in this run; null: unknown
  std::shared_ptr<const NodeOrigins> Origins; ///< of PreGrad's nodes; null: unknown
  Provenance Map;
};

/// Compiled code for which Inductor generated nothing.
struct UncompiledGraph {
  std::string Id; ///< as CompiledGraph's
  uint32_t Process = 0;
  std::shared_ptr<const FxGraph> PreGrad; ///< null: dynamo captured nothing, there is only Python
};

/// What compiling one function took. Times in ns; 0: unknown.
struct FrameCompile {
  std::string Id;
  uint32_t Process = 0;
  SourceLine Function; ///< where it begins
  bool Backward = false;
  int64_t EntireNs = 0;
  int64_t BackendNs = 0;
  int64_t InductorNs = 0;
  int64_t CodegenNs = 0;
  std::string Failure; ///< why there is no compiled code; empty: there is
};

struct CompileLog {
  std::string TorchVersion;          ///< "2.13.0+cpu"; empty: unknown
  std::vector<CompiledGraph> Graphs; ///< in the order of compilation, process by process
  std::vector<UncompiledGraph> Uncompiled;
  std::vector<GraphBreak> Breaks; ///< one a place and reason
  std::vector<Recompile> Recompiles;
  std::vector<FrameCompile> Frames;
  std::vector<CompilePhase> Phases; ///< of all processes
  int64_t CompileNs = 0;            ///< their sum
  std::vector<std::string> Notes;   ///< what was odd, a sentence each
};

/// Reads the logs of a run, one a process. Records of unknown kinds are passed over; a log that
/// ends too early is read as far as it goes. Fails only when a file cannot be opened.
Result<CompileLog> readCompileLog(const std::vector<std::string> &Paths);

/// The logs in the folder that TORCH_TRACE named, in the order of their names.
std::vector<std::string> compileLogsIn(const std::string &Folder);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_COMPILELOG_H
