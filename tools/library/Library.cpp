//===- Library.cpp - libseamscope-trace -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/KernelLaunches.h"
#include "analysis/groups/Modules.h"
#include "cli/EmptyReport.h"
#include "cli/MakeReport.h"
#include "cli/Messages.h"
#include "columns/EventTables.h"
#include "columns/ModelTables.h"
#include "columns/ReportTables.h"
#include "report/sections/Documents.h"
#include "run/join/GraphCalls.h"
#include "seamscope/trace.h"
#include "trace/chrome/TraceToChrome.h"
#include "trace/columns/ColumnProcess.h"
#include "trace/io/Escape.h"
#include "trace/rewrite/AsText.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <dlfcn.h>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Where messages go while a function of the library runs on this thread.
thread_local std::deque<std::string> *Messages = nullptr;

void keep(std::string Sentence) {
  if (Messages)
    Messages->push_back(std::move(Sentence));
}

constexpr const char *LaunchTable = "launches";

/// Shorter names of tables whose rows are inside others.
constexpr std::pair<const char *, const char *> OtherNames[] = {
    {"regions", "kernels_regions"},
    {"loops", "kernels_loops"},
    {"waits", "kernels_regions_waits"},
    {"collectives", "communication_collectives"}};

} // namespace

// The command has others of these.
void say(std::string_view Text) { keep(std::string(Text)); }
void complain(const std::string &Sentence) { keep(escaped(Sentence)); }
int fail(const Error &Why) {
  keep(Why.message());
  return BadData;
}

} // namespace seamscope::tools

using namespace seamscope::tools;

/// A trace that was read, and the tables that were asked for.
struct seamscope_trace {
  seamscope_trace() = default;
  virtual ~seamscope_trace() = default;
  seamscope_trace(const seamscope_trace &) = delete;
  seamscope_trace &operator=(const seamscope_trace &) = delete;

  virtual int read() = 0;

  int stream(std::string_view Name, ArrowArrayStream &To) {
    for (const auto &[Other, Of] : OtherNames)
      if (Name == Other)
        Name = Of;
    const auto Found = std::ranges::find(Tables, Name, [](const auto &Each) { return Each->Name; });
    auto Table = Found != Tables.end() ? *Found : Names.empty() ? nullptr : make(Name);
    if (!Table) {
      keep(fmt::format("there is no table '{}'", escaped(Name)));
      return BadData;
    }
    const bool Fits = (!Table->Names || Table->Names->fits()) &&
                      std::ranges::all_of(Table->Columns, &ArrowColumn::fits);
    if (!Fits) {
      keep(fmt::format("the texts of table {} have more than 2 GiB", Table->Name));
      return BadData;
    }
    if (Found == Tables.end())
      Tables.push_back(Table);
    streamTable(std::move(Table), To);
    return Success;
  }

  /// The tables of a report come with it.
  void forget(std::string_view Name) {
    std::erase_if(Tables,
                  [&](const auto &Each) { return Each->Name == Name && isMadeAnew(*Each); });
  }

  std::deque<std::string> Said; ///< does not move its elements
  std::vector<std::string> Names;
  std::string Head;

protected:
  /// Null: no such table. Something was read.
  virtual std::shared_ptr<const ArrowTable> make(std::string_view Name) = 0;
  virtual bool isMadeAnew(const ArrowTable &) const { return true; }

  std::vector<std::shared_ptr<const ArrowTable>> Tables;
};

namespace {

/// A trace, or several, with the tables of its report.
class ReportedTables final : public seamscope_trace {
public:
  explicit ReportedTables(const char *Path) : Made(wanted(Path)) {}

  int read() override {
    if (const int Failed = Made.read())
      return Failed;
    if (const int Failed = Made.make())
      return Failed;
    Made.warn(/*Strict=*/false);
    EmptyReport Example;
    Tables = reportTables(Made.document(), reportDocument(Example.most()));
    Names = EventTables::names();
    for (const auto &Each : Tables)
      Names.push_back(Each->Name);
    Names.emplace_back(LaunchTable);
    for (const auto &[Name, Of] : OtherNames)
      if (std::ranges::find(Names, Of) != Names.end())
        Names.emplace_back(Name);
    return Success;
  }

private:
  static ReportWanted wanted(const char *Path) {
    ReportWanted Wanted;
    Wanted.Path = Path;
    Wanted.Details = detailsToWrite();
    Wanted.Reading = [](const std::string &, ReadOptions Keep) {
      Keep.Processes = true;
      return Keep;
    };
    return Wanted;
  }

  std::shared_ptr<const ArrowTable> make(std::string_view Name) override {
    return Name == LaunchTable ? launches() : events().make(Name);
  }

  bool isMadeAnew(const ArrowTable &Of) const override {
    const std::vector<std::string> OfEvents = EventTables::names();
    return Of.Name == LaunchTable || std::ranges::find(OfEvents, Of.Name) != OfEvents.end();
  }

  const EventTables &events() {
    if (!Events) {
      Modules.emplace(Made.source(), Directions(Made.source()), ModuleNames::Instances,
                      Made.Torch ? kernelModules(*Made.Torch, Made.source()) : KernelModules());
      Events.emplace(EventInput{&Made.source(), Made.Read->Infos, Made.Read->Ranks,
                                Made.Devices.Links, Made.Devices.Gaps, &*Made.Work, &*Modules});
    }
    return *Events;
  }

