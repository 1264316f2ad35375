//===- RunFolder.cpp - the folder that a run leaves behind ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/folder/RunFolder.h"
#include "torch/CompileLog.h"
#include "trace/io/FileUse.h"
#include "trace/io/InputFile.h"
#include "trace/io/JsonParse.h"
#include "trace/io/JsonText.h"
#include "trace/io/OutputFolder.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char *Schema = "seamscope.run/1";

template <typename T> Json orNull(const std::optional<T> &Value) {
  return Value ? Json(*Value) : Json();
}

Json textOrNull(const std::string &Text) { return Text.empty() ? Json() : Json(Text); }

std::string inside(const std::string &Folder, const char *Name) {
  return (fs::path(Folder) / Name).string();
}

/// Not an object: there is no readable manifest.
Json readManifest(const std::string &Folder) {
  constexpr uint64_t Largest = 64u << 20;
  const auto Text = readRegular(manifestIn(Folder), Largest);
  return Text ? parseJson<Json>(*Text) : Json();
}

Json jsonOf(const HostLoad &Load) {
  return {{"processors", Load.Processors},
          {"program_ns", Load.ProgramNs},
          {"preempted", Load.Preempted},
          {"machine_processors", Load.Meanwhile.Processors},
          {"busy_ns", orNull(Load.Meanwhile.BusyNs)},
          {"stolen_ns", orNull(Load.Meanwhile.StolenNs)},
          {"quota_periods", orNull(Load.Meanwhile.Periods)},
          {"quota_periods_used_up", orNull(Load.Meanwhile.HeldPeriods)},
          {"heat_events", orNull(Load.Meanwhile.HeatEvents)}};
}

/// Nothing if there is no such number, or it is negative.
template <typename T> std::optional<T> countIn(const Json &Object, const char *Key) {
  const auto It = Object.find(Key);
  if (It == Object.end() || !It->is_number_unsigned())
    return std::nullopt;
  const auto Value = It->template get<uint64_t>();
  return std::in_range<T>(Value) ? std::optional(static_cast<T>(Value)) : std::nullopt;
}

bool isTraceName(const std::string &Name) {
  return Name.starts_with("trace") && (Name.ends_with(".json") || Name.ends_with(".json.gz"));
}

} // namespace

std::string manifestIn(const std::string &Folder) { return inside(Folder, "manifest.json"); }
std::string traceIn(const std::string &Folder) { return inside(Folder, "trace.json"); }
std::string logsIn(const std::string &Folder) { return inside(Folder, "torch-trace"); }
std::string generatedIn(const std::string &Folder) { return inside(Folder, "generated"); }
std::string sourcesIn(const std::string &Folder) { return inside(Folder, "sources"); }

std::optional<Error> writeManifest(const std::string &Folder, const RunManifest &Manifest) {
  Json Environment = Json::object();
  for (const auto &[Name, Value] : Manifest.Environment)
    Environment[Name] = Value;
  Json Sources = Json::array();
  for (const auto &[File, Copy] : Manifest.Sources)
    Sources.push_back({{"file", File}, {"copy", Copy}});
  const Json Whole = {{"schema", Schema},
                      {"seamscope", Manifest.Version},
                      {"command", Manifest.Command},
                      {"directory", textOrNull(Manifest.Directory)},
                      {"mode", Manifest.Mode},
                      {"start_ns", Manifest.StartNs},
                      {"wall_ns", Manifest.WallNs},
                      {"host", Manifest.Host ? jsonOf(*Manifest.Host) : Json()},
                      {"exit_code", orNull(Manifest.ExitCode)},
                      {"signal", orNull(Manifest.Signal)},
                      {"environment", std::move(Environment)},
                      {"cache", textOrNull(Manifest.Cache)},
                      {"torch", textOrNull(Manifest.TorchVersion)},
                      {"traces", Manifest.Traces},
                      {"torch_logs", Manifest.Logs},
                      {"generated", Manifest.Generated},
                      {"sources", std::move(Sources)},
                      {"notes", Manifest.Notes}};
  auto Into = OutputFolder::open(Folder);
  if (!Into)
    return Into.error();
  auto File = Into->create(fs::path(manifestIn(Folder)).filename().string(), {.OverInput = true});
  if (!File)
    return File.error();
  (*File)->write(jsonDocument(Whole));
  return (*File)->commit();
}

void setDirectory(RunManifest &Manifest) {
  std::error_code Failed;
  Manifest.Directory = fs::current_path(Failed).string();
  if (Failed)
    Manifest.Notes.push_back(
        fmt::format("the directory of the program is not known: {}", Failed.message()));
}

bool isRunFolder(const std::string &Folder) {
  const Json Whole = readManifest(Folder);
  return Whole.is_object() && Whole.value("schema", Json()) == Json(Schema);
}

RunCommand commandOf(const std::string &Folder) {
  const Json Whole = readManifest(Folder);
  RunCommand Found;
  if (!Whole.is_object())
    return Found;
  if (const auto Words = Whole.find("command"); Words != Whole.end() && Words->is_array())
    for (const Json &Each : *Words)
      if (Each.is_string())
        Found.Words.push_back(Each.get<std::string>());
  if (const auto Place = Whole.find("directory"); Place != Whole.end() && Place->is_string())
    Found.Directory = Place->get<std::string>();
  return Found;
}

