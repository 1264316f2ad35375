//===- OtherCopy.cpp - the copy of the library that serves the process ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two recorders in a process would write two half traces under one name, so all copies of the
// library forward to the one that was loaded first. Copies find each other by an ELF note, which
// the loader shows for every object, also for one that was loaded with RTLD_LOCAL and whose symbols
// nobody can look up.
//
//===----------------------------------------------------------------------===//
#include "core/Process.h"

#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <type_traits>

namespace seamscope {
namespace {

constexpr char NoteName[] = "Seamscope";
constexpr uint32_t NoteType = 1; ///< the library, with the hooks of version 1

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
    // Notes of other alignments are the compiler's and have other padding.
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

/// The first copy, if that is not this one; null: this one is it. An object that is loaded already
/// gets no second reference: the library is never unloaded.
void *otherCopy() {
  Found First = {};
  dl_iterate_phdr(inspectObject, &First);
  if (!First.Any || First.IsThis)
    return nullptr;
  return dlopen(*First.Path ? First.Path : nullptr, RTLD_LAZY | RTLD_NOLOAD);
}

} // namespace

bool forwardToOtherCopy() {
  void *Copy = otherCopy();
  if (!Copy)
    return false;
  Primary Other = {};
  const auto Find = [Copy](auto &Pointer, const char *Name) {
    Pointer = reinterpret_cast<std::remove_reference_t<decltype(Pointer)>>(dlsym(Copy, Name));
    return Pointer != nullptr;
  };
  if (!Find(Other.Register, "__seamscope_register_v2") ||
      !Find(Other.Unregister, "__seamscope_unregister_v2") ||
      !Find(Other.Enter, "__seamscope_enter_v2") ||
      !Find(Other.RegionEnter, "__seamscope_region_enter_v2") ||
      !Find(Other.Exit, "__seamscope_exit_v2") || !Find(Other.Mode, "seamscope_mode") ||
      !Find(Other.SetMode, "seamscope_set_mode") || !Find(Other.Site, "seamscope_site") ||
      !Find(Other.Begin, "seamscope_begin") || !Find(Other.SetSchedule, "seamscope_set_schedule") ||
      !Find(Other.Step, "seamscope_step") || !Find(Other.Flush, "seamscope_flush") ||
      !Find(Other.Write, "seamscope_write") || !Find(Other.SetOutput, "seamscope_set_output") ||
      !Find(Other.SpanSite, "seamscope_span_site") || !Find(Other.Thread, "seamscope_thread") ||
      !Find(Other.InKernel, "seamscope_in_kernel") || !Find(Other.LastEnd, "seamscope_last_end") ||
      !Find(Other.Span, "seamscope_span") || !Find(Other.SetMirror, "seamscope_set_mirror") ||
      !Find(Other.MirrorThread, "seamscope_mirror_thread") ||
      !Find(Other.SetRank, "seamscope_set_rank"))
    return false;
  // An older copy records all but what came later: devices, mirrors of all threads, launches,
  // groups, graphs' nodes.
  if (!Find(Other.DeviceAppend, "seamscope_device_append") ||
      !Find(Other.SetDeviceSource, "seamscope_set_device_source"))
    Other.DeviceAppend = nullptr;
  Find(Other.MirrorAll, "seamscope_mirror_all");
  if (!Find(Other.LaunchEnter, "__seamscope_launch_enter_v2") ||
      !Find(Other.SetLaunchObserver, "seamscope_set_launch_observer"))
    Other.LaunchEnter = nullptr;
  Find(Other.GroupSite, "seamscope_group_site");
  Find(Other.OpenCall, "seamscope_open_call");
  Find(Other.LaunchesGraphs, "seamscope_launches_graphs");
  TheProcess.Other = Other;
  TheProcess.Forward = true;
  return true;
}

} // namespace seamscope
