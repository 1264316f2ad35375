//===- ChromeMetadata.cpp - what a Chrome trace says of itself ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/ChromeMetadata.h"

#include "format/ChromeTrace.h"
#include "format/SampleText.h"
#include "trace/chrome/TraceHead.h"

#include "trace/chrome/EventScanner.h"
#include "trace/chrome/EventText.h"
#include "trace/chrome/JsonFields.h"
#include "trace/chrome/SamplesJson.h"
#include "trace/io/Decimal.h"
#include "trace/model/GroupText.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace seamscope::tools {
namespace {

using nlohmann::json;

bool flagOf(const json &Object, const char *Key) {
  const json &Value = member(Object, Key);
  return Value.is_boolean() && Value.get<bool>();
}

uint32_t positionOf(const json &Object, const char *Key) {
  const int64_t Value = integerOf(Object, Key).value_or(0);
  return Value > 0 && Value <= std::numeric_limits<uint32_t>::max() ? static_cast<uint32_t>(Value)
                                                                    : 0;
}

} // namespace

Site siteOf(const json &Entry, StringTable &Strings) {
  const json &Arguments = member(Entry, "args");
  const auto Intern = [&](const json &Object, const char *Key) {
    return Strings.intern(textOf(Object, Key));
  };
  Site What;
  What.Name = Intern(Entry, "name");
  What.Category = Intern(Entry, "cat");
  What.Kernel = Intern(Arguments, "kernel");
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) What.Field = Intern(Arguments, Key);
#define SEAMSCOPE_ARGUMENT_NUMBER(Field, Key) What.Field = positionOf(Arguments, Key);
#include "format/site-arguments.def"
  const SiteKind Kind = kindOfCategory(Strings[What.Category]);
  // What else others put there would split the site.
  if (Kind == SiteKind::Kernel || Kind == SiteKind::Copy)
    if (const auto Device = integerOf(Arguments, "device");
        Device && *Device >= 0 && *Device <= std::numeric_limits<int32_t>::max())
      What.Device = static_cast<int32_t>(*Device);
  return What;
}

