//===- Trace.h - the trace model ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every reader fills and every analysis and report sees, and nothing else.
// Events are columns of numbers; everything but their times is stored once, in
// the tables of sites and tracks. All times are ns as 64-bit integers, from an
// origin of each trace's own.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_TRACE_H
#define SEAMSCOPE_TOOLS_TRACE_TRACE_H

#include "trace/io/Error.h"
#include "trace/model/Health.h"
#include "trace/model/InlinedKernels.h"
#include "trace/model/Samples.h"
#include "trace/model/StringTable.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace seamscope::tools {

using SiteId = uint32_t;
using TrackId = uint32_t;

/// Whether a time is less than 2^62 ns (146 years) from the origin.
inline bool isPlausible(int64_t Ns) { return Ns > -(int64_t{1} << 62) && Ns < int64_t{1} << 62; }

/// What the events of a site are.
enum class SiteKind : uint8_t {
  Kernel,     ///< a kernel, of a device or compiled for the host: has a row in a report
  Region,     ///< one thread's part of an OpenMP parallel region
  Loop,       ///< a loop of a kernel or region, from its begin to its end
  Task,       ///< one run of the body of an OpenMP task
  TeamWait,   ///< a stretch in which a thread may have waited for others of its OpenMP team
  Annotation, ///< a scope marked by hand with Seamscope: has a row in a report
  Operator,   ///< an operator of a framework on the host
  Copy,       ///< a copy or fill that a device ran
  Launch,     ///< a call of a device's runtime or driver on the host, or a launch in the source
  Span,       ///< a stretch that a user or a compiler named (ProfilerStep#3)
  Python,     ///< a frame of Python code
  Wait,       ///< a stretch in which a thread of the host did not run, between operators
  Other,      ///< anything else: only counts for the window
};

/// The kind of events in a category, if they say nothing more specific.
SiteKind kindOfCategory(std::string_view Category);

/// The category of ONNX Runtime's nodes, which have no kind until they are recognised.
constexpr std::string_view NodeCategory = "Node";

/// The two ends of torch_npu's queue of launches, which have no kind.
constexpr std::string_view EnqueueCategory = "enqueue", DequeueCategory = "dequeue";

/// Whether a device ran it.
constexpr bool isDeviceWork(SiteKind Kind, int32_t Device) {
  return Device >= 0 && (Kind == SiteKind::Kernel || Kind == SiteKind::Copy);
}

/// A place in a program: all events with equal values here share one site.
struct Site {
  StringId Name = 0;
  StringId Category = 0;
  StringId Kernel = 0; ///< the kernel that contains it
  StringId Group = 0;  ///< kernels: description of a fused group (GroupText.h)
  StringId Node = 0;   ///< operators of ONNX Runtime: the name of the node
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) StringId Field = 0;
#define SEAMSCOPE_ARGUMENT_NUMBER(Field, Key) uint32_t Field = 0;
#include "format/site-arguments.def"
  // Operators: the inputs of a call, each a JSON array with one element for each input; without
  // dimensions, the others are empty too.
  StringId InputDims = 0;
  StringId InputTypes = 0;
  StringId InputStrides = 0;
  StringId InputValues = 0;
  int64_t Flop = -1;   ///< of one call, as recorded (kernel_flop); -1: it was not
  int64_t Bytes = -1;  ///< of one call, as recorded (kernel_num_gb); -1: it was not
  int32_t Device = -1; ///< the device that ran it; -1: the host
  SiteKind Kind = SiteKind::Other;

  /// The file of the kernel that it is or is a part of.
  StringId fileOfKernel() const { return KernelFile ? KernelFile : File; }

  /// Calls Visit(StringId &) for each text.
  template <typename SiteT, typename FnT> static void forEachText(SiteT &Of, FnT Visit) {
    for (auto *const Text : {&Of.Name, &Of.Category, &Of.Kernel, &Of.Group, &Of.Node, &Of.InputDims,
                             &Of.InputTypes, &Of.InputStrides, &Of.InputValues})
      Visit(*Text);
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) Visit(Of.Field);
#include "format/site-arguments.def"
  }
  /// Dimensions, types, strides and values of the inputs.
  std::array<StringId, 4> inputs() const {
    return {InputDims, InputTypes, InputStrides, InputValues};
  }

  bool operator==(const Site &) const = default;
};

