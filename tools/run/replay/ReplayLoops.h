//===- ReplayLoops.h - which loops of a kernel are vector code -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_REPLAYLOOPS_H
#define SEAMSCOPE_TOOLS_RUN_REPLAYLOOPS_H

#include "run/join/TorchRun.h"
#include "run/replay/CallLog.h"

#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// An innermost loop of a kernel, as clang compiled it.
struct ReplayLoop {
  std::string File; ///< its name, without a folder
  uint32_t Line = 0;
  std::string Code;  ///< "vector": by clang; "written": Inductor wrote vector code; "scalar"
  std::string Why;   ///< why clang did not vectorise it, in LLVM's words; may be empty
  std::string Nodes; ///< of torch's graph; empty: not known
};

/// The loops of \p Of's kernel, by place, each once. \p Yaml: clang's remarks on them. \p Code: the
/// kernel's source, C++ or LLVM's.
std::vector<ReplayLoop> replayLoops(std::string_view Yaml, const KernelCall &Of,
                                    std::string_view Code);

/// Adds the nodes that the loops compute in the first call of \p Kernel in a graph.
void nameNodes(std::vector<ReplayLoop> &Loops, const CompiledGraphs &Graphs,
               const GeneratedKernel &Kernel, std::string_view Code);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_REPLAYLOOPS_H
