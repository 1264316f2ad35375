//===- ReplayOperator.cpp - one operator of torch alone -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/ReplayOperator.h"
#include "analysis/devices/OpInputs.h"
#include "analysis/samples/ThreadTimes.h"
#include "cli/ReplayRun.h"
#include "cli/RunEnvironment.h"
#include "run/folder/RunFolder.h"
#include "run/replay/ReplayFolder.h"
#include "trace/io/InputFile.h"
#include "trace/io/JsonParse.h"
#include "work/OpWork.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Dimensions, types, strides and values of the inputs, as texts.
using Inputs = std::array<std::string, 4>;

/// Calls with equal inputs.
struct EqualCalls {
  std::vector<int64_t> Ns;
  OpWork Work;
};

/// The operator's calls by their inputs.
std::map<Inputs, EqualCalls> callsIn(const std::vector<Trace> &Traces,
                                     const std::string &Operator) {
  std::map<Inputs, EqualCalls> Found;
  for (const Trace &Of : Traces) {
    std::vector<EqualCalls *> Into(Of.Sites.size());
    for (SiteId Id = 0; Id < Of.Sites.size(); ++Id) {
      const Site &What = Of.Sites[Id];
      if (What.Kind != SiteKind::Operator || !What.InputDims || Of.text(What.Name) != Operator)
        continue;
      Inputs Texts;
      std::ranges::transform(What.inputs(), Texts.begin(),
                             [&](StringId Text) { return std::string(Of.text(Text)); });
      Into[Id] = &Found[Texts];
      Into[Id]->Work = workOf(Operator, argumentsOf(Of, What));
    }
    for (size_t I = 0; I < Of.Events.size(); ++I)
      if (auto *const Its = Into[Of.Events.Site[I]])
        Its->Ns.push_back(Of.Events.DurationNs[I]);
  }
  std::erase_if(Found, [](const auto &Each) { return Each.second.Ns.empty(); });
  return Found;
}

int64_t totalOf(const std::vector<int64_t> &Ns) {
  int64_t Total = 0;
  for (const int64_t Each : Ns)
    Total = saturatingSum(Total, Each);
  return Total;
}

/// The Python that the run's command starts.
std::string pythonOf(const std::string &Run) {
  const RunCommand Its = commandOf(Run);
  return !Its.Words.empty() && fs::path(Its.Words[0]).filename().string().starts_with("python")
             ? Its.Words[0]
             : "python3";
}

constexpr const char *Readme =
    R"(# An operator of torch, or nodes of a graph, as a program of its own

    python measure.py

`call.json` has the operator, or the nodes, and the sizes, strides and types of the inputs in a program. Their contents are
made up: floating-point numbers are uniform in [0.1, 1); integers are less than the smallest dimension of any input, so
that indices are valid. `--help` lists the options. The time of a call is measured with the memory in different states.
)";

} // namespace

bool callsOperator(const std::vector<Trace> &Traces, const std::string &Operator) {
  return std::ranges::any_of(Traces, [&](const Trace &Of) {
    return std::ranges::any_of(Of.Sites, [&](const Site &What) {
      return What.Kind == SiteKind::Operator && Of.text(What.Name) == Operator;
    });
  });
}

std::optional<Error> writeMeasure(const std::string &To, const std::string &Call) {
  std::error_code Failed;
  fs::create_directories(To, Failed);
  const auto Folder = OutputFolder::open(To);
  if (!Folder)
    return Folder.error();
  const auto Program = readRegular((shareFolder() / "replay/measure.py").string(), LargestOutput);
  if (!Program)
    return Program.error();
  for (const auto &[Name, Text] :
       {std::pair("measure.py", *Program), {"call.json", Call}, {"README.md", Readme}})
    if (auto Why = writeReplayFile(*Folder, Name, Text))
      return Why;
  return std::nullopt;
}

std::vector<std::string> measureCommand(const std::string &Run, const std::string &Python) {
  std::vector<std::string> Command;
  if (const std::string OpenMP = toolsOf(Run).OpenMP; !OpenMP.empty())
    Command = {"env", "LD_PRELOAD=" + OpenMP};
  Command.insert(Command.end(), {Python.empty() ? pythonOf(Run) : Python, "measure.py"});
  return Command;
}

Result<Replayed> replayOperator(const OperatorReplay &Wanted, const std::vector<Trace> &Traces) {
  const auto Calls = callsIn(Traces, Wanted.Operator);
  if (Calls.empty())
    return Error{
        Wanted.Run,
        {},
        fmt::format("has no call of the operator {} whose inputs were recorded", Wanted.Operator)};
  if (std::ranges::any_of(Traces, [](const Trace &Of) {
        return std::ranges::any_of(Of.Sites, [](const Site &What) { return What.Device >= 0; });
      }))
    return Error{Wanted.Run, {}, "has work on GPUs: operators are replayed on processors only"};
  const auto &[Texts, Its] = *std::ranges::max_element(
      Calls, {}, [](const auto &Each) { return totalOf(Each.second.Ns); });
  const Json Call = {{"operator", Wanted.Operator},
                     {"dims", parseJson(Texts[0])},
                     {"types", parseJson(Texts[1])},
                     {"strides", parseJson(Texts[2])},
                     {"values", parseJson(Texts[3])}};
  for (const char *Key : {"dims", "types", "strides", "values"})
    if (!Call[Key].is_array() || Call[Key].size() != Call["dims"].size())
      return Error{Wanted.Run,
                   {},
                   fmt::format("does not have the {} of the inputs of {}", Key, Wanted.Operator)};
  if (auto Why = writeMeasure(Wanted.Folder, Call.dump(1)))
    return *Why;
  const std::vector<std::string> Command = measureCommand(Wanted.Run, Wanted.Python);
  const ReplayRun As{Wanted.Folder, "measured.json", Wanted.Threads, Wanted.Seconds};
  if (auto Why = runReplay(Command, As))
    return *Why;
  Replayed Result;
  Result.Kernel = Wanted.Operator;
  Result.Inputs = Texts[0] + " " + Texts[1];
  Result.OtherInputs = Calls.size() - 1;
  Result.Folder = Wanted.Folder;
  if (auto Why = addMeasured(Result, (fs::path(Wanted.Folder) / As.Output).string()))
    return *Why;
  Result.InPlace = replayTimes(Its.Ns);
  Result.Flop = Its.Work.Flop;
  return Result;
}

} // namespace seamscope::tools