/// Whether the host ran it as a framework's operator, which includes compiled kernels.
inline bool isHostOperator(const Site &What) {
  return What.Kind == SiteKind::Operator || (What.Kind == SiteKind::Kernel && What.Device < 0);
}

/// One thread of one process, or what another writer's trace numbers like one.
struct Track {
  StringId Process = 0; ///< pid as text
  StringId Thread = 0;  ///< tid as text
  StringId ThreadName = 0;
};

/// A process of the trace.
struct Process {
  StringId Pid = 0; ///< as text
  StringId Name = 0;
  StringId Labels = 0;
};

/// Columns of calls; all have the same length, except the last two, which may be empty.
struct EventColumns {
  std::vector<int64_t> BeginNs;
  std::vector<int64_t> DurationNs; ///< never negative; begin + duration does not overflow
  std::vector<SiteId> Site;
  std::vector<TrackId> Track;
  std::vector<int32_t> TeamThread; ///< see teamThread(); empty if no call has one
  /// Where the event's object begins in the file, after decompression; for a begin and an end, that
  /// of the begin. Empty unless ReadOptions requests it.
  std::vector<uint64_t> Offset;

  size_t size() const { return BeginNs.size(); }
  int64_t endNs(size_t Event) const { return BeginNs[Event] + DurationNs[Event]; }
  /// OpenMP thread number; -1: none.
  int32_t teamThread(size_t Event) const { return TeamThread.empty() ? -1 : TeamThread[Event]; }
};

/// Links a device's work to the call on the host that launched it: both have one correlation.
struct Correlation {
  uint32_t Event = 0; ///< index of the columns
  int64_t Id = 0;
};

/// Autograd's numbers at an operator. Of the operators that create nodes, the last one begun with a
/// number created the node with that number; each thread counts separately.
struct SequenceNumber {
  uint32_t Event = 0;        ///< index of the columns
  int64_t Number = -1;       ///< 0 or more
  int64_t ForwardThread = 0; ///< autograd's number, from 1, of the thread that made the node whose
                             ///< backward this is; 0: it is not a backward
};

/// Maps the numbers of one builder's tables to those of another's.
struct Numbering {
  std::vector<StringId> Strings;
  std::vector<SiteId> Sites;
  std::vector<TrackId> Tracks;
};

/// One end of a flow from a forward operator to the backward pass of its node.
struct FlowEnd {
  int64_t Id = 0;
  int64_t Ns = 0;
  TrackId Track = 0;
  bool IsTarget = false; ///< the backward end

  void renumber(const Numbering &New) { Track = New.Tracks[Track]; }
};

/// A call of a Python function (SiteKind::Python), with the tracer's numbers.
struct PythonFrame {
  uint32_t Event = 0;            ///< index of the columns
  int64_t Id = -1;               ///< 0 or more
  std::optional<int64_t> Parent; ///< the caller's number; it may not be in the trace
};

/// The Python stack that an older torch.profiler wrote at an operator.
struct CallStack {
  uint32_t Event = 0;  ///< index of the columns
  StringId Frames = 0; ///< "file.py(12): function", innermost first, with semicolons between

  void renumber(const Numbering &New) { Frames = New.Strings[Frames]; }
};

/// The parameters of a kernel launch, at the device's work or at the call on the host. Numbers are
/// -1 if the trace does not have them.
struct LaunchShape {
  uint32_t Event = 0; ///< index of the columns
  std::array<int64_t, 3> Grid{-1, -1, -1};
  std::array<int64_t, 3> Block{-1, -1, -1};
  int64_t Registers = -1;   ///< per thread
  int64_t SharedBytes = -1; ///< per block
  int64_t Stream = -1;
};

