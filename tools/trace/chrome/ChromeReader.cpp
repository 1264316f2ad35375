//===- ChromeReader.cpp - reads Chrome trace JSON -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/ChromeReader.h"

#include "format/SampleText.h"
#include "trace/chrome/ChromeMetadata.h"
#include "trace/chrome/CutText.h"
#include "trace/chrome/EventScanner.h"
#include "trace/chrome/JsonFields.h"
#include "trace/chrome/ParallelParser.h"
#include "trace/chrome/TraceFrame.h"
#include "trace/io/Escape.h"
#include "trace/io/JsonParse.h"
#include "trace/io/JsonText.h"
#include "trace/io/Processors.h"
#include "trace/io/SqliteFile.h"

#include <fmt/format.h>

#include <map>

namespace seamscope::tools {
namespace {

using nlohmann::json;

/// The largest event: a file that inflates without end must not take all memory.
constexpr size_t EventLimit = 256 << 20;
/// The largest members beside the events that are kept: ours, which holds all of mode `profile`,
/// and others.
constexpr size_t OurLimit = 64 << 20;
/// A minute of eight threads that switch all the time.
constexpr size_t SamplesLimit = 256 << 20;
constexpr size_t MemberLimit = 4 << 20;

/// In a head: what was found while the events were read.
constexpr const char *ReadMember = "seamscope_read";
/// Changes with the head, and with the tables of the trace model (RowFields).
constexpr int64_t HeadFormat = 1;

void recall(const json &Record, TraceInfo &Info) {
  Info.Producer = textOf(Record, "producer");
  Info.Notes.clear();
  for (const json &Note : member(Record, "notes"))
    if (Note.is_string())
      Info.Notes.push_back(Note.get<std::string>());
  Info.NegativeDurations = countOf(Record, "negative_durations");
  Info.SkippedEvents = countOf(Record, "skipped_events");
  Info.Skipped.clear();
  for (const json &Each : member(Record, "skipped"))
    Info.Skipped.push_back({countOf(Each, "offset"), textOf(Each, "reason")});
  if (const json &Damage = member(Record, "damage"); Damage.is_object()) {
    Info.Damage = Error{Info.Path, {}, textOf(Damage, "reason")};
    if (const auto Offset = integerOf(Damage, "offset"))
      Info.Damage->Offset = static_cast<uint64_t>(*Offset);
  }
}

class ChromeReading final : TraceFrame {
public:
  using AddEvents = std::function<std::optional<Error>(TraceBuilder &)>;

  /// \p Head: to be set, or null. \p Events: adds the events of a head; null: they are in the text.
  ChromeReading(ByteSource &Source, const std::string &Path, const ReadOptions &Keep,
                std::string *Head, const AddEvents *Events)
      : TraceFrame(Source, Path), Keep(Keep), Head(Head), Events(Events), Parser(Builder, Keep),
        Threads(Keep.Threads ? Keep.Threads : availableProcessors()),
        WindowBytes(Keep.WindowBytes) {}

  Result<Trace> run() {
    // A database is read where it is wanted, from back to front as well.
    if (Source.chunk().starts_with(SqliteMagic))
      return Error{Path,
                   {},
                   Path == "-" ? "is an SQLite database, which cannot be read from "
                                 "standard input; name the file"
                               : "is a compressed SQLite database; decompress it first"};
    if (auto None = walk())
      return std::move(*None);
    if (Events && integerOf(Recorded, "format") != HeadFormat)
      return Error{Path, {}, "was written by another version: convert the trace again"};
    if (NotAdded)
      return std::move(*NotAdded);
    return finish();
  }

private:
  bool isLenient() const override { return true; }
  void putAside(uint64_t Offset, const char *Why) override { BadMembers.push_back({Offset, Why}); }

