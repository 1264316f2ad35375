//===- Launches.cpp - the launches of kernels, one by one, as a document -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Documents.h"

#include "analysis/devices/OpInputs.h"
#include "report/sections/Sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

namespace seamscope::tools {
namespace {

/// A name can have any length, a cell of the text cannot.
constexpr size_t MostBytes = 1000;

/// Texts that many launches share, each created once.
class Texts {
public:
  explicit Texts(const LaunchesInput &Input) : Source(*Input.Source), Launches(*Input.Launches) {
    for (const uint32_t Number : Input.Rows) {
      Rows.push_back(&Launches.Rows[Number]);
      if (const PathId Stack = Rows.back()->Stack;
          Stack && Numbers.try_emplace(Stack, Stacks.size()).second)
        Stacks.push_back(Stack);
    }
  }

  const Site &site(uint32_t Event) const { return Source.Sites[Source.Events.Site[Event]]; }
  std::string_view threadOf(uint32_t Event) const {
    return Source.text(Source.Tracks[Source.Events.Track[Event]].Thread);
  }

  std::string_view params(const KernelLaunch &Row) const {
    const bool IsOwn = site(Row.Event).InputDims || Row.Operator == NoEvent;
    const SiteId Of = Source.Events.Site[IsOwn ? Row.Event : Row.Operator];
    const auto [Entry, New] = ParamsOf.try_emplace(Of);
    if (New)
      Entry->second = inputsOf(Source, Source.Sites[Of]).Text;
    return Entry->second;
  }
  std::string_view line(PathId Stack) const {
    const auto [Entry, New] = LineOf.try_emplace(Launches.Stacks.lineStack(Stack));
    if (New)
      Entry->second = Launches.Stacks.line(Stack);
    return Entry->second;
  }
  std::string_view layer(PathId Layer) const {
    const auto [Entry, New] = LayerText.try_emplace(Layer);
    if (New) {
      const std::vector<std::string_view> Names = Launches.Layers.names(Layer, 100);
      Entry->second = fmt::format("{}{}", Layer ? "...:" : "", fmt::join(Names, ":"));
    }
    return Entry->second;
  }
  Value stackNumber(PathId Stack) const { return Stack ? Value(Numbers.at(Stack)) : Value(); }

