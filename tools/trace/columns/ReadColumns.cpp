//===- ReadColumns.cpp - reads a trace that was written as columns --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/columns/ReadColumns.h"

#include "trace/chrome/ChromeReader.h"
#include "trace/columns/ColumnProcess.h"
#include "trace/columns/ColumnStream.h"
#include "trace/io/ByteSource.h"
#include "trace/io/FileUse.h"
#include "trace/model/RowFields.h"

#include <deque>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

std::string headOf(const std::string &Path) { return Path + "/model/head.json"; }

/// Takes the values of rows out of a batch, field by field.
class RowReader {
public:
  RowReader(const StreamBatch &From, TraceBuilder::Part &To) : From(From), To(To) {}

  /// Of which row; from its first field.
  void at(size_t Row) {
    this->Row = Row;
    Column = 0;
  }

  template <typename T> void number(const char *Name, T &Field) {
    const int64_t Value = numberOf(Name);
    if constexpr (!std::is_same_v<T, bool>)
      if (!std::in_range<T>(Value))
        return refuse(Name);
    Field = static_cast<T>(Value);
  }
  void number(const char *Name, std::optional<int64_t> &Field) {
    if (const int64_t Value = numberOf(Name); Value != StreamColumn::Null)
      Field = Value;
  }
  void number(const char *Name, std::optional<double> &Field) {
    const StreamColumn *const Its = next(Name);
    if (!Its || Row >= Its->Reals.size())
      return refuse(Name);
    if (const double Value = Its->Reals[Row]; Value == Value)
      Field = Value;
  }
  void text(const char *Name, StringId &Field) { index(Name, Field, To.Strings.size()); }
  void site(const char *Name, SiteId &Field) { index(Name, Field, To.Sites.size()); }
  void track(const char *Name, TrackId &Field) { index(Name, Field, To.Tracks.size()); }
  void event(uint32_t &Field) { index("event", Field, To.Events.size()); }

  void refuse(const char *Name) { Wrong = Name; }

  /// The name of a field that is missing or out of range.
  const std::string &wrong() const { return Wrong; }

private:
  void index(const char *Name, uint32_t &Field, size_t Size) {
    const int64_t Value = numberOf(Name);
    if (Value < 0 || static_cast<uint64_t>(Value) >= Size)
      return refuse(Name);
    Field = static_cast<uint32_t>(Value);
  }
  int64_t numberOf(const char *Name) {
    const StreamColumn *const Its = next(Name);
    if (Its && Row < Its->Numbers.size())
      return Its->Numbers[Row];
    refuse(Name);
    return 0;
  }
  /// The column of each field is found once, for the first row.
  const StreamColumn *next(const char *Name) {
    const size_t At = Column++;
    if (At == Found.size())
      Found.push_back(From.find(Name));
    return Found[At];
  }

  const StreamBatch &From;
  TraceBuilder::Part &To;
  std::vector<const StreamColumn *> Found; ///< by field
  size_t Row = 0, Column = 0;
  std::string Wrong;
};

template <typename RowT> constexpr const char *nameOf = RowFields<RowT>::Name;

class ColumnsReading {
public:
  ColumnsReading(const std::string &Path, const ReadOptions &Keep) : Path(Path), Keep(Keep) {}

  Result<Trace> run() {
    auto Head = ByteSource::openRegular(headOf(Path));
    if (!Head)
      return Head.error();
    auto Read = readChromeHead(**Head, Path, [&](TraceBuilder &Builder) { return add(Builder); });
    if (Read)
      Read->Info.Bytes = storedBytes();
    return Read;
  }

private:
  std::optional<Error> add(TraceBuilder &Builder) {
    ColumnProcess Reader(Path + "/model", wanted());
    if (const auto &Why = Reader.error())
      return Why;
    ColumnStream Stream(Reader.output(), Path);
    for (StreamBatch Batch; Stream.next(Batch);)
      if (auto Why = take(Batch))
        return Why;
    if (Stream.error())
      return Reader.whyEnded().value_or(*Stream.error());
    for (TrackId Id = 0; Id < Read.Tracks.size(); ++Id)
      if (Read.Tracks[Id].ThreadName)
        Read.ThreadNames.emplace_back(Id, Read.Tracks[Id].ThreadName);
    if (!Keep.Processes) // those of which nothing is known
      std::erase_if(Read.Processes, [](const Process &Each) { return !Each.Name && !Each.Labels; });
    Numbering Numbers;
    if (!Builder.absorb(std::move(Read), Numbers))
      return Error{Path, {}, "durations add up to over 2^63 ns"};
    return std::nullopt;
  }

