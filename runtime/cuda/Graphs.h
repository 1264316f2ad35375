//===- Graphs.h - where the nodes of CUDA graphs were captured -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_GRAPHS_H
#define SEAMSCOPE_CUDA_GRAPHS_H

namespace seamscope::cuda {

/// Subscribes to the creation of nodes, once, if the program's code launches graphs or the user
/// asks for it. Cheap after that decision.
void watchGraphs();

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_GRAPHS_H
