//===- Torch.h - what torch compiled, in a report -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_TORCH_H
#define SEAMSCOPE_TOOLS_REPORT_TORCH_H

#include "report/Report.h"
#include "run/join/TorchRun.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace seamscope::tools {

/// Adds to each kernel of `Report["kernels"]`, which are Input.Numbers->Kernels in order, where it
/// comes from, and to the report graph breaks, recompiles and times of compilation. Without
/// Input.Torch it adds nothing.
void addTorchJson(nlohmann::ordered_json &Report, const ReportInput &Input);

/// The same as tables; empty without Input.Torch.
std::string torchText(const ReportInput &Input, bool Colours);

/// One kernel for `seamscope source`: its calls and time, the nodes and lines of Python that it
/// stands for, and the generated C++ with the time of what was timed in it.
std::string kernelSourceText(const ReportInput &Input, const KernelRow &Row, bool Colours);

/// One call of a graph: `graph`, `direction`, `process`, `call`, `kernel` and `extern`, which tell
/// it from all others.
nlohmann::ordered_json callJson(const CompiledGraphs &Graphs, const KernelUse &Use);

/// "model.py:12", folders left out.
std::string shortPlace(const SourceLine &Line);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_TORCH_H