/// torch.profiler's data about a collective: at the operator on the host ("record_param_comms") and
/// at the kernel of the device. Numbers are -1 if it does not have them.
struct CollectiveCall {
  uint32_t Event = 0;       ///< index of the columns
  StringId Name = 0;        ///< "allreduce", "_allgather_base", ...
  StringId Type = 0;        ///< element type as torch calls it: "Float"
  StringId Group = 0;       ///< name or number of the process group
  StringId Ranks = 0;       ///< of the group, "[0, 1]"; incomplete for a large group
  int64_t InElements = -1;  ///< that this rank sends
  int64_t OutElements = -1; ///< that this rank receives
  int64_t GroupSize = -1;

  void renumber(const Numbering &New) {
    for (StringId *const Text : {&Name, &Type, &Group, &Ranks})
      *Text = New.Strings[*Text];
  }
};

/// How many bytes a copy or fill of a device moved.
struct CopySize {
  uint32_t Event = 0; ///< index of the columns
  int64_t Bytes = 0;
};

/// A wait for a device, as CUPTI records it next to the waiting call ("cuda_sync" of
/// torch.profiler, with enable_cuda_sync_events). Numbers are -1 if it does not have them.
struct DeviceSync {
  uint32_t Event = 0;       ///< index of the columns
  int64_t Correlation = -1; ///< of the call on the host
  /// The stream that waits, or is waited for: "Stream Wait Event", "Stream Sync".
  int64_t Stream = -1;
  int64_t OtherStream = -1; ///< the stream that recorded the awaited event
  int64_t Record = -1;      ///< correlation of the call that recorded it
  int32_t Device = -1;
};

/// A change of the memory that an allocator of torch has allocated ("[memory]" of torch.profiler).
struct MemoryChange {
  int64_t Ns = 0;
  TrackId Track = 0;      ///< the thread that requested it
  int64_t Bytes = 0;      ///< below 0: freed
  int64_t Allocated = -1; ///< on the device, after this change; -1: not known
  int64_t Reserved = -1;  ///< by the allocator, from the device; -1: not known
  int64_t Address = 0;    ///< 0: not known
  int32_t DeviceType = 0; ///< c10::DeviceType: 0 is the host, 1 CUDA, 6 HIP
  int32_t Device = -1;    ///< number among devices of its type; -1: none

  void renumber(const Numbering &New) { Track = New.Tracks[Track]; }
};

/// Results of the stamps of an instrumented kernel's warps for one launch (seamscope/gpu.h).
struct KernelInside {
  uint32_t Event = 0;                ///< index of the columns
  int64_t Sms = 0;                   ///< SMs that ran its blocks
  int64_t Blocks = 0, Warps = 0;     ///< those that left stamps
  int64_t OpenWarps = 0;             ///< warps of these that did not leave the kernel
  int64_t LostWarps = 0;             ///< warps whose stamps were overwritten before they were read
  int64_t ResidentBlocks = 0;        ///< on one SM at a time, at most
  std::optional<double> Share;       ///< share of the launch's warps that left stamps: 0 to 1
  std::optional<double> Waves;       ///< blocks over the number that all SMs hold at a time
  std::optional<double> TailPercent; ///< share of the SMs' time after their last block's end
  std::optional<double> SmImbalance; ///< time in which blocks ran: longest of an SM over the mean
  std::optional<double> WarpImbalance; ///< longest of a block's warps over their mean
};

/// The time of the threads of a kernel's warps in one of its loops, in one launch.
struct KernelLoop {
  uint32_t Event = 0;  ///< index of the columns: the kernel
  SiteId Site = 0;     ///< of the loop
  uint32_t Parent = 0; ///< index among this launch's loops, from 1, of the loop around it; 0: none
  int64_t Entries = 0; ///< of warps, or of the threads of a warp that entered together
  int64_t Clocks = 0;  ///< in the loop, sum over threads
  int64_t KernelClocks = 0; ///< in the kernel, sum over the same threads
  int64_t Threads = 0;      ///< the number of these threads

  void renumber(const Numbering &New) { Site = New.Sites[Site]; }
};

/// What the counters of a kernel say of one launch.
struct LaunchCounters {
  uint32_t Event = 0;   ///< index of the columns: the kernel
  StringId Counts = 0;  ///< CountedWork::Id; empty: unknown
  StringId Words = 0;   ///< "[2048,12]"
  StringId Unknown = 0; ///< why there are none; empty: there are

