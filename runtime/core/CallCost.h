//===- CallCost.h - what it takes to record a call ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_CALLCOST_H
#define SEAMSCOPE_CORE_CALLCOST_H

#include <cstdint>

namespace seamscope {

/// The cost of recording one call on this thread in the mode that is on, in 1/1024 ticks: the
/// median of some batches; 0 when nothing is recorded. Records nothing. Only under SignalBlocker.
uint64_t measureCallCost();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_CALLCOST_H
