//===- Samples.cpp - what the processor did ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Samples.h"

#include "analysis/core/LoopTree.h"
#include "report/model/Numbers.h"
#include "report/sections/Sections.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr size_t UsualRows = 12;
constexpr size_t NameWidth = 60;
constexpr size_t MostComplaints = 3;
/// A second; recording them takes a percent of a processor or more.
constexpr int64_t ManySwitches = 10000;

/// Where samples pile up in a loop that was vectorised.
constexpr const char *RetireNote =
    "within one vector loop, samples name where instructions retire, not what they cost";

const char *stateName(RunState State) {
  switch (State) {
  case RunState::Running:
    return "running";
  case RunState::Blocked:
    return "blocked";
  case RunState::Preempted:
    return "preempted";
  case RunState::Unknown:
    break;
  }
  return "unknown";
}

std::string nameOf(const UnattributedRow &Row) {
  switch (Row.State) {
  case RunState::Running:
    return !Row.Symbol.empty() ? Row.Symbol
           : Row.Samples       ? "[no symbol]"
                               : "[too short for a sample]";
  case RunState::Blocked:
    return Row.Symbol.empty() ? "[blocked]" : "[blocked in " + Row.Symbol + "]";
  case RunState::Preempted:
    return "[preempted]";
  case RunState::Unknown:
    break;
  }
  return "[not recorded]";
}

std::string placeText(std::string_view File, uint32_t Line) {
  return fmt::format("{}:{}", escaped(File.substr(File.rfind('/') + 1)), Line);
}

std::string intervalText(int64_t LowNs, int64_t HighNs) {
  return shownTime(LowNs) + ".." + shownTime(HighNs);
}

/// Without an interval the time is exact.
Cell intervalOf(const std::optional<int64_t> &LowNs, const std::optional<int64_t> &HighNs) {
  return LowNs && HighNs ? Cell(intervalText(*LowNs, *HighNs)) : Cell();
}

Column lowColumn() { return {"low_ns", Unit::Ns, "lower end of its 95 % interval"}; }
Column highColumn() { return {"high_ns", Unit::Ns, "upper end of its 95 % interval"}; }
Column samplesColumn() { return {"samples", "Samples", Unit::Count, "that hit it"}; }

/// For people: of all threads together.
Table outsideTable(const Context &In, const std::vector<UnattributedRow> &All) {
  struct Sum : UnattributedRow {
    std::set<TrackId> Tracks;
    bool IsEstimate = false;
  };
  std::map<std::tuple<RunState, std::string, std::string, bool>, Sum> Found;
  for (const UnattributedRow &Row : All) {
    Sum &Its = Found[{Row.State, Row.Symbol, Row.Library, Row.Samples != 0}];
    const int64_t Ns = Its.Ns + Row.Ns, Low = Its.LowNs.value_or(0) + Row.LowNs.value_or(Row.Ns),
                  High = Its.HighNs.value_or(0) + Row.HighNs.value_or(Row.Ns);
    const uint64_t Samples = Its.Samples + Row.Samples;
    static_cast<UnattributedRow &>(Its) = Row;
    Its.Ns = Ns;
    Its.LowNs = Low;
    Its.HighNs = High;
    Its.Samples = Samples;
    Its.IsEstimate = Its.IsEstimate || Row.LowNs;
    if (Row.Track)
      Its.Tracks.insert(*Row.Track);
  }
  std::vector<Sum> Rows;
  for (auto &[Key, Row] : Found)
    Rows.push_back(std::move(Row));
  std::ranges::stable_sort(Rows, std::greater(), &Sum::Ns);
  Table Made = makeTable<Sum>(
      "outside-kernels", "Outside kernels", std::move(Rows),
      {{column::name("Outside kernels").cut(NameWidth), [](const Sum &R) { return nameOf(R); }},
       {Column("library", "Library", Unit::Name, "file of the code").left().cut(32),
        [](const Sum &R) { return textOrNull(R.Library); }},
       {Column("thread", "Thread", Unit::Name, "that it is of").left().cut(24),
        [In](const Sum &R) -> Cell {
          if (R.Tracks.size() != 1)
            return R.Tracks.empty() ? Cell() : Cell(fmt::format("{} threads", R.Tracks.size()));
          const Track &Of = In->Source.Tracks[*R.Tracks.begin()];
          return In->Source.text(Of.ThreadName ? Of.ThreadName : Of.Thread);
        }},
       {column::total().titled("Time").sum(), &Sum::Ns},
       {{"interval", "95 %", Unit::Text, "interval of the time; without one it is exact"},
        [](const Sum &R) -> Cell { return R.IsEstimate ? intervalOf(R.LowNs, R.HighNs) : Cell(); }},
       {column::percent("window_percent", "Window %", "of the window").sum(),
        [In](const Sum &R) { return percentOf(R.Ns, In->Numbers.WindowNs); }}});
  Made.In = ForPeople;
  Made.Top = In->Input.rowsOf(UsualRows);
  return Made;
}

