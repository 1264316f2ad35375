//===- OtherCopy.cpp - the copy of the library that serves the process ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two recorders in a process would write two half traces under one name, so all copies of the
// library forward to the one that was loaded first. Copies find each other by an ELF note, which
// the loader shows for every object, even for one that was loaded with RTLD_LOCAL, whose symbols
// are not in the global scope.
//
//===----------------------------------------------------------------------===//
#include "core/OtherCopy.h"

#include <cstring>
#include <dlfcn.h>
#include <link.h>

namespace seamscope {

constinit OtherCopy TheOtherCopy = {};

namespace {

constexpr char NoteName[] = "Seamscope";
constexpr uint32_t NoteType = 1; ///< a copy of the library with hooks of version 1

struct Note {
  uint32_t NameSize, ContentsSize, Type;
  char Name[(sizeof(NoteName) + 3) / 4 * 4];
};

__attribute__((section(".note.seamscope"), used, aligned(4)))
const Note LibraryNote = {sizeof(NoteName), 0, NoteType, "Seamscope"};

/// Whether the notes of a segment are those of a copy of the library.
bool isLibrary(const char *Notes, size_t Size) {
  struct Header {
    uint32_t NameSize, ContentsSize, Type;
  };
  constexpr auto Padded = [](size_t Bytes) { return (Bytes + 3) / 4 * 4; };
  for (size_t At = 0; At + sizeof(Header) <= Size;) {
    Header H;
    memcpy(&H, Notes + At, sizeof(H));
    const size_t Name = At + sizeof(H);
    if (H.NameSize > Size - Name || H.ContentsSize > Size - Name)
      return false;
    if (H.Type == NoteType && H.NameSize == sizeof(NoteName) &&
        !memcmp(Notes + Name, NoteName, sizeof(NoteName)))
      return true;
    At = Name + Padded(H.NameSize) + Padded(H.ContentsSize);
  }
  return false;
}

struct Found {
  bool Any, IsThis;
  char Path[PATH_MAX]; ///< empty: the program itself
};

int inspectObject(dl_phdr_info *Info, size_t, void *Pointer) {
  auto &Result = *static_cast<Found *>(Pointer);
  bool Library = false, HasNote = false;
  for (unsigned I = 0; I < Info->dlpi_phnum; ++I) {
    const ElfW(Phdr) &Segment = Info->dlpi_phdr[I];
    const auto *Begin = reinterpret_cast<const char *>(Info->dlpi_addr + Segment.p_vaddr);
    // The compiler's notes have other alignments and other padding.
    if (Segment.p_type == PT_NOTE && Segment.p_align <= 4 && isLibrary(Begin, Segment.p_memsz))
      Library = true;
    if (Segment.p_type == PT_LOAD)
      HasNote |= reinterpret_cast<uintptr_t>(&LibraryNote) - reinterpret_cast<uintptr_t>(Begin) <
                 Segment.p_memsz;
  }
  if (!Library)
    return 0;
  Result.Any = true;
  Result.IsThis = HasNote;
  if (Info->dlpi_name && strlen(Info->dlpi_name) < sizeof(Result.Path))
    strcpy(Result.Path, Info->dlpi_name);
  return 1;
}

/// The copy that was loaded first; null if it is this one. Takes no second reference to a loaded
/// object, since the library is never unloaded.
void *otherCopy() {
  Found First = {};
  dl_iterate_phdr(inspectObject, &First);
  if (!First.Any || First.IsThis)
    return nullptr;
  return dlopen(*First.Path ? First.Path : nullptr, RTLD_LAZY | RTLD_NOLOAD);
}

/// Stands for a function that the other copy lacks.
template <typename FnT, auto Result> struct Missing;
template <typename ResultT, typename... ArgumentTs, auto Result>
struct Missing<ResultT (*)(ArgumentTs...), Result> {
  static ResultT call(ArgumentTs...) { return static_cast<ResultT>(Result); }
};

template <typename FnT> bool find(void *Copy, const char *Name, FnT &Function) {
  Function = reinterpret_cast<FnT>(dlsym(Copy, Name));
  return Function != nullptr;
}

} // namespace

bool findOtherCopy() {
  void *Copy = otherCopy();
  if (!Copy)
    return false;
  OtherCopy Found = {};
#define SEAMSCOPE_ENTRY_POINT(Function)                                                            \
  if (!find(Copy, #Function, Found.Function))                                                      \
    return false;
  // An older copy does not record devices, launches, groups and nodes of graphs.
#define SEAMSCOPE_LATER_ENTRY_POINT(Function, Result)                                              \
  if (!find(Copy, #Function, Found.Function))                                                      \
    Found.Function = Missing<decltype(Found.Function), Result>::call;
#include "core/EntryPoints.def"
  Found.Serves = true;
  TheOtherCopy = Found;
  return true;
}

} // namespace seamscope
