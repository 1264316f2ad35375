//===- Findings.h - steps, compiled regions and advice in a report --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_FINDINGS_H
#define SEAMSCOPE_TOOLS_REPORT_FINDINGS_H

#include "analysis/groups/Advice.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace seamscope::tools {

/// What torch.compile took over: regions, graphs, and the steps they ran in. Empty without any.
std::string compiledText(const Trace &Source, const CompiledView &View, bool Colours);
nlohmann::ordered_json compiledJson(const Trace &Source, const CompiledView &View);

/// A line a finding, at most \p Most.
std::string adviceText(const std::vector<Advice> &Findings, int64_t WindowNs, size_t Most);
nlohmann::ordered_json adviceJson(const std::vector<Advice> &Findings);

/// "3 steps of 12.1 ms (11.8 to 12.6 ms)" of the steps that the program marked; empty without any.
std::string stepsText(const Trace &Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_FINDINGS_H
