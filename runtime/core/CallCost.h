//===- CallCost.h - the cost of recording a call --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_CALLCOST_H
#define SEAMSCOPE_CORE_CALLCOST_H

#include <cstdint>

namespace seamscope {

/// The cost of recording one call on this thread in the current mode, in 1/1024 ticks: the median
/// of some batches; 0: nothing is recorded. Leaves no record. Only under SignalBlocker.
uint64_t measureCallCost();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_CALLCOST_H
