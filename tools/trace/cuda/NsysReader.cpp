//===- NsysReader.cpp - reads what nsys exports as SQLite -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/cuda/NsysReader.h"

#include "trace/cuda/CudaActivity.h"
#include "trace/io/SeededHash.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace seamscope::tools {
namespace {

constexpr const char *Kernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char *Graphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
constexpr const char *Copies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr const char *Fills = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr const char *RuntimeCalls = "CUPTI_ACTIVITY_KIND_RUNTIME";
constexpr const char *DriverCalls = "CUPTI_ACTIVITY_KIND_DRIVER";
constexpr const char *Ranges = "NVTX_EVENTS";

/// nsys combines the numbers of machine, process and thread into one.
int64_t processOf(int64_t GlobalId) { return (GlobalId >> 24) & 0xffffff; }
int64_t threadOf(int64_t GlobalId) { return GlobalId & 0xffffff; }

enum NvtxEvent : int64_t { PushPopRange = 59, StartEndRange = 60 };

class NsysReading {
public:
  NsysReading(const SqliteFile &File, SqliteStrings Strings, const ReadOptions &Keep)
      : File(File), Keep(Keep), Strings(std::move(Strings)), Activity(Builder) {}

  Result<Trace> run() {
    // Tables that identify the other rows come first.
    for (const auto Read :
         {&NsysReading::readDevices, &NsysReading::readMemoryKinds, &NsysReading::readDomains})
      if (auto Failure = (this->*Read)())
        return *Failure;
    for (const char *Table : {RuntimeCalls, DriverCalls})
      if (auto Failure = readCalls(Table))
        return *Failure;
    for (const auto Read :
         {&NsysReading::readKernels, &NsysReading::readGraphs, &NsysReading::readCopies,
          &NsysReading::readFills, &NsysReading::readRanges, &NsysReading::readNames,
          &NsysReading::readProvenance})
      if (auto Failure = (this->*Read)())
        return *Failure;
    if (Strings.error())
      return *Strings.error();
    TraceInfo &Info = Builder.info();
    Info.Path = File.path();
    Info.Bytes = File.bytes();
    return Builder.finish();
  }

private:
  using Failure = std::optional<Error>;

  /// Calls \p Take with each row of a table; a missing table has none.
  template <typename F>
  Failure each(const char *Table, const std::vector<SqliteColumn> &Columns, F Take,
               std::string_view Where = {}) {
    if (!File.has(Table))
      return {};
    auto Rows = File.select(Table, Columns, Where);
    if (!Rows)
      return Rows.error();
    while (Rows->next())
      Take(*Rows);
    return Rows->error();
  }

  Failure readDevices() {
    if (auto Failed = each("TARGET_INFO_GPU", {{"id"}, {"name"}}, [&](const SqliteRows &Row) {
          if (const auto Id = CudaActivity::device(Row.integer(0)))
            Builder.addDevice(*Id, Builder.strings().intern(Row.bytes(1)));
        }))
      return Failed;
    // A process numbers the devices that it sees; each of several processes may have a device 0.
    return each("TARGET_INFO_CUDA_DEVICE", {{"gpuId"}, {"cudaId"}, {"pid"}},
                [&](const SqliteRows &Row) {
                  const auto Gpu = CudaActivity::device(Row.integer(0));
                  if (const auto Cuda = Row.integer(1); Gpu && Cuda)
                    GpuOf.try_emplace({Row.integer(2).value_or(0), *Cuda}, *Gpu);
                });
  }

  Failure readMemoryKinds() {
    return each("ENUM_CUDA_MEM_KIND", {{"id"}, {"label"}}, [&](const SqliteRows &Row) {
      if (const auto Id = Row.integer(0))
        MemoryKinds.emplace(*Id, Row.bytes(1));
    });
  }

  Failure readDomains() {
    if (!File.has(Ranges, "eventType"))
      return {};
    return each(
        Ranges, {{"domainId"}, {"globalTid"}, {"text"}, {"textId"}},
        [&](const SqliteRows &Row) {
          const auto Id = Row.integer(0), Thread = Row.integer(1);
          if (Id && Thread)
            Domains[{processOf(*Thread), *Id}] = std::string(textOf(Row, 2, 3));
        },
        "eventType = 75");
  }