std::string waitText(const BlockedRow &Of) {
  if (Of.SpinSamples)
    return "[spinning] " + (Of.Wait.Symbol.empty() ? Of.Wait.Library : Of.Wait.Symbol);
  return Of.Wait.Symbol.empty() ? "[not seen]" : Of.Wait.Symbol;
}

Table blockedTable(const Context &In, const std::vector<BlockedRow> &All) {
  Table Made = makeTable<BlockedRow>(
      "blocked", "Waits in kernels", std::span(All),
      {{column::name("Blocked in kernel").keyed("kernel"),
        [In](const BlockedRow &R) { return In->name(R.Kernel); }},
       {Column("wait", "Waits in", Unit::Name, "function or system call; null: not known")
            .left()
            .cut(48),
        [](const BlockedRow &R) { return Cell(textOrNull(R.Wait.Symbol), waitText(R)); }},
       {{"state", Unit::Text, "blocked, or spinning: the thread ran but only waited"},
        [](const BlockedRow &R) { return R.SpinSamples ? "spinning" : "blocked"; }},
       {samplesColumn().in(ForData), [](const BlockedRow &R) { return R.SpinSamples; }},
       {{"library", Unit::Name, "that has the function"},
        [](const BlockedRow &R) { return textOrNull(R.Wait.Library); }},
       {{"caller", Unit::Name, "function that called it"},
        [](const BlockedRow &R) { return textOrNull(R.Wait.Caller); }},
       {column::calls().keyed("waits").titled("Waits").helped(
            "with an interval, only those that were looked at"),
        [](const BlockedRow &R) -> Cell {
          if (R.SpinSamples)
            return {};
          return R.LowNs ? Cell(Cell(R.Waits).Data, fmt::format("{}+", R.Waits)) : Cell(R.Waits);
        }},
       {column::total().keyed("ns").titled("Time").helped(
            "of all threads; with an interval, that of short waits which were not seen is shared "
            "out among the seen ones, else it is exact"),
        &BlockedRow::Ns},
       {lowColumn(), &BlockedRow::LowNs},
       {highColumn(), &BlockedRow::HighNs},
       {Column("interval", "95 %", Unit::Text, "interval of the time; without one it is exact")
            .in(ForPeople),
        [](const BlockedRow &R) { return intervalOf(R.LowNs, R.HighNs); }},
       {column::source().helped("of the call"), [In](const BlockedRow &R) -> Cell {
          if (R.Wait.File.empty())
            return {};
          return {Place{R.Wait.File, R.Wait.Line, 0}, placeText(R.Wait.File, R.Wait.Line)};
        }}});
  Made.Top = In->Input.rowsOf(UsualRows);
  return shownIfAny(std::move(Made));
}

