//===- Regions.cpp - parallel regions and their threads ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Sections.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Kernels and lines without --top: a region has a line for each thread.
constexpr size_t UsualKernels = 50;
constexpr size_t UsualLines = 100;
constexpr size_t UsualPlaces = 5; ///< places in a region at which threads wait; also task bodies

/// "static" of "for schedule(static)"
std::string_view scheduleIn(std::string_view Construct) {
  const size_t Open = Construct.find('('), Close = Construct.rfind(')');
  return Open == Construct.npos || Close == Construct.npos || Close < Open
             ? std::string_view()
             : Construct.substr(Open + 1, Close - Open - 1);
}

Fields<PlaceRow> placeFields(const Context &In) {
  return {
      {column::name(""), [In](const PlaceRow &R) { return In->name(R.Site); }},
      {column::source(), [In](const PlaceRow &R) { return In->source(In->site(R.Site)); }},
      {column::calls(), &PlaceRow::Calls},
      {column::total(), &PlaceRow::TotalNs},
      rowsField("threads", "the same by OpenMP thread number",
                Fields<ThreadShare>{
                    teamField(),
                    {{"thread", Unit::Count, "OpenMP thread number"}, &ThreadShare::Thread},
                    {column::calls(), &ThreadShare::Calls},
                    {column::total(), [](const ThreadShare &S) { return S.WaitNs + S.BusyNs; }}},
                &PlaceRow::Threads),
  };
}

Fields<PlaceRow> waitFields(const Context &In) {
  const auto Construct = [In](const PlaceRow &R) {
    return In->Source.text(In->site(R.Site).Construct);
  };
  Fields<PlaceRow> Made = {
      {{"kind", Unit::Text, "the construct that ends with the wait"},
       [=](const PlaceRow &R) {
         const std::string_view Text = Construct(R);
         return textOrNull(Text.substr(0, Text.find(" schedule(")));
       }},
      {{"schedule", Unit::Text, "of a loop"},
       [=](const PlaceRow &R) { return textOrNull(scheduleIn(Construct(R))); }},
  };
  append(Made, placeFields(In));
  Made.push_back(sampledField<PlaceRow>(
      [](const PlaceRow &R) { return R.Untimed.Calls ? &R.Untimed : nullptr; }));
  return Made;
}

/// The thread that has more than half of it.
std::string mostly(const PlaceRow &Row) {
  for (const ThreadShare &Share : Row.Threads)
    if (Row.Threads.size() > 1 && 2 * (Share.WaitNs + Share.BusyNs) > Row.TotalNs)
      return "mostly " + shownThread(Share);
  return "all";
}

class RegionLines {
public:
  explicit RegionLines(const Context &In) : In(In) {}

  void add(const RegionRow &Region) {
    Lines.push_back({In->name(Region.Site),
                     {{"thread", "all"},
                      {"calls", Region.Calls},
                      {"busy_ns", Region.TotalNs - Region.WaitNs - Region.PreemptedNs},
                      {"wait_ns", Region.WaitNs + Region.Fork.TotalNs + Region.Join.TotalNs},
                      {"imbalance", Region.Imbalance},
                      {"source", In->source(In->site(Region.Site))}}});
    for (const ThreadShare &Share : threadsWithEnds(Region))
      Lines.push_back({"",
                       {{"thread", shownThread(Share)},
                        {"calls", Share.Calls},
                        {"busy_ns", Share.BusyNs},
                        {"wait_ns", Share.WaitNs}},
                       1});
    places("wait: ", Region.Waits);
    off("wait: blocked", Region.BlockedNs, Region);
    off("preempted", Region.PreemptedNs, Region);
    places("task", Region.Tasks);
    if (Region.Fork.Calls)
      place("fork", Region.Fork);
    if (Region.Join.Calls)
      place("join", Region.Join);
    if (Region.Ambiguous)
      Lines.push_back({fmt::format("[team, fork and join of {} calls are unknown: teams overlap]",
                                   Region.Ambiguous),
                       {},
                       1,
                       Emphasis::Faint});
  }

  std::vector<TreeLine> Lines;

private:
  /// The longest waits, named after their constructs.
  void places(const std::string &Title, const std::vector<PlaceRow> &Places) {
    for (size_t I = 0; I < std::min(UsualPlaces, Places.size()); ++I)
      place(Title + std::string(In->Source.text(In->site(Places[I].Site).Construct)), Places[I]);
    if (Places.size() > UsualPlaces)
      Lines.push_back(
          {fmt::format("[{} more]", Places.size() - UsualPlaces), {}, 1, Emphasis::Faint});
  }

