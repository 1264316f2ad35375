//===- Measure.h - measures the roofs of this machine ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_MACHINE_MEASURE_H
#define SEAMSCOPE_TOOLS_MACHINE_MEASURE_H

#include "machine/Machine.h"
#include "machine/Processor.h"

#include <functional>
#include <string>

namespace seamscope::tools {

/// How to measure. Each figure has Rounds times Runs runs; its rounds are spread over the whole
/// measurement, so that no single spell of other work lasts for all of them.
struct MeasureOptions {
  unsigned Rounds = 3, Runs = 80;
  double RunSeconds = 1e-3; ///< of a run, about
  double MostSeconds = 28;  ///< no round begins later, but for the first; half more with Sleef
  std::function<void(double Done)> Progress{}; ///< up to 1
  std::string Sleef{};                         ///< library for vectorFunctions(); empty: none

  static MeasureOptions quick() { return {2, 30, 0.8e-3, 7, {}, {}}; }
};

/// Measures on the processors of \p On. An error where a thread cannot be started, or the library
/// cannot be used.
Result<Machine> measureMachine(const Processor &On, const MeasureOptions &How);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_MACHINE_MEASURE_H
