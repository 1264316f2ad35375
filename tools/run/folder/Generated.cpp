//===- Generated.cpp - keeps the sources that Inductor generated ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/folder/LoopRemarks.h"
#include "run/folder/RunFolder.h"
#include "torch/CompiledGraphs.h"
#include "trace/io/ByteSource.h"
#include "trace/io/Escape.h"
#include "trace/io/FileUse.h"
#include "trace/io/InputFile.h"
#include "trace/io/OutputFolder.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

/// A generated file is a few hundred lines; a far larger file is something else.
constexpr uint64_t LargestSource = 16u << 20;

std::string readSource(const fs::path &Path) {
  auto Text = readRegular(Path.string(), LargestSource);
  return Text ? std::move(*Text) : std::string();
}

/// Which of \p Names, "HASH.main.cpp" each, are in the traces; stops after it has found all.
std::set<std::string> namedIn(const std::vector<std::string> &Traces,
                              const std::set<std::string> &Names) {
  constexpr std::string_view Ending = ".main.cpp";
  std::set<std::string> Seen;
  for (const std::string &Path : Traces) {
    auto Source = ByteSource::openRegular(Path);
    if (!Source)
      continue;
    std::string Text; // with the end of the last piece, so that no name is cut in two
    for (std::string_view Chunk; !(Chunk = (*Source)->chunk()).empty();) {
      if (Seen.size() == Names.size())
        return Seen;
      constexpr size_t LongestName = 256;
      Text.erase(0, Text.size() - std::min(Text.size(), LongestName));
      Text += Chunk;
      (*Source)->take(Chunk.size());
      for (size_t At = 0; (At = Text.find(Ending, At)) != Text.npos; At += Ending.size()) {
        size_t Begin = At;
        while (Begin && Text[Begin - 1] != '/' && Text[Begin - 1] != '"')
          --Begin;
        if (const std::string Name = Text.substr(Begin, At + Ending.size() - Begin);
            Names.contains(Name))
          Seen.insert(Name);
      }
    }
  }
  return Seen;
}

/// The note about a name that cannot be kept.
constexpr size_t LongestShown = 100;

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
    if (const size_t Plain = countPlain())
      Manifest.Notes.push_back(fmt::format(
          "{} of the {} kernels that torch compiled are not recorded: another compiler than CXX, "
          "which `seamscope run` sets, made them (is torch._inductor.config.cpp.cxx set, or was "
          "the cache filled without `seamscope run`?)",
          Plain, Copies.size()));
  }

private:
  /// A kernel's copies in the cache: one text, compiled in different ways.
  struct Compiled {
    bool Plain = false;         ///< one of them is not instrumented
    std::set<std::string> Ours; ///< the files of instrumented copies
  };

  /// The kernels that ran without being recorded. If both kinds of copies exist, the trace shows
  /// which was called.
  size_t countPlain() const {
    std::set<std::string> Doubtful;
    for (const auto &[Text, Each] : Copies)
      if (Each.Plain)
        Doubtful.insert(Each.Ours.begin(), Each.Ours.end());
    const std::set<std::string> Seen =
        Doubtful.empty() ? std::set<std::string>() : namedIn(tracesIn(Folder), Doubtful);
    return static_cast<size_t>(std::ranges::count_if(Copies, [&](const auto &Of) {
      const Compiled &Each = Of.second;
      return Each.Plain && std::ranges::none_of(Each.Ours, [&](const std::string &Name) {
               return Seen.contains(Name);
             });
    }));
  }

  /// Kernels with equal beginnings are compared in full; the beginning has the list of arguments.
  static std::string headOf(std::string_view Text) { return std::string(Text.substr(0, 200)); }

  /// CACHE/xy/HASH.main.cpp, one for each kernel.
  void searchCache(const std::string &Cache) {
    for (const fs::path &Inner : entriesIn(Cache)) {
      if (Inner.filename().string().size() != 2)
        continue;
      for (const fs::path &File : entriesIn(Inner.string()))
        if (File.filename().string().ends_with(".main.cpp"))
          keepIfUsed(File);
    }
  }

  void keepIfUsed(const fs::path &Path) {
    const std::string Source = readSource(Path);
    if (!isWanted(trimmed(Source)) && !anyFunctionIsWanted(Source))
      return;
    keep(Path.filename().string(), Source);
    const std::string Remarks = remarksBeside(Path.filename().string());
    if (const std::string Text = readSource(fs::path(Path).replace_filename(Remarks));
        !Text.empty())
      keep(Remarks, Text);
    // An instrumented library names the runtime that it needs.
    const std::string Library = readSource(fs::path(Path).replace_extension(".so"));
    if (Library.empty())
      return;
    if (Library.find("libseamscope.so") == Library.npos)
      Copies[Source].Plain = true;
    else
      Copies[Source].Ours.insert(Path.filename().string());
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
    if (!Kept.insert(Name).second || Refused)
      return;
    if (!isOwnName(Name)) {
      Manifest.Notes.push_back(
          fmt::format("'{}' is not the name of a file that torch generates: not kept",
                      escaped(Name.substr(0, LongestShown))));
      return;
    }
    if (const auto Failure = write(Name, Text))
      Manifest.Notes.push_back(Failure->message());
    else
      Manifest.Generated.push_back(generatedName() + "/" + Name);
  }

  std::optional<Error> write(const std::string &Name, std::string_view Text) {
    if (!Into) {
      const auto Whole = OutputFolder::open(Folder);
      Into.emplace(Whole ? Whole->folder(generatedName()) : Whole.error());
    }
    Refused = !*Into;
    if (Refused)
      return Into->error();
    auto File = (*Into)->create(Name, {.OverInput = true, .DespiteUnread = true});
    if (!File)
      return File.error();
    (*File)->write(Text);
    return (*File)->commit();
  }

  std::string generatedName() const { return fs::path(generatedIn(Folder)).filename().string(); }

  const std::string &Folder;
  RunManifest &Manifest;
  std::unordered_map<std::string, std::set<std::string_view>> Texts;
  std::set<std::string> Kept;
  std::optional<Result<OutputFolder>> Into; ///< created when the first file is kept
  bool Refused = false;                     ///< nothing can be kept; a note says so
  std::map<std::string, Compiled> Copies;   ///< by the text of the file
};

} // namespace

void collectGenerated(const std::string &Folder, const std::string &Cache, RunManifest &Manifest) {
  Collector(Folder, Manifest).run(Cache);
}

} // namespace seamscope::tools
