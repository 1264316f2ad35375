//===- Team.cpp - the threads that work on a kernel ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Team.h"

#include <algorithm>
#include <map>

namespace seamscope::tools {

Team teamOf(const KernelRow &Kernel) {
  Team Of;
  std::map<int32_t, int64_t> Busy;
  for (const RegionRow &Region : Kernel.Regions)
    for (const ThreadShare &Share : Region.Threads)
      Busy[Share.Thread.value_or(0)] += Share.BusyNs;
  int64_t Sum = 0, Most = 0;
  for (const auto &[Thread, Ns] : Busy) {
    Sum += Ns;
    Most = std::max(Most, Ns);
  }
  Of.Threads = std::max<size_t>(1, Busy.size());
  if (Busy.size() > 1 && Sum > 0)
    Of.Imbalance =
        static_cast<double>(Most) * static_cast<double>(Busy.size()) / static_cast<double>(Sum);
  return Of;
}

} // namespace seamscope::tools
