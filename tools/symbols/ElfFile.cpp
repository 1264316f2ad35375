//===- ElfFile.cpp - an ELF file, its build-id and symbols ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "symbols/ElfFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

#include <elfutils/libdwelf.h>
#include <fmt/format.h>
#include <gelf.h>

namespace seamscope::tools {

ElfFile::~ElfFile() {
  if (Handle)
    elf_end(Handle);
  if (Descriptor >= 0)
    close(Descriptor);
}

Result<std::unique_ptr<ElfFile>> ElfFile::open(const std::string &Path) {
  auto Made = std::make_unique<ElfFile>();
  Made->Path = Path;
  const auto Failed = [&](const char *Why) { return Error{Path, {}, Why}; };
  // O_NONBLOCK: a trace may name a pipe.
  Made->Descriptor = ::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (Made->Descriptor < 0)
    return Failed(std::strerror(errno));
  struct stat About = {};
  if (fstat(Made->Descriptor, &About) != 0 || !S_ISREG(About.st_mode))
    return Failed("is not a regular file");
  Made->WrittenNs = int64_t{About.st_mtim.tv_sec} * 1000000000 + About.st_mtim.tv_nsec;
  if (elf_version(EV_CURRENT) == EV_NONE)
    return Failed("libelf does not know its version");
  Made->Handle = elf_begin(Made->Descriptor, ELF_C_READ_MMAP_PRIVATE, nullptr);
  if (!Made->Handle || elf_kind(Made->Handle) != ELF_K_ELF)
    return Failed("is not an ELF file");
  const void *Id = nullptr;
  if (const ssize_t Bytes = dwelf_elf_gnu_build_id(Made->Handle, &Id); Bytes > 0)
    for (ssize_t I = 0; I < Bytes; ++I)
      Made->BuildId += fmt::format("{:02x}", static_cast<const unsigned char *>(Id)[I]);
  Made->readSegments();
  return Made;
}

void ElfFile::readSegments() {
  size_t Count = 0;
  if (elf_getphdrnum(Handle, &Count) != 0)
    return;
  for (size_t I = 0; I < Count; ++I) {
    GElf_Phdr Head;
    if (gelf_getphdr(Handle, static_cast<int>(I), &Head) && Head.p_type == PT_LOAD &&
        (Head.p_flags & PF_X))
      Code.push_back({Head.p_offset, Head.p_vaddr, Head.p_filesz,
                      Head.p_align ? Head.p_offset % Head.p_align : 0});
  }
}

std::optional<uint64_t> ElfFile::addressOf(uint64_t FileOffset) const {
  for (const Segment &Of : Code)
    if (FileOffset >= Of.Offset && FileOffset - Of.Offset < Of.Bytes)
      return FileOffset - Of.Offset + Of.Address;
  // A mapping begins with a whole page.
  for (const Segment &Of : Code)
    if (FileOffset < Of.Offset && Of.Offset - FileOffset <= std::min(Of.Before, Of.Address))
      return Of.Address - (Of.Offset - FileOffset);
  return std::nullopt;
}

void ElfFile::readSymbols() const {
  HasSymbols = true;
  for (Elf_Scn *Section = nullptr; (Section = elf_nextscn(Handle, Section));) {
    GElf_Shdr Head;
    if (!gelf_getshdr(Section, &Head) || Head.sh_entsize == 0 ||
        (Head.sh_type != SHT_SYMTAB && Head.sh_type != SHT_DYNSYM))
      continue;
    Elf_Data *const Data = elf_getdata(Section, nullptr);
    if (!Data)
      continue;
    const size_t Count = std::min<size_t>(Data->d_size / Head.sh_entsize, INT32_MAX);
    for (size_t I = 0; I < Count; ++I) {
      GElf_Sym Of;
      if (!gelf_getsym(Data, static_cast<int>(I), &Of) || Of.st_shndx == SHN_UNDEF || !Of.st_size ||
          Of.st_value + Of.st_size < Of.st_value)
        continue;
      if (const auto Type = GELF_ST_TYPE(Of.st_info); Type == STT_FUNC || Type == STT_GNU_IFUNC)
        Symbols.push_back({Of.st_value, Of.st_value + Of.st_size, Head.sh_link, Of.st_name,
                           Head.sh_type == SHT_DYNSYM});
    }
  }
  std::ranges::stable_sort(Symbols, {}, &Symbol::Begin);
  uint64_t End = 0;
  for (const Symbol &Of : Symbols)
    EndBefore.push_back(End = std::max(End, Of.End));
}

std::string_view ElfFile::nameOf(const Symbol &Of) const {
  const char *const Name = elf_strptr(Handle, Of.Table, Of.Name);
  return Name ? Name : "";
}

FunctionName ElfFile::functionAt(uint64_t Address) const {
  if (!HasSymbols)
    readSymbols();
  auto I = static_cast<size_t>(std::ranges::upper_bound(Symbols, Address, {}, &Symbol::Begin) -
                               Symbols.begin());
  // The innermost that contains the address; of its names the one that programs use.
  FunctionName Best;
  uint64_t Begin = 0;
  const auto Rank = [](const FunctionName &Of) {
    const std::string_view Name = Of.Text;
    return std::tuple(!Of.IsExported, std::min(Name.find_first_not_of('_'), Name.size()),
                      Name.size());
  };
  while (I > 0 && EndBefore[I - 1] > Address) {
    const Symbol &Of = Symbols[--I];
    if (!Best.Text.empty() && Of.Begin != Begin)
      break;
    const FunctionName Name = {nameOf(Of), Of.IsExported};
    if (Of.End <= Address || Name.Text.empty())
      continue;
    if (Best.Text.empty() || Rank(Name) < Rank(Best))
      Best = Name;
    Begin = Of.Begin;
  }
  return Best;
}

std::string ElfFile::debugLink() const {
  GElf_Word Checksum = 0;
  const char *const Name = dwelf_elf_gnu_debuglink(Handle, &Checksum);
  return Name ? Name : "";
}

} // namespace seamscope::tools
