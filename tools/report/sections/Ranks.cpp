//===- Ranks.cpp - the processes of a run ----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Ranks.h"
#include "report/sections/Sections.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// "3", or "3..4" if they differ.
template <typename T, typename Show> std::string span(T Least, T Most, Show &&Text) {
  return Least == Most ? Text(Least) : Text(Least) + ".." + Text(Most);
}

struct NamedShare {
  const RankKernel *Kernel;
  RankShare Share;
};

bool isByCollectives(const RankClock &Clock) { return Clock.Basis == ClockBasis::Collectives; }

std::string clocksText(const RankReport &Ranks) {
  if (std::ranges::any_of(Ranks.Clocks, isByCollectives))
    return "aligned by collectives";
  if (!Ranks.NotAligned.empty())
    return Ranks.NotAligned;
  const bool Contradicted = std::ranges::any_of(
      Ranks.Clocks, [](const RankClock &Clock) { return Clock.Basis == ClockBasis::None; });
  return Contradicted ? "contradicted by collectives" : "aligned";
}

Table processTable(const Context &In, const RankReport &Ranks) {
  struct Process {
    const RankInput *From;
    const RankRow *Row;
    size_t Index;
    RankClock Clock;
  };
  std::vector<Process> Rows;
  for (size_t I = 0; I < Ranks.Inputs.size(); ++I)
    Rows.push_back({&Ranks.Inputs[I], &Ranks.Rows[I], I,
                    I < Ranks.Clocks.size() ? Ranks.Clocks[I] : RankClock()});
  const auto OfRow = [](auto What) { return member(&Process::Row, What); };
  const bool Messages =
      std::ranges::any_of(Ranks.Rows, [](const RankRow &Row) { return Row.MessageNs > 0; });
  // The trace's own times have no offset to show.
  const bool Moved = std::ranges::any_of(Ranks.Clocks, isByCollectives);
  const auto Show = [&](Column Of) { return std::move(Of).in(Moved ? ForAll : ForJson); };
  Fields<Process> Columns = {
      {Column("rank", Unit::Count, "its rank").in(ForJson),
       [](const Process &P) { return P.From->Rank; }},
      {Column("label", "Process", Unit::Name, "rank or number of the input"),
       [](const Process &P) { return P.From->Label; }},
      {Column("trace", Unit::Name, "its file").in(ForJson),
       [](const Process &P) { return P.From->Path; }},
      {{"pids", Unit::List, "its processes, as the common trace numbers them"},
       [](const Process &P) { return listOf(P.From->Pids); }},
      {Column("damage", Unit::Text, "why its end is missing").in(ForJson),
       [](const Process &P) { return textOrNull(P.From->Damage); }},
      {{"events", "Events", Unit::Count, "events of its trace"}, OfRow(&RankRow::Events)},
      {{"window_ns", "Window", Unit::Ns, "from its first begin to its last end"},
       OfRow(&RankRow::WindowNs)},
      {{"kernel_calls", "Kernel calls", Unit::Count, "calls of kernels"},
       OfRow(&RankRow::KernelCalls)},
      {{"kernel_ns", "Kernels", Unit::Ns, "of the window, time in which a kernel ran"},
       OfRow(&RankRow::KernelNs)},
      {column::percent("kernel_percent", "Kernels %", "kernel_ns of its window"),
       [](const Process &P) { return percentOf(P.Row->KernelNs, P.Row->WindowNs); }},
      {{"unattributed_ns", Unit::Ns, "the rest of the window"}, OfRow(&RankRow::UnattributedNs)},
      {Column("messages_ns", "Messages", Unit::Ns,
              "of the window, time in calls of MPI; none of it in kernel_ns")
           .in(Messages ? ForAll : ForJson),
       OfRow(&RankRow::MessageNs)},
      {Show({"clock_offset_ns", "Clock offset", Unit::Ns,
             "was added to its times at its first matched collective; null: they do not compare"}),
       [](const Process &P) {
         return P.Clock.Basis == ClockBasis::None ? Value() : Value(P.Clock.Time.ShiftNs);
       }},
      {Show({"clock_error_ns", "Clock error", Unit::Ns,
             "how far its times may be off at most, from its first to its last matched "
             "collective; null: not known"}),
       [](const Process &P) { return P.Clock.ErrorNs; }},
      {Column("clock_rate_ppm", Unit::Rate,
              "was added to the rate of its clock, in millionths; null: nothing")
           .in(ForJson),
       [](const Process &P) {
         return P.Clock.Time.Rate ? Value(P.Clock.Time.ratePpm()) : Value();
       }},
      {Column("clock_reference", Unit::Name,
              "the process whose clock these compare with; null: none, by collectives")
           .in(ForJson),
       [Of = &Ranks](const Process &P) {
         return P.Clock.Reference < Of->Inputs.size() ? Value(Of->Inputs[P.Clock.Reference].Label)
                                                      : Value();
       }},
      {Column("file", "Trace", Unit::Name, "name of its file").left().in(ForPeople),
       [](const Process &P) {
         return std::string_view(P.From->Path).substr(P.From->Path.rfind('/') + 1);
       }},
      rowsField<Process>(
          "kernels", "its kernels",
          Fields<NamedShare>{
              {column::name(""),
               [In](const NamedShare &S) { return In->Source.text(S.Kernel->Name); }},
              {{"file", Unit::Name, "its source"},
               [In](const NamedShare &S) { return In->Source.text(S.Kernel->File); }},
              {{"line", Unit::Count, "line"}, [](const NamedShare &S) { return S.Kernel->Line; }},
              {column::calls(), [](const NamedShare &S) { return S.Share.Calls; }},
              {column::total(), [](const NamedShare &S) { return S.Share.TotalNs; }}},
          [Of = &Ranks](const Process &P) {
            std::vector<NamedShare> Shares;
            for (const RankKernel &Kernel : Of->Kernels)
              if (Kernel.Shares[P.Index].Calls)
                Shares.push_back({&Kernel, Kernel.Shares[P.Index]});
            return Shares;
          }),
  };
  return makeTable("ranks", "Processes", std::move(Rows), std::move(Columns));
}

