//===- ProgramNotes.cpp - compile-time notes in object files --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/launch/ProgramNotes.h"

#include "trace/io/InputFile.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <elf.h>
#include <functional>
#include <map>
#include <set>
#include <string_view>

namespace seamscope::tools {
namespace {

/// `.comment` is a few hundred bytes; a far larger section was not written by a linker.
constexpr uint64_t LargestSection = 1 << 20;

/// The bytes at \p Offset; empty if the file is shorter.
std::string bytesAt(const Descriptor &File, uint64_t Offset, uint64_t Size) {
  std::string Bytes(Size, '\0');
  if (lseek(File.number(), static_cast<off_t>(Offset), SEEK_SET) < 0 ||
      readUpTo(File.number(), Bytes.data(), Size) != static_cast<int64_t>(Size))
    Bytes.clear();
  return Bytes;
}

template <typename T> bool readAt(const Descriptor &File, uint64_t Offset, T &Value) {
  const std::string Bytes = bytesAt(File, Offset, sizeof(T));
  if (Bytes.size() != sizeof(T))
    return false;
  std::memcpy(&Value, Bytes.data(), sizeof(T));
  return true;
}

struct Sections {
  std::string Comment; ///< the contents of `.comment`
  bool HasGpuCode = false;
};

/// Of a 64-bit little-endian ELF file.
Sections readSections(const std::string &Path) {
  Sections Found;
  const auto Opened = openRegular(Path);
  if (!Opened)
    return Found;
  const Descriptor &File = *Opened;
  Elf64_Ehdr Head;
  if (!readAt(File, 0, Head) || std::memcmp(Head.e_ident, ELFMAG, SELFMAG) != 0 ||
      Head.e_ident[EI_CLASS] != ELFCLASS64 || Head.e_ident[EI_DATA] != ELFDATA2LSB ||
      Head.e_shentsize != sizeof(Elf64_Shdr) || Head.e_shstrndx >= Head.e_shnum)
    return Found;
  const auto Section = [&](size_t Index, Elf64_Shdr &Into) {
    return readAt(File, Head.e_shoff + Index * sizeof(Elf64_Shdr), Into);
  };
  Elf64_Shdr Names;
  if (!Section(Head.e_shstrndx, Names) || Names.sh_size > LargestSection)
    return Found;
  const std::string Text = bytesAt(File, Names.sh_offset, Names.sh_size);
  for (size_t I = 0; I < Head.e_shnum; ++I) {
    Elf64_Shdr Each;
    if (!Section(I, Each))
      return Found;
    if (Each.sh_name >= Text.size())
      continue;
    const std::string_view Name = Text.c_str() + Each.sh_name; // stops at the end of the name
    Found.HasGpuCode |= Name == ".nv_fatbin";
    if (Name == ".comment" && Each.sh_type == SHT_PROGBITS && Each.sh_size <= LargestSection)
      Found.Comment = bytesAt(File, Each.sh_offset, Each.sh_size);
  }
  return Found;
}

/// The files without anything that is timed, from their notes.
class FilesWithoutSites {
public:
  /// \p Line: "REASON=COUNT ... of FILE".
  void addFile(std::string_view Line) {
    while (!Line.starts_with("of ")) {
      const size_t End = Line.find(' '), Equals = Line.find('=');
      uint64_t Count = 0;
      if (End == Line.npos || Equals > End ||
          std::from_chars(Line.data() + Equals + 1, Line.data() + End, Count).ptr !=
              Line.data() + End)
        return; // written by another version
      Counts[std::string(Line.substr(0, Equals))] += std::min<uint64_t>(Count, UINT32_MAX);
      Line.remove_prefix(End + 1);
    }
    Files.emplace(Line.substr(3));
  }

  /// \p Line: "REASON TEXT".
  void addReason(std::string_view Line) {
    if (const size_t End = Line.find(' '); End != Line.npos)
      Texts.emplace(Line.substr(0, End), Line.substr(End + 1));
  }

  void moveTo(ProgramNotes &Notes) const {
    Notes.FilesWithout.assign(Files.begin(), Files.end());
    for (const auto &[Reason, Count] : Counts) {
      const auto Text = Texts.find(Reason);
      Notes.WhyWithout.push_back({Text == Texts.end() ? Reason : Text->second, Count});
    }
    std::ranges::stable_sort(Notes.WhyWithout, std::greater(), &ProgramNotes::Skipped::Functions);
  }

private:
  std::set<std::string> Files;
  std::map<std::string, uint64_t> Counts;
  std::map<std::string, std::string> Texts;
};

} // namespace

ProgramNotes readProgramNotes(const std::string &Path) {
  constexpr std::string_view Wanted = "seamscope kernels=", Known = "seamscope found kernels=",
                             Without = "seamscope timed nothing ", Reason = "seamscope reason ";
  const Sections Found = readSections(Path);
  const std::string &Section = Found.Comment;
  std::set<std::string, std::less<>> Globs;
  std::vector<std::string_view> Matched;
  FilesWithoutSites Files;
  ProgramNotes Notes;
  Notes.HasGpuCode = Found.HasGpuCode;
  for (size_t Begin = 0; Begin < Section.size();) {
    const size_t End = std::min(Section.find('\0', Begin), Section.size());
    const std::string_view Line = std::string_view(Section).substr(Begin, End - Begin);
    Begin = End + 1;
    if (Line.starts_with(Wanted))
      Globs.emplace(Line.substr(Wanted.size()));
    else if (Line.starts_with(Known))
      Matched.push_back(Line.substr(Known.size()));
    else if (Line == "seamscope lto=link")
      Notes.LeftToLink = true;
    else if (Line.starts_with(Without))
      Files.addFile(Line.substr(Without.size()));
    else if (Line.starts_with(Reason))
      Files.addReason(Line.substr(Reason.size()));
  }
  Files.moveTo(Notes);
  for (const std::string_view Glob : Matched)
    if (const auto Match = Globs.find(Glob); Match != Globs.end())
      Globs.erase(Match);
  Notes.UnmatchedKernels.assign(Globs.begin(), Globs.end());
  return Notes;
}

} // namespace seamscope::tools
