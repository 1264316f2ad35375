//===- State.h - begin and end of the collection ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_STATE_H
#define SEAMSCOPE_CUDA_STATE_H

namespace seamscope::cuda {

/// Whether nothing must be asked of CUDA any more: the process ends, or is a fork's child.
bool isOver();

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_STATE_H
