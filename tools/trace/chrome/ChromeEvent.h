//===- ChromeEvent.h - one event of a Chrome trace, as it is being read ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CHROMEEVENT_H
#define SEAMSCOPE_TOOLS_TRACE_CHROMEEVENT_H

#include "trace/chrome/ChromeArgument.h"
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

/// A JSON value that is neither object nor array.
struct JsonScalar {
  enum class Type : uint8_t { Null, Boolean, Integer, Decimal, String };
  Type Kind = Type::Null;
  int64_t Integer = 0;   ///< Integer; Boolean: 0 or 1
  std::string_view Text; ///< numbers: as written; String: its characters
};

/// Gathers the keys of one event, in whatever order they come, and adds the event to a trace.
class ChromeEvent {
public:
  explicit ChromeEvent(const ReadOptions &Keep = {}) : Keep(Keep) {}

  void clear();

  // The texts given below must live until the event is added.

  /// Takes a key of the event. Keys that say nothing to us are passed over. An empty text, or why
  /// the value is no good.
  std::string set(std::string_view Key, const JsonScalar &Value);

  /// Whether an argument says anything to us.
  bool wants(ChromeArgument Key) const {
    if (Key < ChromeArgument::FirstDetail)
      return Key != ChromeArgument::None;
    if (Key < ChromeArgument::FirstOfCollectives)
      return Keep.Autograd || Keep.Stacks || Keep.Launches || Keep.Syncs;
    if (Key < ChromeArgument::FirstOfMemory)
      return Keep.Collectives;
    return Key < ChromeArgument::FirstOfSyncs ? Keep.Memory : Keep.Syncs;
  }

  /// Takes an argument that is wanted.
  void setArgument(ChromeArgument Key, const JsonScalar &Value);

  /// Takes an argument that is an array or object, as written.
  void setNested(ChromeArgument Key, std::string_view Json);

  /// Adds the event. An empty text, or why it is no good.
  std::string addTo(TraceBuilder &Builder);

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
  struct CollectiveTexts {
    std::string_view Name, Type, Group, Ranks;
    int64_t InElements = -1, OutElements = -1, GroupSize = -1;
  };
  /// What only ReadOptions ask for.
  struct DetailFields {
    std::optional<int64_t> Flow, Sequence, ForwardThread, PythonId, PythonParent;
    std::string_view CallStack;
    LaunchShape Launch;
    bool HasLaunch = false;
    CollectiveTexts Collective;
    std::optional<int64_t> CopyBytes;
    int64_t OtherStream = -1, Record = -1;
    std::optional<MemoryChange> Memory;
  };

  std::string addCall(TraceBuilder &Builder);
  void setDetail(ChromeArgument Key, const JsonScalar &Value);
  void addDetails(TraceBuilder &Builder, SiteKind Kind) const;
  void setCollective(ChromeArgument Key, const JsonScalar &Value);
  void setSync(ChromeArgument Key, const JsonScalar &Value);
  void setMemory(ChromeArgument Key, const JsonScalar &Value);
  std::string addMemory(TraceBuilder &Builder);
  bool isFlow() const;
  std::string addFlow(TraceBuilder &Builder);
  void addMetadata(TraceBuilder &Builder);
  void noteProcess(TraceBuilder &Builder);
  void passOver();
  TrackId trackOf(TraceBuilder &Builder);
  SiteId siteOf(TraceBuilder &Builder);
  Site makeSite(TraceBuilder &Builder);
  int32_t deviceOf() const;
  std::string farOff() const;

  const ReadOptions Keep;
  DetailFields Details;
  std::string_view Phase, Name, Category, Process, Thread;
  std::optional<int64_t> Begin, Duration; // ns
  std::string_view Kernel, Scope, Region, File, Ops, LinkageName, ArgName, Labels;
  std::string_view InputDims, InputTypes, InputStrides, InputValues;
  std::string_view Inside;     ///< of a kernel, by its stamps; JSON
  std::string_view CapturedAt; ///< of a kernel of a graph; JSON
  std::optional<int64_t> Correlation, Link, Device;
  int64_t OpenNs = -1;           // how long a call had been open; -1: unknown
  int64_t Flop = -1, Bytes = -1; // as recorded; -1: not
  uint32_t Line = 0, Column = 0;
  int32_t TeamThread = -1;
  Repairs Repaired;

  static constexpr TrackId NoTrack = UINT32_MAX;
  std::string LastProcess, LastThread;
  TrackId LastTrack = NoTrack;
  std::vector<std::string> NotedProcesses; ///< few, or only the first
  KeyIndex<12, 4> KnownSites;
  std::map<std::string, SiteId, std::less<>> KnownCaptures; ///< by CapturedAt
  std::map<std::string, uint64_t, std::less<>> PassedOver;
  bool Torch = false;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CHROMEEVENT_H
