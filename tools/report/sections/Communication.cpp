//===- Communication.cpp - collectives: hidden, exposed, waited for -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/Communication.h"
#include "analysis/core/Ranks.h"
#include "analysis/devices/CollectiveRanks.h"
#include "report/sections/Sections.h"

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Rows of the text without --top.
constexpr size_t UsualRows = 20;

Table placeTable(const Context &In, std::vector<CommunicationRow> Places) {

  return makeTable<CommunicationRow>(
      "communication.places", "Communication and computation", std::move(Places),
      {{{"place", "Communication of", Unit::Name, "device or process"},
        [In](const CommunicationRow &R) -> Cell {
          return R.Device >= 0 ? fmt::format("device {}", R.Device)
                               : fmt::format("process {}", In->Source.text(R.Process));
        }},
       {{"device", Unit::Count, "null: a process"},
        [](const CommunicationRow &R) { return unlessNegative(R.Device); }},
       {column::calls().titled("Collectives"), &CommunicationRow::Calls},
       {{"sum_ns", Unit::Ns, "of their durations"}, &CommunicationRow::SumNs},
       {{"communication_ns", "Time", Unit::Ns, "in which one ran, or several"},
        &CommunicationRow::CommunicationNs},
       {{"overlapped_ns", "Overlapped", Unit::Ns, "of it, something was computed meanwhile"},
        &CommunicationRow::OverlappedNs},
       {column::percent("overlapped_percent", "Overlapped %", "of the time with a collective"),
        [](const CommunicationRow &R) { return percentOf(R.OverlappedNs, R.CommunicationNs); }},
       {{"exposed_ns", "Exposed", Unit::Ns, "of it, the rest"}, &CommunicationRow::ExposedNs},
       {{"compute_ns", "Computing", Unit::Ns, "in which something was computed"},
        &CommunicationRow::ComputeNs}});
}

Table kindTable(const Context &In, std::vector<CollectiveRow> Rows) {
  Table Made = makeTable<CollectiveRow>(
      "communication.collectives", "Collectives by size", std::move(Rows),
      {{{"kind", "Collective", Unit::Text, "what it does"},
        [](const CollectiveRow &R) { return collectiveKindName(R.Kind); }},
       {Column("group", "Group", Unit::Name, "process group").left(),
        [In](const CollectiveRow &R) { return textOrNull(In->Source.text(R.Group)); }},
       {{"ranks", "Ranks", Unit::Count, "ranks that take part"}, &CollectiveRow::GroupSize},
       {{"size_bytes", "Bytes", Unit::Bytes,
         "S of nccl-tests: of all_gather and reduce_scatter of all ranks together"},
        &CollectiveRow::SizeBytes},
       {column::calls(), &CollectiveRow::Calls},
       {column::total().sum().helped("with the waiting for other ranks"), &CollectiveRow::TotalNs},
       {{"min_ns", "Min", Unit::Ns, "shortest"}, &CollectiveRow::MinNs},
       {{"p50_ns", "p50", Unit::Ns, "median, nearest rank"}, &CollectiveRow::MedianNs},
       {{"max_ns", "Max", Unit::Ns, "longest"}, &CollectiveRow::MaxNs},
       {{"algorithm_gbps", "Algorithm GB/s", Unit::Rate, "bytes over time, in 10^9 bytes a second"},
        &CollectiveRow::AlgorithmGBs},
       {{"bus_gbps", "Bus GB/s", Unit::Rate,
         "algorithm_gbps times the factor of nccl-tests, such as 2 (n - 1) / n"},
        &CollectiveRow::BusGBs}});
  Made.Top = In->Input.rowsOf(UsualRows);
  Made.Data = In->Input.Top;
  return Made;
}

