//===- RankClocks.cpp - the clocks of traces that are joined --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/RankClocks.h"

#include "report/model/Numbers.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {

void RankClocks::add(const Trace &Input) {
  const size_t Number = Ranks.size();
  const int64_t ShiftNs = Plan.Inputs[Number].Time.ShiftNs;
  // Times of day need not fit; then there is nothing to correct.
  const auto Moved = [&](int64_t Ns) {
    int64_t Result;
    return __builtin_add_overflow(Ns, ShiftNs, &Result) ? Ns : Result;
  };
  Ranks.push_back(Input.Info.Rank);
  const EventColumns &Events = Input.Events;
  for (const Collective &Each : findCollectives(Input, linkWork(Input)))
    Calls.add(Number, Each, Names.intern(Input.text(Each.Group)),
              Names.intern(Input.text(Each.Ranks)), Moved(Events.BeginNs[Each.Event]),
              Moved(Events.endNs(Each.Event)));
  if (Groups && *Groups != Input.Info.Groups)
    Groups->clear();
  else
    Groups = Input.Info.Groups;
}

std::vector<RankClock> RankClocks::align() {
  Calls.match(Groups && Groups->size() == 1);
  std::vector<RankClock> Clocks = alignClocks(Calls, Ranks, Plan.NotAligned.empty());
  for (size_t Input = 0; Input < Clocks.size(); ++Input) {
    const RankClock &Clock = Clocks[Input];
    InputPlan &Its = Plan.Inputs[Input];
    Its.ClockErrorNs = Clock.ErrorNs;
    if (Clock.Basis != ClockBasis::Collectives)
      continue;
    Plan.ByCollectives = true;
    int64_t ShiftNs;
    // Both are below 2^62.
    if (!__builtin_add_overflow(Its.Time.ShiftNs, Clock.Time.ShiftNs, &ShiftNs))
      Its.Time = {ShiftNs, Clock.Time.OriginNs - Its.Time.ShiftNs, Clock.Time.Rate};
  }
  return Clocks;
}

namespace {

/// "rank 1 -1.2 ms, rank 5 +3.4 us and 6 more", those with the largest offsets.
std::string offsetsText(const std::vector<RankClock> &Clocks,
                        const std::vector<std::string> &Labels) {
  constexpr size_t Shown = 4;
  std::vector<size_t> Moved;
  for (size_t I = 0; I < Clocks.size(); ++I)
    if (Clocks[I].Time.changesTimes())
      Moved.push_back(I);
  std::ranges::stable_sort(Moved, std::greater(),
                           [&](size_t I) { return std::abs(Clocks[I].Time.ShiftNs); });
  std::vector<std::string> Texts;
  for (const size_t I : Moved) {
    if (Texts.size() == Shown) {
      Texts.push_back(fmt::format("{} more", Moved.size() - Shown));
      break;
    }
    const TimeMap &Time = Clocks[I].Time;
    Texts.push_back(fmt::format("{} {}{}", Labels[I], Time.ShiftNs < 0 ? "-" : "+",
                                shownTime(std::abs(Time.ShiftNs))));
    if (Time.Rate)
      Texts.back() += fmt::format(" and {:+.2f} ppm", Time.ratePpm());
  }
  return fmt::format("{}", fmt::join(Texts, ", "));
}

/// The ranks that nothing is known of, by reason. \p Any: of others something is; else the lack of
/// collectives is not worth a note.
void addUnknown(std::vector<std::string> &Notes, const std::vector<RankClock> &Clocks,
                const std::vector<std::string> &Labels, bool Any) {
  constexpr size_t Shown = 8;
  std::map<NoClock, std::vector<std::string>> Unknown;
  for (size_t I = 0; I < Clocks.size(); ++I)
    if (Clocks[I].Basis == ClockBasis::None && (Any || Clocks[I].Why != NoClock::NoCollectives))
      Unknown[Clocks[I].Why].push_back(Labels[I]);
  for (auto &[Why, Of] : Unknown) {
    const size_t Count = Of.size();
    if (Count > Shown) {
      Of.resize(Shown);
      Of.push_back(fmt::format("{} more", Count - Shown));
    }
    Notes.push_back(fmt::format("{} cannot be compared with other ranks in time: {}",
                                fmt::join(Of, ", "), noClockText(Why)));
  }
}

} // namespace

std::vector<std::string> clockNotes(const std::vector<RankClock> &Clocks,
                                    const std::vector<std::string> &Labels,
                                    const std::string &NotAligned) {
  std::vector<std::string> Notes;
  std::set<size_t> Sets;       // of ranks that compare, by reference
  std::optional<size_t> Worst; // of those by collectives, or else of those as given
  bool Any = false;
  for (const RankClock &Clock : Clocks) {
    Any |= Clock.Basis == ClockBasis::Collectives;
    if (Clock.Basis != ClockBasis::None)
      Sets.insert(Clock.Basis == ClockBasis::Trace ? RankClock::NoReference : Clock.Reference);
  }
  for (size_t I = 0; I < Clocks.size(); ++I) {
    const RankClock &Clock = Clocks[I];
    if (Clock.Basis != (Any ? ClockBasis::Collectives : ClockBasis::Trace) || !Clock.ErrorNs)
      continue;
    if (!Worst || *Clock.ErrorNs > *Clocks[*Worst].ErrorNs)
      Worst = I;
  }
  const std::string Most =
      Worst ? fmt::format("{} ({})", shownTime(*Clocks[*Worst].ErrorNs), Labels[*Worst])
            : std::string();
  if (Any)
    Notes.push_back(fmt::format(
        "{}; times are aligned by collectives, which no rank can end before all have begun, to "
        "within {}; offsets: {}",
        NotAligned.empty() ? "collectives contradict the times of the traces"
                           : "the times of the traces cannot be compared: " + NotAligned,
        Most, offsetsText(Clocks, Labels)));
  else if (Worst)
    Notes.push_back(fmt::format("by collectives, the clocks of the traces agree within {}", Most));
  if (Sets.size() > 1)
    Notes.push_back(fmt::format("{} sets of ranks share no collectives: times compare within each "
                                "set only",
                                Sets.size()));
  addUnknown(Notes, Clocks, Labels, Any);
  return Notes;
}

} // namespace seamscope::tools