  void readMember(const std::string &Key, const std::string &) override {
    json Cut;
    json *Into = Key == "seamscope"             ? &Metadata.Seamscope
                 : Key == CutMember             ? &Cut
                 : Key == format::SamplesMember ? &Metadata.Samples
                 : Key == "distributedInfo"     ? &Metadata.Distributed
                 : Key == "deviceProperties"    ? &Metadata.Devices
                 : Key == "computeProperties"   ? &Metadata.Devices
                 : Key == "baseTimeNanoseconds" ? &Metadata.BaseTime
                 : Events && Key == ReadMember  ? &Recorded
                                                : nullptr;
    Metadata.Torch |= Into == &Metadata.Devices;
    std::string Text;
    const uint64_t Offset = Cursor.offset();
    const size_t Limit = Into == &Metadata.Samples                     ? SamplesLimit
                         : Into == &Metadata.Seamscope || Into == &Cut ? OurLimit
                                                                       : MemberLimit;
    if (!Cursor.value(Into ? &Text : nullptr, Limit))
      return cutOff();
    if (!Into)
      return;
    if (Cursor.offset() - Offset > Limit) {
      BadMembers.push_back({Offset, fmt::format("\"{}\" is longer than {} MB", Key, Limit >> 20)});
      return;
    }
    *Into = parseJson(Text);
    if (Head && !Into->is_discarded())
      *Head += fmt::format("\"{}\": {},\n", Key, Text);
    if (Into == &Metadata.Seamscope && Into->is_object() && Into->contains("throttled"))
      Metadata.SeamscopeText = std::move(Text);
    if (Into->is_discarded()) {
      *Into = nullptr;
      BadMembers.push_back({Offset, fmt::format("\"{}\" is not JSON", Key)});
    } else if (Into == &Cut && !readCut(Cut, Builder)) {
      BadMembers.push_back({Offset, fmt::format("\"{}\" is not of format 1", Key)});
    }
  }

  void readEvents() override {
    if (Events && !NotAdded)
      NotAdded = (*Events)(Builder);
    std::string Window(1, '['); // the parser's byte
    EventScanner Scanner;
    const uint64_t ArrayOffset = Source.offset();
    uint64_t WindowBegin = 0; // of the array's inside
    for (;;) {
      const std::string_view Chunk = Source.chunk();
      if (Chunk.empty()) {
        // What is whole stands. An array of events alone need not end.
        const size_t Whole =
            static_cast<size_t>(std::max(Scanner.boundary(), WindowBegin) - WindowBegin);
        const bool Ends = IsBare && !Source.error() &&
                          Window.find_first_not_of(", \t\r\n", 1 + Whole) == Window.npos;
        Window.resize(1 + Whole);
        parse(std::move(Window), ArrayOffset + WindowBegin, /*Last=*/true);
        return Ends ? void() : cutOff();
      }
      const uint64_t Before = Scanner.scanned();
      Scanner.scan(Chunk);
      const size_t Looked = static_cast<size_t>(Scanner.scanned() - Before);
      Window.append(Chunk.substr(0, Looked));
      if (Scanner.ended() && Chunk[Looked] != ']')
        Damage = Error{Path, ArrayOffset + Scanner.scanned(), "not JSON: ']' was expected"};
      Source.take(Scanner.ended() ? Looked + 1 : Looked);
      if (!Scanner.ended() && Window.size() < WindowBytes)
        continue;
      if (Scanner.boundary() <= WindowBegin && !Scanner.ended()) {
        // One event larger than a window.
        if (Window.size() <= EventLimit)
          continue;
        Damage = Error{Path, ArrayOffset + WindowBegin,
                       fmt::format("an event of more than {} MB begins here", EventLimit >> 20)};
        return;
      }
      const size_t Whole = static_cast<size_t>(Scanner.boundary() - WindowBegin);
      std::string Next = Parallel ? Parallel->spare() : std::string();
      Next.assign(1, '[').append(Window, 1 + Whole);
      Window.resize(1 + Whole);
      parse(std::move(Window), ArrayOffset + WindowBegin, Scanner.ended());
      if (Scanner.ended())
        return;
      Window = std::move(Next);
      WindowBegin += Whole;
    }
  }

  /// A trace that is one window needs no threads.
  void parse(std::string Window, uint64_t Offset, bool Last) {
    if (Keep.Progress)
      Keep.Progress(Source.fraction());
    if (!Parallel && !Last && Threads > 1)
      Parallel.emplace(Builder, Parser, Keep, Threads);
    if (Parallel)
      Parallel->parse(std::move(Window), Offset);
    else
      Parser.parse(Window, Offset);
    // Columns that grow by doubling would touch up to three times what they hold.
    if (!Reserved && Builder.events() > 100000 && Source.storedBytes() > Source.offset()) {
      Reserved = true;
      Builder.reserve(1.1 * static_cast<double>(Source.storedBytes()) /
                      static_cast<double>(Source.offset()));
    }
  }

