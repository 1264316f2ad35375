//===- NvprofReader.cpp - reads the databases of nvprof -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/cuda/NvprofReader.h"

#include "trace/cuda/CudaActivity.h"
#include "trace/cuda/CudaCallbacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace seamscope::tools {
namespace {

constexpr const char *ConcurrentKernels = "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL";
constexpr const char *SerialKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char *Copies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr const char *PeerCopies = "CUPTI_ACTIVITY_KIND_MEMCPY2";
constexpr const char *Fills = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr const char *RuntimeCalls = "CUPTI_ACTIVITY_KIND_RUNTIME";
constexpr const char *DriverCalls = "CUPTI_ACTIVITY_KIND_DRIVER";
constexpr const char *Markers = "CUPTI_ACTIVITY_KIND_MARKER";

enum MarkerFlag : int64_t { MarkerStart = 2, MarkerEnd = 4 };

constexpr int64_t ThreadObject = 2; ///< kind of an object that is a thread

std::string_view memoryKind(std::optional<int64_t> Kind) {
  static constexpr std::string_view Names[] = {
      "", "Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static"};
  return Kind && *Kind > 0 && *Kind < static_cast<int64_t>(std::size(Names))
             ? Names[static_cast<size_t>(*Kind)]
             : std::string_view();
}

/// The thread that an object's number encodes: 32 bits for the process, then 32 for the thread,
/// little-endian. As in calls of CUDA, the thread's handle is cut to 32 bits.
std::optional<std::pair<int64_t, int64_t>> threadOf(std::string_view Object) {
  if (Object.size() < 8)
    return std::nullopt;
  const auto Word = [&](size_t At) {
    int64_t Value = 0;
    for (size_t I = 4; I-- > 0;)
      Value = Value << 8 | static_cast<unsigned char>(Object[At + I]);
    return Value;
  };
  return std::pair(Word(0), Word(4));
}

class NvprofReading {
public:
  NvprofReading(const SqliteFile &File, SqliteStrings Strings, const ReadOptions &Keep)
      : File(File), Keep(Keep), Strings(std::move(Strings)), Activity(Builder) {}

  Result<Trace> run() {
    if (auto Failed = readDevices())
      return *Failed;
    // If the runtime calls the driver, both calls have the correlation: the program made the
    // runtime's call, which is the first and counts.
    for (const char *Table : {RuntimeCalls, DriverCalls})
      if (auto Failed = readCalls(Table))
        return *Failed;
    for (const char *Table : {ConcurrentKernels, SerialKernels})
      if (auto Failed = readKernels(Table))
        return *Failed;
    for (const char *Table : {Copies, PeerCopies})
      if (auto Failed = readCopies(Table))
        return *Failed;
    for (const auto Read :
         {&NvprofReading::readFills, &NvprofReading::readMarkers, &NvprofReading::readNames})
      if (auto Failed = (this->*Read)())
        return *Failed;
    if (Strings.error())
      return *Strings.error();
    TraceInfo &Info = Builder.info();
    Info.Path = File.path();
    Info.Bytes = File.bytes();
    Info.Producer = "nvprof";
    return Builder.finish();
  }

private:
  using Failure = std::optional<Error>;

  template <typename F>
  Failure each(const char *Table, const std::vector<SqliteColumn> &Columns, F Take) {
    if (!File.has(Table))
      return {};
    auto Rows = File.select(Table, Columns);
    if (!Rows)
      return Rows.error();
    while (Rows->next())
      Take(*Rows);
    return Rows->error();
  }

  std::string_view textOf(std::optional<int64_t> Id) {
    return Id && *Id > 0 ? Strings.find(*Id) : std::string_view();
  }

  static std::optional<int64_t> correlationOf(std::optional<int64_t> Id) {
    return Id && *Id > 0 && *Id <= std::numeric_limits<uint32_t>::max() ? Id : std::nullopt;
  }

  TrackId threadTrack(int64_t Process, int64_t Thread) {
    return Threads.get((Process & 0x7fffffff) << 32 | Thread,
                       [&] { return Activity.thread(Process, Thread); });
  }

  Failure readDevices() {
    return each("CUPTI_ACTIVITY_KIND_DEVICE", {{"id"}, {"name"}}, [&](const SqliteRows &Row) {
      if (const auto Id = CudaActivity::device(Row.integer(0)))
        Builder.addDevice(*Id, Builder.strings().intern(textOf(Row.integer(1))));
    });
  }

