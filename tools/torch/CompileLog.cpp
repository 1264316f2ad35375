//===- CompileLog.cpp - the logs of torch.compile -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/CompileLog.h"
#include "torch/JsonText.h"
#include "torch/LogReader.h"
#include "torch/PythonText.h"
#include "trace/io/FileUse.h"
#include "trace/io/JsonParse.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// The limit of text kept from all logs of a run; further graphs are reported and left out.
constexpr size_t TextLimit = size_t(512) << 20;

/// Converts seconds, which torch writes as floating point numbers, to ns; 0 if there are none.
int64_t nsAt(const Json &Object, const char *Key) {
  const auto Found = Object.find(Key);
  if (Found == Object.end() || !Found->is_number())
    return 0;
  const double Ns = Found->get<double>() * 1e9;
  return Ns >= 0 && Ns < 9e18 ? static_cast<int64_t>(std::llround(Ns)) : 0;
}

/// The compile id as torch writes it: "0/1", with compiled autograd "!0/0/1".
std::string compileId(const Json &Record) {
  const auto Autograd = numberAt(Record, "compiled_autograd_id");
  const auto Frame = numberAt(Record, "frame_id");
  std::string Id = Autograd ? fmt::format("!{}", *Autograd) : "";
  if (Frame)
    Id += fmt::format("{}{}/{}", Id.empty() ? "" : "/", *Frame,
                      numberAt(Record, "frame_compile_id").value_or(0));
  return Id;
}

/// Adds and saturates at the largest number.
void addTo(int64_t &Sum, int64_t Ns) {
  if (__builtin_add_overflow(Sum, Ns, &Sum))
    Sum = INT64_MAX;
}

/// The results from the logs of all processes.
struct Shared {
  CompileLog Log;
  size_t Kept = 0; ///< bytes
  std::map<std::string, int64_t> PhaseNs;
  std::map<std::pair<SourceLine, std::string>, size_t> BreakOf;
};

/// The log of one process.
class LogParser {
public:
  explicit LogParser(Shared &All) : All(All), Into(All.Log) {}

  void read(LogReader &Log, const std::string &Path) {
    const size_t Before = Into.Graphs.size(), FramesBefore = Into.Frames.size();
    while (Log.next())
      record(Log);
    if (const Error *Failure = Log.error())
      Into.Notes.push_back(Failure->message());
    for (const CompilePhase &Phase : Times.phases())
      addTo(All.PhaseNs[Phase.Name], Phase.Ns);
    addTo(Into.CompileNs, Times.totalNs());
    for (const auto &[Id, Known] : Frames)
      if (Known.Graph == SIZE_MAX && Known.PreGrad)
        Into.Uncompiled.push_back({Id, Log.process(), Known.PreGrad});
    for (size_t I = FramesBefore; I < Into.Frames.size(); ++I)
      if (const FrameCompile &Frame = Into.Frames[I]; !Frame.Backward && Frame.Failure.empty() &&
                                                      !Frame.BackendNs && !Frame.InductorNs &&
                                                      !Captured.contains(Frame.Id))
        Into.Uncompiled.push_back({Frame.Id, Log.process(), nullptr});
    size_t Without = 0;
    for (size_t I = Before; I < Into.Graphs.size(); ++I)
      Without += !Into.Graphs[I].Map.known() && !Into.Graphs[I].Code.Calls.empty();
    if (Without)
      Into.Notes.push_back(
          fmt::format("{}: torch did not log the nodes of the kernels of {} of {} graphs", Path,
                      Without, Into.Graphs.size() - Before));
  }

private:
  /// Records of a compile id, which come before its graph.
  struct Frame {
    std::shared_ptr<const FxGraph> PreGrad;
    std::string PostGrad;
    std::shared_ptr<const NodeOrigins> Origins;
    SourceLine Function;
    std::vector<SourceLine> Callers;
    bool IsWrapped = false;  ///< the log names torch's wrapper, see isWrapper()
    size_t Graph = SIZE_MAX; ///< the last one compiled under this id
  };