  void renumber(const Numbering &New) {
    for (StringId *const Id : {&Counts, &Words, &Unknown})
      *Id = New.Strings[*Id];
  }
};

/// For a kernel that ran as a node of a CUDA graph: the captured launch.
struct KernelCapture {
  uint32_t Event = 0; ///< index of the columns
  SiteId Site = 0;    ///< of the launch

  void renumber(const Numbering &New) { Site = New.Sites[Site]; }
};

/// An event about which analysis/health found something.
struct MarkedEvent {
  uint32_t Event = 0; ///< index of the columns
};

/// A launch that a queue's thread made for another thread.
struct QueuedLaunch {
  uint32_t Event = 0; ///< index of the columns
  uint32_t By = 0;    ///< the call that put it into the queue
};

/// Device work that lasted too long, and now ends where the next begins.
struct ClippedEvent {
  uint32_t Event = 0; ///< index of the columns
  int64_t EndNs = 0;  ///< as in the trace
};

/// The end of a call whose begin and end are events of their own.
struct CallEnd {
  uint32_t Event = 0;  ///< index of the columns
  uint64_t Offset = 0; ///< where the end's object begins in the file
};

/// An event that is not a call: metadata, an instant, an end of a flow, a counter, ...
struct OtherEvent {
  static constexpr int64_t NoTime = INT64_MIN;

  uint64_t Offset = 0; ///< where its object begins in the file
  int64_t Ns = NoTime;
  uint64_t Link : 56 = 0; ///< a hash of category and id: equal for what belongs together
  char Phase = 0;         ///< 0: it has none of one letter
};

/// Details that only some events have: the columns of details.def. Readers keep what ReadOptions
/// requests.
struct EventDetails {
#define SEAMSCOPE_DETAIL(Type, Column) std::vector<Type> Column;
#define SEAMSCOPE_FINDING(Type, Column) std::vector<Type> Column;
#include "trace/model/details.def"

  /// Calls Visit(Column) for each column that readers fill, in order.
  template <typename FnT> void forEachRead(FnT Visit) {
#define SEAMSCOPE_DETAIL(Type, Column) Visit(Column);
#include "trace/model/details.def"
  }

  /// Calls Visit(Column) for each column, in order.
  template <typename FnT> void forEach(FnT Visit) {
    forEachRead(Visit);
#define SEAMSCOPE_FINDING(Type, Column) Visit(Column);
#include "trace/model/details.def"
  }

  /// The column that readers fill with rows of this type; the pointer is not dereferenced.
#define SEAMSCOPE_DETAIL(Type, Column)                                                             \
  std::vector<Type> &of(const Type *) { return Column; }
#include "trace/model/details.def"
};

/// Whether a row of EventDetails belongs to an event; others have a time and a track.
template <typename RowT> constexpr bool IsOfEvent = requires(RowT Row) { Row.Event; };

/// The resources of an SM of an NVIDIA GPU, from CUDA's device properties. 0: not known.
struct SmLimits {
  int64_t Major = 0, Minor = 0; ///< compute capability
  int64_t Sms = 0;
  int64_t WarpSize = 0;
  int64_t Threads = 0;     ///< resident on one SM
  int64_t Registers = 0;   ///< of one SM
  int64_t SharedBytes = 0; ///< of one SM, at the largest carve-out
};

/// A device as the trace describes it.
struct Device {
  int32_t Id = -1;
  StringId Name = 0;
  SmLimits Limits;
};

/// An event that was left out.
struct SkippedEvent {
  uint64_t Offset = 0; ///< of the file, after decompression
  std::string Reason;
};

/// A call that had begun but not ended when the recording ended: its duration is the part that was
/// seen.
struct OpenCall {
  uint32_t Event = 0;   ///< index of the columns
  bool Guessed = false; ///< the trace does not say how long: until the last end of its process
};

