//===- TorchRun.cpp - a trace and what torch compiled for it --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/TorchRun.h"
#include "analysis/core/KernelNames.h"
#include "kernels/InductorNames.h"
#include "run/folder/RunFolder.h"
#include "run/folder/SourceRoots.h"
#include "torch/LogReader.h"
#include "trace/io/FileUse.h"
#include "trace/io/JsonParse.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

/// Reads the generated file that \p File names: the copy in the run's folder, else the original
/// path.
GeneratedFile readGenerated(const std::string &Folder, const SourceRoots &Roots,
                            std::string_view File) {
  GeneratedFile Read;
  const fs::path Name = fs::path(File).filename();
  if (Name.empty())
    return Read;
  for (const fs::path &Place : {fs::path(generatedIn(Folder)) / Name, fs::path(File)}) {
    if (auto Text = Roots.read(Place.string())) {
      Read.Path = Place.string();
      Read.Text = std::move(*Text);
      if (auto Remarks = Roots.read(Place.parent_path() / remarksBeside(Name.string())))
        Read.Loops = loopRemarks(*Remarks, Name.string());
      return Read;
    } else if (Roots.isOutside(Place.string())) {
      Read.NotRead = Text.error().message();
    }
  }
  return Read;
}

/// The names of the files that were copied for the run.
std::set<std::string> generatedFiles(const std::string &Folder) {
  std::set<std::string> Names;
  for (const fs::path &Path : entriesIn(generatedIn(Folder)))
    Names.insert(Path.filename().string());
  return Names;
}

/// The line on which the kernel's function begins, from 1.
uint32_t lineOfKernel(std::string_view Source, std::string_view Kernel) {
  size_t At = Source.find(" kernel(");
  if (At == Source.npos)
    At = Source.find(std::string(Kernel) + "(");
  if (At == Source.npos)
    return 0;
  return 1 + static_cast<uint32_t>(std::count(Source.begin(), Source.begin() + At, '\n'));
}

/// The key by which ranks compile the same graph: its id, and the kernels that it calls.
std::string shapeOf(const CompiledGraph &Graph) {
  std::string Shape = Graph.Id + ' ';
  Shape += nameOf(Graph.Code.Direction);
  for (const CodeCall &Call : Graph.Code.Calls)
    Shape += ' ' + Call.Kernel;
  return Shape;
}

/// The graphs of the trace's processes; all, if the log or the trace does not name processes. A
/// graph that several processes compiled counts once, as its operators would otherwise count
/// several times.
std::vector<bool> graphsOfTrace(const CompiledGraphs &Graphs, const Trace &Source) {
  std::set<std::string, std::less<>> Pids;
  for (const Track &Each : Source.Tracks)
    Pids.insert(std::string(Source.text(Each.Process)));
  std::vector<bool> Chosen;
  bool Any = false;
  for (const CompiledGraph &Graph : Graphs.log().Graphs) {
    Chosen.push_back(Pids.contains(std::to_string(Graph.Process)));
    Any = Any || Chosen.back();
  }
  if (!Any)
    Chosen.assign(Chosen.size(), true);
  std::map<std::string, uint32_t> First;
  for (size_t I = 0; I < Chosen.size(); ++I)
    if (const CompiledGraph &Graph = Graphs.log().Graphs[I]; Chosen[I])
      Chosen[I] = First.try_emplace(shapeOf(Graph), Graph.Process).first->second == Graph.Process;
  return Chosen;
}

/// The rank of this log, by its first record; nothing: not known.
std::optional<int64_t> rankOfLog(const std::string &Path) {
  auto Log = LogReader::open(Path);
  if (!Log || !Log->next())
    return std::nullopt;
  if (Log->rank())
    return *Log->rank();
  const auto Record = parseJson(Log->json());
  const auto Found = Record.is_object() ? Record.find("rank") : Record.end();
  return Record.is_object() && Found != Record.end() && Found->is_number_integer()
             ? std::optional<int64_t>(Found->get<int64_t>())
             : std::nullopt;
}

/// The logs in a folder that belong to the trace: for a rank's trace, not those of other ranks.
std::vector<std::string> logsOfTrace(std::vector<std::string> Paths, const Trace &Source) {
  if (Source.Info.Rank && Paths.size() > 1)
    std::erase_if(Paths, [&](const std::string &Path) {
      const std::optional<int64_t> Rank = rankOfLog(Path);
      return Rank && Rank != Source.Info.Rank;
    });
  return Paths;
}

} // namespace

std::string runFolderOf(const std::string &Path) {
  if (Path.empty() || Path == "-")
    return {};
  std::error_code Failed;
  const fs::path Parent = fs::absolute(Path, Failed).parent_path();
  if (Failed)
    noteUnread(Path, Failed.value());
  return !Failed && isRunFolder(Parent.string()) ? Parent.string() : std::string();
}