  /// A text stored in one column, or by number in another.
  std::string_view textOf(const SqliteRows &Row, int Text, int Id) {
    const std::string_view Own = Row.bytes(Text);
    if (!Own.empty())
      return Own;
    const auto Number = Row.integer(Id);
    return Number ? Strings.find(*Number) : std::string_view();
  }

  /// Correlations are distinguished by process; the first process, often the only one, gets the
  /// number 0.
  int64_t ordinalOf(std::optional<int64_t> GlobalId) {
    if (!GlobalId)
      return 0;
    const int64_t Process = processOf(*GlobalId);
    return Ordinals.get(Process, [&] { return static_cast<int64_t>(Ordinals.all().size()) - 1; });
  }

  std::optional<int64_t> correlationOf(std::optional<int64_t> Id, std::optional<int64_t> GlobalId) {
    if (!Id || *Id <= 0 || *Id > std::numeric_limits<uint32_t>::max())
      return std::nullopt;
    return (ordinalOf(GlobalId) << 32) + *Id;
  }

  TrackId threadTrack(int64_t GlobalThread) {
    return Threads.get(GlobalThread, [&] {
      return Activity.thread(processOf(GlobalThread), threadOf(GlobalThread));
    });
  }

  Failure readCalls(const char *Table) {
    enum { Start, End, Thread, Name, Correlation };
    const std::vector<SqliteColumn> Columns = {
        {"start", true}, {"end", true}, {"globalTid", true}, {"nameId", true}, {"correlationId"}};
    return each(Table, Columns, [&](const SqliteRows &Row) {
      const CudaActivity::Row What = {Table, Row.row(), Row.integer(Start), Row.integer(End)};
      const auto Where = Row.integer(Thread);
      if (!Where)
        return Activity.skip(What, "it has no globalTid");
      const int64_t NameId = Row.integer(Name).value_or(-1);
      const SiteId Site =
          CallSites.get(NameId, [&] { return Activity.call(Strings.find(NameId)); });
      Activity.add(What, Site, threadTrack(*Where), correlationOf(Row.integer(Correlation), Where));
    });
  }

  /// Columns of all device work, in this order before other requested columns.
  enum WorkColumn { Start, End, DeviceId, Stream, Correlation, Process, FirstOfOwn };
  static std::vector<SqliteColumn> workColumns(std::initializer_list<SqliteColumn> Own) {
    std::vector<SqliteColumn> Columns = {{"start", true}, {"end", true},     {"deviceId", true},
                                         {"streamId"},    {"correlationId"}, {"globalPid"}};
    Columns.insert(Columns.end(), Own);
    return Columns;
  }

  /// Adds the row as work of its device, at the site that \p SiteOf returns for the device.
  template <typename F> bool addWork(const char *Table, const SqliteRows &Row, F SiteOf) {
    const CudaActivity::Row What = {Table, Row.row(), Row.integer(Start), Row.integer(End)};
    const auto Owner = Row.integer(Process);
    const auto Seen = Row.integer(DeviceId);
    const auto Device = CudaActivity::device(Seen);
    if (!Device) {
      Activity.skip(What, "its deviceId is not the number of a device");
      return false;
    }
    const int32_t Gpu = gpuOf(Owner, *Device);
    const auto Id = Row.integer(Stream);
    const int64_t Number = ordinalOf(Owner);
    const auto [Track, New] = Streams.try_emplace({Gpu, Id.value_or(-1), Number});
    if (New)
      Track->second = Activity.stream(Gpu, Id, Number ? processOf(*Owner) : 0);
    return Activity.add(What, SiteOf(Gpu), Track->second,
                        correlationOf(Row.integer(Correlation), Owner));
  }

  int32_t gpuOf(std::optional<int64_t> Owner, int32_t Device) const {
    for (const int64_t Process : {Owner ? processOf(*Owner) : 0, int64_t{0}})
      if (const auto Found = GpuOf.find({Process, Device}); Found != GpuOf.end())
        return Found->second;
    return Device;
  }