  void record(LogReader &Log) {
    const std::string_view Kind = Log.kind();
    if (Kind == "chromium_event") {
      // These are by far the most records; their JSON is not needed.
      if (Log.payload(Text))
        Times.add(Text);
      return;
    }
    static constexpr std::string_view Wanted[] = {"artifact",
                                                  "str",
                                                  "dynamo_start",
                                                  "dynamo_output_graph",
                                                  "inductor_output_code",
                                                  "graph_dump",
                                                  "inductor_post_grad_graph",
                                                  "compilation_metrics",
                                                  "bwd_compilation_metrics"};
    if (std::ranges::find(Wanted, Kind) == std::end(Wanted))
      return;
    const Json Record = parseJson(Log.json());
    if (!Record.is_object())
      return;
    const Json &Body = Record[std::string(Kind)];
    if (Kind == "str")
      internString(Body);
    else if (Kind == "artifact")
      artifact(Log, Record, textAt(Body.is_object() ? Body : Json::object(), "name"));
    else if (Kind == "dynamo_start")
      start(Record, Body);
    else if (Kind == "dynamo_output_graph")
      preGrad(Log, Record);
    else if (Kind == "inductor_post_grad_graph")
      postGrad(Log, Record);
    else if (Kind == "inductor_output_code")
      outputCode(Log, Record, Body);
    else if (Kind == "graph_dump")
      packageCode(Log, Record, Body);
    else
      metrics(Log, Record, Body, Kind == "bwd_compilation_metrics");
  }

  void artifact(LogReader &Log, const Json &Record, const std::string &Name) {
    if (Name == "before_pre_grad_graph")
      preGrad(Log, Record);
    else if (Name == "seamscope_node_origins")
      origins(Log, Record);
    else if (Name == "inductor_post_grad_graph")
      postGrad(Log, Record);
    else if (Name == "inductor_provenance_tracking_node_mappings")
      provenance(Log, Record, parseNodeMappings);
    else if (Name == "inductor_provenance_tracking_kernel_stack_traces")
      provenance(Log, Record, parseStackTraces);
    else if (Name == "dynamo_graph_break_reason")
      graphBreak(Log, Record);
    else if (Name == "recompile_reasons")
      recompile(Log, Record);
    else if (Name.starts_with("fx_graph_cache_"))
      cacheKey(Log, Record, Name.ends_with("_hit"));
    else if (Name == "torch_version" && Log.payload(Text)) {
      const Json Version = parseJson(Text);
      if (Version.is_object())
        Into.TorchVersion = textAt(Version, "pytorch_version");
    }
  }

  /// ["text", number]: file names are written once and referred to by number.
  void internString(const Json &Body) {
    if (!Body.is_array() || Body.size() != 2 || !Body[0].is_string() ||
        !Body[1].is_number_unsigned())
      return;
    const auto &Name = Body[0].get_ref<const std::string &>();
    if (keep(Name.size()))
      Files[Body[1].get<uint64_t>()] = Name;
  }

  void start(const Json &Record, const Json &Body) {
    if (!Body.is_object())
      return;
    const auto Stack = Body.find("stack");
    if (Stack == Body.end() || !Stack->is_array() || Stack->empty() || !Stack->back().is_object())
      return;
    Frame &Known = Frames[compileId(Record)];
    Known.Function = frameOf(Stack->back());
    Known.Callers.clear();
    Known.IsWrapped = isWrapper(Known.Function);
    for (auto Each = Stack->rbegin() + 1; Each != Stack->rend(); ++Each)
      if (SourceLine Line = Each->is_object() ? frameOf(*Each) : SourceLine();
          Line.Line && !isOfTorch(Line.File))
        Known.Callers.push_back(std::move(Line));
    if (Known.IsWrapped && !Known.Callers.empty())
      Known.Function = Known.Callers.front();
  }

  /// Whether \p Function is torch's wrapper for code without a frame of its own.
  static bool isWrapper(const SourceLine &Function) {
    return Function.Function == "inner" &&
           Function.File.ends_with("/torch/_dynamo/external_utils.py");
  }

  /// Replaces torch's wrapper by the function that it wraps; one that is not Python code gets the
  /// line of its call.
  static void nameWrapped(Frame &Known) {
    SourceLine Function = Known.Origins->Function;
    if (!Known.IsWrapped || Function.Function.empty())
      return;
    if (Function.File.empty() && !Known.Callers.empty()) {
      Function.File = Known.Callers.front().File;
      Function.Line = Known.Callers.front().Line;
    }
    Known.Function = std::move(Function);
  }

  /// Reads a frame of a stack, whose file is a number.
  SourceLine frameOf(const Json &Body) const {
    SourceLine Line;
    Line.Line = numberAt(Body, "line").value_or(0);
    Line.Function = textAt(Body, "name");
    Line.Code = textAt(Body, "loc");
    if (const auto File = numberAt(Body, "filename"))
      if (const auto Found = Files.find(*File); Found != Files.end())
        Line.File = Found->second;
    return Line;
  }

