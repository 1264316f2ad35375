//===- State.cpp - whether the collection has ended -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda/State.h"

#include <atomic>

namespace seamscope::cuda {

static std::atomic<bool> Over;

bool isOver() { return Over.load(std::memory_order_acquire); }

void setOver() { Over.store(true, std::memory_order_release); }

} // namespace seamscope::cuda
