//===- Guarded.h - no exception reaches the program -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_GUARDED_H
#define SEAMSCOPE_CUDA_GUARDED_H

#include "core/Message.h"

#include <exception>

namespace seamscope::cuda {

/// What \p Work returns. For each function that the program, the driver, CUPTI or the C library
/// calls: an exception there (no memory, no thread) would end the program. It is said once, and the
/// result is that of a default.
template <typename WorkT> auto guarded(WorkT Work) noexcept -> decltype(Work()) {
  try {
    return Work();
  } catch (const std::exception &Error) {
    static bool Said;
    if (!__atomic_exchange_n(&Said, true, __ATOMIC_RELAXED))
      warn("some GPU work is not recorded: %s", Error.what());
  }
  return decltype(Work())();
}

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_GUARDED_H