Table kernelTable(const Context &In, const RankReport &Ranks) {
  std::vector<TreeLine> Lines;
  for (const RankKernel &Kernel : Ranks.Kernels) {
    size_t Holders = 0, Slowest = 0;
    uint64_t LeastCalls = UINT64_MAX, MostCalls = 0;
    int64_t LeastTotal = INT64_MAX, MostTotal = 0, LeastMean = INT64_MAX, MostMean = -1;
    for (size_t Each = 0; Each < Kernel.Shares.size(); ++Each) {
      const RankShare &Share = Kernel.Shares[Each];
      if (!Share.Calls)
        continue;
      ++Holders;
      const int64_t Mean = roundedMean(Share.SumNs, Share.Calls);
      if (Mean > MostMean)
        Slowest = Each;
      LeastCalls = std::min(LeastCalls, Share.Calls);
      MostCalls = std::max(MostCalls, Share.Calls);
      LeastTotal = std::min(LeastTotal, Share.TotalNs);
      MostTotal = std::max(MostTotal, Share.TotalNs);
      LeastMean = std::min(LeastMean, Mean);
      MostMean = std::max(MostMean, Mean);
    }
    const auto Time = [](int64_t Ns) { return shownTime(Ns); };
    Lines.push_back(
        {In->Source.text(Kernel.Name),
         {{"in", Cell(Holders, fmt::format("{} of {}", Holders, Kernel.Shares.size()))},
          {"calls", Cell(MostCalls, span(LeastCalls, MostCalls,
                                         [](uint64_t N) { return fmt::to_string(N); }))},
          {"total_ns", Cell(MostTotal, span(LeastTotal, MostTotal, Time))},
          {"mean_ns", Cell(MostMean, span(LeastMean, MostMean, Time))},
          {"slowest", Ranks.Inputs[Slowest].Label}}});
  }
  Table Made = treeTable(
      "rank-kernels", "Kernels by process",
      {column::name("Kernel, process by process"),
       Column("in", "In", Unit::Count, "processes that ran it"), column::calls(), column::total(),
       Column("mean_ns", "Mean", Unit::Ns, "of the durations of a process's calls"),
       Column("slowest", "Slowest", Unit::Name, "process with the largest mean").left()},
      std::move(Lines));
  Made.Top = In->Input.rowsOf(20);
  return Made;
}

void addImbalance(Section &To, const RankReport &Ranks) {
  const std::optional<RankImbalance> Found = imbalanceOf(Ranks);
  To.fact({"rank_imbalance", Unit::Ratio, "of processes with messages, most work over mean work"},
          Found ? Cell(Found->ratio()) : Cell());
  constexpr double Even = 1.1;
  if (Found && Found->ratio() > Even)
    To.say(fmt::format(
        "work is divided unevenly: {} works {} in kernels, {:.2f} times the mean of all "
        "processes; {} is in messages for {}",
        Ranks.Inputs[Found->Most].Label, shownTime(Found->MostNs), Found->ratio(),
        Ranks.Inputs[Found->Waits].Label, shownTime(Found->WaitNs)));
}

} // namespace

void addRanks(Section &To, const Context &In) {
  if (!In->Input.Ranks)
    return;
  const RankReport &Ranks = *In->Input.Ranks;
  To.fact({"clocks", Unit::Text,
           "aligned, aligned by collectives, contradicted by collectives, or why times of "
           "processes cannot be compared"},
          Cell(clocksText(Ranks)));
  Table Unread =
      makeTable<Error>("ranks_unread", "Traces that could not be read", std::span(Ranks.Unread),
                       {{Column("trace", "Trace", Unit::Name, "its file"), &Error::Path},
                        {Column("reason", "Reason", Unit::Name, "why").left(),
                         [](const Error &E) { return E.message(); }}});
  Unread.In = ForJson | (Ranks.Unread.empty() ? 0 : ForHtml);
  To.add(std::move(Unread));
  To.add(processTable(In, Ranks));
  addImbalance(To, Ranks);
  if (!Ranks.Kernels.empty())
    To.add(kernelTable(In, Ranks));
  const bool Named = std::ranges::any_of(
      Ranks.Inputs, [](const RankInput &Each) { return Each.Rank.has_value(); });
  To.sayApart(fmt::format("Below, all of them together; {} shows one alone.",
                          Named ? "--rank N" : "the name of its trace"));
}

} // namespace seamscope::tools
