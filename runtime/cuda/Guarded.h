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

/// Returns the result of \p Work; on an exception (no memory, no thread) a default value, after
/// printing the first exception to stderr. Wraps each function that the program, the driver, CUPTI
/// or the C library calls: an exception there would end the program.
template <typename WorkT> auto guarded(WorkT Work) noexcept -> decltype(Work()) {
  try {
    return Work();
  } catch (const std::exception &Error) {
    static bool Warned;
    if (!__atomic_exchange_n(&Warned, true, __ATOMIC_RELAXED))
      warn("some GPU work is not recorded: %s", Error.what());
  }
  return decltype(Work())();
}

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_GUARDED_H