  Failure readCalls(const char *Table) {
    enum { Start, End, Process, Thread, Callback, Correlation };
    const bool Runtime = Table == RuntimeCalls;
    const std::vector<SqliteColumn> Columns = {{"start", true},     {"end", true},
                                               {"processId", true}, {"threadId", true},
                                               {"cbid", true},      {"correlationId"}};
    Memo<SiteId> Sites;
    return each(Table, Columns, [&](const SqliteRows &Row) {
      const CudaActivity::Row What = {Table, Row.row(), Row.integer(Start), Row.integer(End)};
      const auto Pid = Row.integer(Process), Tid = Row.integer(Thread), Id = Row.integer(Callback);
      if (!Pid || !Tid || !Id)
        return Activity.skip(What, "it has no processId, threadId or cbid");
      const SiteId Site = Sites.get(*Id, [&] { return Activity.call(cudaCallName(Runtime, *Id)); });
      Activity.add(What, Site, threadTrack(*Pid & 0xffffffff, *Tid & 0xffffffff),
                   correlationOf(Row.integer(Correlation)));
    });
  }

  enum WorkColumn { Start, End, DeviceId, Stream, Correlation, FirstOfOwn };
  static std::vector<SqliteColumn> workColumns(std::initializer_list<SqliteColumn> Own) {
    std::vector<SqliteColumn> Columns = {
        {"start", true}, {"end", true}, {"deviceId", true}, {"streamId"}, {"correlationId"}};
    Columns.insert(Columns.end(), Own);
    return Columns;
  }

  template <typename F> bool addWork(const char *Table, const SqliteRows &Row, F SiteOf) {
    const CudaActivity::Row What = {Table, Row.row(), Row.integer(Start), Row.integer(End)};
    const auto Device = CudaActivity::device(Row.integer(DeviceId));
    if (!Device) {
      Activity.skip(What, "its deviceId is not the number of a device");
      return false;
    }
    const auto Id = Row.integer(Stream);
    const auto [Track, New] = Streams.try_emplace({*Device, Id.value_or(-1)});
    if (New)
      Track->second = Activity.stream(*Device, Id, /*Owner=*/0);
    return Activity.add(What, SiteOf(*Device), Track->second,
                        correlationOf(Row.integer(Correlation)));
  }

  Failure readKernels(const char *Table) {
    std::map<std::pair<int32_t, int64_t>, SiteId> Sites;
    std::vector<SqliteColumn> Columns = workColumns({{"name", true}});
    if (Keep.Launches) {
      const auto Launch = CudaActivity::launchColumns();
      Columns.insert(Columns.end(), Launch.begin(), Launch.end());
    }
    return each(Table, Columns, [&](const SqliteRows &Row) {
      const bool Added = addWork(Table, Row, [&](int32_t Device) {
        const auto Id = Row.integer(FirstOfOwn);
        const auto [Site, New] = Sites.try_emplace({Device, Id.value_or(-1)});
        if (New)
          Site->second = Activity.kernel(textOf(Id), Device);
        return Site->second;
      });
      if (Added && Keep.Launches)
        Activity.addLaunch(Row, FirstOfOwn + 1, Row.integer(Stream));
    });
  }

  Failure readCopies(const char *Table) {
    const std::vector<SqliteColumn> Columns =
        workColumns({{"copyKind"}, {"srcKind"}, {"dstKind"}, {"bytes"}});
    return each(Table, Columns, [&](const SqliteRows &Row) {
      const bool Added = addWork(Table, Row, [&](int32_t Device) {
        return Activity.copy(Row.integer(FirstOfOwn), memoryKind(Row.integer(FirstOfOwn + 1)),
                             memoryKind(Row.integer(FirstOfOwn + 2)), Device);
      });
      if (Added && Keep.Memory)
        Activity.addCopySize(Row.integer(FirstOfOwn + 3));
    });
  }

  Failure readFills() {
    return each(Fills, workColumns({{"memoryKind"}, {"bytes"}}), [&](const SqliteRows &Row) {
      const bool Added = addWork(Fills, Row, [&](int32_t Device) {
        return Activity.fill(memoryKind(Row.integer(FirstOfOwn)), Device);
      });
      if (Added && Keep.Memory)
        Activity.addCopySize(Row.integer(FirstOfOwn + 1));
    });
  }

  /// One end of a range: the other end is a separate row, before or after it.
  struct Half {
    CudaActivity::Row What;
    SiteId Site = 0;
    TrackId Track = 0;
  };