  /// The rows of `seamscope kernels`: to find them takes as long as all else.
  std::shared_ptr<const ArrowTable> launches() {
    const Trace &Source = Made.source();
    const KernelLaunches Launches(Source);
    LaunchesInput Input{&Source, &Launches, {}, launchColumnNames()};
    for (uint32_t I = 0; I < Launches.Rows.size(); ++I)
      Input.Rows.push_back(I);
    const Document List = launchesDocument(Input);
    for (const auto &Each : reportTables(List, List))
      if (Each->Name == "kernels") {
        auto Renamed = std::make_shared<ArrowTable>(*Each);
        Renamed->Name = LaunchTable;
        return Renamed;
      }
    return nullptr;
  }

  ReportMaker Made;
  std::optional<ModulePaths> Modules;
  std::optional<EventTables> Events; ///< nothing: none of its tables was asked for
};

/// One trace as it was read.
class ModelOfTrace final : public seamscope_trace {
public:
  explicit ModelOfTrace(const char *Path) : Path(Path) {}

  int read() override {
    auto Read = readWithHead(Path);
    if (!Read)
      return fail(Read.error());
    Source = std::move(Read->Read);
    Head = std::move(Read->Head);
    Model.emplace(Source);
    Names = ModelTables::names();
    return Success;
  }

private:
  std::shared_ptr<const ArrowTable> make(std::string_view Name) override {
    return Model->make(Name);
  }

  const std::string Path;
  Trace Source;
  std::optional<ModelTables> Model;
};

} // namespace

namespace {

/// Runs \p Do with the messages of \p Of; an exception is one, too.
template <typename FnT> int withMessages(seamscope_trace &Of, FnT Do) {
  struct Scope {
    explicit Scope(std::deque<std::string> &To) : Before(std::exchange(Messages, &To)) {}
    ~Scope() { Messages = Before; }
    std::deque<std::string> *Before;
  } const Its(Of.Said);
  try {
    return Do();
  } catch (const std::bad_alloc &) {
    keep("out of memory");
  } catch (const std::exception &Wrong) {
    keep(Wrong.what());
  }
  return BadData;
}

/// PyCapsule_GetPointer of the Python that this process is.
void *pointerOf(void *Capsule, const char *Name) {
  using Function = void *(*)(void *, const char *);
  const auto Get = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "PyCapsule_GetPointer"));
  return Get ? Get(Capsule, Name) : nullptr;
}

template <typename T> void freeCapsule(void *Capsule, const char *Name) {
  if (auto *const Its = static_cast<T *>(pointerOf(Capsule, Name))) {
    if (Its->release)
      Its->release(Its);
    free(Its);
  }
}

} // namespace

#define SEAMSCOPE_EXPORT extern "C" __attribute__((visibility("default")))

template <typename TraceT> static int openAs(const char *Path, seamscope_trace **Out) {
  *Out = nullptr;
  try {
    *Out = new TraceT(Path);
  } catch (const std::bad_alloc &) {
    return BadData;
  }
  return withMessages(**Out, [&] { return (*Out)->read(); });
}

SEAMSCOPE_EXPORT int seamscope_trace_open(const char *Path, seamscope_trace **Out) {
  return openAs<ReportedTables>(Path, Out);
}

SEAMSCOPE_EXPORT int seamscope_trace_open_model(const char *Path, seamscope_trace **Out) {
  return openAs<ModelOfTrace>(Path, Out);
}

SEAMSCOPE_EXPORT const char *seamscope_trace_head(const seamscope_trace *Trace) {
  return Trace->Head.empty() ? nullptr : Trace->Head.c_str();
}

SEAMSCOPE_EXPORT void seamscope_trace_set_python(const char *Program) { setColumnPython(Program); }

SEAMSCOPE_EXPORT void seamscope_trace_close(seamscope_trace *Trace) { delete Trace; }

SEAMSCOPE_EXPORT const char *seamscope_trace_message(const seamscope_trace *Trace, size_t Index) {
  return Index < Trace->Said.size() ? Trace->Said[Index].c_str() : nullptr;
}

SEAMSCOPE_EXPORT const char *seamscope_trace_table_name(const seamscope_trace *Trace,
                                                        size_t Index) {
  return Index < Trace->Names.size() ? Trace->Names[Index].c_str() : nullptr;
}

SEAMSCOPE_EXPORT int seamscope_trace_table(seamscope_trace *Trace, const char *Name,
                                           ArrowArrayStream *Out) {
  *Out = {};
  return withMessages(*Trace, [&] { return Trace->stream(Name, *Out); });
}

SEAMSCOPE_EXPORT void seamscope_trace_forget(seamscope_trace *Trace, const char *Name) {
  Trace->forget(Name);
}

SEAMSCOPE_EXPORT void seamscope_trace_free_stream_capsule(void *Capsule) {
  freeCapsule<ArrowArrayStream>(Capsule, "arrow_array_stream");
}

SEAMSCOPE_EXPORT void seamscope_trace_free_schema_capsule(void *Capsule) {
  freeCapsule<ArrowSchema>(Capsule, "arrow_schema");
}
