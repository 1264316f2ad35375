//===- ClockLines.cpp - what a clock may differ from another by -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/ClockLines.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace seamscope::tools {

ClockLines::ClockLines(int64_t BeginNs, int64_t EndNs)
    : BeginNs(BeginNs), LengthNs(std::max(1.0, static_cast<double>(EndNs - BeginNs))), Corners(1) {}

ClockLines::ClockLines(int64_t BeginNs, int64_t EndNs, double Least, double Most)
    : ClockLines(BeginNs, EndNs) {
  const double Growth = std::max(1.0, LengthNs * MostRate);
  const double Low = Least - Growth, High = Most + Growth;
  Corners = {{Low, Low}, {High, Low}, {High, High}, {Low, High}};
  cut(1, -1, Growth);
  cut(-1, 1, Growth);
}

bool ClockLines::keepBelow(int64_t Ns, double Most) { return cut(1 - share(Ns), share(Ns), Most); }

bool ClockLines::keepAbove(int64_t Ns, double Least) {
  return cut(share(Ns) - 1, -share(Ns), -Least);
}

bool ClockLines::cut(double A, double B, double Most) {
  const auto Beyond = [&](const ClockLine &At) { return A * At.First + B * At.Last - Most; };
  if (std::ranges::all_of(Corners, [&](const ClockLine &At) { return Beyond(At) <= 0; }))
    return true;
  std::vector<ClockLine> Kept;
  for (size_t I = 0; I < Corners.size(); ++I) {
    const ClockLine &From = Corners[I], &To = Corners[(I + 1) % Corners.size()];
    const double Start = Beyond(From), End = Beyond(To);
    if (Start <= 0)
      Kept.push_back(From);
    if ((Start < 0 && End > 0) || (Start > 0 && End < 0)) {
      const double Part = Start / (Start - End);
      Kept.push_back(
          {From.First + Part * (To.First - From.First), From.Last + Part * (To.Last - From.Last)});
    }
  }
  if (Kept.empty())
    return false;
  Corners = std::move(Kept);
  return true;
}

double ClockLines::most(int64_t Ns) const {
  const double Share = share(Ns);
  double Most = -INFINITY;
  for (const ClockLine &At : Corners)
    Most = std::max(Most, At.First + Share * (At.Last - At.First));
  return Most;
}

double ClockLines::least(int64_t Ns) const {
  const double Share = share(Ns);
  double Least = INFINITY;
  for (const ClockLine &At : Corners)
    Least = std::min(Least, At.First + Share * (At.Last - At.First));
  return Least;
}

double ClockLines::error(const ClockLine &Of) const {
  double Most = 0;
  for (const ClockLine &At : Corners)
    Most = std::max({Most, std::abs(At.First - Of.First), std::abs(At.Last - Of.Last)});
  return Most;
}

ClockLine ClockLines::middle() const {
  // The mean of lines within the bounds is within them, too.
  ClockLine Mean;
  for (const auto Value : {&ClockLine::First, &ClockLine::Last}) {
    const auto [Least, Most] = std::ranges::minmax_element(Corners, {}, Value);
    for (const ClockLine &At : {*Least, *Most}) {
      Mean.First += At.First / 4;
      Mean.Last += At.Last / 4;
    }
  }
  // Where the edges of the polygon cross the line on which both values are the same.
  std::optional<double> Low, High;
  for (size_t I = 0; I < Corners.size(); ++I) {
    const ClockLine &From = Corners[I], &To = Corners[(I + 1) % Corners.size()];
    const double Start = From.Last - From.First, End = To.Last - To.First;
    if ((Start < 0 && End < 0) || (Start > 0 && End > 0))
      continue;
    const double At =
        From.First + (Start == End ? 0 : Start / (Start - End) * (To.First - From.First));
    Low = std::min(At, Low.value_or(At));
    High = std::max(At, High.value_or(At));
  }
  if (!Low)
    return Mean;
  const double Value = *Low / 2 + *High / 2;
  // With the rates of clocks the lengths of calls would change: not for a small gain.
  constexpr double Hardly = 1.5;
  return error({Value, Value}) <= Hardly * error(Mean) ? ClockLine{Value, Value} : Mean;
}

} // namespace seamscope::tools
