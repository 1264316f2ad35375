//===- ChromeEvent.h - one event of a Chrome trace, as it is being read ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CHROMEEVENT_H
#define SEAMSCOPE_TOOLS_TRACE_CHROMEEVENT_H

#include "trace/chrome/JsonScalar.h"
#include "trace/chrome/KeyIndex.h"
#include "trace/model/ReadOptions.h"
#include "trace/model/TraceBuilder.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Gathers the keys of one event, in whatever order they come, and adds the event to a trace.
class ChromeEvent {
public:
  ChromeEvent(TraceBuilder &Builder, const ReadOptions &Keep);

  /// A key of an event's `args` that is read.
  struct Argument {
    std::string_view Key;
    void (*Set)(ChromeEvent &, const JsonScalar &);               ///< null: is not taken
    void (*SetNested)(ChromeEvent &, std::string_view) = nullptr; ///< takes an array or object, as
                                                                  ///< written
    uint8_t For = 0; ///< Wanted: read for one of these; 0: always
  };

  void clear();

  // The texts given below must live until the event is added.

  /// Takes a key of the event. Keys that say nothing to us are passed over. An empty text, or why
  /// the value is no good.
  std::string set(std::string_view Key, const JsonScalar &Value);

  /// Null: it says nothing, or nothing that is asked for.
  const Argument *argument(std::string_view Key) const {
    const Argument *Found = plainArgument(Key);
    if (!Found && Wanted)
      if (Found = detailArgument(Key); Found && !(Found->For & Wanted))
        return nullptr;
    return Found;
  }

  /// Adds the event. An empty text, or why it is no good.
  std::string add();

  /// How many events had to be put right, for notes.
  struct Repairs {
    uint64_t NoDuration = 0;
    uint64_t NegativeDuration = 0;
  };
  const Repairs &repairs() const { return Repaired; }
  void setRepairs(const Repairs &Counts) { Repaired = Counts; }
  /// Whether an event was seen that only torch's profiler writes.
  bool sawTorch() const { return Torch; }
  /// How many counters, asynchronous events and the like were passed over, by what they are.
  const std::map<std::string, uint64_t, std::less<>> &passedOver() const { return PassedOver; }

private:
  /// What ReadOptions ask for.
  enum Want : uint8_t {
    WantAutograd = 1,
    WantStacks = 2,
    WantLaunches = 4,
    WantCollectives = 8,
    WantMemory = 16,
    WantSyncs = 32,
  };
  /// At most one row of each column.
  struct DetailRows {
#define SEAMSCOPE_DETAIL(Type, Column) std::optional<Type> Column;
#include "trace/model/details.def"
    void clear() {
#define SEAMSCOPE_DETAIL(Type, Column) Column.reset();
#include "trace/model/details.def"
    }
  };

  static const Argument *plainArgument(std::string_view Key);
  static const Argument *detailArgument(std::string_view Key);

  std::string addCall();
  void addInside();
  void addDetails(SiteKind Kind);
  std::string addMemory();
  bool isFlow() const;
  std::string addFlow();
  void addMetadata();
  void addOther();
  void noteProcess();
  void passOver();
  TrackId track();
  SiteId site();
  Site makeSite();
  static bool isOfDevice(SiteKind Kind) {
    return Kind == SiteKind::Copy || Kind == SiteKind::Kernel;
  }
  int32_t deviceOf() const;
  std::string farOff() const;
  StringId intern(std::string_view Text) { return Builder.strings().intern(Text); }

  TraceBuilder &Builder;
  const ReadOptions Keep;
  const uint8_t Wanted; ///< Want
  DetailRows Details;
  std::string_view Phase, Name, Category, Process, Thread;
  std::string_view Id;                    ///< as written, where ReadOptions::Others asks for it
  std::optional<int64_t> Begin, Duration; // ns
  std::string_view Kernel, Scope, ArgName, Labels;
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) std::string_view Field;
#define SEAMSCOPE_ARGUMENT_NUMBER(Field, Key) uint32_t Field = 0;
#include "format/site-arguments.def"
  std::string_view InputDims, InputTypes, InputStrides, InputValues;
  std::string_view Work;       ///< of a kernel, as it was counted; JSON
  std::string_view Inside;     ///< of a kernel, by its stamps; JSON
  std::string_view CapturedAt; ///< of a kernel of a graph; JSON
  std::optional<int64_t> Correlation, Link, Device;
  int64_t OpenNs = -1;           // how long a call had been open; -1: unknown
  int64_t Flop = -1, Bytes = -1; // as recorded; -1: not
  int32_t TeamThread = -1;
  Repairs Repaired;

  static constexpr TrackId NoTrack = UINT32_MAX;
  std::string LastProcess, LastThread;
  TrackId LastTrack = NoTrack;
  std::vector<std::string> NotedProcesses; ///< few, or only the first
  static constexpr size_t SiteTexts = 8
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) +1
#include "format/site-arguments.def"
      ;
  static constexpr size_t SiteNumbers = 3
#define SEAMSCOPE_ARGUMENT_NUMBER(Field, Key) +1
#include "format/site-arguments.def"
      ;
  KeyIndex<SiteTexts, SiteNumbers> KnownSites;
  std::map<std::string, SiteId, std::less<>> KnownCaptures; ///< by CapturedAt
  std::map<std::string, uint64_t, std::less<>> PassedOver;
  bool Torch = false;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CHROMEEVENT_H
