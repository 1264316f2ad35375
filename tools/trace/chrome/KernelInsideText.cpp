//===- KernelInsideText.cpp - a kernel's `inside` in a Chrome trace -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/KernelInsideText.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace seamscope::tools {

std::optional<KernelInside> parseKernelInside(std::string_view Json) {
  // An object of numbers is small: what is not, nobody wrote for us.
  constexpr size_t MaxSize = 1024;
  if (Json.size() > MaxSize)
    return std::nullopt;
  const auto Object = nlohmann::json::parse(Json, nullptr, /*allow_exceptions=*/false);
  if (!Object.is_object())
    return std::nullopt;
  bool Fits = true;
  const auto Count = [&](const char *Key) -> int64_t {
    const auto Found = Object.find(Key);
    if (Found == Object.end())
      return 0;
    if (!Found->is_number_unsigned() || Found->get<uint64_t>() > uint64_t{1} << 40) {
      Fits = false;
      return 0;
    }
    return Found->get<int64_t>();
  };
  const auto Ratio = [&](const char *Key) -> std::optional<double> {
    const auto Found = Object.find(Key);
    if (Found == Object.end())
      return std::nullopt;
    const double Value = Found->is_number() ? Found->get<double>() : -1;
    if (!(Value >= 0 && Value < 1e12))
      Fits = false;
    return Value;
  };
  KernelInside Inside;
  Inside.Sms = Count("sms");
  Inside.Blocks = Count("blocks");
  Inside.Warps = Count("warps");
  Inside.OpenWarps = Count("open_warps");
  Inside.LostWarps = Count("lost_warps");
  Inside.ResidentBlocks = Count("resident_blocks");
  Inside.Share = Ratio("share");
  Inside.Waves = Ratio("waves");
  Inside.TailPercent = Ratio("tail_percent");
  Inside.SmImbalance = Ratio("sm_imbalance");
  Inside.WarpImbalance = Ratio("warp_imbalance");
  if (!Fits || !Inside.Sms)
    return std::nullopt;
  return Inside;
}

} // namespace seamscope::tools