/// For people if there are several.
Table threadsTable(const Context &In, const std::vector<ThreadRow> &All) {
  const auto TrackOf = [In](const ThreadRow &R) -> const Track & {
    return In->Source.Tracks[R.Track];
  };
  Table Made = makeTable<ThreadRow>(
      "threads", "Threads", std::span(All),
      {{column::name("Thread"),
        [=](const ThreadRow &R) -> Cell {
          const Track &Of = TrackOf(R);
          return {textOrNull(In->Source.text(Of.ThreadName)),
                  escaped(In->Source.text(Of.ThreadName ? Of.ThreadName : Of.Thread))};
        }},
       {{"pid", Unit::Text, "of its process"},
        [=](const ThreadRow &R) { return In->Source.text(TrackOf(R).Process); }},
       {{"tid", Unit::Text, "its number"},
        [=](const ThreadRow &R) { return In->Source.text(TrackOf(R).Thread); }},
       {Column("running_ns", "Running", Unit::Ns, "it ran, in user code or the kernel").sum(),
        &ThreadRow::RunningNs},
       {Column("blocked_ns", "Blocked", Unit::Ns, "it waited for something").sum(),
        [](const ThreadRow &R) { return R.Off.BlockedNs; }},
       {Column("preempted_ns", "Preempted", Unit::Ns, "it was ready and another thread ran").sum(),
        [](const ThreadRow &R) { return R.Off.PreemptedNs; }},
       {Column("unknown_ns", "Unknown", Unit::Ns, "records of it were lost").sum(),
        [](const ThreadRow &R) { return R.Off.UnknownNs; }},
       {{"samples", "Samples", Unit::Count, "of it"}, &ThreadRow::Samples}});
  Made.Top = In->Input.rowsOf(UsualRows);
  Made.In = ForJson | (All.size() > 1 ? ForPeople : 0);
  return Made;
}

Fields<SampleRow> codeFields() {
  return {
      {{"function", Unit::Name, "innermost at the address, inlined or not; null: not known"},
       [](const SampleRow &R) { return textOrNull(R.Function); }},
      {{"symbol", Unit::Name, "function whose code it is; null: not known"},
       [](const SampleRow &R) { return textOrNull(R.Symbol); }},
      {{"library", Unit::Name, "file of the code"}, &SampleRow::Library},
      {{"source", Unit::Place, "line of function"},
       [](const SampleRow &R) -> Cell {
         return R.File.empty() ? Cell() : Cell(Place{R.File, R.Line, 0});
       }},
      {samplesColumn(), &SampleRow::Samples},
      {column::total().keyed("ns").helped("running time that the samples stand for"),
       &SampleRow::Ns},
      {lowColumn(), &SampleRow::LowNs},
      {highColumn(), &SampleRow::HighNs},
  };
}

/// For people, the code of some kernels.
Table codeTable(std::string Key, std::string Title, const Context &In,
                std::vector<SampleRow> Rows) {
  Table Made = makeTable<SampleRow>(
      std::move(Key), std::move(Title), std::move(Rows),
      {{column::name("Sampled in kernel"), [In](const SampleRow &R) { return In->name(R.Kernel); }},
       {Column("function", "Function", Unit::Name, "innermost at the address, inlined or not")
            .left()
            .cut(48),
        [](const SampleRow &R) {
          return R.Function.empty() ? Cell(Value(), std::string("[no symbol]")) : Cell(R.Function);
        }},
       {samplesColumn(), &SampleRow::Samples},
       {column::total().titled("Time").helped("running time that the samples stand for"),
        &SampleRow::Ns},
       {{"interval", "95 %", Unit::Text, "interval of the time"},
        [](const SampleRow &R) { return intervalText(R.LowNs, R.HighNs); }},
       {column::source().helped("of the function"), [](const SampleRow &R) -> Cell {
          if (R.File.empty())
            return textOrNull(R.Library);
          return {Place{R.File, R.Line, 0}, placeText(R.File, R.Line)};
        }}});
  Made.In = ForPeople;
  return Made;
}

