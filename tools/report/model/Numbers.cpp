//===- Numbers.cpp - numbers in readable form --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/model/Numbers.h"

#include "trace/io/Escape.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace seamscope::tools {

std::string fit(std::string_view Text, size_t Width) { return shortened(escaped(Text), Width); }

std::string shownTime(int64_t Ns) {
  const double Value = static_cast<double>(Ns);
  const uint64_t Size = Ns < 0 ? -static_cast<uint64_t>(Ns) : static_cast<uint64_t>(Ns);
  // A number that would round up to 1000 of a unit is 1 of the next.
  if (Size < 1000)
    return fmt::format("{} ns", Ns);
  if (Size < 999'995)
    return fmt::format("{:.2f} us", Value / 1e3);
  if (Size < 999'999'500)
    return fmt::format("{:.3f} ms", Value / 1e6);
  return fmt::format("{:.3f} s", Value / 1e9);
}

std::string shownTime(const std::optional<int64_t> &Ns) { return Ns ? shownTime(*Ns) : "-"; }

std::string shownChange(int64_t Ns) { return (Ns > 0 ? "+" : "") + shownTime(Ns); }

std::optional<double> percentOf(int64_t Part, int64_t Whole) {
  if (!Whole)
    return std::nullopt;
  return 100.0 * static_cast<double>(Part) / static_cast<double>(Whole);
}

std::string shownShare(int64_t Part, int64_t Whole) {
  const auto Percent = percentOf(Part, Whole);
  return Percent ? fmt::format("{:.1f}", *Percent) : "-";
}

std::string shownBytes(double Bytes) {
  constexpr std::array Units = {"B", "kB", "MB", "GB", "TB", "PB"};
  size_t At = 0;
  // A number that would round up to 1000 of a unit is 1 of the next.
  for (; At + 1 < Units.size() && std::abs(Bytes) >= (At ? 999.95 : 1000); ++At)
    Bytes /= 1000;
  const double Size = std::abs(Bytes);
  return fmt::format("{:.{}f} {}", Bytes,
                     !At           ? 0
                     : Size >= 100 ? 0
                     : Size >= 10  ? 1
                                   : 2,
                     Units[At]);
}

std::string shownRate(const std::optional<double> &Value, double Unit) {
  if (!Value)
    return "-";
  const double Scaled = *Value / Unit;
  if (Scaled > 0 && Scaled < 0.005)
    return "<0.01";
  return fmt::format("{:.{}f}", Scaled, Scaled >= 100 ? 0 : Scaled >= 10 ? 1 : 2);
}

std::string shownScaled(double Value, std::string_view Of) {
  constexpr std::array Prefixes = {"", "k", "M", "G", "T", "P"};
  size_t At = 0;
  // A number that would round up to 1000 of a unit is 1 of the next.
  for (; At + 1 < Prefixes.size() && std::abs(Value) >= 999.95; ++At)
    Value /= 1000;
  return fmt::format("{:.1f} {}{}", Value, Prefixes[At], Of);
}

} // namespace seamscope::tools
