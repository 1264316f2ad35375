//===- Settings.h - what the environment asks of GPUs ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_SETTINGS_H
#define SEAMSCOPE_CUDA_SETTINGS_H

#include <cstdint>

namespace seamscope::cuda {

/// Whether to subscribe to CUPTI for the nodes of graphs.
enum class GraphMode : uint8_t { IfLaunched, On, Off };

/// Read once. Each bad value is one line on stderr, and its default holds.
struct Settings {
  bool Activities = true;                   ///< SEAMSCOPE_CUDA: on or off
  GraphMode Graphs = GraphMode::IfLaunched; ///< SEAMSCOPE_CUDA_GRAPHS: auto, on or off
  bool Stamps = true;                       ///< SEAMSCOPE_GPU: not off
  uint8_t MostWarps = 32;    ///< SEAMSCOPE_GPU: warps, or blocks: a block's first warp alone
  uint8_t BlockShift = 0;    ///< SEAMSCOPE_GPU_SAMPLE: 1/k of the blocks, k a power of two
  uint8_t SegmentShift = 15; ///< SEAMSCOPE_GPU_SLOTS: of a launch, rounded up to a power of two
  uint64_t RingBytes = 128 << 20; ///< SEAMSCOPE_GPU_BUFFER: on each device
  bool Lanes = false;             ///< SEAMSCOPE_GPU_LANES: each block is an event

  static const Settings &get();
};

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_SETTINGS_H