  /// Tables in the order in which they can be read: those that others name come first.
  std::vector<std::string> wanted() const {
    std::vector<std::string> Names = {"string",
                                      nameOf<Process>,
                                      nameOf<Track>,
                                      nameOf<Site>,
                                      "event",
                                      nameOf<Correlation>,
                                      nameOf<OpenCall>,
                                      nameOf<KernelInside>,
                                      nameOf<LaunchCounters>,
                                      nameOf<KernelCapture>,
                                      nameOf<KernelLoop>};
    const auto Add = [&](bool Wanted, std::initializer_list<const char *> More) {
      if (Wanted)
        Names.insert(Names.end(), More.begin(), More.end());
    };
    Add(Keep.Autograd, {nameOf<SequenceNumber>, nameOf<FlowEnd>});
    Add(Keep.Stacks, {nameOf<PythonFrame>, nameOf<CallStack>});
    Add(Keep.Launches, {nameOf<LaunchShape>});
    Add(Keep.Collectives, {nameOf<CollectiveCall>});
    Add(Keep.Memory, {nameOf<CopySize>, nameOf<MemoryChange>});
    Add(Keep.Syncs, {nameOf<DeviceSync>});
    return Names;
  }

  std::optional<Error> take(StreamBatch &Batch) {
    RowReader Row(Batch, Read);
    if (Batch.Table == "string")
      takeStrings(Batch, Row);
    else if (Batch.Table == "event")
      takeEvents(Batch, Row);
    else
      takeRows(Batch, Row);
    if (Row.wrong().empty())
      return std::nullopt;
    return Error{Path + "/model",
                 {},
                 fmt::format("table {}: column {} is missing, or has a value that cannot be",
                             Batch.Table, Row.wrong())};
  }

  void takeStrings(StreamBatch &Batch, RowReader &Row) {
    if (Batch.Columns.size() != 1 || Batch.Columns[0].Texts.size() != Batch.Rows)
      return Row.refuse("text");
    for (std::string &Text : Batch.Columns[0].Texts)
      Read.Strings.push_back(Texts.emplace_back(std::move(Text)));
  }

  void takeEvents(const StreamBatch &Batch, RowReader &Row) {
    EventColumns &To = Read.Events;
    for (size_t I = 0; I < Batch.Rows && Row.wrong().empty(); ++I) {
      int64_t Begin = 0, Duration = 0, End;
      SiteId Site = 0;
      TrackId Track = 0;
      int32_t Thread = -1;
      Row.at(I);
      Row.number("ts", Begin);
      Row.number("dur", Duration);
      Row.site("site", Site);
      Row.track("track", Track);
      Row.number("team_thread", Thread);
      if (!Row.wrong().empty())
        return;
      // As of other traces, so that analyses need not check for overflow.
      if (Duration < 0 || !isPlausible(Begin) || __builtin_add_overflow(Begin, Duration, &End) ||
          !isPlausible(End) || __builtin_add_overflow(Read.SumNs, Duration, &Read.SumNs))
        return Row.refuse("dur");
      To.BeginNs.push_back(Begin);
      To.DurationNs.push_back(Duration);
      To.Site.push_back(Site);
      To.Track.push_back(Track);
      if (Thread >= 0 || !To.TeamThread.empty()) {
        To.TeamThread.resize(To.size() - 1, -1);
        To.TeamThread.push_back(Thread);
      }
    }
  }

  void takeRows(const StreamBatch &Batch, RowReader &Row) {
    const auto Into = [&]<typename RowT>(std::vector<RowT> &Rows) {
      if constexpr (RowFields<RowT>::Name != nullptr)
        if (Batch.Table == RowFields<RowT>::Name) {
          for (size_t I = 0; I < Batch.Rows && Row.wrong().empty(); ++I) {
            RowT &Next = Rows.emplace_back();
            Row.at(I);
            if constexpr (IsOfEvent<RowT>) {
              Row.event(Next.Event);
              if (Rows.size() > 1 && Rows[Rows.size() - 2].Event > Next.Event)
                Row.refuse("event");
            }
            RowFields<RowT>::visit(Next, Row);
          }
        }
    };
    Into(Read.Sites);
    Into(Read.Processes);
    Into(Read.Correlations);
    Into(Read.Open);
    Into(Read.Tracks);
    Read.Details.forEachRead(Into);
  }

  /// Of the files that a trace is read from.
  uint64_t storedBytes() const {
    uint64_t Bytes = 0;
    for (const fs::path &Each : entriesIn(Path + "/model")) {
      std::error_code Failed;
      if (const uintmax_t Size = fs::file_size(Each, Failed); !Failed)
        Bytes += Size;
    }
    return Bytes;
  }

  const std::string &Path;
  const ReadOptions &Keep;
  TraceBuilder::Part Read;
  std::deque<std::string> Texts; ///< of Read.Strings
};

} // namespace

bool isColumns(const std::string &Path) {
  std::error_code Failed;
  return fs::is_directory(Path, Failed) && fs::is_regular_file(headOf(Path), Failed);
}

Result<Trace> readColumns(const std::string &Path, const ReadOptions &Keep) {
  return ColumnsReading(Path, Keep).run();
}

} // namespace seamscope::tools
