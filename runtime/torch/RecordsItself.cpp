//===- RecordsItself.cpp - finds kernels that report to the profiler -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inductor's enable_kernel_profile can be set in many places, so this looks at the functions that
// the kernel's library calls.
//
//===----------------------------------------------------------------------===//
#include "Observer.h"

#include <cstring>
#include <dlfcn.h>
#include <link.h>

namespace seamscope::bridge {

bool recordsItself(const SeamscopeSite *Site) {
  Dl_info Info;
  link_map *Map = nullptr;
  if (!dladdr1(Site, &Info, reinterpret_cast<void **>(&Map), RTLD_DL_LINKMAP) || !Map)
    return false;
  const ElfW(Sym) *Symbols = nullptr;
  const char *Strings = nullptr;
  const uint32_t *GnuHash = nullptr, *Hash = nullptr;
  for (const ElfW(Dyn) *Entry = Map->l_ld; Entry && Entry->d_tag != DT_NULL; ++Entry) {
    switch (Entry->d_tag) {
    case DT_SYMTAB:
      Symbols = reinterpret_cast<const ElfW(Sym) *>(Entry->d_un.d_ptr);
      break;
    case DT_STRTAB:
      Strings = reinterpret_cast<const char *>(Entry->d_un.d_ptr);
      break;
    case DT_GNU_HASH:
      GnuHash = reinterpret_cast<const uint32_t *>(Entry->d_un.d_ptr);
      break;
    case DT_HASH:
      Hash = reinterpret_cast<const uint32_t *>(Entry->d_un.d_ptr);
      break;
    default:
      break;
    }
  }
  if (!Symbols || !Strings || !(GnuHash || Hash))
    return false;
  // The GNU table has only defined symbols; its second word counts the symbols before them. The
  // second word of the other table counts all symbols.
  const uint32_t Count = GnuHash ? GnuHash[1] : Hash[1];
  for (uint32_t I = 1; I < Count; ++I)
    if (Symbols[I].st_shndx == SHN_UNDEF &&
        !std::strcmp(Strings + Symbols[I].st_name, "aoti_record_function_start"))
      return true;
  return false;
}

} // namespace seamscope::bridge
