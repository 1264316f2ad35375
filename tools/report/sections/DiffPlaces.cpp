//===- DiffPlaces.cpp - regions, loops and waits of two traces ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/DiffPlaces.h"

#include "report/model/Numbers.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// One side's value for a row; nothing if it has no such place.
template <typename F> auto side(PlaceTimes PlaceDiffRow::*Side, F Get) {
  return [Side, Get](const PlaceDiffRow &Row) -> Cell {
    const PlaceTimes &Of = Row.*Side;
    return Of.Calls ? Cell(std::invoke(Get, Of)) : Cell();
  };
}

Cell placeOf(const PlaceTimes &Of) {
  if (Of.File.empty())
    return {};
  std::string Shown = escaped(Of.File.substr(Of.File.rfind('/') + 1));
  if (Of.Line)
    Shown += fmt::format(":{}", Of.Line);
  if (Of.Column)
    Shown += fmt::format(":{}", Of.Column);
  return {Place{Of.File, Of.Line, Of.Column}, std::move(Shown)};
}

void addSide(Fields<PlaceDiffRow> &To, const char *Letter, const char *Which,
             PlaceTimes PlaceDiffRow::*Side) {
  const std::string Key = std::string(Letter) + "_", Title = Letter[0] == 'a' ? "A" : "B";
  const auto Add = [&](const char *Name, const std::string &Head, Unit Of, std::string Help,
                       auto Get) {
    Column Made(Key + Name, Head, Of, fmt::format("{}, {}", Help, Which));
    if (Of == Unit::Place)
      Made = Made.aside();
    To.push_back({std::move(Made), side(Side, Get)});
  };
  Add("ns", Title, Unit::Ns, "of all threads, with what is in it", [](const PlaceTimes &Of) {
    return Of.IsEstimate ? Cell(Of.Ns, "~" + shownTime(Of.Ns)) : Cell(Of.Ns);
  });
  Add("self_ns", "Self " + Title, Unit::Ns, "without what is in it", &PlaceTimes::SelfNs);
  Add("wait_ns", "Wait " + Title, Unit::Ns, "waiting for others", &PlaceTimes::WaitNs);
  Add("calls", Title + " calls", Unit::Count, "how often it was entered", &PlaceTimes::Calls);
  Add("threads", Title + " threads", Unit::Count, "OpenMP threads that ran it",
      [](const PlaceTimes &Of) { return unlessZero(Of.Threads); });
  Add("imbalance", Title + " imbalance", Unit::Ratio, "largest over mean busy time of the threads",
      &PlaceTimes::Imbalance);
  Add("source", Title + " source", Unit::Place, "file, line and column", &placeOf);
}

/// Both names of a renamed kernel; names with a line are those of A.
Cell shownName(const PlaceDiffRow &Row) {
  if (Row.Kind != PlaceKind::Kernel || Row.SecondName.empty())
    return Row.Name;
  return {Row.Name, fmt::format("{} -> {}", escaped(Row.Name), escaped(Row.SecondName))};
}

bool hasOtherCalls(const PlaceDiffRow &Row) {
  return Row.isPair() && Row.First.Calls != Row.Second.Calls;
}

bool hasOtherThreads(const PlaceDiffRow &Row) {
  return Row.isPair() && Row.First.Threads && Row.Second.Threads &&
         Row.First.Threads != Row.Second.Threads;
}

/// Time that is in no other row; none for a place whose time is part of the place around it.
int64_t ownChange(const PlaceDiffRow &Row) {
  const bool IsEnd = Row.Kind == PlaceKind::Fork || Row.Kind == PlaceKind::Join;
  return IsEnd ? Row.deltaNs() : Row.Second.SelfNs.value_or(0) - Row.First.SelfNs.value_or(0);
}

