//===- SeenLaunches.h - follows the launches in a ring ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ring is read again and again while kernels write it. SeenLaunches follows each launch from one
// reading to the next and writes it, whole or in part, when the ring no longer holds it. It does
// not call CUDA.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_SEENLAUNCHES_H
#define SEAMSCOPE_CUDA_SEENLAUNCHES_H

#include "cuda/Slots.h"
#include "format/DeviceEntry.h"

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace seamscope::cuda {

/// The spool's entries of a launch. The writer fills in the texts.
struct LaunchSummary {
  format::DeviceInside Inside = {};
  std::vector<format::DeviceBlockSpan> Blocks; ///< if blocks are asked for
  std::vector<format::DeviceLoop> Loops;
};

/// Not thread-safe.
class SeenLaunches {
public:
  struct Options {
    uint32_t Device;
    SeamscopeGpuControl Control; ///< of the ring
    bool Lanes;                  ///< keep each block
  };
  using Writer = std::function<void(LaunchSummary &)>;

  /// \p Write gets each launch when it is final or asked for.
  SeenLaunches(const Options &Opts, Writer Write) : Opts(Opts), Write(std::move(Write)) {}

  /// Begins a reading of the ring; \p Heads are the first slots of its segments.
  void beginDrain(std::span<const SeamscopeGpuSlot> Heads);

  /// Whether the segment whose first slot is \p Head should be read.
  bool isDue(const SeamscopeGpuSlot &Head, bool All);

  /// Takes the launches that were found in segment \p Index.
  void takeSegment(size_t Index, const std::vector<LaunchSlots> &Found);

  /// Ends the reading: writes the launches that the ring no longer holds; with \p All, every
  /// launch.
  void endDrain(bool All);

  /// Writes all launches, since the ring can no longer be read.
  void writeKnown();

private:
  /// A warp's slot is not final before its last threads have left, and more warps may begin. A
  /// launch is therefore read again as long as the ring holds it, but less and less often.
  struct Seen {
    size_t Segment = 0;  ///< the segment that holds it
    uint64_t Ends = 0;   ///< sum of its warps' ends, plus their number
    uint64_t Drain = 0;  ///< the last drain that found it in the ring
    uint64_t Next = 0;   ///< the next drain that reads it
    uint64_t Pause = 1;  ///< how many drains later it is read again
    bool IsOver = false; ///< it had ended when it was last read
    LaunchSummary Summary;
  };
  /// A later launch may overwrite a part of an earlier one. The remaining slots of a launch that
  /// was written are not a new launch.
  struct Segment {
    std::vector<uint64_t> Found;   ///< launches that it held when it was last read
    std::vector<uint64_t> Written; ///< those of Found that were written
  };
  bool isOver(const Segment &In, uint64_t Key) const;
  bool wentOnAfter(const format::DeviceInside &Inside) const;
  void take(size_t Index, const LaunchSlots &Launch, bool Overwritten);
  void sumUp(const LaunchSlots &Launch, LaunchSummary &Into) const;
  void sumUpLoops(const LaunchSlots &Launch, LaunchSummary &Into) const;
  void write(Seen &Launch, bool IsGone) const;

  Options Opts;
  Writer Write;
  std::unordered_map<uint64_t, Seen> Launches;
  std::vector<Segment> Segments;
  uint64_t Drains = 0;
  uint64_t NewestNs = 0; ///< the latest stamp in the first slots of this drain
};

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_SEENLAUNCHES_H