  Failure readKernels() {
    std::vector<SqliteColumn> Columns =
        workColumns({{"demangledName"}, {"shortName"}, {"mangledName"}});
    if (Keep.Launches) {
      const auto Launch = CudaActivity::launchColumns();
      Columns.insert(Columns.end(), Launch.begin(), Launch.end());
    }
    if (File.has(Kernels) && !File.has(Kernels, "demangledName") &&
        !File.has(Kernels, "shortName") && !File.has(Kernels, "mangledName"))
      return Error{
          File.path(), {}, fmt::format("the table {} has no column demangledName", Kernels)};
    std::unordered_map<uint64_t, SiteId, SeededHash> Sites;
    return each(Kernels, Columns, [&](const SqliteRows &Row) {
      const bool Added = addWork(Kernels, Row, [&](int32_t Device) {
        std::optional<int64_t> NameId;
        for (int Column = FirstOfOwn; Column < FirstOfOwn + 3 && !NameId; ++Column)
          NameId = Row.integer(Column);
        const int64_t Id = NameId.value_or(-1);
        if (Id < 0 || Id > std::numeric_limits<uint32_t>::max())
          return Activity.kernel(Strings.find(Id), Device);
        const auto [Site, New] =
            Sites.try_emplace(static_cast<uint64_t>(Device) << 32 | static_cast<uint64_t>(Id));
        if (New)
          Site->second = Activity.kernel(Strings.find(Id), Device);
        return Site->second;
      });
      if (Added && Keep.Launches)
        Activity.addLaunch(Row, FirstOfOwn + 3, Row.integer(Stream));
    });
  }

  /// Unless nsys traced the nodes of graphs, there is only the launch of a graph.
  Failure readGraphs() {
    return each(Graphs, workColumns({{"graphId"}}), [&](const SqliteRows &Row) {
      addWork(Graphs, Row, [&](int32_t Device) {
        const auto Id = Row.integer(FirstOfOwn);
        return Activity.kernel(Id ? fmt::format("CUDA graph {}", *Id) : "CUDA graph", Device);
      });
    });
  }

  std::string_view memoryKind(std::optional<int64_t> Id) const {
    const auto Found = Id ? MemoryKinds.find(*Id) : MemoryKinds.end();
    return Found == MemoryKinds.end() ? std::string_view() : Found->second;
  }

  Failure readCopies() {
    const std::vector<SqliteColumn> Columns =
        workColumns({{"copyKind"}, {"srcKind"}, {"dstKind"}, {"bytes"}});
    return each(Copies, Columns, [&](const SqliteRows &Row) {
      const bool Added = addWork(Copies, Row, [&](int32_t Device) {
        return Activity.copy(Row.integer(FirstOfOwn), memoryKind(Row.integer(FirstOfOwn + 1)),
                             memoryKind(Row.integer(FirstOfOwn + 2)), Device);
      });
      if (Added && Keep.Memory)
        Activity.addCopySize(Row.integer(FirstOfOwn + 3));
    });
  }

  Failure readFills() {
    return each(Fills, workColumns({{"memKind"}, {"bytes"}}), [&](const SqliteRows &Row) {
      const bool Added = addWork(Fills, Row, [&](int32_t Device) {
        return Activity.fill(memoryKind(Row.integer(FirstOfOwn)), Device);
      });
      if (Added && Keep.Memory)
        Activity.addCopySize(Row.integer(FirstOfOwn + 1));
    });
  }

  Failure readRanges() {
    enum { Start, End, Type, Text, TextId, Thread, Domain };
    const std::vector<SqliteColumn> Columns = {{"start", true}, {"end", true}, {"eventType"},
                                               {"text"},        {"textId"},    {"globalTid", true},
                                               {"domainId"}};
    const bool Typed = File.has(Ranges, "eventType");
    return each(Ranges, Columns, [&](const SqliteRows &Row) {
      const auto Sort = Row.integer(Type);
      if (Typed && Sort != PushPopRange && Sort != StartEndRange)
        return;
      CudaActivity::Row What = {Ranges, Row.row(), Row.integer(Start), Row.integer(End)};
      const auto Where = Row.integer(Thread);
      if (!Where)
        return Activity.skip(What, "it has no globalTid");
      std::string_view DomainName;
      if (const auto Id = Row.integer(Domain); Id && !Domains.empty())
        if (const auto Found = Domains.find({processOf(*Where), *Id}); Found != Domains.end())
          DomainName = Found->second;
      const SiteId Site = Activity.range(textOf(Row, Text, TextId), DomainName);
      const TrackId Track = threadTrack(*Where);
      if (What.EndNs || !What.BeginNs) {
        Activity.add(What, Site, Track);
        return;
      }
      // The recording ended before the range did.
      if (!Builder.addOpen(*What.BeginNs, Site, Track, -1))
        Activity.skip(What, "its time is out of range");
    });
  }