Table placeData(std::span<const PlaceDiffRow> Places) {
  Fields<PlaceDiffRow> Columns = {
      {Column("kernel", "Kernel", Unit::Name, "key of its kernel's row").cut(40),
       &PlaceDiffRow::Kernel},
      {Column("kind", "Kind", Unit::Text,
              "kernel, region, loop, wait, task, fork, join, blocked or preempted")
           .left(),
       [](const PlaceDiffRow &R) { return placeKindName(R.Kind); }},
      {Column("name", "Kernel, region, loop", Unit::Name, "in A, or in B where A has none")
           .cut(60)
           .least(32),
       &shownName},
      {{"b_name", Unit::Name, "in B, if that is a different one"},
       orNull(&PlaceDiffRow::SecondName)},
      {{"depth", Unit::Count, "0: a kernel"}, &PlaceDiffRow::Depth},
      {Column("match", "Match", Unit::Text, "what makes both sides one place").left(),
       [](const PlaceDiffRow &R) { return placeMatchName(R.Match); }},
  };
  addSide(Columns, "a", "in A", &PlaceDiffRow::First);
  addSide(Columns, "b", "in B", &PlaceDiffRow::Second);
  append(Columns,
         {{Column("delta_ns", "Delta", Unit::Change, "B less A").better(Better::Less),
           &PlaceDiffRow::deltaNs},
          {Column("change_percent", "Change %", Unit::Percent, "B less A, of A").typed("number"),
           [](const PlaceDiffRow &R) {
             return R.isPair() ? percentOf(R.deltaNs(), R.First.Ns) : std::nullopt;
           }},
          {Column("ratio", "B/A", Unit::Ratio, "B over A"),
           [](const PlaceDiffRow &R) {
             return R.isPair() ? ratioOf(R.First.Ns, R.Second.Ns) : std::nullopt;
           }},
          {Column("call_ratio", "B/A a call", Unit::Ratio, "of the mean times of one call"),
           [](const PlaceDiffRow &R) {
             return R.isPair() ? callRatioOf(R.First.Ns, R.First.Calls, R.Second.Ns, R.Second.Calls)
                               : std::nullopt;
           }}});
  return forJson(makeTable("places", "", Places, std::move(Columns)));
}

/// Only the loops, for scripts that read only this key.
Table loopData(const std::vector<PlaceDiffRow> &Places) {
  struct LoopRow {
    const PlaceDiffRow *Of;
    uint32_t Depth; ///< of the loop, counting those around it and itself
  };
  std::vector<LoopRow> Loops;
  std::vector<uint32_t> Around; ///< by depth
  for (const PlaceDiffRow &Row : Places) {
    Around.resize(Row.Depth + 1);
    Around[Row.Depth] =
        (Row.Depth ? Around[Row.Depth - 1] : 0) + uint32_t(Row.Kind == PlaceKind::Loop);
    if (Row.Kind == PlaceKind::Loop)
      Loops.push_back({&Row, Around[Row.Depth]});
  }
  const auto Of = [](auto Get) {
    return [Get](const LoopRow &Row) { return std::invoke(Get, *Row.Of); };
  };
  const auto Self = [](PlaceTimes PlaceDiffRow::*Side) {
    return [Side](const LoopRow &Row) { return (Row.Of->*Side).SelfNs.value_or(0); };
  };
  const auto Part = [](PlaceTimes PlaceDiffRow::*Side, auto Member) {
    return [Side, Member](const LoopRow &Row) { return (Row.Of->*Side).*Member; };
  };
  using Row = PlaceDiffRow;
  return forJson(makeTable<LoopRow>(
      "loops", "", std::move(Loops),
      {{{"kernel", Unit::Name, "its kernel"}, Of(&Row::Kernel)},
       {{"loop", Unit::Name, "name, and the call through which it was inlined"}, Of(&Row::Name)},
       {{"depth", Unit::Count, "1: outermost"}, &LoopRow::Depth},
       {{"a_ns", Unit::Ns, "in the first trace"}, Part(&Row::First, &PlaceTimes::Ns)},
       {{"b_ns", Unit::Ns, "in the second trace"}, Part(&Row::Second, &PlaceTimes::Ns)},
       {{"a_self_ns", Unit::Ns, "without what is in it"}, Self(&Row::First)},
       {{"b_self_ns", Unit::Ns, "without what is in it"}, Self(&Row::Second)},
       {{"a_calls", Unit::Count, "0: the trace has no such loop"},
        Part(&Row::First, &PlaceTimes::Calls)},
       {{"b_calls", Unit::Count, "0: the trace has no such loop"},
        Part(&Row::Second, &PlaceTimes::Calls)},
       {{"match", Unit::Text, "as in places"},
        [](const LoopRow &Each) { return placeMatchName(Each.Of->Match); }}}));
}

/// Columns that a narrow line may lack come last.
std::vector<std::string> shownColumns(const std::vector<PlaceDiffRow> &Places) {
  std::vector<std::string> Keys = {"name", "a_ns", "b_ns", "delta_ns", "change_percent", "ratio"};
  if (std::ranges::any_of(Places, hasOtherCalls))
    Keys.insert(Keys.end(), {"call_ratio", "a_calls", "b_calls"});
  if (std::ranges::any_of(Places, hasOtherThreads))
    Keys.insert(Keys.end(), {"a_threads", "b_threads"});
  Keys.push_back("match");
  if (std::ranges::any_of(Places, [](const PlaceDiffRow &Row) {
        return Row.First.Imbalance || Row.Second.Imbalance;
      }))
    Keys.insert(Keys.end(), {"a_imbalance", "b_imbalance"});
  Keys.push_back("b_source");
  return Keys;
}