/// The most sampled code of hot kernels whose loops are not timed.
void addInside(Section &To, const Context &In, const std::vector<SampleRow> &All) {
  constexpr size_t MostKernels = 5, MostLines = 5;
  constexpr uint64_t LeastSamples = 5;
  std::map<SiteId, std::vector<const SampleRow *>> Of;
  for (const SampleRow &Row : All)
    if (Row.Samples >= LeastSamples && Of[Row.Kernel].size() < MostLines)
      Of[Row.Kernel].push_back(&Row);
  std::vector<SampleRow> Rows;
  size_t Kernels = 0;
  for (const KernelRow &Kernel : In->Numbers.Kernels) {
    if (Kernels == MostKernels)
      break;
    if (In->Input.Loops && In->Input.Loops->of(Kernel.Site).size() > 1)
      continue;
    for (const SampleRow *const Row : Of[Kernel.Site])
      Rows.push_back(*Row);
    Kernels += !Of[Kernel.Site].empty();
  }
  if (Rows.empty())
    return;
  To.add(codeTable("sampled-code", "Code of kernels without timed loops", In, std::move(Rows)));
  To.say(RetireNote);
}

int64_t switchesASecond(const SampleState &Of) {
  const int64_t Ns = Of.UntilNs - Of.BeginNs;
  constexpr int64_t Shortest = 10'000'000;
  return Ns < Shortest ? 0
                       : static_cast<int64_t>(static_cast<double>(Of.Switches) /
                                              static_cast<double>(Ns) * 1e9);
}

void addStates(Section &To, const Context &In) {
  Table States = makeTable<SampleState>(
      "sampling", "Sampling", std::span(In->Source.Sampling),
      {{{"pid", Unit::Text, "of the process"},
        [In](const SampleState &S) { return In->Source.text(S.Process); }},
       {{"state", Unit::Text, "on, off or refused"},
        [](const SampleState &S) {
          return S.State == SampleState::Kind::On        ? "on"
                 : S.State == SampleState::Kind::Refused ? "refused"
                                                         : "off";
        }},
       {{"why", Unit::Text, "it was refused"},
        [](const SampleState &S) { return textOrNull(S.Why); }},
       {{"rate", Unit::Count, "samples a second of processor time"}, &SampleState::Rate},
       {{"sample_cost_ns", Unit::Ns, "of one sample; 0: not measured"}, &SampleState::SampleCostNs},
       {{"switches", Unit::Count, "of all threads"}, &SampleState::Switches},
       {{"lost", Unit::Count, "records lost in the kernel"}, &SampleState::Lost},
       {{"dropped", Unit::Count, "records for which the spool had no room"},
        &SampleState::Dropped}});
  States.In = ForJson;
  To.add(std::move(States));
  for (const SampleState &S : In->Source.Sampling) {
    if (S.State == SampleState::Kind::Refused)
      To.say(fmt::format("note: no samples of process {}: {}", In->Source.text(S.Process),
                         escaped(S.Why)));
    if (const int64_t ASecond = switchesASecond(S); ASecond > ManySwitches)
      To.say(fmt::format("note: threads of process {} switched {} times a second; recording each "
                         "takes up to a microsecond, which SEAMSCOPE_SAMPLES=off saves",
                         In->Source.text(S.Process), ASecond));
    if (S.Lost || S.Dropped)
      To.say(fmt::format("note: process {} lost {} records of samples and switches: what threads "
                         "did meanwhile is not known",
                         In->Source.text(S.Process),
                         static_cast<uint64_t>(S.Lost) + static_cast<uint64_t>(S.Dropped)));
  }
}