std::optional<HostLoad> hostLoadOf(const std::string &Folder) {
  const Json Whole = readManifest(Folder);
  if (!Whole.is_object() || !Whole.contains("host") || !Whole["host"].is_object())
    return std::nullopt;
  const Json &Host = Whole["host"];
  HostLoad Load;
  Load.Processors = countIn<unsigned>(Host, "processors").value_or(0);
  Load.WallNs = countIn<int64_t>(Whole, "wall_ns").value_or(0);
  Load.ProgramNs = countIn<int64_t>(Host, "program_ns").value_or(0);
  Load.Preempted = countIn<uint64_t>(Host, "preempted").value_or(0);
  Load.Meanwhile = {.BusyNs = countIn<int64_t>(Host, "busy_ns"),
                    .Processors = countIn<unsigned>(Host, "machine_processors").value_or(0),
                    .StolenNs = countIn<int64_t>(Host, "stolen_ns"),
                    .Periods = countIn<uint64_t>(Host, "quota_periods"),
                    .HeldPeriods = countIn<uint64_t>(Host, "quota_periods_used_up"),
                    .HeatEvents = countIn<uint64_t>(Host, "heat_events")};
  return Load;
}

std::string howRunFailed(const std::string &Folder) {
  const Json Whole = readManifest(Folder);
  if (!Whole.is_object())
    return "did not start, or was interrupted";
  if (const auto Signal = countIn<int>(Whole, "signal"))
    return fmt::format("was ended by signal {}", *Signal);
  const int Code = countIn<int>(Whole, "exit_code").value_or(0);
  return Code ? fmt::format("ended with status {}", Code) : "";
}

RunTools toolsOf(const std::string &Folder) {
  const Json Whole = readManifest(Folder);
  RunTools Tools;
  if (!Whole.is_object() || !Whole.contains("environment") || !Whole["environment"].is_object())
    return Tools;
  const Json &Environment = Whole["environment"];
  const auto Text = [&](const char *Name) {
    return Environment.contains(Name) && Environment[Name].is_string()
               ? Environment[Name].get<std::string>()
               : std::string();
  };
  Tools.Compiler = Text("CXX");
  const std::string All = Text("LD_PRELOAD");
  for (std::string_view Preloaded = All; !Preloaded.empty();) {
    const size_t End = std::min(Preloaded.find_first_of(": "), Preloaded.size());
    if (const std::string_view One = Preloaded.substr(0, End); One.find("omp") != One.npos)
      Tools.OpenMP = One;
    Preloaded.remove_prefix(std::min(End + 1, Preloaded.size()));
  }
  return Tools;
}

std::vector<std::pair<std::string, std::string>> sourcesOf(const std::string &Folder) {
  std::vector<std::pair<std::string, std::string>> Found;
  const Json Whole = readManifest(Folder);
  if (!Whole.is_object() || !Whole.contains("sources") || !Whole["sources"].is_array())
    return Found;
  const auto Text = [](const Json &Of, const char *Key) {
    return Of.is_object() && Of.contains(Key) && Of[Key].is_string() ? Of[Key].get<std::string>()
                                                                     : std::string();
  };
  for (const Json &Each : Whole["sources"])
    Found.emplace_back(Text(Each, "file"), Text(Each, "copy"));
  return Found;
}

std::vector<std::string> tracesIn(const std::string &Folder) {
  std::vector<std::string> Paths;
  for (const fs::path &Path : entriesIn(Folder))
    if (isTraceName(Path.filename().string()) && isRegularFile(Path.string()))
      Paths.push_back(Path.string());
  std::ranges::sort(Paths);
  const auto First = std::ranges::find(Paths, traceIn(Folder));
  if (First != Paths.end())
    std::rotate(Paths.begin(), First, First + 1);
  return Paths;
}

std::optional<Error> completeManifest(const std::string &Folder, RunManifest &Manifest) {
  const auto Relative = [&](const std::string &Path) {
    return fs::path(Path).lexically_relative(Folder).string();
  };
  for (const std::string &Path : tracesIn(Folder))
    Manifest.Traces.push_back(Relative(Path));
  for (const std::string &Path : compileLogsIn(logsIn(Folder)))
    Manifest.Logs.push_back(Relative(Path));
  return writeManifest(Folder, Manifest);
}

std::string newRunFolder(const std::string &Parent) {
  const std::time_t Now = std::time(nullptr);
  std::tm Local{};
  localtime_r(&Now, &Local);
  const std::string Stem = inside(Parent, fmt::format("{:%Y%m%d-%H%M%S}", Local).c_str());
  std::error_code Failed;
  fs::create_directories(Parent, Failed);
  for (unsigned Try = 1; Try < 1000; ++Try) {
    const std::string Folder = Try == 1 ? Stem : fmt::format("{}-{}", Stem, Try);
    // False without an error: another run made it first.
    if (fs::create_directory(Folder, Failed))
      return Folder;
    if (Failed)
      break;
  }
  return {};
}

std::string newestRunFolder(const std::string &Parent) {
  std::string Newest;
  fs::file_time_type Time;
  for (const fs::path &Path : entriesIn(Parent)) {
    const std::string Folder = Path.string();
    std::error_code None;
    const auto Written = fs::last_write_time(manifestIn(Folder), None);
    if (!None && (Newest.empty() || Written > Time) && isRunFolder(Folder)) {
      Newest = Folder;
      Time = Written;
    }
  }
  return Newest;
}

} // namespace seamscope::tools
