//===- CompiledAdvice.h - what a compiled program could still save -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_COMPILEDADVICE_H
#define SEAMSCOPE_TOOLS_RUN_COMPILEDADVICE_H

#include "analysis/groups/Advice.h"
#include "run/join/ComparedRuns.h"
#include "run/join/TorchRun.h"
#include "run/join/Unrecorded.h"

#include <vector>

namespace seamscope::tools {

/// Findings from a comparison with an eager run: kernels and library calls that are slower than
/// what they replaced, kernels that use their threads badly, uncompiled operators, time outside of
/// all work, and compilation. Savings are ns of all compared steps; for compilation, of the whole
/// run. Not sorted.
std::vector<Advice> adviseOnCompiled(const Trace &Source, const Statistics &Numbers,
                                     const TorchRun &Torch, const ComparedRuns &Compared,
                                     const Unrecorded *Beside = nullptr);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_COMPILEDADVICE_H
