//===- Spread.cpp - calls of a kernel over time, for its panel -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Page.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// As many as a panel can show apart.
constexpr size_t MostClasses = 40;

/// The class of a call that begins \p Since after the first one, out of \p Count in \p LengthNs.
size_t classOf(int64_t Since, int64_t LengthNs, size_t Count) {
  // Years in ns times a number of classes would overflow.
  const auto At = static_cast<size_t>(static_cast<__int128>(Since) * static_cast<__int128>(Count) /
                                      std::max<int64_t>(LengthNs, 1));
  return std::min(At, Count - 1);
}

} // namespace

Spread spreadOf(const Trace &Source, std::span<const uint32_t> Calls, int64_t OriginNs) {
  const EventColumns &Events = Source.Events;
  Spread Made;
  const int64_t First = Events.BeginNs[Calls.front()];
  const int64_t Length = Events.BeginNs[Calls.back()] - First;
  Made.BeginNs = First - OriginNs;
  Made.EndNs = Made.BeginNs + Length;
  Made.Count = Length ? std::min(MostClasses, Calls.size()) : 1;
  for (size_t I = 0; I < Calls.size();) {
    const size_t At = classOf(Events.BeginNs[Calls[I]] - First, Length, Made.Count);
    std::vector<int64_t> Ns;
    for (; I < Calls.size() && classOf(Events.BeginNs[Calls[I]] - First, Length, Made.Count) == At;
         ++I)
      Ns.push_back(Events.DurationNs[Calls[I]]);
    std::ranges::sort(Ns);
    Made.Classes.push_back({At, Ns.size(), Ns.front(), Ns[(Ns.size() - 1) / 2], Ns.back()});
  }
  return Made;
}

std::string othersText(const Trace &Source, std::span<const uint32_t> Longest, size_t Shown,
                       uint64_t Calls) {
  std::string Text;
  if (Shown < Longest.size()) {
    int64_t Sums[2] = {0, 0}; // of shown calls, and of the others
    for (size_t I = 0; I < Longest.size(); ++I)
      Sums[I >= Shown] += Source.Events.DurationNs[Longest[I]];
    const uint64_t Others = Longest.size() - Shown;
    Text =
        fmt::format("The longest {} of {} calls take {}. The other {}: {} in all, {} on average.",
                    Shown, Longest.size(), shownTime(Sums[0]), Others, shownTime(Sums[1]),
                    shownTime(roundedMean(Sums[1], Others)));
  }
  if (Calls > Longest.size())
    Text += fmt::format("{}{} more calls are counted in the trace, without a time each.",
                        Text.empty() ? "" : " ", Calls - Longest.size());
  return Text;
}

} // namespace seamscope::tools