void addMatches(Section &To, const Context &In) {
  const RankReport *const Ranks = In->Input.Ranks;
  const CollectiveMatch &Match = In->collectives().Match;
  struct Share {
    std::string Label;
    CollectiveShare Of;
  };
  std::vector<Share> Rows;
  for (size_t I = 0; I < Match.Shares.size(); ++I)
    Rows.push_back({Ranks->Inputs[I].Label, Match.Shares[I]});
  const auto Get = [](auto What) { return member(&Share::Of, What); };
  if (!Match.NotAligned.empty())
    To.say("who waits for whom in collectives is not known: " + Match.NotAligned);
  const auto Add = [&](Table Made) {
    Made.In = ForJson | (Made.Count && Match.NotAligned.empty() ? ForPeople : 0);
    To.add(std::move(Made));
  };
  Add(makeTable<Share>(
      "communication.ranks", "Who waits, and who is waited for", std::move(Rows),
      {{{"rank", "Rank", Unit::Name, "process"}, &Share::Label},
       {column::calls().titled("Matched").helped("collectives found on all ranks of the group"),
        Get(&CollectiveShare::Calls)},
       {column::wait().helped("until the last rank had begun"), Get(&CollectiveShare::WaitNs)},
       {{"wait_error_ns", "± wait", Unit::Ns,
         "how far the wait may be off at most, by the clocks' errors; null: not known"},
        Get(&CollectiveShare::WaitErrorNs)},
       {{"transfer_ns", "Transfer", Unit::Ns, "the rest of the durations"},
        Get(&CollectiveShare::TransferNs)},
       {{"times_last", "Last", Unit::Count, "collectives that it began last"},
        Get(&CollectiveShare::TimesLast)},
       {{"caused_ns", "Caused waits", Unit::Ns, "sum of the others' waits in these"},
        Get(&CollectiveShare::CausedNs)},
       {{"caused_error_ns", "± caused", Unit::Ns,
         "the same of these; where clocks do not tell which rank was last, all of the waits"},
        Get(&CollectiveShare::CausedErrorNs)}}));
  Add(makeTable<MatchedCollectives>(
      "communication.skew", "Skew of collectives", std::vector(Match.Rows),
      {{{"kind", "Collective", Unit::Text, "what it does"},
        [](const MatchedCollectives &M) { return collectiveKindName(M.Of.Kind); }},
       {Column("group", "Group", Unit::Name, "process group").left(),
        [In](const MatchedCollectives &M) { return textOrNull(In->Source.text(M.Of.Group)); }},
       {{"count", "Matched", Unit::Count, "found on all ranks of the group"},
        &MatchedCollectives::Count},
       {{"p50_skew_ns", "Skew p50", Unit::Ns, "from the first rank's begin to the last's"},
        &MatchedCollectives::MedianSkewNs},
       {{"max_skew_ns", "Skew max", Unit::Ns, "largest"}, &MatchedCollectives::MaxSkewNs},
       {{"skew_error_ns", "± skew", Unit::Ns,
         "how far the skew of one may be off at most, by the clocks' errors; null: not known"},
        &MatchedCollectives::SkewErrorNs},
       {{"skew_ns", "Skew in all", Unit::Ns, "sum"}, &MatchedCollectives::SkewNs}}));
  if (Match.ByOrder)
    To.say(fmt::format("the trace has no groups of {} of the collectives: all ranks called the "
                       "same ones in the same "
                       "order, and each overlaps on all ranks, so they are taken for one group",
                       Match.ByOrder));
  const std::pair<uint64_t, const char *> Left[] = {
      {Match.UnknownGroup, "of an unknown group"},
      {Match.MissingRanks, "of groups with ranks that are not here"},
      {Match.OtherCounts, "of which ranks have different numbers"},
      {Match.OtherSizes, "of which ranks have different sizes"},
      {Match.OtherClocks, "of ranks whose clocks do not compare"},
      {Match.Contradicted, "that ended before all had begun"},
      {Match.BetweenTwo, "between two ranks"}};
  std::string Text;
  for (const auto &[Count, Why] : Left)
    if (Count)
      Text += fmt::format("{}{} {}", Text.empty() ? "collectives that were not matched: " : ", ",
                          Count, Why);
  if (!Text.empty())
    To.say(std::move(Text));
}

} // namespace

void addCommunication(Section &To, const Context &In) {
  if (!In->Input.Devices)
    return;
  Communication Of = communication(In->Source, In->collectives().Found);
  if (!Of.any() && !In->Input.Everything)
    return;
  To.add(placeTable(In, std::move(Of.Places)));
  To.add(kindTable(In, std::move(Of.Rows)));
  addMatches(To, In);
}

} // namespace seamscope::tools
