//===- ProgramNotes.cpp - compile-time notes in object files --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/launch/ProgramNotes.h"

#include "trace/io/InputFile.h"

#include <cstring>
#include <elf.h>
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

} // namespace

ProgramNotes readProgramNotes(const std::string &Path) {
  constexpr std::string_view Wanted = "seamscope kernels=", Known = "seamscope found kernels=";
  const Sections Found = readSections(Path);
  const std::string &Section = Found.Comment;
  std::set<std::string, std::less<>> Globs;
  std::vector<std::string_view> Matched;
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
  }
  for (const std::string_view Glob : Matched)
    if (const auto Match = Globs.find(Glob); Match != Globs.end())
      Globs.erase(Match);
  Notes.UnmatchedKernels.assign(Globs.begin(), Globs.end());
  return Notes;
}

} // namespace seamscope::tools