/// Empty if all teams have the same number of threads on both sides.
std::string otherTeams(const std::vector<PlaceDiffRow> &Places) {
  std::set<std::pair<size_t, size_t>> Sizes;
  for (const PlaceDiffRow &Row : Places)
    if (hasOtherThreads(Row))
      Sizes.emplace(Row.First.Threads, Row.Second.Threads);
  if (Sizes.empty())
    return "";
  return Sizes.size() == 1
             ? fmt::format("teams have {} threads in A and {} in B: times are sums over threads",
                           Sizes.begin()->first, Sizes.begin()->second)
             : "teams of A and B have different numbers of threads: times are sums over threads";
}

std::string placesAre(ptrdiff_t Count, std::string_view One, std::string_view Several) {
  return fmt::format("{} {}", Count, Count == 1 ? One : Several);
}

} // namespace

void addPlaces(Section &To, const Difference &Of, size_t Top) {
  To.add(loopData(Of.Places));
  Table All = placeData(Of.Places);
  if (Of.FirstHasLoops != Of.SecondHasLoops)
    To.sayApart(fmt::format(
        "loops are not compared: only {} was recorded with loops (option loops of the pass)",
        Of.FirstHasLoops ? "A" : "B"));
  if (Of.Places.empty())
    return To.add(std::move(All));
  const auto Count = [&](auto Is) { return std::ranges::count_if(Of.Places, Is); };
  if (const auto Rows = Count(hasOtherCalls))
    To.sayApart(fmt::format("{} a different number of times in B than in A: B/A compares totals, "
                            "\"B/A a call\" the means of one call",
                            placesAre(Rows, "place was entered", "places were entered")));
  if (Count([](const PlaceDiffRow &Row) { return Row.Kind == PlaceKind::Blocked; }))
    To.say("blocked: time in which threads waited in the place above, outside of waits for their "
           "team; it is not in the times of places");
  if (const std::string Teams = otherTeams(Of.Places); !Teams.empty())
    To.say(Teams);
  if (const auto Rows =
          Count([](const PlaceDiffRow &Row) { return Row.Match == PlaceMatch::Ambiguous; }))
    To.say(
        fmt::format("{} ambiguous: several in A could be the same one in B, so there is no B/A; "
                    "give the sources of both versions to tell them apart (--source-a, --source-b)",
                    placesAre(Rows, "place is", "places are")));
  Table Shown =
      view(All, "Kernel, region, loop", allRows(std::min(All.Count, Top)), shownColumns(Of.Places));
  Shown.Key = "place-rows";
  Shown.Title = "Regions, loops and waits of kernels that both traces have";
  Shown.In = ForPeople;
  Shown.Top = Top;
  const std::span<const PlaceDiffRow> Rows = Of.Places;
  Shown.Depth = [Rows](size_t Row) { return Rows[Row].Depth; };
  Shown.Stands = [Rows](size_t Row) { return Rows[Row].Depth ? Emphasis::None : Emphasis::Strong; };
  Shown.leaveOut(Of.Places.size(), Top, "more places");
  To.add(std::move(All));
  To.add(std::move(Shown));
}

void addLargestPlaces(Section &To, const Difference &Of) {
  constexpr size_t Most = 5;
  std::vector<size_t> Largest = allRows(Of.Places.size());
  std::erase_if(Largest, [&](size_t I) {
    return Of.Places[I].Kind == PlaceKind::Kernel || !ownChange(Of.Places[I]);
  });
  std::ranges::stable_sort(Largest, std::greater(),
                           [&](size_t I) { return std::abs(ownChange(Of.Places[I])); });
  Largest.resize(std::min(Most, Largest.size()));
  if (Largest.empty())
    return;
  std::vector<std::string> Keys = shownColumns(Of.Places);
  Keys.insert(Keys.begin() + 1, "kernel");
  Table Shown =
      view(placeData(Of.Places), "Region, loop, wait", std::move(Largest), std::move(Keys));
  Shown.Key = "largest-places";
  Shown.Title = "Largest changes in kernels, sums over threads";
  Shown.In = ForHtml;
  To.add(std::move(Shown));
}

} // namespace seamscope::tools
