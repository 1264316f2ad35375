//===- MappedModules.cpp - executable memory of the process -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loader's own list is not used: its lock may be held by a thread that waits
// for this one.
//
//===----------------------------------------------------------------------===//
#include "samples/MappedModules.h"

#include <cstdio>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

namespace seamscope::samples {
namespace {

/// Reads own memory, which may be unmapped meanwhile.
bool peek(uint64_t Address, void *To, size_t Bytes) {
  const iovec Local = {To, Bytes}, Remote = {reinterpret_cast<void *>(Address), Bytes};
  return process_vm_readv(getpid(), &Local, 1, &Remote, 1, 0) == static_cast<ssize_t>(Bytes);
}

/// The begin of a file that is mapped. Nearly always, all that matters is in the first page.
class FileBytes {
public:
  FileBytes(uint64_t Base, uint64_t Bytes) : Base(Base), Bytes(Bytes) {
    Known = Bytes >= sizeof(Page) && peek(Base, Page, sizeof(Page));
  }

  bool get(uint64_t At, void *To, size_t Size) const {
    if (At > Bytes || Size > Bytes - At)
      return false;
    if (!Known || At + Size > sizeof(Page))
      return peek(Base + At, To, Size);
    memcpy(To, Page + At, Size);
    return true;
  }

private:
  uint64_t Base, Bytes;
  bool Known;
  unsigned char Page[4096];
};

void readBuildId(const FileBytes &File, format::SampledModuleEntry &Module) {
  ElfW(Ehdr) Head;
  if (!File.get(0, &Head, sizeof(Head)) || memcmp(Head.e_ident, ELFMAG, SELFMAG) ||
      Head.e_phentsize != sizeof(ElfW(Phdr)))
    return;
  for (unsigned I = 0; I < Head.e_phnum && I < 64; ++I) {
    ElfW(Phdr) Part;
    if (!File.get(Head.e_phoff + I * sizeof(Part), &Part, sizeof(Part)))
      return;
    if (Part.p_type != PT_NOTE)
      continue;
    for (uint64_t At = 0; At + sizeof(ElfW(Nhdr)) + 4 < Part.p_filesz;) {
      struct {
        ElfW(Nhdr) Head;
        char Name[4];
      } Note;
      if (!File.get(Part.p_offset + At, &Note, sizeof(Note)))
        break;
      if (Note.Head.n_type == NT_GNU_BUILD_ID && Note.Head.n_namesz == 4 &&
          !memcmp(Note.Name, "GNU", 4) && Note.Head.n_descsz <= sizeof(Module.BuildId)) {
        if (File.get(Part.p_offset + At + sizeof(Note), Module.BuildId, Note.Head.n_descsz))
          Module.BuildIdSize = Note.Head.n_descsz;
        return;
      }
      const uint64_t Align = Part.p_align == 8 ? 8 : 4;
      const auto Rounded = [&](uint64_t Size) { return (Size + Align - 1) / Align * Align; };
      At += Rounded(sizeof(Note.Head) + Note.Head.n_namesz) + Rounded(Note.Head.n_descsz);
    }
  }
}

/// The begin of the newest mapped file.
struct FileBegin {
  uint64_t Inode = 0, Base = 0, Bytes = 0;
};

void addLine(char *Line, uint64_t Ns, FileBegin &First, AddModule Add) {
  unsigned long long Begin, End, Offset, Inode;
  char Access[8];
  int Path = 0;
  if (sscanf(Line, "%llx-%llx %7s %llx %*s %llu %n", &Begin, &End, Access, &Offset, &Inode, &Path) <
          5 ||
      !Path)
    return;
  if (Offset == 0)
    First = {Inode, Begin, End - Begin};
  if (Access[2] != 'x')
    return;
  format::SampledModuleEntry Module = {};
  Module.FromNs = Ns;
  Module.Begin = Begin;
  Module.End = End;
  Module.Offset = Offset;
  if (First.Inode == Inode && (Inode || First.Base == Begin))
    readBuildId({First.Base, First.Bytes}, Module);
  Add(Module, Line[Path] ? Line + Path : "//anon");
}

} // namespace

void findMappedModules(uint64_t Ns, AddModule Add) {
  const int Fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (Fd < 0)
    return;
  static char Text[16384]; // only one thread begins recording
  size_t Used = 0;
  FileBegin First;
  for (ssize_t Size; (Size = read(Fd, Text + Used, sizeof(Text) - 1 - Used)) > 0;) {
    Used += static_cast<size_t>(Size);
    char *From = Text;
    while (char *const End =
               static_cast<char *>(memchr(From, '\n', Used - static_cast<size_t>(From - Text)))) {
      *End = 0;
      addLine(From, Ns, First, Add);
      From = End + 1;
    }
    Used -= static_cast<size_t>(From - Text);
    memmove(Text, From, Used);
  }
  close(Fd);
}

void addMapping(const EventRecord &Record, uint32_t Pid, AddModule Add) {
  struct {
    uint32_t Pid, Tid;
    uint64_t Begin, Bytes, Offset;
    uint8_t BuildIdSize, Reserved[3], BuildId[20]; // if the header says so
    uint32_t Access, Flags;
  } Of;
  static_assert(sizeof(Of) == 64);
  if (Record.Size <= sizeof(Of))
    return;
  memcpy(&Of, Record.Fields, sizeof(Of));
  const char *const Path = reinterpret_cast<const char *>(Record.Fields) + sizeof(Of);
  if (Of.Pid != Pid || !(Of.Access & PROT_EXEC) || !memchr(Path, 0, Record.Size - sizeof(Of)))
    return;
  format::SampledModuleEntry Module = {};
  Module.FromNs = Record.Ns;
  Module.Begin = Of.Begin;
  Module.End = Of.Begin + Of.Bytes;
  Module.Offset = Of.Offset;
  if (Record.Head->misc & PERF_RECORD_MISC_MMAP_BUILD_ID && Of.BuildIdSize <= sizeof(Of.BuildId)) {
    Module.BuildIdSize = Of.BuildIdSize;
    memcpy(Module.BuildId, Of.BuildId, Of.BuildIdSize);
  }
  Add(Module, Path);
}

} // namespace seamscope::samples