/// One site on one thread of a trace of mode `profile`.
struct ProfileRow {
  SiteId Site = 0;
  TrackId Track = 0;
  int32_t TeamThread = -1;
  uint64_t Calls = 0;
  int64_t TotalNs = 0;
  int64_t MinNs = 0;
  int64_t MaxNs = 0;
  int64_t FirstNs = 0;                                   ///< begin of the first call
  int64_t LastNs = 0;                                    ///< end of the last call
  std::vector<std::pair<int64_t, uint64_t>> HistogramNs; ///< {floor, calls}, rising
};

/// Calls of a site on one thread that were counted but not timed, because there were too many
/// (throttle of seamscope/abi.h); others of the same site were timed.
struct ThrottledCalls {
  SiteId Site = 0;
  TrackId Track = 0;
  uint64_t Every = 0;       ///< calls for each timed one, on average
  uint64_t Timed = 0;       ///< timed calls since then
  uint64_t Untimed = 0;     ///< untimed calls since then
  int64_t SinceNs = 0;      ///< when this began
  uint64_t CallsBefore = 0; ///< earlier calls in the ProfileRow of site and thread: all timed
  int64_t BeforeNs = 0;     ///< time of the earlier calls
};

/// Calls of a function on one thread that followed one another.
struct WorkRun {
  TrackId Track = 0;
  bool IsMixed = false; ///< otherwise each call had the same words
  uint64_t Calls = 0;
  std::vector<uint64_t> Words; ///< over these calls
};

/// The counters of work of a compiled function, over all calls that ended (docs/formats.md).
struct CountedWork {
  std::string Name;
  std::string Kernel;
  /// By the names of kernels, the names that reports give them. Several: it is one of these.
  std::map<std::string, std::vector<std::string>, std::less<>> Shown;
  std::string LinkageName; ///< empty: as the name
  std::string File;
  std::string KernelFile;  ///< of the kernel; empty: File
  uint32_t KernelLine = 0; ///< with KernelFile
  uint32_t Line = 0;
  std::string Counts; ///< JSON: what each word counts
  uint64_t Calls = 0;
  std::vector<uint64_t> Words; ///< of a GPU kernel none: each launch has its own (LaunchCounters)
  /// What they are the sum of, those of a thread in the order of its calls; empty: not recorded.
  std::vector<WorkRun> Runs;
  std::string Id; ///< by which launches of a GPU kernel name it; empty: code of the host

  std::vector<std::string> shown(std::string_view OfKernel) const {
    const auto Known = Shown.find(OfKernel);
    return Known == Shown.end() ? std::vector{std::string(OfKernel)} : Known->second;
  }
  bool isOfOneKernel() const { return shown(Kernel).size() == 1; }
  std::string shownKernel() const { return shown(Kernel).front(); } ///< if isOfOneKernel()
  const std::string &fileOfKernel() const { return KernelFile.empty() ? File : KernelFile; }
  bool isSameFunction(const CountedWork &Other) const {
    return std::tie(Name, Kernel, LinkageName, File, KernelFile, KernelLine, Line, Counts, Id) ==
           std::tie(Other.Name, Other.Kernel, Other.LinkageName, Other.File, Other.KernelFile,
                    Other.KernelLine, Other.Line, Other.Counts, Other.Id);
  }
};

/// Calls of a site that did not end normally.
struct AbandonedCalls {
  SiteId Site = 0;
  uint64_t Calls = 0;
};

/// For a trace of limited size: which calls it has; the others are ProfileRows.
struct TracePart {
  uint64_t Calls = 0;
  uint64_t LeftOut = 0;
  int64_t UntilNs = 0; ///< it has the calls that began before this
  std::string AllIn;   ///< the file with all of them
};

/// Ranks that communicate with each other.
struct ProcessGroup {
  std::string Name; ///< "0", or its number
  std::optional<int64_t> Size;

  bool operator==(const ProcessGroup &) const = default;
};

/// How numbers and devices of sources that a tool merged were told apart (analysis/core/Sources).
struct SourceSplit {
  uint32_t Mark = 0; ///< which of the marks in a pid tells the sources apart
  bool Ids = false;  ///< whether several sources have the same numbers
  /// New numbers of devices, by the old one; by the source's mark.
  std::vector<std::pair<std::string, std::map<int32_t, int32_t>>> Devices;
};