  Failure readMarkers() {
    enum { Time, Flags, Id, Kind, Object, Name, Domain };
    const std::vector<SqliteColumn> Columns = {
        {"timestamp", true}, {"flags", true}, {"id", true}, {"objectKind"},
        {"objectId", true},  {"name", true},  {"domain"}};
    std::map<int64_t, Half> Begun, Ended;
    if (auto Failed = each(Markers, Columns, [&](const SqliteRows &Row) {
          const auto Ns = Row.integer(Time), Flag = Row.integer(Flags), Number = Row.integer(Id);
          CudaActivity::Row What = {Markers, Row.row(), {}, {}};
          if (!Ns || !Flag || !Number)
            return Activity.skip(What, "its timestamp, flags or id is not a whole number");
          if (*Flag & MarkerEnd) {
            What.EndNs = Ns;
            if (const auto Begin = Begun.find(*Number); Begin != Begun.end()) {
              What.BeginNs = Begin->second.What.BeginNs;
              Activity.add(What, Begin->second.Site, Begin->second.Track);
              Begun.erase(Begin);
            } else {
              Ended[*Number] = {What};
            }
            return;
          }
          if (!(*Flag & MarkerStart))
            return; // a moment, not a range
          const auto Thread = threadOf(Row.bytes(Object));
          if (!Thread || Row.integer(Kind).value_or(ThreadObject) != ThreadObject)
            return Activity.skip(What, "its objectId does not name a thread");
          What.BeginNs = Ns;
          const std::string DomainName(textOf(Row.integer(Domain)));
          const SiteId Site = Activity.range(textOf(Row.integer(Name)), DomainName);
          const TrackId Track = threadTrack(Thread->first, Thread->second);
          if (const auto End = Ended.find(*Number); End != Ended.end()) {
            What.EndNs = End->second.What.EndNs;
            Activity.add(What, Site, Track);
            Ended.erase(End);
          } else {
            Begun[*Number] = {What, Site, Track};
          }
        }))
      return Failed;
    std::vector<decltype(Begun.begin())> LeftOpen;
    for (auto Left = Begun.begin(); Left != Begun.end(); ++Left)
      LeftOpen.push_back(Left);
    std::ranges::stable_sort(LeftOpen, {},
                             [](const auto &Left) { return *Left->second.What.BeginNs; });
    uint64_t TooFar = 0;
    for (const auto &Left : LeftOpen)
      TooFar +=
          !Builder.addOpen(*Left->second.What.BeginNs, Left->second.Site, Left->second.Track, -1);
    if (TooFar)
      Builder.note(fmt::format("{} open range(s) of {} have times out of range and were left out",
                               TooFar, Markers));
    if (!Ended.empty())
      Builder.note(fmt::format("{} end(s) of ranges without a begin were left out", Ended.size()));
    return {};
  }

  Failure readNames() {
    return each("CUPTI_ACTIVITY_KIND_NAME", {{"objectKind"}, {"objectId"}, {"name"}},
                [&](const SqliteRows &Row) {
                  const auto Thread = threadOf(Row.bytes(1));
                  if (Row.integer(0) != ThreadObject || !Thread)
                    return;
                  const int64_t Key = (Thread->first & 0x7fffffff) << 32 | Thread->second;
                  if (const auto Known = Threads.all().find(Key); Known != Threads.all().end())
                    Builder.nameThread(Known->second,
                                       Builder.strings().intern(textOf(Row.integer(2))));
                });
  }

  const SqliteFile &File;
  const ReadOptions &Keep;
  SqliteStrings Strings;
  TraceBuilder Builder;
  CudaActivity Activity;
  std::map<std::pair<int32_t, int64_t>, TrackId> Streams;
  Memo<TrackId> Threads; ///< by process and thread
};

} // namespace

bool isNvprof(const SqliteFile &File) {
  return File.has("StringTable") &&
         std::ranges::any_of(std::initializer_list<const char *>{ConcurrentKernels, SerialKernels,
                                                                 Copies, Fills, RuntimeCalls,
                                                                 DriverCalls, Markers},
                             [&](const char *Table) { return File.has(Table); });
}

Result<Trace> readNvprof(const SqliteFile &File, const ReadOptions &Keep) {
  auto Strings = SqliteStrings::open(File, "StringTable", "_id_", "value");
  if (!Strings)
    return Strings.error();
  return NvprofReading(File, std::move(*Strings), Keep).run();
}

} // namespace seamscope::tools