void addComplaints(Section &To, const std::vector<std::string> &Complaints) {
  for (size_t I = 0; I < std::min(MostComplaints, Complaints.size()); ++I)
    To.say("note: " + escaped(Complaints[I]));
  if (Complaints.size() > MostComplaints)
    To.say(fmt::format("note: {} more files have no names", Complaints.size() - MostComplaints));
}

} // namespace

SampledReport sampledReport(const Trace &Input, const Statistics &Numbers, const CodeNames &Names) {
  return {unattributedRows(Input, Numbers, Names), blockedRows(Input, Names), threadRows(Input),
          samplesOfKernels(Input, Names), Names.Complaints};
}

void addSamples(Section &To, const Context &In) {
  static const SampledReport None;
  const SampledReport &Of = In->Input.Sampled ? *In->Input.Sampled : None;
  addStates(To, In);
  To.add(forJson(makeTable<UnattributedRow>(
      "unattributed", "Outside kernels", std::span(Of.Outside),
      {{{"state", Unit::Text, "running, blocked, preempted or unknown"},
        [](const UnattributedRow &R) { return stateName(R.State); }},
       {{"symbol", Unit::Name, "function, or what the thread waited in; null: not known"},
        [](const UnattributedRow &R) { return textOrNull(R.Symbol); }},
       {{"library", Unit::Name, "file of the code; null: not known"},
        [](const UnattributedRow &R) { return textOrNull(R.Library); }},
       {{"tid", Unit::Text, "of the thread; null: not known"},
        [In](const UnattributedRow &R) -> Cell {
          return R.Track ? Cell(In->Source.text(In->Source.Tracks[*R.Track].Thread)) : Cell();
        }},
       {samplesColumn(), &UnattributedRow::Samples},
       {column::total().keyed("ns").helped("part of unattributed_ns"), &UnattributedRow::Ns},
       {lowColumn(), &UnattributedRow::LowNs},
       {highColumn(), &UnattributedRow::HighNs}})));
  if (!Of.Outside.empty())
    To.add(outsideTable(In, Of.Outside));
  To.add(blockedTable(In, Of.Blocked));
  To.add(threadsTable(In, Of.Threads));
  Fields<SampleRow> Columns = {{{"kernel", Unit::Name, "innermost on the thread"},
                                [In](const SampleRow &R) { return In->name(R.Kernel); }}};
  append(Columns, codeFields());
  To.add(forJson(
      makeTable<SampleRow>("samples", "Samples", std::span(Of.Kernels), std::move(Columns))));
  addInside(To, In, Of.Kernels);
  addComplaints(To, Of.Complaints);
}

std::vector<Item> sampledDetails(const Context &In, SiteId Kernel) {
  std::vector<Item> Made;
  if (!In->Input.Sampled)
    return Made;
  std::vector<SampleRow> Code;
  for (const SampleRow &Row : In->Input.Sampled->Kernels)
    if (Row.Kernel == Kernel)
      Code.push_back(Row);
  if (Code.empty())
    return Made;
  constexpr size_t Most = 50;
  Table Rows = codeTable("code", "Code that ran in it, by samples", In, std::move(Code));
  Rows.Count = std::min(Rows.Count, Most);
  Rows.In = ForHtml;
  Made.emplace_back(std::move(Rows));
  Made.emplace_back(Sentence{RetireNote, ForHtml});
  return Made;
}

std::vector<std::string> sampleKeyNames() { return {"symbol", "library"}; }

std::optional<SamplesBy> sampleKeyOf(std::string_view Name) {
  if (Name == "symbol")
    return SamplesBy::Symbol;
  if (Name == "library")
    return SamplesBy::Library;
  return Name == "line" ? std::optional(SamplesBy::Line) : std::nullopt;
}

