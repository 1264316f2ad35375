//===- Head.cpp - the trace itself: what was recorded, what is missing ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/torch/Compiled.h"
#include "analysis/torch/Steps.h"
#include "report/sections/Sections.h"
#include "trace/io/Escape.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// How the recording ended, if not by the program's own end; else empty.
std::string endText(const Trace &Source) {
  const TraceInfo &Info = Source.Info;
  if (Info.End == "running" && !Source.Open.empty())
    return "read while the process was still running";
  if (!Info.Recovered)
    return "";
  const std::string Sentence = "recovered from a process that was killed or aborted";
  return Info.End == "last sign of life" && !Source.Open.empty()
             ? Sentence + "; calls that were open are shown until its last sign of life, and may "
                          "have taken longer"
             : Sentence;
}

/// How much there is in the trace.
std::string recordedText(const Trace &Source) {
  const size_t Events = Source.Events.size();
  // A part of a long trace has sums of the rest; a separate line says so.
  if (Source.Profile.empty() || Source.Info.Part)
    return fmt::format("{} events", Events);
  uint64_t Calls = 0;
  for (const ProfileRow &Row : Source.Profile)
    Calls += Row.Calls;
  return fmt::format("sums of {} calls{} (mode profile)", Calls,
                     Events ? fmt::format(", {} events", Events) : "");
}

/// "1.2 ms (median; 1.1 ms to 1.4 ms)"; all values if there are one or two.
std::string stepTimes(std::vector<int64_t> Durations) {
  std::ranges::sort(Durations);
  const std::string First = shownTime(Durations.front()), Last = shownTime(Durations.back());
  if (First == Last)
    return First;
  if (Durations.size() == 2)
    return First + " and " + Last;
  return fmt::format("{} (median; {} to {})", shownTime(Durations[(Durations.size() - 1) / 2]),
                     First, Last);
}

/// How many steps the program marked, and how long they took; empty without steps. Each process of
/// a run marks its own.
std::string stepsText(const Trace &Source) {
  std::map<StringId, size_t> Counts;
  std::vector<int64_t> Durations;
  for (const uint32_t I : markedSteps(Source)) {
    ++Counts[Source.Tracks[Source.Events.Track[I]].Process];
    Durations.push_back(Source.Events.DurationNs[I]);
  }
  if (Counts.empty())
    return "";
  size_t Least = SIZE_MAX, Most = 0;
  for (const auto &[Process, Count] : Counts) {
    Least = std::min(Least, Count);
    Most = std::max(Most, Count);
  }
  return fmt::format("{}{} step{} {}of {}", Least, Least == Most ? "" : fmt::format(" to {}", Most),
                     Most == 1 ? "" : "s",
                     Counts.size() == 1 ? ""
                                        : fmt::format("in each of {} processes, ", Counts.size()),
                     stepTimes(std::move(Durations)));
}