namespace {

std::string addProfileRow(const json &Entry, TraceBuilder &Builder) {
  StringTable &Strings = Builder.strings();
  const json &Arguments = member(Entry, "args");
  if (!member(Entry, "name").is_string())
    return "no \"name\"";
  ProfileRow Row;
  Row.Site = Builder.site(siteOf(Entry, Strings));
  Row.Track =
      Builder.track(Strings.intern(labelOf(Entry, "pid")), Strings.intern(labelOf(Entry, "tid")));
  const int64_t Thread = integerOf(Arguments, "thread").value_or(-1);
  Row.TeamThread = Thread >= 0 && Thread <= std::numeric_limits<int32_t>::max()
                       ? static_cast<int32_t>(Thread)
                       : -1;
  struct {
    const char *Key;
    int64_t &Into;
  } const Fields[] = {{"total_ns", Row.TotalNs}, {"min_ns", Row.MinNs}, {"max_ns", Row.MaxNs}};
  for (const auto &[Key, Into] : Fields) {
    const auto Value = integerOf(Entry, Key);
    if (!Value || *Value < 0)
      return fmt::format("no \"{}\" that is a whole number, 0 or more", Key);
    Into = *Value;
  }
  const auto Calls = integerOf(Entry, "calls");
  if (!Calls || *Calls < 0)
    return "no \"calls\" that is a whole number, 0 or more";
  if (*Calls == 0)
    return {}; // all its calls were left without an exit
  Row.Calls = static_cast<uint64_t>(*Calls);
  const auto First = integerOf(Entry, "first_ns"), Last = integerOf(Entry, "last_ns");
  if (!First || !Last || *Last < *First)
    return "no \"first_ns\" and \"last_ns\" that are whole numbers in this order";
  Row.FirstNs = *First;
  Row.LastNs = *Last;

  for (const json &Bucket : member(Entry, "histogram")) {
    const bool Pair = Bucket.is_array() && Bucket.size() == 2;
    const auto Floor = Pair ? integerOf(Bucket[0]) : std::nullopt;
    const auto Count = Pair ? integerOf(Bucket[1]) : std::nullopt;
    if (!Floor || !Count || *Floor < 0 || *Count < 0)
      return "\"histogram\" is not made of [floor_ns, calls]";
    Row.HistogramNs.emplace_back(*Floor, static_cast<uint64_t>(*Count));
  }
  if (!Builder.addProfile(std::move(Row)))
    return "times or calls are too large";
  return {};
}

/// The times of the entries of "throttled" in \p Ours, as written: a double holds no time of day in
/// ns.
std::vector<std::string> throttledTimes(const std::string &Ours) {
  std::vector<std::string> Times;
  EventText Object, Entry;
  const EventText::Member *const All = Object.parse(Ours) ? Object.member("throttled") : nullptr;
  std::string_view Left = All ? All->Json : std::string_view();
  for (size_t At; (At = Left.find('{')) != Left.npos;) {
    Left.remove_prefix(At);
    const size_t Size = EventScanner::firstEvent(Left);
    const EventText::Member *const Time =
        Entry.parse(Left.substr(0, Size)) ? Entry.member("ts") : nullptr;
    Times.emplace_back(Time && Time->Kind == EventText::Type::Number ? Time->Text
                                                                     : std::string_view());
    Left.remove_prefix(Size);
  }
  return Times;
}

/// \p Time: that of the entry.
std::string addThrottled(const json &Entry, std::string_view Time, TraceBuilder &Builder) {
  StringTable &Strings = Builder.strings();
  if (!member(Entry, "name").is_string())
    return "no \"name\"";
  ThrottledCalls Calls;
  Calls.Site = Builder.site(siteOf(Entry, Strings));
  Calls.Track =
      Builder.track(Strings.intern(labelOf(Entry, "pid")), Strings.intern(labelOf(Entry, "tid")));
  struct {
    const char *Key;
    uint64_t &Into;
    int64_t Least;
  } const Fields[] = {
      {"every", Calls.Every, 1}, {"timed", Calls.Timed, 0}, {"untimed", Calls.Untimed, 0}};
  for (const auto &[Key, Into, Least] : Fields) {
    const auto Value = integerOf(Entry, Key);
    if (!Value || *Value < Least)
      return fmt::format("no \"{}\" that is a whole number, {} or more", Key, Least);
    Into = static_cast<uint64_t>(*Value);
  }
  const auto Ns = nanosecondsFromMicroseconds(Time);
  if (!Ns)
    return "no \"ts\" that is a time in us";
  Calls.SinceNs = *Ns;
  Calls.CallsBefore = countOf(Entry, "calls_before");
  Calls.BeforeNs = std::max<int64_t>(integerOf(Entry, "total_ns_before").value_or(0), 0);
  return Builder.addThrottled(Calls) ? "" : "times or calls are too large";
}

bool readWords(const json &Entry, std::vector<uint64_t> &Into) {
  for (const json &Word : member(Entry, "words")) {
    const auto Count = integerOf(Word);
    if (!Count || *Count < 0)
      return false;
    Into.push_back(static_cast<uint64_t>(*Count));
  }
  return true;
}

/// A function that has only one run has its thread.
bool addRuns(const json &Entry, CountedWork &Into, TraceBuilder &Builder) {
  StringTable &Strings = Builder.strings();
  const auto Add = [&](const json &Run) {
    WorkRun &To = Into.Runs.emplace_back();
    To.Track =
        Builder.track(Strings.intern(labelOf(Run, "pid")), Strings.intern(labelOf(Run, "tid")));
    To.IsMixed = Run.contains("mixed") && Run["mixed"] == true;
    To.Calls = countOf(Run, "calls");
    return readWords(Run, To.Words);
  };
  if (Entry.contains("tid"))
    return Add(Entry);
  return std::ranges::all_of(member(Entry, "runs"),
                             [&](const json &Run) { return Run.is_object() && Add(Run); });
}

std::string addWork(const json &Entry, TraceBuilder &Builder) {
  CountedWork Work;
  Work.Name = textOf(Entry, "function");
  Work.Kernel = textOf(Entry, "kernel");
  Work.LinkageName = textOf(Entry, "linkage_name");
  Work.File = textOf(Entry, "file");
  Work.KernelFile = textOf(Entry, "kernel_source");
  const auto LineOf = [&](const char *Key) {
    return static_cast<uint32_t>(
        std::clamp<int64_t>(integerOf(Entry, Key).value_or(0), 0, UINT32_MAX));
  };
  Work.Line = LineOf("line");
  Work.KernelLine = LineOf("kernel_line");
  Work.Counts = textOf(Entry, "counts");
  Work.Calls = countOf(Entry, "calls");
  Work.Id = textOf(Entry, "id");
  if (!readWords(Entry, Work.Words))
    return "\"words\" is not made of whole numbers, 0 or more";
  if (!addRuns(Entry, Work, Builder))
    return "\"runs\" is not made of runs of calls";
  if (Work.Name.empty() || Work.Counts.empty())
    return "no \"function\" or \"counts\"";
  return Builder.addWork(std::move(Work)) ? "" : "counts are too large";
}

} // namespace

/// Of a device that torch.profiler or the runtime lists. AMD's have the keys, too, but no
/// registers.
static SmLimits limitsOf(const json &Device) {
  // Larger figures are no device's, and would not multiply.
  const auto Number = [&](const char *Key) {
    const auto Value = integerOf(Device, Key);
    return Value && *Value > 0 && *Value <= std::numeric_limits<int32_t>::max() ? *Value : 0;
  };
  return {Number("computeMajor"),
          Number("computeMinor"),
          Number("numSms"),
          Number("warpSize"),
          Number("maxThreadsPerMultiprocessor"),
          Number("regsPerMultiprocessor"),
          Number("sharedMemPerMultiprocessor")};
}

