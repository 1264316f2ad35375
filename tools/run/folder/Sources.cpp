//===- Sources.cpp - the sources that a program was built from ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/folder/Sources.h"

#include "run/folder/SourceRoots.h"
#include "trace/io/ByteSource.h"
#include "trace/io/Descriptor.h"
#include "trace/io/InputFile.h"
#include "trace/io/OutputFolder.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

/// A far larger file is not a source, or not a program.
constexpr uint64_t LargestSource = 16u << 20, LargestProgram = 1u << 30;
/// Bytes of a trace to read: nearly all files are named by its first calls.
constexpr uint64_t MostOfTrace = 256u << 20;

/// The files that the traces of the folder name, without those whose names are escaped.
std::set<std::string> filesIn(const std::string &Folder) {
  constexpr std::string_view Key = "\"file\":";
  constexpr size_t LongestName = 4096;
  std::set<std::string> Found;
  for (const std::string &Path : tracesIn(Folder)) {
    auto Source = ByteSource::openRegular(Path);
    std::string Text; // with the end of the last piece, so that no name is cut in two
    for (std::string_view Chunk;
         Source && (*Source)->offset() < MostOfTrace && !(Chunk = (*Source)->chunk()).empty();) {
      Text.erase(0, Text.size() - std::min(Text.size(), LongestName));
      Text += Chunk;
      (*Source)->take(Chunk.size());
      for (size_t At = 0; (At = Text.find(Key, At)) != Text.npos; At += Key.size()) {
        const size_t Open = Text.find_first_not_of(' ', At + Key.size());
        const size_t End = Open < Text.size() ? Text.find_first_of("\"\\", Open + 1) : Text.npos;
        if (End != Text.npos && Text[Open] == '"' && Text[End] == '"')
          Found.insert(Text.substr(Open + 1, End - Open - 1));
      }
    }
  }
  return Found;
}

struct Program {
  std::string Bytes;
  timespec Written;
};

std::optional<timespec> writtenAt(const std::string &Path) {
  struct stat Status;
  if (stat(Path.c_str(), &Status) || !S_ISREG(Status.st_mode))
    return std::nullopt;
  return Status.st_mtim;
}

/// A word of a command as a file: a path, or the name of a program.
std::string resolved(const std::string &Word, const std::string &Directory, bool IsFirst) {
  if (Word.find('/') != Word.npos || !IsFirst)
    return (fs::path(Directory) / Word).string();
  const char *Path = std::getenv("PATH");
  for (std::string_view Rest = Path ? Path : ""; !Rest.empty();) {
    const std::string_view Each = Rest.substr(0, Rest.find(':'));
    Rest.remove_prefix(std::min(Each.size() + 1, Rest.size()));
    const std::string Candidate = (fs::path(Directory) / Each / Word).string();
    if (writtenAt(Candidate))
      return Candidate;
  }
  return "";
}

std::vector<Program> programsOf(const RunManifest &Manifest) {
  std::vector<Program> Found;
  for (const std::string &Word : Manifest.Command) {
    const std::string Path = resolved(Word, Manifest.Directory, &Word == &Manifest.Command.front());
    const auto Written = Path.empty() ? std::nullopt : writtenAt(Path);
    auto Bytes = Written ? readRegular(Path, LargestProgram) : Result<std::string>(std::string());
    if (Bytes && Bytes->starts_with("\x7f"
                                    "ELF"))
      Found.push_back({std::move(*Bytes), *Written});
  }
  return Found;
}

bool isOlder(const timespec &A, const timespec &B) {
  return A.tv_sec != B.tv_sec ? A.tv_sec < B.tv_sec : A.tv_nsec <= B.tv_nsec;
}

/// Whether a program contains the name like its table of sites does: as a whole string.
bool holds(const Program &Of, const std::string &Name) {
  const std::string Whole = std::string(1, '\0') + Name + '\0';
  return Of.Bytes.find(Whole) != std::string::npos;
}

} // namespace

void collectSources(const std::string &Folder, RunManifest &Manifest) {
  const std::vector<Program> Programs = programsOf(Manifest);
  if (Programs.empty())
    return;
  auto Top = OutputFolder::open(Folder);
  const std::string Place = fs::path(sourcesIn(Folder)).filename().string();
  for (const std::string &File : Top ? filesIn(Folder) : std::set<std::string>()) {
    const std::string Path = (fs::path(Manifest.Directory) / File).string();
    const auto Written = writtenAt(Path);
    if (!Written || std::ranges::none_of(Programs, [&](const Program &Each) {
          return isOlder(*Written, Each.Written) && holds(Each, File);
        }))
      continue;
    const auto Text = readRegular(Path, LargestSource);
    const std::string Name =
        fmt::format("{}{}", Manifest.Sources.size(), fs::path(File).extension().string());
    if (!Text || !isOwnName(Name))
      continue;
    const auto Into = Top->folder(Place);
    auto Copy = Into ? Into->create(Name) : Result<std::unique_ptr<OutputFile>>(Into.error());
    if (!Copy) {
      Manifest.Notes.push_back(Copy.error().message());
      return;
    }
    (*Copy)->write(*Text);
    if (const auto Failure = (*Copy)->commit()) {
      Manifest.Notes.push_back(Failure->message());
      return;
    }
    Manifest.Sources.emplace_back(File, Place + '/' + Name);
  }
}

std::optional<std::string> copiedSource(const std::string &Folder, std::string_view File) {
  for (const auto &[Name, Copy] : sourcesOf(Folder)) {
    const std::string Path = (fs::path(sourcesIn(Folder)) / fs::path(Copy).filename()).string();
    if (Name == File && isOwnName(fs::path(Copy).filename().string()))
      if (auto Text = SourceRoots(Folder, {}).read(Path))
        return std::move(*Text);
  }
  return std::nullopt;
}

std::optional<std::string> sourceBelow(const std::string &Root, std::string_view File) {
  const SourceRoots Roots("", {Root});
  while (!File.empty()) {
    File.remove_prefix(std::min(File.find_first_not_of('/'), File.size()));
    if (auto Text = Roots.read((fs::path(Root) / File).string()); Text && !File.empty())
      return std::move(*Text);
    File.remove_prefix(std::min(File.find('/'), File.size()));
  }
  return std::nullopt;
}

} // namespace seamscope::tools