void addFacts(Section &To, const Context &In) {
  const TraceInfo &Info = In->Source.Info;
  To.fact({"trace.path", "Trace", Unit::Name, "as given"}, Info.Path);
  To.fact({"trace.bytes", Unit::Bytes, "of the file"}, Info.Bytes);
  To.fact({"trace.events", "Events", Unit::Count, "events in it"}, In->Source.Events.size());
  To.fact({"trace.producer", "Written by", Unit::Name, "what wrote it"}, textOrNull(Info.Producer));
  To.fact({"trace.mode", Unit::Text, "trace or profile"}, textOrNull(Info.Mode));
  To.fact({"trace.rank", "Rank", Unit::Count, "of a distributed run"}, Info.Rank);
  To.fact({"trace.lost_events", Unit::Count, "dropped for lack of space"}, Info.LostEvents);
  if (const auto &Part = Info.Part) {
    To.fact({"trace.part.calls", Unit::Count, "calls that are events"}, Part->Calls);
    To.fact({"trace.part.left_out", Unit::Count, "calls that are sums alone"}, Part->LeftOut);
    To.fact({"trace.part.until_ns", Unit::Ns, "the events began before"}, Part->UntilNs);
    To.fact({"trace.part.all_in", Unit::Name, "file with all of them"}, textOrNull(Part->AllIn));
  } else {
    To.fact({"trace.part", Unit::Record, "how much of the calls are events"}, {});
  }
  To.fact({"trace.two_openmp_runtimes", Unit::Flag, "two were live"}, Info.TwoOpenMP);
  To.fact({"trace.recovered", Unit::Flag, "of a process that was killed or aborted"},
          Info.Recovered);
  To.fact({"trace.recording_end", Unit::Text, "how the recording ended"}, textOrNull(Info.End));
  using Kernel = InlinedKernels::Kernel;
  To.add(forJson(makeTable<Kernel>("trace.inlined", "", std::vector<Kernel>(Info.Inlined.named()),
                                   {{column::name(""), &Kernel::Name},
                                    {{"file", Unit::Name, "its source"}, orNull(&Kernel::File)},
                                    {{"line", Unit::Count, "line"}, orNull(&Kernel::Line)}})));
  To.fact({"trace.inlined_more", Unit::Count, "further kernels that were inlined"},
          Info.Inlined.unnamed());
  To.fact({"window_ns", "Window", Unit::Ns, "from the first begin to the last end"},
          In->Numbers.WindowNs);
  To.fact({"compilation_ns", Unit::Ns, "compilation, which is not in the window"},
          In->Numbers.ApartNs.value_or(0));
}

} // namespace

void addHead(Section &To, const Context &In) {
  const TraceInfo &Info = In->Source.Info;
  const Statistics &Numbers = In->Numbers;
  addFacts(To, In);
  // The page has these parts as facts.
  std::string First = fmt::format(
      "{}: {}{}{}, window {}{}", escaped(Info.Path), recordedText(In->Source),
      Info.Producer.empty() ? "" : ", written by " + escaped(Info.Producer),
      Info.Rank ? fmt::format(", rank {}", *Info.Rank) : "", shownTime(Numbers.WindowNs),
      Numbers.ApartNs ? fmt::format(" without {} of compilation", shownTime(*Numbers.ApartNs))
                      : "");
  To.add(Sentence{std::move(First), ForText});
  To.say(stepsText(In->Source));
  To.say(endText(In->Source));
  if (Info.Part) {
    To.say(fmt::format("a part: the {} calls that began in the first {}, and sums of the {} later "
                       "ones; all of them are in {}",
                       Info.Part->Calls, shownTime(Info.Part->UntilNs), Info.Part->LeftOut,
                       escaped(Info.Part->AllIn)));
    To.say("totals of kernels and regions cover all calls, those of operators and steps only that "
           "part; shares of the window are not known");
  }
  if (Info.LostEvents)
    To.warn(fmt::format("warning: {} events were dropped for lack of space; sums are too low",
                        Info.LostEvents));
  if (Info.TwoOpenMP)
    To.warn("warning: two OpenMP runtimes were live; do not trust times of parallel kernels");
  if (!Info.Inlined.empty())
    To.say("note: " + escaped(Info.Inlined.sentence()));
  for (const std::string &Text : Info.Notes)
    To.say("note: " + escaped(Text));
}

void addSkipped(Section &To, const Context &In) {
  const TraceInfo &Info = In->Source.Info;
  To.add(shownIfAny(makeTable<SkippedEvent>(
                        "skipped", "Events that were left out", std::span(Info.Skipped),
                        {{{"offset", "Offset", Unit::Count, "in the file, after decompression"},
                          &SkippedEvent::Offset},
                         {Column("reason", "Reason", Unit::Name, "why it could not be read").left(),
                          &SkippedEvent::Reason}}),
                    ForHtml));
  if (const FilteredOut &Out = In->Input.Kernels; Out.Rows) {
    To.fact({"filtered_out.kernels", Unit::Count, "rows that --filter left out"}, Out.Rows);
    To.fact({"filtered_out.calls", Unit::Count, "their calls"}, Out.Calls);
    To.fact({"filtered_out.total_ns", Unit::Ns, "their totals"}, Out.TotalNs);
    To.fact({"filtered_out.self_ns", Unit::Ns, "their part of the window"}, Out.SelfNs);
  }
}

} // namespace seamscope::tools
