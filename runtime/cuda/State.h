//===- State.h - whether the collection has ended -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_STATE_H
#define SEAMSCOPE_CUDA_STATE_H

namespace seamscope::cuda {

/// Whether CUDA must not be called any more: the process is ending, or is a fork's child.
bool isOver();

/// Ends the collection, for good.
void setOver();

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_STATE_H