KernelCategory categoryOf(const TorchRun *Torch, const Trace &Source, SiteId Site) {
  const GeneratedKernel *Known = Torch ? Torch->kernel(Site) : nullptr;
  if (!Known || Known->Template.empty())
    return categorize(Source.text(Source.Sites[Site].Name));
  return Known->Template == "attention" ? KernelCategory::Attention : KernelCategory::Template;
}

void nameKernels(Trace &Source, const TorchRun &Torch) {
  std::map<std::pair<StringId, StringId>, std::string_view> Names; // by old name and file
  for (const auto &[Id, Kernel] : Torch.Kernels) {
    Site &What = Source.Sites[Id];
    const std::string_view Old = Source.text(What.Name);
    const std::string_view Name =
        Torch.Graphs.callOf(Torch.Graphs.uses()[Kernel.Uses.front()]).Kernel;
    // A prefix that torch.profiler put before a name stays. A device kernel has the name of its
    // function, which is the program's own or torch's.
    if (What.Device >= 0 || inductorName(Old) != Old || Old == Name)
      continue;
    Names.try_emplace({What.Name, What.File}, Name);
    What.Kernel = What.Name = Source.Strings.intern(Name);
  }
  for (CountedWork &Of : Source.Work)
    for (const auto &[Old, Name] : Names)
      if (Source.text(Old.first) == Of.Kernel && Source.text(Old.second) == Of.fileOfKernel())
        Of.Shown[Of.Kernel] = {std::string(Name)};
  for (Site &What : Source.Sites) {
    const auto Found = Names.find({What.Kernel, What.fileOfKernel()});
    const bool IsPart = What.Kind == SiteKind::Region || What.Kind == SiteKind::Loop ||
                        What.Kind == SiteKind::Task || What.Kind == SiteKind::TeamWait;
    if (!IsPart || Found == Names.end())
      continue;
    renameKernelOf(Source, What, Source.Strings.intern(Found->second));
  }
}

Result<std::optional<TorchRun>> loadTorchRun(const std::string &Folder, const Trace &Source,
                                             const std::vector<std::string> &Roots) {
  const std::vector<std::string> Paths = logsOfTrace(compileLogsIn(logsIn(Folder)), Source);
  if (Paths.empty())
    return std::optional<TorchRun>();
  auto Log = readCompileLog(Paths);
  if (!Log)
    return Log.error();
  CompilerTimes Compiler = readCompilerTimes(Folder);
  if (Compiler.NotRead)
    Log->Notes.push_back(Compiler.NotRead->message());
  if (Compiler.Unread)
    Log->Notes.push_back(fmt::format("{}: {} line(s) do not describe a compilation",
                                     compilerTimesIn(Folder), Compiler.Unread));
  TorchRun Run{CompiledGraphs(std::move(*Log)), {}, std::move(Compiler), {}};
  const std::vector<bool> Chosen = graphsOfTrace(Run.Graphs, Source);
  const SourceRoots Sources(Folder, Roots);
  const std::set<std::string> Kept = generatedFiles(Folder);
  for (SiteId Id = 0; Id < Source.Sites.size(); ++Id) {
    const Site &What = Source.Sites[Id];
    if (What.Kind != SiteKind::Kernel)
      continue;
    const std::string_view Name = inductorName(Source.text(What.Name));
    const std::vector<uint32_t> Named = Run.Graphs.usesOf(Name);
    if (Named.empty() && !Kept.contains(fs::path(Source.text(What.File)).filename().string()))
      continue; // not generated by torch: its file is not looked at
    const auto [File, New] = Run.Files.try_emplace(What.File);
    if (New)
      File->second = readGenerated(Folder, Sources, Source.text(What.File));
    GeneratedKernel Kernel;
    Kernel.File = File->second.Path;
    Kernel.Source = File->second.Text;
    Kernel.Loops = File->second.Loops;
    Kernel.NotRead = File->second.NotRead;
    std::vector<uint32_t> Uses =
        Kernel.Source.empty() ? Named : Run.Graphs.usesOfFile(Kernel.Source, Name);
    // A Triton kernel of the program is in the program's file.
    if (Uses.empty() && What.Device >= 0)
      Uses = Named;
    for (const uint32_t Use : Uses)
      if (Chosen[Run.Graphs.uses()[Use].Graph])
        Kernel.Uses.push_back(Use);
    if (Kernel.Uses.empty())
      continue;
    // Each function of a file is a kernel; what it calls comes before it.
    const KernelSource *Text = Run.Graphs.sourceOf(Run.Graphs.uses()[Kernel.Uses.front()]);
    Kernel.Template = templateOf(
        Text ? Run.Graphs.graphOf(Run.Graphs.uses()[Kernel.Uses.front()]).Code.sourceOf(*Text)
             : Kernel.Source);
    Kernel.Line = What.Line ? What.Line : lineOfKernel(Kernel.Source, Name);
    Run.Kernels.emplace(Id, std::move(Kernel));
  }
  return std::optional<TorchRun>(std::move(Run));
}

} // namespace seamscope::tools
