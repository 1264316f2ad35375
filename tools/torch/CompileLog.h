//===- CompileLog.h - the logs of torch.compile ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// torch writes structured logs if TORCH_TRACE names a folder; with INDUCTOR_PROVENANCE=1 they say
// which nodes a kernel computes.
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
  uint32_t Process = 0;         ///< the process that compiled it; 0: unknown
  std::optional<uint32_t> Rank; ///< in a distributed run
  std::string OutputFile;       ///< the file of the output code
  /// In an ahead-of-time compiled package, the file of the kernels; else empty. The output code is
  /// then the code around the kernels, up to KernelsAt, followed by this file.
  std::string KernelFile;
  size_t KernelsAt = 0;
  std::string CacheKey; ///< in Inductor's graph cache; empty: unknown
  bool FromCache = false;
  SourceLine Function;             ///< the first line of the compiled function; may be empty
  std::vector<SourceLine> Callers; ///< its callers when compiled, without torch's; innermost first
  OutputCode Code;
  FxGraph PostGrad; ///< after autograd and decomposition; a cached graph as it was cached
  std::shared_ptr<const FxGraph> PreGrad;     ///< as dynamo captured it in this run; null: unknown
  std::shared_ptr<const NodeOrigins> Origins; ///< origins of PreGrad's nodes; null: unknown
  Provenance Map;
};

/// Compiled code for which Inductor did not generate kernels.
struct UncompiledGraph {
  std::string Id; ///< compile id
  uint32_t Process = 0;
  std::shared_ptr<const FxGraph> PreGrad; ///< null: there is only Python, without captured nodes
};

/// The compilation times of one function, in ns; 0: unknown.
struct FrameCompile {
  std::string Id;
  uint32_t Process = 0;
  SourceLine Function; ///< its first line
  bool Backward = false;
  int64_t EntireNs = 0;
  int64_t BackendNs = 0;
  int64_t InductorNs = 0;
  int64_t CodegenNs = 0;
  std::string Failure; ///< why there is no compiled code; empty: there is compiled code
};

struct CompileLog {
  std::string TorchVersion;          ///< "2.13.0+cpu"; empty: unknown
  std::vector<CompiledGraph> Graphs; ///< in the order of compilation, process by process
  std::vector<UncompiledGraph> Uncompiled;
  std::vector<GraphBreak> Breaks; ///< one per place and reason
  std::vector<Recompile> Recompiles;
  std::vector<FrameCompile> Frames;
  std::vector<CompilePhase> Phases; ///< summed over all processes
  int64_t CompileNs = 0;            ///< sum of the phases
  std::vector<std::string> Notes;   ///< problems, one sentence each
};

/// Reads the logs of a run, one per process. Skips records of unknown kinds and reads truncated
/// logs as far as possible. Fails only if a file cannot be opened.
Result<CompileLog> readCompileLog(const std::vector<std::string> &Paths);

/// The logs in \p Folder, which TORCH_TRACE named, sorted by name.
std::vector<std::string> compileLogsIn(const std::string &Folder);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_COMPILELOG_H
