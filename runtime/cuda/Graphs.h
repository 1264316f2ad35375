//===- Graphs.h - where the nodes of CUDA graphs were captured -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_GRAPHS_H
#define SEAMSCOPE_CUDA_GRAPHS_H

namespace seamscope::cuda {

/// Has CUPTI tell of nodes as they are made, once: of a program whose code launches graphs, or
/// where the user asks for it. Costs little where that was decided before.
void watchGraphs();

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_GRAPHS_H
