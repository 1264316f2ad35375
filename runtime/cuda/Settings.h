//===- Settings.h - GPU settings from the environment -----------------------===//
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

/// Read once. For each invalid value one line is printed to stderr and the default is used.
struct Settings {
  bool Activities = true;                   ///< SEAMSCOPE_CUDA: on or off
  GraphMode Graphs = GraphMode::IfLaunched; ///< SEAMSCOPE_CUDA_GRAPHS: auto, on or off
  bool Stamps = true;                       ///< SEAMSCOPE_GPU: not off
  uint8_t MostWarps = 32;    ///< SEAMSCOPE_GPU: 32 for warps; 1 for blocks, a block's first warp
  uint8_t BlockShift = 0;    ///< SEAMSCOPE_GPU_SAMPLE: 1/k of the blocks, k a power of two
  uint8_t SegmentShift = 15; ///< SEAMSCOPE_GPU_SLOTS: of a launch, rounded up to a power of two
  uint64_t RingBytes = 128 << 20; ///< SEAMSCOPE_GPU_BUFFER: bytes on each device
  bool Lanes = false;             ///< SEAMSCOPE_GPU_LANES: each block is an event

  static const Settings &get();
};

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_SETTINGS_H