  /// Time of all threads that they did not run, if it is any part of the region's.
  void off(const char *Title, int64_t Ns, const RegionRow &Region) {
    constexpr int64_t Least = 1000; // a thousandth
    if (Ns > Region.TotalNs / Least)
      Lines.push_back({Title, {{"thread", "all"}, {"wait_ns", Ns}}, 1});
  }

  void place(std::string Title, const PlaceRow &Row) {
    const bool IsWork = In->site(Row.Site).Kind == SiteKind::Task;
    const bool IsEstimate = Row.Untimed.Calls;
    Lines.push_back({std::move(Title),
                     {{"thread", mostly(Row)},
                      {"calls", Row.Calls},
                      {IsWork ? "busy_ns" : "wait_ns", timeCell(Row.TotalNs, IsEstimate)},
                      {"source", In->source(In->site(Row.Site))}},
                     1});
    if (IsEstimate)
      Lines.back().Notes = {untimedText(Row.Untimed)};
  }

  const Context In;
};

size_t linesOf(const RegionRow &Region) {
  return 1 + Region.Threads.size() + std::min(UsualPlaces, Region.Waits.size()) +
         std::min(UsualPlaces, Region.Tasks.size()) + (Region.Fork.Calls ? 2 : 0);
}

} // namespace

Fields<RegionRow> regionFields(const Context &In) {
  const auto Known = [](PlaceRow RegionRow::*Member) {
    return [Member](const RegionRow &R) { return (R.*Member).Calls ? &(R.*Member) : nullptr; };
  };
  return {
      {column::name(""), [In](const RegionRow &R) { return In->name(R.Site); }},
      {column::source(), [In](const RegionRow &R) { return In->source(In->site(R.Site)); }},
      {column::calls(), &RegionRow::Calls},
      {column::total().helped("of all its threads"), &RegionRow::TotalNs},
      {{"open", Unit::Count, "calls that had not ended"}, &RegionRow::Open},
      {column::wait(), &RegionRow::WaitNs},
      {{"blocked_ns", Unit::Ns, "of wait_ns, outside of waits for the team: threads did not run"},
       &RegionRow::BlockedNs},
      {{"preempted_ns", Unit::Ns, "threads were ready and others ran; neither busy nor waiting"},
       &RegionRow::PreemptedNs},
      {column::imbalance(), &RegionRow::Imbalance},
      rowsField("threads", "by OpenMP thread number", threadFields(), &RegionRow::Threads),
      rowsField("waits", "where threads waited for others, longest first", waitFields(In),
                &RegionRow::Waits),
      rowsField("tasks", "bodies of tasks, longest first", placeFields(In), &RegionRow::Tasks),
      recordField<RegionRow>("fork", "before total_ns: until the team began", placeFields(In),
                             Known(&RegionRow::Fork)),
      recordField<RegionRow>("join", "behind total_ns: until the last thread was done",
                             placeFields(In), Known(&RegionRow::Join)),
  };
}

void addRegions(Section &To, const Context &In) {
  const ReportInput &Input = In->Input;
  bool HasWaits = false;
  for (const KernelRow &Kernel : In->Numbers.Kernels)
    for (const RegionRow &Region : Kernel.Regions)
      HasWaits |=
          !Region.Waits.empty() || Region.Join.Calls || Region.BlockedNs || Region.PreemptedNs;
  const size_t Most = Input.rowsOf(UsualKernels);
  // A region that is shown has all threads; rows that --top asks for are all there.
  const size_t MostLines = Input.Top == SIZE_MAX ? Input.rowsOf(UsualLines) : SIZE_MAX;
  RegionLines Made(In);
  size_t Kernels = 0, Lines = 0, Left = 0;
  for (const KernelRow &Kernel : In->Numbers.Kernels) {
    const bool Shows = Kernels++ < Most;
    for (const RegionRow &Region : Kernel.Regions) {
      if (!Shows || Lines >= MostLines) {
        ++Left;
        continue;
      }
      Lines += linesOf(Region);
      Made.add(Region);
    }
  }
  if (!Lines)
    return;
  std::vector<Column> Columns = {
      column::name("Parallel region"),
      Column("thread", "Thread", Unit::Text,
             "OpenMP thread number, behind that of the team if the region has several at a time; "
             "mostly: more than half of it"),
      column::calls(), column::busy()};
  if (HasWaits)
    Columns.push_back(column::wait().helped("for other threads, from fork to join"));
  Columns.insert(Columns.end(), {column::imbalance(), column::source()});
  Table Rows = treeTable("regions", "Parallel regions", std::move(Columns), std::move(Made.Lines));
  Rows.leaveOut(Left, 0);
  To.add(std::move(Rows));
}

} // namespace seamscope::tools
