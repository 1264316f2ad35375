//===- KernelInsideText.cpp - a kernel's `inside` in a Chrome trace -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/KernelInsideText.h"
#include "trace/io/JsonParse.h"
#include "trace/model/KernelNumbers.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace seamscope::tools {

namespace {

/// A whole number; 0 where there is none, -1 where it is something else.
int64_t numberIn(const nlohmann::json &Object, const char *Key) {
  const auto Found = Object.find(Key);
  if (Found == Object.end())
    return 0;
  return Found->is_number_unsigned() && Found->get<uint64_t>() <= INT64_MAX ? Found->get<int64_t>()
                                                                            : -1;
}

std::vector<LoopInside> loopsOf(const nlohmann::json &Object, StringTable &Strings) {
  std::vector<LoopInside> Loops;
  const auto List = Object.find("loops");
  if (List == Object.end() || !List->is_array())
    return {};
  std::vector<KernelLoop> Times;
  for (const auto &Each : *List) {
    if (!Each.is_object())
      return {};
    const auto Text = [&](const char *Key) -> StringId {
      const auto Found = Each.find(Key);
      return Found != Each.end() && Found->is_string()
                 ? Strings.intern(Found->get_ref<const std::string &>())
                 : 0;
    };
    const auto Position = [&](const char *Key) { return numberIn(Each, Key); };
    const int64_t Line = Position("line"), Column = Position("column"), Parent = Position("parent");
    if (std::min({Line, Column, Parent}) < 0 || std::max({Line, Column, Parent}) > UINT32_MAX)
      return {};
    LoopInside Loop;
    Loop.What.Category = Strings.intern("gpu_loop");
    Loop.What.Name = Text("name");
    Loop.What.File = Text("file");
    Loop.What.InlinedFrom = Text("inlined_from");
    Loop.What.Line = static_cast<uint32_t>(Line);
    Loop.What.Column = static_cast<uint32_t>(Column);
    Loop.Times.Parent = static_cast<uint32_t>(Parent);
    Loop.Times.Entries = numberIn(Each, "entries");
    Loop.Times.Clocks = numberIn(Each, "clocks");
    Loop.Times.KernelClocks = numberIn(Object, "kernel_clocks");
    Loop.Times.Threads = numberIn(Object, "loop_threads");
    if (!Loop.What.Name)
      return {};
    Loops.push_back(Loop);
    Times.push_back(Loop.Times);
  }
  return isPossible(Times) ? Loops : std::vector<LoopInside>();
}

} // namespace

std::optional<InsideText> parseKernelInside(std::string_view Json, StringTable &Strings) {
  // Some numbers, and the texts of some loops: what is larger, nobody wrote for us.
  constexpr size_t MaxSize = 256 * 1024;
  if (Json.size() > MaxSize)
    return std::nullopt;
  const auto Object = parseJson(Json);
  if (!Object.is_object())
    return std::nullopt;
  const auto Count = [&](const char *Key) { return numberIn(Object, Key); };
  const auto Ratio = [&](const char *Key) -> std::optional<double> {
    const auto Found = Object.find(Key);
    if (Found == Object.end())
      return std::nullopt;
    return Found->is_number() ? Found->get<double>() : -1;
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
  if (!isPossible(Inside))
    return std::nullopt;
  return InsideText{Inside, loopsOf(Object, Strings)};
}

std::optional<LaunchCounters> parseLaunchCounters(std::string_view Json, StringTable &Strings) {
  const nlohmann::json Object = parseJson(Json);
  if (!Object.is_object())
    return std::nullopt;
  const auto Text = [&](const char *Key) {
    return Object.contains(Key) && Object[Key].is_string()
               ? Strings.intern(Object[Key].get_ref<const std::string &>())
               : StringId();
  };
  LaunchCounters Read;
  Read.Unknown = Text("unknown");
  Read.Counts = Text("counts");
  if (Read.Counts && Object.contains("words") && Object["words"].is_array() &&
      std::ranges::all_of(Object["words"], &nlohmann::json::is_number_unsigned))
    Read.Words = Strings.intern(Object["words"].dump());
  return Read.Unknown || Read.Words ? std::optional(Read) : std::nullopt;
}

} // namespace seamscope::tools
