//===- KernelInsideText.cpp - a kernel's `inside` in a Chrome trace -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/KernelInsideText.h"
#include "trace/io/JsonParse.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <string>

namespace seamscope::tools {

namespace {

/// A whole number up to \p Most; 0 where there is none, and \p Fits false where it is something
/// else.
int64_t numberIn(const nlohmann::json &Object, const char *Key, uint64_t Most, bool &Fits) {
  const auto Found = Object.find(Key);
  if (Found == Object.end())
    return 0;
  if (!Found->is_number_unsigned() || Found->get<uint64_t>() > Most) {
    Fits = false;
    return 0;
  }
  return Found->get<int64_t>();
}

/// Of a launch: a clock of some GHz counts to this in a year.
constexpr uint64_t MostClocks = uint64_t{1} << 56;

std::vector<LoopInside> loopsOf(const nlohmann::json &Object, StringTable &Strings) {
  std::vector<LoopInside> Loops;
  const auto List = Object.find("loops");
  if (List == Object.end() || !List->is_array())
    return {};
  bool Fits = true;
  const int64_t KernelClocks = numberIn(Object, "kernel_clocks", MostClocks, Fits);
  const int64_t Threads = numberIn(Object, "loop_threads", uint64_t{1} << 40, Fits);
  std::vector<uint64_t> Left = {static_cast<uint64_t>(KernelClocks)}; // of the kernel, of loops
  for (const auto &Each : *List) {
    if (!Each.is_object())
      return {};
    const auto Text = [&](const char *Key) -> StringId {
      const auto Found = Each.find(Key);
      return Found != Each.end() && Found->is_string()
                 ? Strings.intern(Found->get_ref<const std::string &>())
                 : 0;
    };
    constexpr uint64_t MostPlace = std::numeric_limits<uint32_t>::max();
    LoopInside Loop;
    Loop.What.Category = Strings.intern("gpu_loop");
    Loop.What.Name = Text("name");
    Loop.What.File = Text("file");
    Loop.What.Ops = Text("inlined_from");
    Loop.What.Line = static_cast<uint32_t>(numberIn(Each, "line", MostPlace, Fits));
    Loop.What.Column = static_cast<uint32_t>(numberIn(Each, "column", MostPlace, Fits));
    // A loop stands behind the one around it.
    Loop.Times.Parent = static_cast<uint32_t>(numberIn(Each, "parent", Loops.size(), Fits));
    Loop.Times.Entries = numberIn(Each, "entries", MostClocks, Fits);
    uint64_t &Around = Left[Fits ? Loop.Times.Parent : 0];
    Loop.Times.Clocks = numberIn(Each, "clocks", Around, Fits);
    Around -= static_cast<uint64_t>(Loop.Times.Clocks);
    Left.push_back(static_cast<uint64_t>(Loop.Times.Clocks));
    Loop.Times.KernelClocks = KernelClocks;
    Loop.Times.Threads = Threads;
    if (!Fits || !Loop.What.Name)
      return {};
    Loops.push_back(Loop);
  }
  return Loops;
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
  bool Fits = true;
  const auto Count = [&](const char *Key) {
    return numberIn(Object, Key, uint64_t{1} << 40, Fits);
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
  return InsideText{Inside, loopsOf(Object, Strings)};
}

} // namespace seamscope::tools
