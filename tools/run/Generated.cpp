//===- Generated.cpp - keeps the sources that Inductor generated ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/RunFolder.h"
#include "torch/CompiledGraphs.h"
#include "trace/OutputFile.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

/// A generated file is a few hundred lines; what is far larger is something else.
constexpr uintmax_t LargestSource = 16u << 20;

std::string readSource(const fs::path &Path) {
  std::error_code Failed;
  if (!fs::is_regular_file(Path, Failed) || fs::file_size(Path, Failed) > LargestSource || Failed)
    return {};
  std::ifstream File(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(File), std::istreambuf_iterator<char>()};
}

class Collector {
public:
  Collector(const std::string &Folder, RunManifest &Manifest)
      : Folder(Folder), Manifest(Manifest) {}

  void run(const std::string &Cache) {
    auto Log = readCompileLog(compileLogsIn(logsIn(Folder)));
    if (!Log) {
      Manifest.Notes.push_back(Log.error().message());
      return;
    }
    Manifest.TorchVersion = Log->TorchVersion;
    for (const std::string &Note : Log->Notes)
      Manifest.Notes.push_back(Note);
    for (const CompiledGraph &Graph : Log->Graphs) {
      if (const std::string Name = fs::path(Graph.OutputFile).filename().string(); !Name.empty())
        keep(Name, std::string_view(Graph.Code.Text)
                       .substr(0, Graph.KernelsAt ? Graph.KernelsAt : std::string_view::npos));
      if (const std::string Name = fs::path(Graph.KernelFile).filename().string(); !Name.empty()) {
        keep(Name, std::string_view(Graph.Code.Text).substr(Graph.KernelsAt));
        continue;
      }
      for (const KernelSource &Kernel : Graph.Code.Kernels)
        if (const std::string_view Text = trimmed(Graph.Code.sourceOf(Kernel)); !Text.empty())
          Texts[headOf(Text)].insert(Text);
    }
    if (!Cache.empty() && !Texts.empty())
      searchCache(Cache);
    // Copies of one text, compiled in different ways, lie side by side: which of them ran is not
    // told. Where none is ours it is certain.
    size_t Plain = 0;
    for (const auto &[Text, Ours] : Instrumented)
      Plain += !Ours;
    if (Plain)
      Manifest.Notes.push_back(fmt::format(
          "{} of the {} kernels that torch compiled are not recorded: another compiler than CXX, "
          "which `seamscope run` sets, made them (is torch._inductor.config.cpp.cxx set?)",
          Plain, Instrumented.size()));
  }

private:
  /// Kernels that begin alike are compared in full; their beginnings hold the list of arguments.
  static std::string headOf(std::string_view Text) { return std::string(Text.substr(0, 200)); }

  /// CACHE/xy/HASH.main.cpp, one a kernel.
  void searchCache(const std::string &Cache) {
    std::error_code Failed;
    for (auto It = fs::directory_iterator(Cache, Failed); !Failed && It != fs::directory_iterator();
         It.increment(Failed)) {
      if (It->path().filename().string().size() != 2)
        continue;
      std::error_code Inner;
      for (auto File = fs::directory_iterator(It->path(), Inner);
           !Inner && File != fs::directory_iterator(); File.increment(Inner))
        if (File->path().filename().string().ends_with(".main.cpp"))
          keepIfUsed(File->path());
    }
  }

  void keepIfUsed(const fs::path &Path) {
    const std::string Source = readSource(Path);
    if (!isWanted(trimmed(Source)) && !anyFunctionIsWanted(Source))
      return;
    keep(Path.filename().string(), Source);
    // The library's text has the name of the runtime that it needs.
    const std::string Library = readSource(fs::path(Path).replace_extension(".so"));
    if (!Library.empty()) {
      bool &Ours = Instrumented[Source];
      Ours = Ours || Library.find("libseamscope.so") != Library.npos;
    }
  }

  /// Whether \p File begins with the text of a kernel.
  bool isWanted(std::string_view File) const {
    const auto Found = Texts.find(headOf(File));
    return Found != Texts.end() && std::ranges::any_of(Found->second, [&](std::string_view Text) {
             return isSourceOf(Text, File);
           });
  }

  /// In cpp_wrapper mode the kernels are functions of one file.
  bool anyFunctionIsWanted(const std::string &File) const {
    if (File.find("\nextern \"C\"  void  cpp_") == File.npos)
      return false;
    const OutputCode Code = parseOutputCode(File);
    return std::ranges::any_of(
        Code.Kernels, [&](const KernelSource &Kernel) { return isWanted(Code.sourceOf(Kernel)); });
  }

  void keep(const std::string &Name, std::string_view Text) {
    if (!Kept.insert(Name).second)
      return;
    std::error_code Failed;
    fs::create_directories(generatedIn(Folder), Failed);
    auto File = OutputFile::create((fs::path(generatedIn(Folder)) / Name).string());
    if (!File) {
      Manifest.Notes.push_back(File.error().message());
      return;
    }
    (*File)->write(Text);
    if (const auto Failure = (*File)->commit())
      Manifest.Notes.push_back(Failure->message());
    else
      Manifest.Generated.push_back("generated/" + Name);
  }

  const std::string &Folder;
  RunManifest &Manifest;
  std::unordered_map<std::string, std::set<std::string_view>> Texts;
  std::set<std::string> Kept;
  std::map<std::string, bool> Instrumented; ///< by the text of the file
};

} // namespace

void collectGenerated(const std::string &Folder, const std::string &Cache, RunManifest &Manifest) {
  Collector(Folder, Manifest).run(Cache);
}

} // namespace seamscope::tools