  void preGrad(LogReader &Log, const Json &Record) {
    Captured.insert(compileId(Record));
    if (Log.payload(Text) && keep(Text.size()))
      Frames[compileId(Record)].PreGrad = std::make_shared<const FxGraph>(parseFxGraph(Text));
  }

  void origins(LogReader &Log, const Json &Record) {
    if (!Log.payload(Text) || !keep(Text.size()))
      return;
    if (auto Read = parseNodeOrigins(Text)) {
      Frame &Known = Frames[compileId(Record)];
      Known.Origins = std::make_shared<const NodeOrigins>(std::move(*Read));
      nameWrapped(Known);
    }
  }

  void postGrad(LogReader &Log, const Json &Record) {
    if (Log.payload(Text) && keep(Text.size()))
      Frames[compileId(Record)].PostGrad = std::move(Text);
  }

  void outputCode(LogReader &Log, const Json &Record, const Json &Body) {
    if (!Log.payload(Text) || !keep(Text.size()))
      return;
    const std::string Id = compileId(Record);
    Frame &Known = Frames[Id];
    CompiledGraph Graph;
    Graph.Id = Id;
    Graph.Process = Log.process();
    Graph.Rank = Log.rank();
    if (Body.is_object()) {
      Graph.OutputFile = textAt(Body, "file_path");
      if (Graph.OutputFile.empty())
        Graph.OutputFile = textAt(Body, "filename");
    }
    Graph.Code = parseOutputCode(std::move(Text));
    Graph.PostGrad = parseFxGraph(Known.PostGrad);
    Graph.PreGrad = Known.PreGrad;
    Graph.Origins = Known.Origins;
    Graph.Function = Known.Function;
    Graph.Callers = Known.Callers;
    Known.PostGrad.clear();
    Known.Graph = Into.Graphs.size();
    Into.Graphs.push_back(std::move(Graph));
  }

  /// Reads the C++ of a package: the log has the code around the kernels first, then the kernels.
  void packageCode(LogReader &Log, const Json &Record, const Json &Body) {
    if (!Body.is_object())
      return;
    const std::string Name = textAt(Body, "name");
    if (Name == "inductor_aot_wrapper_code")
      outputCode(Log, Record, Body);
    CompiledGraph *Graph = Name == "inductor_aot_kernel_code" ? graphOf(Record) : nullptr;
    if (!Graph || !Graph->KernelFile.empty() || !Log.payload(Text) || !keep(Text.size()))
      return;
    Graph->KernelFile = textAt(Body, "filename");
    std::string Wrapper = std::move(Graph->Code.Text) + '\n';
    Graph->KernelsAt = Wrapper.size();
    Graph->Code = parseOutputCode(std::move(Wrapper) + Text);
    Graph->Code.Direction = GraphDirection::Inference;
  }

  /// The last graph compiled under the record's id, or null.
  CompiledGraph *graphOf(const Json &Record) {
    const auto Found = Frames.find(compileId(Record));
    return Found == Frames.end() || Found->second.Graph == SIZE_MAX
               ? nullptr
               : &Into.Graphs[Found->second.Graph];
  }

  void provenance(LogReader &Log, const Json &Record,
                  bool (*Parse)(std::string_view, Provenance &)) {
    CompiledGraph *Graph = graphOf(Record);
    if (Graph && Log.payload(Text) && keep(Text.size()))
      Parse(Text, Graph->Map);
  }

  void cacheKey(LogReader &Log, const Json &Record, bool Hit) {
    CompiledGraph *Graph = graphOf(Record);
    if (!Graph || !Graph->CacheKey.empty() || !Log.payload(Text))
      return;
    const Json Body = parseJson(Text);
    if (Body.is_object())
      Graph->CacheKey = textAt(Body, "key");
    Graph->FromCache = Hit;
  }

  void graphBreak(LogReader &Log, const Json &Record) {
    if (!Log.payload(Text) || !keep(Text.size()))
      return;
    GraphBreak Break = parseGraphBreak(Text);
    const std::string Id = compileId(Record);
    // The same break occurs in every compilation of its function.
    const auto Key = std::make_pair(Break.Where, Break.Reason);
    const auto [Known, New] = All.BreakOf.try_emplace(Key, Into.Breaks.size());
    if (New)
      Into.Breaks.push_back(std::move(Break));
    auto &Graphs = Into.Breaks[Known->second].Graphs;
    if (std::ranges::find(Graphs, Id) == Graphs.end())
      Graphs.push_back(Id);
  }

