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

constexpr const char *TritonReadme =
    R"(# A kernel of Triton, as a program of its own

    python measure.py

`kernel.py` is the kernel as Inductor generated it, or took it from the program; `call.json` has the arguments of one
call, and the configuration that the program chose. Without `data/`, contents are made up: floating-point numbers are
uniform in [0.1, 1), integers uniform between the least and the greatest of the program's call. `data/` has the
program's contents, which may be private. It needs torch, triton and a GPU. `--help` lists the options. The time of a
call is measured with the memory in different states.
)";

/// Runs measure.py in the folder, and adds its figures.
std::optional<Error> measureWithTorch(Replayed &To, const OperatorReplay &Wanted) {
  const ReplayRun As{Wanted.Folder, "measured.json", Wanted.Threads, Wanted.Seconds};
  if (auto Why = runReplay(measureCommand(Wanted.Run, Wanted.Python), As))
    return Why;
  To.Folder = Wanted.Folder;
  return addMeasured(To, (fs::path(Wanted.Folder) / As.Output).string());
}

} // namespace

bool callsOperator(const std::vector<Trace> &Traces, const std::string &Operator) {
  return std::ranges::any_of(Traces, [&](const Trace &Of) {
    return std::ranges::any_of(Of.Sites, [&](const Site &What) {
      return What.Kind == SiteKind::Operator && Of.text(What.Name) == Operator;
    });
  });
}

std::optional<Error> writeMeasure(const std::string &To, const std::string &Call) {
  auto Files = harnessFiles((shareFolder() / "replay").string(), {"measure.py"});
  if (!Files)
    return Files.error();
  Files->insert(Files->end(), {{"call.json", Call}, {"README.md", Readme}});
  return writeReplayFiles(To, *Files, {}, {});
}

std::vector<std::string> measureCommand(const std::string &Run, const std::string &Python) {
  std::vector<std::string> Command;
  if (const std::string OpenMP = toolsOf(Run).OpenMP; !OpenMP.empty())
    Command = {"env", "LD_PRELOAD=" + OpenMP};
  Command.insert(Command.end(), {Python.empty() ? pythonOf(Run) : Python, "measure.py"});
  return Command;
}

/// The calls on a device of kernels with this name.
static std::vector<int64_t> deviceTimes(const std::vector<Trace> &Traces, std::string_view Symbol) {
  std::vector<int64_t> Found;
  for (const Trace &Of : Traces)
    for (size_t I = 0; I < Of.Events.size(); ++I)
      if (const Site &What = Of.Sites[Of.Events.Site[I]];
          What.Device >= 0 && What.Kind == SiteKind::Kernel && Of.text(What.Name) == Symbol)
        Found.push_back(Of.Events.DurationNs[I]);
  return Found;
}

Result<Replayed> replayTriton(const OperatorReplay &Wanted, const KernelCall &Call,
                              const std::vector<Trace> &Traces) {
  auto Files =
      harnessFiles((shareFolder() / "replay").string(), {"measure.py", "triton_kernel.py"});
  if (!Files)
    return Files.error();
  Files->insert(
      Files->end(),
      {{"kernel.py", Call.Code}, {"call.json", Call.Triton->Text}, {"README.md", TritonReadme}});
  if (auto Why = writeReplayFiles(Wanted.Folder, *Files,
                                  (fs::path(capturedIn(Wanted.Run)) / Call.Captured).string(),
                                  capturedFiles(Call)))
    return *Why;
  Replayed Result;
  Result.Kernel = Call.Kernel;
  Result.Call = Call.Number;
  Result.IsCaptured = !Call.Captured.empty();
  Result.Device = Call.Triton->Device;
  if (auto Why = measureWithTorch(Result, Wanted))
    return *Why;
  if (auto Ns = deviceTimes(Traces, Call.Triton->Symbol); !Ns.empty())
    Result.InPlace = replayTimes(std::move(Ns));
  return Result;
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
  Replayed Result;
  Result.Kernel = Wanted.Operator;
  Result.Inputs = Texts[0] + " " + Texts[1];
  Result.OtherInputs = Calls.size() - 1;
  if (auto Why = measureWithTorch(Result, Wanted))
    return *Why;
  Result.InPlace = replayTimes(Its.Ns);
  Result.Flop = Its.Work.Flop;
  return Result;
}

} // namespace seamscope::tools
