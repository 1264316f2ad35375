//===- Recording.cpp - the cost of recording --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/RecordingCost.h"
#include "report/sections/Sections.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Whether \p Name matches only itself in a list of globs within a shell's quotes.
bool isPlainName(std::string_view Name) {
  return !Name.empty() && std::ranges::all_of(Name, [](char C) {
    return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || (C >= '0' && C <= '9') || C == '_' ||
           C == '.' || C == '$' || C == ':';
  });
}

/// For the pass option `exclude`: symbols, if they are known.
std::vector<std::string_view> excludeList(const Trace &Source, const RecordingCost &Cost) {
  std::vector<std::string_view> Names;
  for (const SiteId Id : Cost.Short) {
    const Site &What = Source.Sites[Id];
    if (const auto Name = Source.text(What.LinkageName ? What.LinkageName : What.Name);
        isPlainName(Name))
      Names.push_back(Name);
  }
  return Names;
}

void addFacts(Section &To, const Context &In) {
  const RecordingCost *const Cost = In->Input.Recording;
  if (!Cost) {
    To.fact({"recording", Unit::Record, "what recording took; null: it is not known"}, {});
    return;
  }

  const int64_t WindowNs = In->Numbers.WindowNs;
  To.fact({"recording.call_cost_ns", Unit::Ns, "recording one call takes that"}, Cost->CallNs);
  To.fact({"recording.stamp_bias_ns", Unit::Ns, "of which lies inside the call"}, Cost->BiasNs);
  To.fact({"recording.calls", Unit::Count, "calls that hooks recorded"}, Cost->Calls);
  To.fact({"recording.total_ns", Unit::Ns, "all of them, on all threads"}, Cost->TotalNs);
  To.fact({"recording.busiest_thread_ns", Unit::Ns, "on the thread that recorded most"},
          Cost->BusiestNs);
  To.fact({"recording.window_share", Unit::Ratio, "of the window: 1 is all"},
          WindowNs ? Cell(static_cast<double>(Cost->BusiestNs) / static_cast<double>(WindowNs))
                   : Cell());
  To.fact(
      {"recording.inside_known", Unit::Flag, "whether it is known which calls lie inside others"},
      Cost->InsideKnown);
  To.fact({"recording.exclude", Unit::List, "short kernels, for the pass's option exclude"},
          listOf(excludeList(In->Source, *Cost)));
}

} // namespace

Fields<KernelRow> recordingFields(const Context &In) {
  const auto Get = [In](auto Member) {
    return [In, Member](const KernelRow &R) -> Cell {
      const RecordingCost *const Cost = In->Input.Recording;
      if (!Cost)
        return {};
      const auto Found = Cost->Rows.find(R.Site);
      return Found == Cost->Rows.end() ? Cell() : Cell(Found->second.*Member);
    };
  };
  return {{Column("recording_own_ns", Unit::Ns, "time to record its calls").in(ForJson),
           Get(&RowRecordingCost::OwnNs)},
          {Column("recording_inside_ns", Unit::Ns,
                  "of total_ns, time for its stamps and to record the calls inside")
               .in(ForJson),
           Get(&RowRecordingCost::InsideNs)}};
}

void addRecording(Section &To, const Context &In) {
  addFacts(To, In);
  const RecordingCost *const Cost = In->Input.Recording;
  if (!Cost)
    return;
  const int64_t WindowNs = In->Numbers.WindowNs;
  std::vector<KernelRow> Affected;
  std::ranges::copy_if(In->Numbers.Kernels, std::back_inserter(Affected),
                       [&](const KernelRow &Row) { return Cost->matters(Row, WindowNs); });
  const bool IsCostly = !Affected.empty() || Cost->BusiestNs > WindowNs / 20;
  if (!IsCostly && Cost->Untimable.empty())
    return;
  if (IsCostly)
    To.sayApart(fmt::format(
        "Recording took about {} on the thread that recorded most, {} % of the "
        "window: {} calls of {:.1f} ns each{}",
        shownTime(Cost->BusiestNs), shownShare(std::min(Cost->BusiestNs, WindowNs), WindowNs),
        Cost->Calls, Cost->CallNs, In->Numbers.RecordingNs ? "; by samples: [recording]" : ""));
  const auto InsideNs = [Cost](const KernelRow &Row) {
    return std::min(Cost->Rows.at(Row.Site).InsideNs, Row.Times.TotalNs);
  };
  std::ranges::stable_sort(Affected, std::greater(),
                           [&](const KernelRow &Row) { return Cost->Rows.at(Row.Site).InsideNs; });
  Table Rows = makeTable<KernelRow>(
      "recording", "What recording took", std::move(Affected),
      {{column::name("Kernel"), [In](const KernelRow &R) { return In->name(R.Site); }},
       {column::calls(), [](const KernelRow &R) { return R.Times.Calls; }},
       {column::total(), [](const KernelRow &R) { return R.Times.TotalNs; }},
       {{"inside_ns", Cost->InsideKnown ? "Recording in it" : "At least", Unit::Ns, "of its total"},
        InsideNs},
       {column::percent("inside_percent", "%", "of its total"),
        [=](const KernelRow &R) { return percentOf(InsideNs(R), R.Times.TotalNs); }},
       {{"without_ns", "Without", Unit::Ns, "its total less that"},
        [=](const KernelRow &R) { return R.Times.TotalNs - InsideNs(R); }}});
  Rows.In = ForPeople;
  Rows.Attached = true;
  Rows.Top = 10;
  if (Rows.Count)
    To.add(std::move(Rows));
  if (!Cost->Untimable.empty()) {
    std::vector<std::string> Names;
    for (const SiteId Id : Cost->Untimable)
      Names.emplace_back(In->name(Id));
    const auto Say = fmt::format("Recording a call takes longer than the call itself: {}",
                                 fmt::join(Names, ", "));
    IsCostly ? To.say(Say) : To.sayApart(Say);
  }
  if (const auto Names = excludeList(In->Source, *Cost); !Names.empty())
    To.say(fmt::format("To leave out the short ones, recompile with SEAMSCOPE_PASS='exclude={}'",
                       fmt::join(Names, ",")));
}

} // namespace seamscope::tools
