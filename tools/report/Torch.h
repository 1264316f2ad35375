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
#include <span>
#include <string>

namespace seamscope::tools {

class SourceRoots;

/// Adds to each kernel of `Report["kernels"]`, which are Input.Numbers->Kernels in order, where it
/// comes from, and to the report graph breaks, recompiles and times of compilation. Without
/// Input.Torch it adds nothing.
void addTorchJson(nlohmann::ordered_json &Report, const ReportInput &Input);

/// The same as tables; empty without Input.Torch.
std::string torchText(const ReportInput &Input, bool Colours);

/// One kernel for `seamscope source`: its calls and time and its source with the time of what was
/// timed in it; of one that torch generated also the nodes and lines of Python that it stands for.
/// The source of another one is read if it lies in \p Roots.
std::string kernelSourceText(const ReportInput &Input, const KernelRow &Row,
                             const SourceRoots &Roots, bool Colours);

/// The line on which a function ends that begins on line \p First of a C or C++ file: where its
/// braces close. \p First where none does within some hundred lines. Comments over several lines
/// and raw strings are not looked into.
uint32_t lastLineOfFunction(std::string_view Source, uint32_t First);

/// One call of a graph: `graph`, `direction`, `process`, `call`, `kernel` and `extern`, which tell
/// it from all others.
nlohmann::ordered_json callJson(const CompiledGraphs &Graphs, const KernelUse &Use);

/// The eager operators that the calls \p Uses of graphs replace, and those whose gradients they
/// compute: "add x3, mul; gradient of gelu", in the order of first appearance; empty: none.
std::string operatorsOf(const CompiledGraphs &Graphs, std::span<const uint32_t> Uses);

/// What it means that torch's limit of recompilations was reached, a sentence.
std::string limitText(const Recompile &Last);

/// "model.py:12", folders left out.
std::string shortPlace(const SourceLine &Line);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_TORCH_H
