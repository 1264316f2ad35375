//===- TorchRun.h - a trace and what torch compiled for it ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_TORCHRUN_H
#define SEAMSCOPE_TOOLS_RUN_TORCHRUN_H

#include "kernels/Category.h"
#include "run/folder/CompilerTimes.h"
#include "run/folder/LoopRemarks.h"
#include "torch/CompiledGraphs.h"
#include "trace/model/Trace.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace seamscope::tools {

/// A file of generated C++, with one or more kernels.
struct GeneratedFile {
  std::string Path; ///< where it was read; empty: nowhere
  std::string Text;
  std::string NotRead;           ///< why not, for a file outside of all source folders
  std::vector<LoopRemark> Loops; ///< clang's remarks on its loops; empty: not known
};

/// A kernel of a trace that torch generated. Its texts are views of TorchRun::Files.
struct GeneratedKernel {
  std::vector<uint32_t> Uses; ///< indices of CompiledGraphs::uses(), in the order of the logs
  std::string_view File;      ///< the generated C++, where it can be read; empty: nowhere
  std::string_view Source;    ///< its text
  std::string_view NotRead;   ///< why its file was not read, see GeneratedFile
  uint32_t Line = 0;          ///< at which the kernel begins, from 1; 0: not known
  std::span<const LoopRemark> Loops; ///< those of its file; a view, too
  std::string_view Template;         ///< "gemm", "attention", or empty: see templateOf()
};

/// What torch compiled in a run, and the kernels of the trace that it generated.
struct TorchRun {
  CompiledGraphs Graphs;
  std::unordered_map<SiteId, GeneratedKernel> Kernels; ///< by site of the trace
  CompilerTimes Compiler;                              ///< of the run, all its processes
  std::map<StringId, GeneratedFile> Files;             ///< by the name that kernels have for it

  const GeneratedKernel *kernel(SiteId Site) const {
    const auto Found = Kernels.find(Site);
    return Found == Kernels.end() ? nullptr : &Found->second;
  }
};

/// The kind of work that a kernel does: by its source if \p Torch has it (null: not known), else by
/// its name, which does not distinguish a template from a pointwise kernel.
KernelCategory categoryOf(const TorchRun *Torch, const Trace &Source, SiteId Site);

/// Reads the logs in the run's folder \p Folder and finds the kernels of \p Source in them, by the
/// text of their sources. For the trace of a rank, logs of other ranks are left out. Nothing if
/// torch compiled nothing there. Fails if a log cannot be read. Generated files are read from the
/// folder of the run, from this user's Inductor caches and from \p Roots; see SourceRoots.
Result<std::optional<TorchRun>> loadTorchRun(const std::string &Folder, const Trace &Source,
                                             const std::vector<std::string> &Roots = {});

/// Renames kernels, with their regions, loops, waits and tasks, to the first name that this run's
/// graphs give them: a library from a cache has the name of the program that first compiled it.
void nameKernels(Trace &Source, const TorchRun &Torch);

/// The folder of the run that contains the trace at \p Path; empty: none.
std::string runFolderOf(const std::string &Path);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_TORCHRUN_H
