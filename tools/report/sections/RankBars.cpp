//===- RankBars.cpp - ranks side by side, for the page ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Ranks.h"
#include "analysis/devices/RankParts.h"
#include "report/sections/Page.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// The rank that the others waited for most, in words.
struct Lateness {
  std::string Text;
  size_t Rank = NoInput; ///< by input; NoInput: none, or not known
  const char *Mark = "";
};

Lateness latenessOf(const RankReport &Ranks, const std::vector<Collective> &Found,
                    const CollectiveMatch &Match) {
  const std::string Unknown = "Which rank the others wait for is not known: ";
  if (Found.empty())
    return {Unknown + "no collectives were recorded."};
  if (!Match.NotAligned.empty())
    return {Unknown + Match.NotAligned + "."};
  if (Match.Rows.empty())
    return {Unknown + "no collective was found on all ranks of its group."};
  int64_t Sum = 0;
  uint64_t Calls = 0;
  size_t Most = 0;
  for (size_t I = 0; I < Match.Shares.size(); ++I) {
    Sum += Match.Shares[I].CausedNs;
    if (Match.Shares[I].CausedNs > Match.Shares[Most].CausedNs)
      Most = I;
  }
  for (const MatchedCollectives &Row : Match.Rows)
    Calls += Row.Count;
  if (!Sum)
    return {"No rank waited for another in a collective."};
  const CollectiveShare &Its = Match.Shares[Most];
  const RankClock Clock = Most < Ranks.Clocks.size() ? Ranks.Clocks[Most] : RankClock();
  const bool IsSure = !Its.CausedErrorNs || Its.CausedNs > *Its.CausedErrorNs;
  if (!IsSure && Clock.Basis == ClockBasis::Collectives)
    return {fmt::format("{}they waited {} for {}, which may be off by {}, since clocks are aligned "
                        "by collectives.",
                        Unknown, shownTime(Its.CausedNs), Ranks.Inputs[Most].Label,
                        shownTime(Its.CausedErrorNs))};
  // If all ranks cause waits alternately, one has the most but is not a straggler.
  const bool IsStraggler = Its.CausedNs > Sum / 2;
  return {
      fmt::format("{}: {} began {} of {} collectives last, and the others waited {} for it in all, "
                  "{} % of all waiting.{}",
                  IsStraggler ? "Straggler" : "No single straggler; waited for most",
                  Ranks.Inputs[Most].Label, Its.TimesLast, Calls, shownTime(Its.CausedNs),
                  shownShare(Its.CausedNs, Sum),
                  IsSure ? std::string()
                         : " That is by the clocks of the traces, which may be better than what "
                           "collectives show of them: by these alone it may be off by " +
                               shownTime(Its.CausedErrorNs) + "."),
      Most, IsStraggler ? "straggler" : "waited for most"};
}

/// What the bars do not show.
std::string missing(const RanksParts &Of, const std::vector<Collective> &Found,
                    const CollectiveMatch &Match) {
  std::string Text;
  const size_t Whole = Found.size() - Match.Waits.size();
  if (Whole)
    Text = fmt::format("{} of {} collectives were not matched across ranks: they count as "
                       "communication, with what is waiting in them. ",
                       Whole, Found.size());
  if (const auto Unknown = std::ranges::count_if(Of.Rows, [](const auto &Row) { return !Row; }))
    Text += fmt::format(
        "For {} rank{} it is not known what {} did: there are no events, or none of a device.",
        Unknown, Unknown == 1 ? "" : "s", Unknown == 1 ? "it" : "they");
  return Text;
}

} // namespace

void addRankBars(Section &To, const Context &In) {
  if (!In->Input.Page || !In->Input.Ranks || In->Input.Ranks->Inputs.empty())
    return;
  const RankReport &Ranks = *In->Input.Ranks;
  const auto &[Found, Match] = In->collectives();
  const RanksParts Parts = partsOfRanks(In->Source, Ranks, Found, Match);
  const Lateness Late = latenessOf(Ranks, Found, Match);

  const std::pair<const char *, int64_t RankParts::*> Members[] = {
      {"compute", &RankParts::ComputeNs},
      {"communication", &RankParts::CommunicationNs},
      {"waiting for the last rank", &RankParts::WaitNs},
      {"copies and fills", &RankParts::CopyNs},
      {"compilation", &RankParts::CompileNs},
      {Parts.OfDevices ? "idle: the host alone" : "idle or other", &RankParts::RestNs}};
  RankBars Made;
  std::vector<int64_t RankParts::*> Shown;
  for (const auto &[Name, Member] : Members)
    if (Member == &RankParts::ComputeNs || Member == &RankParts::RestNs ||
        std::ranges::any_of(Parts.Rows, [&](const auto &Row) { return Row && *Row.*Member; })) {
      Made.Parts.emplace_back(Name);
      Shown.push_back(Member);
    }
  for (size_t I = 0; I < Ranks.Inputs.size(); ++I) {
    RankBars::Row &Row = Made.Rows.emplace_back();
    Row.Label = Ranks.Inputs[I].Label;
    Row.WallNs = Ranks.Rows[I].WindowNs;
    if (Parts.Rows[I])
      for (const auto Member : Shown)
        Row.PartsNs.push_back(*Parts.Rows[I].*Member);
    if (!Match.Rows.empty()) {
      Row.CausedNs = Match.Shares[I].CausedNs;
      Row.WaitNs = Match.Shares[I].WaitNs;
    }
    if (I == Late.Rank)
      Row.Mark = Late.Mark;
  }
  To.Items.emplace_back(Sentence{Late.Text, ForHtml});
  To.Items.emplace_back(
      Chart{"rank-bars", "Ranks side by side: what each did in its wall time", std::move(Made)});
  To.Items.emplace_back(Sentence{missing(Parts, Found, Match), ForHtml});
}

} // namespace seamscope::tools