  void recompile(LogReader &Log, const Json &Record) {
    if (!Log.payload(Text) || !keep(Text.size()))
      return;
    Recompile Entry;
    Entry.Graph = compileId(Record);
    Entry.Failed = parseFailedGuards(Text);
    Entry.Where = Frames[Entry.Graph].Function;
    RecompileOf[Entry.Graph] = Into.Recompiles.size();
    Into.Recompiles.push_back(std::move(Entry));
  }

  /// Marks a recompilation that torch's limit stopped: torch checks the limit after it logs the
  /// reasons and before it names the function.
  void markLimitReached(Recompile &Entry) {
    Entry.LimitReached = true;
    const size_t Slash = Entry.Graph.rfind('/');
    if (Slash == std::string::npos)
      return;
    if (const auto First = Frames.find(Entry.Graph.substr(0, Slash) + "/0"); First != Frames.end())
      Entry.Where = First->second.Function;
  }

  void metrics(LogReader &Log, const Json &Record, const Json &Body, bool Backward) {
    if (!Body.is_object())
      return;
    FrameCompile Frame;
    Frame.Id = compileId(Record);
    Frame.Process = Log.process();
    Frame.Backward = Backward;
    Frame.Function.File = textAt(Body, "co_filename");
    Frame.Function.Function = textAt(Body, "co_name");
    Frame.Function.Line = numberAt(Body, "co_firstlineno").value_or(0);
    if (isWrapper(Frame.Function))
      Frame.Function = Frames[Frame.Id].Function;
    Frame.EntireNs = nsAt(Body, "entire_frame_compile_time_s");
    if (Backward && !Frame.EntireNs) // torch uses another key for a backward pass
      Frame.EntireNs = numberAt(Body, "duration_us").value_or(0) * 1000;
    Frame.BackendNs = nsAt(Body, "backend_compile_time_s");
    Frame.InductorNs = nsAt(Body, "inductor_compile_time_s");
    Frame.CodegenNs = nsAt(Body, "code_gen_time_s");
    Frame.Failure = textAt(Body, "fail_reason");
    if (!keep(Frame.Function.File.size() + Frame.Failure.size() + sizeof(Frame)))
      return;
    // torch logs the reasons of a recompilation before the function.
    if (const auto Found = RecompileOf.find(Frame.Id); Found != RecompileOf.end()) {
      Recompile &Entry = Into.Recompiles[Found->second];
      if (!Frame.Function.File.empty())
        Entry.Where = Frame.Function;
      else if (!Backward && !Frames[Frame.Id].Function.Line)
        markLimitReached(Entry);
    }
    Into.Frames.push_back(std::move(Frame));
  }

  /// Whether \p Bytes more fit within the limit; adds a note the first time that they do not.
  bool keep(size_t Bytes) {
    if (Bytes <= TextLimit - All.Kept) {
      All.Kept += Bytes;
      return true;
    }
    if (All.Kept != TextLimit)
      Into.Notes.push_back(fmt::format(
          "the logs of torch.compile have more than {} MiB of graphs; the rest is left out",
          TextLimit >> 20));
    All.Kept = TextLimit;
    return false;
  }

  Shared &All;
  CompileLog &Into;
  std::string Text;
  std::map<std::string, Frame> Frames;
  std::set<std::string> Captured; ///< compile ids of all graphs, kept or not
  std::map<uint64_t, std::string> Files;
  std::map<std::string, size_t> RecompileOf;
  CompileTimes Times;
};

} // namespace

std::vector<std::string> compileLogsIn(const std::string &Folder) {
  std::vector<std::string> Paths;
  for (const fs::path &Path : entriesIn(Folder)) {
    const std::string Name = Path.filename().string();
    if ((Name.ends_with(".log") || Name.ends_with(".log.gz")) && isRegularFile(Path.string()))
      Paths.push_back(Path.string());
  }
  std::ranges::sort(Paths);
  return Paths;
}

Result<CompileLog> readCompileLog(const std::vector<std::string> &Paths) {
  Shared All;
  for (const std::string &Path : Paths) {
    auto Reader = LogReader::open(Path);
    if (!Reader)
      return Reader.error();
    LogParser(All).read(*Reader, Path);
  }
  for (auto &[Name, Ns] : All.PhaseNs)
    All.Log.Phases.push_back({Name, Ns});
  std::ranges::stable_sort(All.Log.Phases, std::ranges::greater(), &CompilePhase::Ns);
  return std::move(All.Log);
}

} // namespace seamscope::tools