Document sampleGroupsDocument(const SampleGroupsInput &Input) {
  const TraceInfo &Info = Input.Source->Info;
  uint64_t Samples = 0;
  int64_t Ns = 0;
  for (const SampleRow &Row : *Input.Rows) {
    Samples += Row.Samples;
    Ns += Row.Ns;
  }
  const FilteredOut &Out = Input.Filtered;
  Samples += Out.Calls;
  Ns += Out.SelfNs;
  Section Part{"summary", "Time by " + Input.By};
  Part.fact({"trace.path", "Trace", Unit::Name, "as given"}, Info.Path);
  Part.fact({"trace.bytes", Unit::Bytes, "of the file"}, Info.Bytes);
  Part.fact({"window_ns", "Window", Unit::Ns, "from the first begin to the last end"},
            Input.WindowNs);
  Part.fact({"by", Unit::Text, "what the rows are split by"}, Input.By);
  Part.fact({"of", Unit::Text, "what is split"}, "running time");
  Part.fact({"samples", Unit::Count, "of all rows"}, Samples);
  Part.fact({"self_ns", Unit::Ns, "running time of all threads"}, Ns);
  Part.fact({"filtered_out_ns", Unit::Ns, "self_ns of the rows that --filter left out"},
            Out.SelfNs);
  Part.say(fmt::format("{}: running time of all threads, {}, by {}; {} samples", escaped(Info.Path),
                       shownTime(Ns), Input.By, Samples));
  addHealthOf(Part, *Input.Source);
  Fields<SampleRow> Columns = {
      {Column("key", Input.By, Unit::Name, "what the rows are split by")
           .header(Input.By)
           .cut(NameWidth),
       &SampleRow::Key},
      {samplesColumn().sum().chosen("calls"), &SampleRow::Samples},
      {column::self().sum().chosen("self").helped("running time that the samples stand for"),
       &SampleRow::Ns},
      {lowColumn(), &SampleRow::LowNs},
      {highColumn(), &SampleRow::HighNs},
      {Column("interval", "95 %", Unit::Text, "interval of the time").in(ForPeople),
       [](const SampleRow &R) { return intervalText(R.LowNs, R.HighNs); }},
      {column::percent("percent", "%", "self_ns of all rows").sum().chosen("percent"),
       [Ns](const SampleRow &R) { return percentOf(R.Ns, Ns); }},
      {Column("library", "Library", Unit::Name, "file of the code; null: of several")
           .left()
           .cut(32)
           .in(ForAll),
       [](const SampleRow &R) { return textOrNull(R.Library); }},
      {Column("kernels", "Kernels", Unit::List, "in which it ran, by samples")
           .left()
           .cut(NameWidth)
           .chosen("kernels")
           .in(ForAll),
       [](const SampleRow &R) { return listOf(R.Kernels); }}};
  Table Rows = makeTable("rows", "Time by " + Input.By, std::span(*Input.Rows), std::move(Columns));
  Rows.Top = Rows.Data = Input.Top;
  Rows.In = ForData | ForHtml;
  if (Out.Rows)
    Rows.Summaries.push_back({fmt::format("[{} filtered out]", Out.Rows),
                              {{"samples", Out.Calls},
                               {"self_ns", Out.SelfNs},
                               {"percent", percentOf(Out.SelfNs, Ns)}}});
  Rows.Summaries.push_back(
      {"[total]", {{"samples", Samples}, {"self_ns", Ns}, {"percent", Ns ? Cell(100.0) : Cell()}}});
  std::vector<std::string> Keys = {"key", "samples", "self_ns", "interval", "percent"};
  if (sampleKeyOf(Input.By) != SamplesBy::Library)
    Keys.emplace_back("library");
  Keys.emplace_back("kernels");
  Part.add(view(Rows, Input.By, allRows(Rows.Count), Keys));
  Part.add(std::move(Rows));
  if (sampleKeyOf(Input.By) == SamplesBy::Line)
    Part.say(std::string("note: ") + RetireNote);
  addComplaints(Part, *Input.Complaints);
  return {"seamscope.groups/1", Info.Path, {std::move(Part)}, "rows"};
}

} // namespace seamscope::tools
