//===- Settings.cpp - GPU settings from the environment ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda/Settings.h"

#include "core/Environment.h"
#include "cuda/Libraries.h"
#include "format/ByteSize.h"
#include "seamscope/gpu.h"

#include <bit>
#include <string_view>

namespace seamscope::cuda {
namespace {

std::string_view variable(const char *Name) {
  const char *Text = environment(Name);
  return Text ? Text : "";
}

Settings read() {
  Settings S;
  const auto Cuda = variable("SEAMSCOPE_CUDA");
  S.Activities = Cuda != "off";
  if (!Cuda.empty() && Cuda != "off" && Cuda != "on")
    warn("SEAMSCOPE_CUDA='%s' is not on or off; GPU work is recorded", Cuda.data());
  const auto Graphs = variable("SEAMSCOPE_CUDA_GRAPHS");
  if (Graphs == "on" || Graphs == "off")
    S.Graphs = Graphs == "on" ? GraphMode::On : GraphMode::Off;
  else if (!Graphs.empty() && Graphs != "auto")
    warn("SEAMSCOPE_CUDA_GRAPHS='%s' is not auto, on or off; auto is used", Graphs.data());
  const auto Gpu = variable("SEAMSCOPE_GPU");
  S.Stamps = Gpu != "off";
  if (Gpu == "blocks")
    S.MostWarps = 1;
  else if (!Gpu.empty() && Gpu != "warps" && Gpu != "off")
    warn("SEAMSCOPE_GPU='%s' is not blocks, warps or off; each warp is recorded", Gpu.data());
  if (const auto Sample = variable("SEAMSCOPE_GPU_SAMPLE"); !Sample.empty()) {
    uint64_t Of = 0;
    if (Sample.starts_with("1/") && format::parseByteSize(Sample.data() + 2, Of) &&
        std::has_single_bit(Of) && std::countr_zero(Of) < 32)
      S.BlockShift = static_cast<uint8_t>(std::countr_zero(Of));
    else
      warn("SEAMSCOPE_GPU_SAMPLE='%s' is not 1/k with a power of two, as in 1/16; every block is "
           "recorded",
           Sample.data());
  }
  constexpr uint64_t SlotBytes = sizeof(SeamscopeGpuSlot);
  if (const auto Slots = variable("SEAMSCOPE_GPU_SLOTS"); !Slots.empty()) {
    uint64_t Count = 0;
    if (format::parseByteSize(Slots.data(), Count) && Count && Count <= uint64_t{1} << 26)
      S.SegmentShift = static_cast<uint8_t>(std::countr_zero(std::bit_ceil(Count)));
    else
      warn("SEAMSCOPE_GPU_SLOTS='%s' is not a number of warps up to 64M; %u of a launch are "
           "recorded",
           Slots.data(), 1u << S.SegmentShift);
  }
  if (const auto Buffer = variable("SEAMSCOPE_GPU_BUFFER"); !Buffer.empty()) {
    uint64_t Bytes = 0;
    if (format::parseByteSize(Buffer.data(), Bytes) && Bytes >= 1 << 20)
      S.RingBytes = Bytes;
    else
      warn("SEAMSCOPE_GPU_BUFFER='%s' is not a size of at least 1M, as in 512M; 128M is used",
           Buffer.data());
  }
  // Both shifts together are at most 31, and a segment holds a whole launch.
  if (S.RingBytes / SlotBytes > uint64_t{1} << 31)
    S.RingBytes = SlotBytes << 31;
  if (S.RingBytes < SlotBytes << S.SegmentShift)
    S.RingBytes = SlotBytes << S.SegmentShift;
  const auto Lanes = variable("SEAMSCOPE_GPU_LANES");
  S.Lanes = Lanes == "1";
  if (!Lanes.empty() && Lanes != "0" && Lanes != "1")
    warn("SEAMSCOPE_GPU_LANES='%s' is not 0 or 1; blocks are not written one by one", Lanes.data());
  return S;
}

} // namespace

const Settings &Settings::get() {
  static const Settings Read = read();
  return Read;
}

} // namespace seamscope::cuda
