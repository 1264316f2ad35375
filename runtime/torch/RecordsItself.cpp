//===- RecordsItself.cpp - kernels that show themselves to the profiler ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether Inductor compiled a kernel with enable_kernel_profile can be set in many places. What the
// kernel's library calls does not lie.
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
  // Only what the library defines is in the GNU table: its second word is how many symbols stand
  // before. The other table's second word is how many there are.
  const uint32_t Count = GnuHash ? GnuHash[1] : Hash[1];
  for (uint32_t I = 1; I < Count; ++I)
    if (Symbols[I].st_shndx == SHN_UNDEF &&
        !std::strcmp(Strings + Symbols[I].st_name, "aoti_record_function_start"))
      return true;
  return false;
}

} // namespace seamscope::bridge
