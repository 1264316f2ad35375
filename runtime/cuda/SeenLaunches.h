//===- SeenLaunches.h - what is known of the launches in a ring -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ring is read again and again while kernels write it. Here each launch is followed from one
// reading to the next, and written, whole or as a part, when the ring no longer holds it. Nothing
// of CUDA is called.
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

/// What the spool gets of a launch. Texts are filled in by the writer.
struct LaunchSummary {
  format::DeviceInside Inside = {};
  std::vector<format::DeviceBlockSpan> Blocks; ///< where these are asked for
  std::vector<format::DeviceLoop> Loops;
};

/// Not safe from several threads.
class SeenLaunches {
public:
  struct Options {
    uint32_t Device;
    SeamscopeGpuControl Control; ///< of the ring
    bool Lanes;                  ///< keep each block
  };
  using Writer = std::function<void(LaunchSummary &)>;

  /// \p Write gets each launch when it is final, or asked for.
  SeenLaunches(const Options &Opts, Writer Write) : Opts(Opts), Write(std::move(Write)) {}

  /// Begins a reading of the ring, whose segments have \p Heads as first slots.
  void beginDrain(std::span<const SeamscopeGpuSlot> Heads);

  /// Whether the segment with that first slot is to be read.
  bool isDue(const SeamscopeGpuSlot &Head, bool All);

  /// Takes what segment \p Index holds.
  void takeSegment(size_t Index, const std::vector<LaunchSlots> &Found);

  /// Ends the reading: writes launches that the ring holds no more, with \p All every launch.
  void endDrain(bool All);

  /// Writes all launches. What the ring holds cannot be read any more.
  void writeKnown();

private:
  /// A warp's slot is not final before its last threads have left, and more warps may begin: a
  /// launch is read again as long as the ring holds it, but less and less often.
  struct Seen {
    size_t Segment = 0;           ///< that holds it
    uint64_t Ends = 0;            ///< sum of its warps' ends and their number
    uint64_t Drain = 0;           ///< in which it was in the ring last
    uint64_t Next = 0, Pause = 1; ///< drain in which it is read again, and drains from then on
    bool IsOver = false;          ///< all of it had ended when it was read last
    LaunchSummary Summary;
  };
  /// A later launch may overwrite a part of an earlier one. The rest of one that was written is not
  /// another launch.
  struct Segment {
    std::vector<uint64_t> Found;   ///< launches that it held when it was read last
    std::vector<uint64_t> Written; ///< those of them that were written
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
  uint64_t NewestNs = 0; ///< the latest stamp that the first slots of this drain have
};

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_SEENLAUNCHES_H