  Failure readNames() {
    // If a thread has several names, the one with the highest priority counts.
    std::unordered_map<TrackId, int64_t> Priorities;
    if (auto Failed = each(
            "ThreadNames", {{"globalTid"}, {"nameId"}, {"priority"}}, [&](const SqliteRows &Row) {
              const auto Thread = Row.integer(0), NameId = Row.integer(1);
              if (!Thread || !NameId)
                return;
              const auto Known = Threads.all().find(*Thread);
              if (Known == Threads.all().end())
                return;
              const int64_t Priority = Row.integer(2).value_or(0);
              const auto [Named, New] = Priorities.try_emplace(Known->second, Priority);
              if (!New && Named->second >= Priority)
                return;
              Named->second = Priority;
              Builder.nameThread(Known->second, Builder.strings().intern(Strings.find(*NameId)));
            }))
      return Failed;
    return each("PROCESSES", {{"globalPid"}, {"name"}}, [&](const SqliteRows &Row) {
      const auto Id = Row.integer(0);
      if (!Id || !Ordinals.all().contains(processOf(*Id)) || Row.bytes(1).empty())
        return;
      StringTable &Texts = Builder.strings();
      Builder.process(Texts.intern(fmt::to_string(processOf(*Id)))).Name =
          Texts.intern(Row.bytes(1));
    });
  }

  Failure readProvenance() {
    std::string Version, Schema;
    if (auto Failed = each("META_DATA_EXPORT", {{"name"}, {"value"}}, [&](const SqliteRows &Row) {
          if (Row.bytes(0) == "EXPORT_PRODUCT_VERSION")
            Version = Row.bytes(1);
          else if (Row.bytes(0) == "EXPORT_SCHEMA_VERSION")
            Schema = Row.bytes(1);
        }))
      return Failed;
    TraceInfo &Info = Builder.info();
    Info.Producer = !Version.empty()  ? "nsys " + Version
                    : !Schema.empty() ? "nsys (schema " + Schema + ")"
                                      : "nsys";
    return each("TARGET_INFO_SYSTEM_ENV", {{"name"}, {"value"}}, [&](const SqliteRows &Row) {
      if (Row.bytes(0) == "Hostname")
        Info.HostName = Row.bytes(1);
    });
  }

  const SqliteFile &File;
  const ReadOptions &Keep;
  SqliteStrings Strings;
  TraceBuilder Builder;
  CudaActivity Activity;
  /// By process and the process's device number.
  std::map<std::pair<int64_t, int64_t>, int32_t> GpuOf;
  std::map<int64_t, std::string> MemoryKinds;
  /// By process and the process's domain number.
  std::map<std::pair<int64_t, int64_t>, std::string> Domains;
  std::map<std::tuple<int32_t, int64_t, int64_t>, TrackId> Streams;
  Memo<TrackId> Threads;
  Memo<SiteId> CallSites;
  Memo<int64_t> Ordinals; ///< by process
};

} // namespace

bool isNsys(const SqliteFile &File) {
  return !File.has("StringTable") &&
         std::ranges::any_of(std::initializer_list<const char *>{Kernels, Graphs, Copies, Fills,
                                                                 RuntimeCalls, DriverCalls, Ranges},
                             [&](const char *Table) { return File.has(Table); });
}

Result<Trace> readNsys(const SqliteFile &File, const ReadOptions &Keep) {
  auto Strings = SqliteStrings::open(File, "StringIds", "id", "value");
  if (!Strings)
    return Strings.error();
  return NsysReading(File, std::move(*Strings), Keep).run();
}

} // namespace seamscope::tools