  /// Why what was read is not a trace of calls, or not one that anybody can use; empty: it is.
  std::string whyNoTrace(const Trace &Read) const {
    const TraceInfo &Info = Read.Info;
    if (Read.Events.size() || !Read.Profile.empty() || !Info.Mode.empty() || Damage || Info.Cut ||
        !Read.Details.Memory.empty())
      return {};
    std::map<std::string, uint64_t, std::less<>> PassedOver = Parser.passedOver();
    if (Parallel)
      Parallel->addPassedOver(PassedOver);
    std::string Kinds;
    for (const auto &[What, Count] : PassedOver)
      Kinds += fmt::format("{}{} \"{}\"", Kinds.empty() ? "" : ", ", Count, escaped(What));
    if (!Kinds.empty())
      return fmt::format(
          "holds no calls with a begin and a duration, only {}; a trace of a profiler "
          "has some",
          Kinds);
    if (Info.SkippedEvents > BadMembers.size())
      return fmt::format("JSON, but not a Chrome trace: none of its {} events can be read, the "
                         "first since {}",
                         Info.SkippedEvents, Info.Skipped.at(0).Reason);
    return {};
  }

  Result<Trace> finish() {
    if (Parallel)
      Parallel->finish();
    Metadata.Torch |= Parser.sawTorch();
    ChromeEvent::Repairs Repairs = Parser.repairs();
    if (Parallel) {
      Metadata.Torch |= Parallel->sawTorch();
      Repairs.NoDuration += Parallel->repairs().NoDuration;
      Repairs.NegativeDuration += Parallel->repairs().NegativeDuration;
    }
    for (SkippedEvent &Member : BadMembers)
      Builder.skip(Member.Offset, std::move(Member.Reason));
    if (const std::string Why = applyMetadata(Metadata, Builder); !Why.empty())
      return Error{Path, {}, Why};
    if (Repairs.NoDuration)
      Builder.note(
          fmt::format("{} event(s) without a \"dur\" were taken to last 0 ns", Repairs.NoDuration));
    TraceInfo &Info = Builder.info();
    Info.Path = Path;
    Info.NegativeDurations = Repairs.NegativeDuration;
    Info.Bytes = Source.storedBytes();
    Info.Damage = Damage;
    Trace Read = Builder.finish();
    if (Recorded.is_object())
      recall(Recorded, Read.Info);
    if (std::string Why = whyNoTrace(Read); !Why.empty())
      return Error{Path, {}, std::move(Why)};
    return Read;
  }

  TraceBuilder Builder;
  ReadOptions Keep;
  std::string *Head;
  const AddEvents *Events;
  std::optional<Error> NotAdded;
  json Recorded; ///< of a head
  EventParser Parser;
  std::optional<ParallelParser> Parallel;
  unsigned Threads;
  size_t WindowBytes;
  bool Reserved = false;
  ChromeMetadata Metadata;
  std::vector<SkippedEvent> BadMembers; ///< reported after the events, which others may yet parse
};

} // namespace

Result<Trace> readChromeTrace(ByteSource &Source, const std::string &Path, const ReadOptions &Keep,
                              std::string *Head) {
  return ChromeReading(Source, Path, Keep, Head, nullptr).run();
}

std::string headText(const std::string &Members, const TraceInfo &Info) {
  json Skipped = json::array();
  for (const SkippedEvent &Each : Info.Skipped)
    Skipped.push_back({{"offset", Each.Offset}, {"reason", Each.Reason}});
  json Record = {{"format", HeadFormat},
                 {"producer", Info.Producer},
                 {"notes", Info.Notes},
                 {"negative_durations", Info.NegativeDurations},
                 {"skipped_events", Info.SkippedEvents},
                 {"skipped", std::move(Skipped)}};
  if (Info.Damage) {
    Record["damage"] = {{"reason", Info.Damage->Reason}};
    if (Info.Damage->Offset)
      Record["damage"]["offset"] = *Info.Damage->Offset;
  }
  return fmt::format("{{\"schemaVersion\": 1,\n{}\"{}\": {},\n\"traceEvents\": []}}\n", Members,
                     ReadMember, jsonText(Record));
}

Result<Trace> readChromeHead(ByteSource &Source, const std::string &Path,
                             const std::function<std::optional<Error>(TraceBuilder &)> &AddEvents) {
  return ChromeReading(Source, Path, {}, nullptr, &AddEvents).run();
}

} // namespace seamscope::tools