  const Trace &Source;
  const KernelLaunches &Launches;
  std::vector<const KernelLaunch *> Rows;
  std::vector<PathId> Stacks; ///< in the order in which launches have them

private:
  mutable std::unordered_map<SiteId, std::string> ParamsOf;
  mutable std::unordered_map<PathId, std::string> LineOf, LayerText;
  std::unordered_map<PathId, size_t> Numbers;
};
using Shared = std::shared_ptr<const Texts>;

/// For threads and streams, which are numbers in most traces.
Value numberOrText(std::string_view Text) {
  int64_t Number;
  const auto [Stop, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), Number);
  return Error == std::errc() && Stop == Text.data() + Text.size() ? Value(Number)
                                                                   : textOrNull(Text);
}

Value triple(const std::array<int64_t, 3> &Of) {
  return Of[0] < 0 ? Value() : Value(fmt::format("{},{},{}", Of[0], Of[1], Of[2]));
}

/// torch's streams are the threads of a device.
Value streamOf(const Texts &In, const KernelLaunch &Row) {
  if (Row.Shape.Stream >= 0)
    return Row.Shape.Stream;
  if (In.site(Row.Event).Device < 0)
    return {};
  std::string_view Thread = In.threadOf(Row.Event);
  if (constexpr std::string_view Word = "stream "; Thread.starts_with(Word))
    Thread.remove_prefix(Word.size());
  return numberOrText(Thread);
}

/// Namespace and name of the operator.
std::pair<std::string_view, std::string_view> splitName(const Texts &In, const KernelLaunch &Row) {
  if (Row.Operator == NoEvent)
    return {};
  const std::string_view Name = In.Source.text(In.site(Row.Operator).Name);
  const size_t Colons = Name.rfind("::");
  if (Colons == Name.npos || Name.find_first_of(" (<") < Colons)
    return {{}, Name};
  return {Name.substr(0, Colons), Name.substr(Colons + 2)};
}

/// The short form of a long text.
Cell cutCell(std::string_view Text) {
  return Text.size() > MostBytes ? Cell(Text, std::string(Text.substr(0, MostBytes)))
                                 : Cell(textOrNull(Text));
}

Cell traceCell(std::string_view Text) {
  // The folders matter least.
  const std::string_view Short = Text.substr(Text.rfind('/') + 1);
  return Text.empty() ? Cell() : Cell(Text, std::string(Short.substr(0, MostBytes)));
}

using Launch = const KernelLaunch *;

Fields<Launch> fields(const Shared &In) {
  constexpr size_t Any = 1; // cut if a line is too narrow
  const auto Text = [](const char *Key, const char *Title, const char *Help, size_t Least) {
    return Column(Key, Title, Unit::Name, Help).left().cut(Any).least(Least);
  };
  const auto Number = [](const char *Key, const char *Title, const char *Help) {
    return Column(Key, Title, Unit::Count, Help);
  };
  return {
      {Number("idx", "Idx", "number of the launch"),
       [In](Launch R) { return R - In->Launches.Rows.data() + 1; }},
      {Number("seq", "Seq", "autograd's sequence number"), &KernelLaunch::Sequence},
      {Number("altseq", "AltSeq", "of the node around it"), &KernelLaunch::NodeSequence},
      {Number("tid", "TId", "thread that launched it").typed("integer|string"),
       [In](Launch R) {
         return R->Host == NoEvent ? Value() : numberOrText(In->threadOf(R->Host));
       }},
      {Text("layer", "Layer", "scopes around it", 10),
       [In](Launch R) { return cutCell(In->layer(R->Layer)); }},
      {Text("trace", "Trace", "line of Python", 15),
       [In](Launch R) { return traceCell(In->line(R->Stack)); }},
      {Number("dir", "Dir", "fprop or bprop").typed("string"),
       [](Launch R) {
         return R->Part == TrainingPart::Forward    ? Value("fprop")
                : R->Part == TrainingPart::Backward ? Value("bprop")
                                                    : Value();
       }},
      {Number("sub", "Sub", "number among the operator's kernels"),
       [](Launch R) { return R->Operator == NoEvent ? Value() : Value(int64_t{R->Sub}); }},
      {Text("mod", "Mod", "namespace of the operator", 4),
       [In](Launch R) { return cutCell(splitName(*In, *R).first); }},
      {Text("op", "Op", "operator that launched it", 10),
       [In](Launch R) { return cutCell(splitName(*In, *R).second); }},
      {Text("kernel", "Kernel", "its name", 12),
       [In](Launch R) { return cutCell(In->Source.text(In->site(R->Event).Name)); }},
      {Text("params", "Params", "inputs of the operator", 12),
       [In](Launch R) { return cutCell(In->params(*R)); }},
      {Number("sil", "Sil(ns)", "duration in ns"),
       [In](Launch R) { return Value(In->Source.Events.DurationNs[R->Event]); }},
      {Number("tc", "TC", "1: on tensor cores"),
       [](Launch R) {
         return R->TensorCores && R->TensorCores->Use != TensorCoreUse::Unknown
                    ? Value(int64_t{R->TensorCores->Use == TensorCoreUse::Yes})
                    : Value();
       }},
      {Number("device", "Dev", "that ran it"),
       [In](Launch R) { return unlessNegative(In->site(R->Event).Device); }},
      {Number("stream", "Str", "stream of the device").typed("integer|string"),
       [In](Launch R) { return streamOf(*In, *R); }},
      {Number("grid", "Grid", "blocks").typed("string"),
       [](Launch R) { return triple(R->Shape.Grid); }},
      {Number("block", "Block", "threads of a block").typed("string"),
       [](Launch R) { return triple(R->Shape.Block); }},
      {Number("flops", "FLOPs", "floating-point operations, by formula"), &KernelLaunch::Flop},
      {Number("bytes", "Bytes", "read and written at least, by formula"), &KernelLaunch::Bytes},
  };
}

/// Fields of the data besides the columns.
Fields<Launch> dataFields(const Shared &In) {
  return forJson(Fields<Launch>{
      {{"begin_ns", Unit::Ns, "begin on the trace's clock"},
       [In](Launch R) { return Value(In->Source.Events.BeginNs[R->Event]); }},
      {{"part", Unit::Text, "forward, backward or optimizer"},
       [](Launch R) {
         constexpr const char *Names[] = {"", "forward", "backward", "optimizer"};
         return textOrNull(Names[static_cast<size_t>(R->Part)]);
       }},
      {{"forward_op", Unit::Name, "operator whose backward it is"},
       [In](Launch R) {
         return R->Forward == NoEvent ? Value() : Value(In->Source.text(In->site(R->Forward).Name));
       }},
      {{"tc_reason", Unit::Text, "why tensor cores are or are not in use"},
       [](Launch R) { return R->TensorCores ? Value(R->TensorCores->Reason) : Value(); }},
      {{"registers", Unit::Count, "of a thread"},
       [](Launch R) { return unlessNegative(R->Shape.Registers); }},
      {{"shared_bytes", Unit::Bytes, "of a block"},
       [](Launch R) { return unlessNegative(R->Shape.SharedBytes); }},
      {{"stack", Unit::Count, "index of stacks"},
       [In](Launch R) { return In->stackNumber(R->Stack); }},
  });
}

} // namespace

const std::vector<std::string> &launchColumnNames() {
  static const std::vector<std::string> Names = {
      "idx",    "seq",    "altseq", "tid", "layer",  "trace",  "dir",  "sub",   "mod",   "op",
      "kernel", "params", "sil",    "tc",  "device", "stream", "grid", "block", "flops", "bytes"};
  return Names;
}

std::vector<std::string> usualLaunchColumns() {
  return {"idx", "dir", "sub", "mod", "op", "kernel", "params", "sil"};
}

Document launchesDocument(const LaunchesInput &Input) {
  const TraceInfo &Info = Input.Source->Info;
  const Shared In = std::make_shared<const Texts>(Input);
  const Fields<Launch> All = fields(In);
  Fields<Launch> Chosen;
  for (const std::string &Name : Input.Columns)
    Chosen.push_back(*std::ranges::find(All, Name, [](const auto &Each) { return Each.Key; }));
  append(Chosen, dataFields(In));
  Table Rows = makeTable("kernels", "Launches", std::span(In->Rows), std::move(Chosen));
  Rows.Dense = Rows.Attached = true;
  Rows.Unknown = "-";
  Section Part{"summary", "Launches of kernels"};
  Part.fact({"trace.path", "Trace", Unit::Name, "as given"}, Info.Path);
  Part.fact({"trace.bytes", Unit::Bytes, "of the file"}, Info.Bytes);
  addHealthOf(Part, *Input.Source);
  Part.add(std::move(Rows));
  Table Stacks = forJson(
      makeTable<PathId>("stacks", "", std::span(In->Stacks),
                        {{{"frames", Unit::Name, "frames of Python, outermost first"},
                          [In](PathId Stack) { return In->Launches.Stacks.path(Stack); }}}));
  Stacks.Dense = Stacks.Plain = true;
  Part.add(std::move(Stacks));
  return {"seamscope.kernels/1", Info.Path, {std::move(Part)}, "kernels"};
}

} // namespace seamscope::tools