std::string applyMetadata(const ChromeMetadata &Metadata, TraceBuilder &Builder) {
  const json &Ours = Metadata.Seamscope;
  const json &Distributed = Metadata.Distributed;
  TraceInfo &Info = Builder.info();
  if (Metadata.Torch)
    Info.Producer = "torch.profiler";
  Info.Rank = integerOf(Distributed, "rank");
  Info.WorldSize = integerOf(Distributed, "world_size");
  if (const json &Groups = member(Distributed, "pg_config"); Groups.is_array())
    for (const json &Group : Groups)
      Info.Groups.push_back({labelOf(Group, "pg_name"), integerOf(Group, "pg_size")});
  Info.BaseNs = integerOf(Metadata.BaseTime);
  for (const json &Entry : Metadata.Devices)
    if (const auto Id = integerOf(Entry, "id");
        Id && *Id >= 0 && *Id <= std::numeric_limits<int32_t>::max())
      Builder.addDevice(static_cast<int32_t>(*Id), Builder.strings().intern(textOf(Entry, "name")),
                        limitsOf(Entry));
  if (const std::string Why = readSamples(Metadata.Samples, Builder); !Why.empty())
    Builder.note(fmt::format("\"{}\": {}", format::SamplesMember, Why));
  if (!Ours.is_object())
    return {};

  if (const int64_t Format = integerOf(Ours, "format").value_or(0); Format != 1)
    return fmt::format("\"seamscope\": format {} is not known; this tool reads format 1", Format);
  const std::string Version = textOf(Ours, "version");
  Info.Producer = textOf(Ours, "producer"); // of what this trace was converted from
  if (Info.Producer.empty())
    Info.Producer = Version.empty() ? "seamscope" : "seamscope " + Version;
  Info.Mode = textOf(Ours, "mode");
  Info.CommandLine = textOf(Ours, "command_line");
  Info.HostName = textOf(Ours, "host_name");
  Info.Processors =
      static_cast<unsigned>(std::min<uint64_t>(countOf(Ours, "processors"), UINT32_MAX));
  Info.LostEvents = countOf(Ours, "lost_events");
  // More than a second would be no cost of a call.
  if (const json &Cost = member(Ours, "call_cost_ns"); Cost.is_number())
    if (const double Ns = Cost.get<double>(); Ns > 0 && Ns < 1e9)
      Info.CallCostNs = Ns;
  Info.StampBiasNs =
      std::clamp<int64_t>(integerOf(Ours, "stamp_bias_ns").value_or(0), 0, 1000000000);
  if (const json &Part = member(Ours, "part"); Part.is_object())
    Info.Part = TracePart{countOf(Part, "calls"), countOf(Part, "left_out"),
                          static_cast<int64_t>(countOf(Part, "until_ns")), textOf(Part, "all_in")};
  Info.TwoOpenMP = flagOf(Ours, "two_openmp_runtimes");
  Info.Recovered = flagOf(Ours, "recovered");
  for (const format::RecordingEnd How :
       {format::RecordingEnd::Exit, format::RecordingEnd::Killed,
        format::RecordingEnd::LastSignOfLife, format::RecordingEnd::Running})
    if (textOf(Ours, "recording_end") == format::recordingEndName(How))
      Info.End = format::recordingEndName(How);

  size_t Index = 0;
  for (const json &Entry : member(Ours, "profile")) {
    if (const std::string Why = addProfileRow(Entry, Builder); !Why.empty())
      return fmt::format("\"seamscope\".\"profile\"[{}]: {}", Index, Why);
    ++Index;
  }
  Index = 0;
  const std::vector<std::string> Times = throttledTimes(Metadata.SeamscopeText);
  for (const json &Entry : member(Ours, "throttled")) {
    const std::string_view Time = Index < Times.size() ? Times[Index] : std::string_view();
    if (const std::string Why = addThrottled(Entry, Time, Builder); !Why.empty())
      return fmt::format("\"seamscope\".\"throttled\"[{}]: {}", Index, Why);
    ++Index;
  }
  Index = 0;
  for (const json &Entry : member(Ours, "work")) {
    if (const std::string Why = addWork(Entry, Builder); !Why.empty())
      return fmt::format("\"seamscope\".\"work\"[{}]: {}", Index, Why);
    ++Index;
  }
  for (const json &Entry : member(Ours, "abandoned"))
    if (!Builder.addAbandoned(Builder.strings().intern(textOf(Entry, "name")),
                              countOf(Entry, "calls")))
      return "\"seamscope\".\"abandoned\": too many calls";
  addInlinedKernels(Ours, Info.Inlined);
  for (const json &Entry : member(Ours, "groups"))
    if (const std::string Ops = textOf(Entry, "ops"); isGroupText(Ops))
      Builder.addGroup(siteOf(Entry, Builder.strings()), Ops);
  return {};
}

} // namespace seamscope::tools