/// An event of a trace that was cut out of another.
struct CutMark {
  TrackId Track = 0;
  int64_t BeginNs = 0;
  uint32_t Nth = 0;   ///< of the events of the track that begin then, in the order of the trace
  int64_t EndNs = 0;  ///< of clipped work: as the whole trace has it
  int64_t ClipNs = 0; ///< of clipped work: where it ends in reports
};

/// Of a trace that was cut out of another: what was found in the whole and cannot be found in the
/// part.
struct TraceCut {
  std::string Producer;
  std::vector<std::string> Notes;
  uint64_t SkippedEvents = 0;
  std::vector<SkippedEvent> Skipped;
  TraceHealth Health;
  std::optional<SourceSplit> Split;
  /// When calls that were left open end, by pid.
  std::vector<std::pair<std::string, int64_t>> OpenUntil;
  std::vector<CutMark> Served; ///< launches whose work is outside of the part
  std::vector<CutMark> Initialises;
  std::vector<CutMark> Clipped;
};

/// What a trace says about itself.
struct TraceInfo {
  std::string Path;            ///< as given; "-" for standard input
  uint64_t Bytes = 0;          ///< size of the file as stored, compressed or not
  std::string Producer;        ///< "seamscope" and its version; empty: not known
  std::string Mode;            ///< "trace", "profile"; empty: not known
  std::string CommandLine;     ///< empty: not known
  std::string HostName;        ///< empty: not known
  std::optional<int64_t> Rank; ///< of a distributed run
  std::optional<int64_t> WorldSize;
  unsigned Processors = 0;           ///< that the process might run on; 0: not known
  std::vector<ProcessGroup> Groups;  ///< all groups of the rank; empty: not known
  std::optional<int64_t> BaseNs;     ///< time of day of ts 0, in ns since 1970
  uint64_t LostEvents = 0;           ///< dropped for lack of space
  double CallCostNs = 0;             ///< time to record a call; 0: not known
  int64_t StampBiasNs = 0;           ///< part of CallCostNs that is inside the call
  std::optional<TracePart> Part;     ///< nothing: the trace has all calls
  bool TwoOpenMP = false;            ///< two OpenMP runtimes were live
  bool Recovered = false;            ///< written from an abandoned spool
  std::string End;                   ///< how the recording ended (recording_end of docs/formats.md)
  InlinedKernels Inlined;            ///< kernels without calls, since they were inlined
  std::vector<std::string> Notes;    ///< oddities that a reader found, a sentence each
  std::optional<Error> Damage;       ///< why the end is missing; the trace is the part before it
  uint64_t NegativeDurations = 0;    ///< events with a negative duration, which count as 0 ns
  uint64_t SkippedEvents = 0;        ///< left out because they are impossible
  std::vector<SkippedEvent> Skipped; ///< the first of them
  std::optional<SourceSplit> Split;  ///< nothing: it was not made of several
  std::optional<TraceCut> Cut;       ///< nothing: it was not cut out of another
};

/// A whole trace.
struct Trace {
  TraceInfo Info;
  StringTable Strings;
  std::vector<Site> Sites;
  std::vector<Track> Tracks;
  std::vector<Process> Processes;
  EventColumns Events;
  std::vector<Correlation> Correlations; ///< by event
  EventDetails Details;
  std::vector<Device> Devices;
  std::vector<OpenCall> Open; ///< by event
  std::vector<ProfileRow> Profile;
  std::vector<ThrottledCalls> Throttled; ///< one of each site and thread
  std::vector<AbandonedCalls> Abandoned;
  std::vector<CountedWork> Work;
  std::vector<SampleState> Sampling;     ///< one for each process of which the trace says it
  std::vector<SampledSpan> SampledSpans; ///< by track and time
  SampleColumns Samples;
  OffColumns OffCpu;
  std::vector<MappedModule> Modules; ///< by time
  std::vector<ThreadWait> Waits;
  TraceHealth Health;

  std::string_view text(StringId Id) const { return Strings[Id]; }
};

/// The trace's name for a device; 0: not known.
StringId deviceName(const Trace &Input, int32_t Id);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_TRACE_H
