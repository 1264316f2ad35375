//===- Advice.h - findings, and what they could save at most --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_ADVICE_H
#define SEAMSCOPE_TOOLS_ANALYSIS_ADVICE_H

#include "analysis/core/LoopTree.h"
#include "analysis/core/Statistics.h"
#include "analysis/devices/Work.h"
#include "analysis/torch/Compiled.h"
#include "work/DevicePeaks.h"

#include <string>
#include <vector>

namespace seamscope::tools {

/// One finding. Savings of several findings overlap: they do not add up.
struct Advice {
  const char *Kind;     ///< stable: "launch-bound", "gemm-alignment", ...
  std::string Evidence; ///< what was seen, in numbers
  std::string Remedy;
  int64_t SavingNs;     ///< what a perfect remedy could save at most
  bool InWindow = true; ///< the saving is part of the window, not of compilation
};

class CriticalPaths;

struct AdviceInput {
  const Trace *Source;
  const Statistics *Numbers;
  const std::vector<DeviceRow> *Devices;
  const std::vector<Origin> *Links;
  const TraceWork *Work;
  const PeakTable *Peaks;
  const CompiledView *Compiled;
  const LoopTree *Loops = nullptr;            ///< null: not known
  unsigned Processors = 0;                    ///< available to the program; 0: not known
  const std::vector<IdleGap> *Gaps = nullptr; ///< of Devices; null: not known
  const CriticalPaths *Paths = nullptr;       ///< null: the trace has no work of devices
};

/// Findings that could save at least 1 % of the window, largest saving first.
std::vector<Advice> advise(const AdviceInput &Input);

/// Adds findings that need more than the trace. For graph breaks they replace those from the trace
/// alone. Findings about the window come before those about compilation, largest saving first.
void addAdvice(std::vector<Advice> &To, std::vector<Advice> More);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_ADVICE_H
