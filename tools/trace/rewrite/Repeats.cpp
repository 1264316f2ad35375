//===- Repeats.cpp - traces that hold what others hold, too ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/Repeats.h"

#include <algorithm>
#include <compare>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

/// What stays as it is when a tool gives processes other numbers and moves all times.
struct Sum {
  uint64_t Events = 0, Ns = 0; ///< Ns: of all durations, modulo 2^64

  void add(uint64_t Count, uint64_t Of) {
    Events += Count;
    Ns += Of;
  }
  auto operator<=>(const Sum &) const = default;
};

struct Content {
  Sum Whole;
  std::map<Sum, size_t> Processes; ///< and how many are alike
  /// Of copies these agree, too.
  std::optional<int64_t> Rank, FirstNs;
  std::vector<std::string_view> Pids;

  bool holds(const Content &Other) const {
    return std::ranges::all_of(Other.Processes, [&](const auto &Each) {
      const auto Found = Processes.find(Each.first);
      return Found != Processes.end() && Found->second >= Each.second;
    });
  }
};

Content contentOf(const Trace &Input) {
  Content Of;
  std::map<StringId, Sum> Processes;
  for (size_t I = 0; I < Input.Events.size(); ++I) {
    const auto Ns = static_cast<uint64_t>(Input.Events.DurationNs[I]);
    Processes[Input.Tracks[Input.Events.Track[I]].Process].add(1, Ns);
    Of.FirstNs = std::min(Input.Events.BeginNs[I], Of.FirstNs.value_or(Input.Events.BeginNs[I]));
  }
  for (const auto &[Pid, Each] : Processes) {
    Of.Whole.add(Each.Events, Each.Ns);
    ++Of.Processes[Each];
    Of.Pids.push_back(Input.text(Pid));
  }
  Of.Rank = Input.Info.Rank;
  return Of;
}

bool areCopies(const Content &A, const Content &B) {
  return A.Whole.Events && A.Whole == B.Whole && A.Processes == B.Processes && A.Rank == B.Rank &&
         A.FirstNs == B.FirstNs && A.Pids == B.Pids;
}

/// Those of \p All that \p Input was merged of; empty: it was not.
std::vector<size_t> partsOf(size_t Input, const std::vector<Content> &All) {
  // Where a tool gave two processes one number, none is found in it, but all together are.
  for (const bool ByProcess : {true, false}) {
    std::vector<size_t> Parts;
    Sum Together;
    for (size_t I = 0; I < All.size(); ++I)
      if (I != Input && All[I].Whole.Events && (!ByProcess || All[Input].holds(All[I]))) {
        Parts.push_back(I);
        Together.add(All[I].Whole.Events, All[I].Whole.Ns);
      }
    if (Parts.size() > 1 && Together == All[Input].Whole)
      return Parts;
  }
  return {};
}

} // namespace

std::vector<std::string> dropRepeats(std::vector<Trace> &Inputs, std::vector<std::string> &Paths) {
  std::vector<Content> All;
  for (const Trace &Input : Inputs)
    All.push_back(contentOf(Input));
  std::vector<std::string> Notes;
  std::vector<bool> Drop(Inputs.size());
  for (size_t I = 0; I < All.size(); ++I) {
    if (const std::vector<size_t> Parts = partsOf(I, All); !Parts.empty()) {
      Drop[I] = true;
      Notes.push_back(fmt::format("left out: {}: it holds the events of {} other traces, such as "
                                  "{}, which count once",
                                  Paths[I], Parts.size(), Paths[Parts[0]]));
    }
    for (size_t J = 0; J < I; ++J)
      if (areCopies(All[I], All[J])) {
        Notes.push_back(
            fmt::format("{} holds the same calls as {}; both count", Paths[I], Paths[J]));
        break;
      }
  }
  size_t Kept = 0;
  for (size_t I = 0; I < Inputs.size(); ++I) {
    if (Drop[I])
      continue;
    if (Kept != I) {
      Inputs[Kept] = std::move(Inputs[I]);
      Paths[Kept] = std::move(Paths[I]);
    }
    ++Kept;
  }
  Inputs.erase(Inputs.begin() + static_cast<ptrdiff_t>(Kept), Inputs.end());
  Paths.resize(Kept);
  return Notes;
}

} // namespace seamscope::tools
