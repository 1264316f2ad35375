//===- Runtimes.cpp - detects two live OpenMP runtimes ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The workers of two OpenMP runtimes in a process spin against each other: kernels that
// take some microseconds become ten to a hundred times slower. libgomp does no harm if libomp comes
// first in the global scope, since libomp then serves libgomp's entry points, too.
//
//===----------------------------------------------------------------------===//
#include "openmp/Runtimes.h"

#include "core/Process.h"

#include <cstring>
#include <dlfcn.h>
#include <link.h>

namespace seamscope {
namespace {

struct Found {
  bool Gnu, Llvm;
};

bool isNamed(const char *Path, const char *Name) {
  const char *File = strrchr(Path, '/');
  return strncmp(File ? File + 1 : Path, Name, strlen(Name)) == 0;
}

int look(dl_phdr_info *Info, size_t, void *Pointer) {
  auto &Runtimes = *static_cast<Found *>(Pointer);
  if (!Info->dlpi_name)
    return 0;
  Runtimes.Gnu |= isNamed(Info->dlpi_name, "libgomp");
  Runtimes.Llvm |= isNamed(Info->dlpi_name, "libomp.") || isNamed(Info->dlpi_name, "libomp5") ||
                   isNamed(Info->dlpi_name, "libomp-") || isNamed(Info->dlpi_name, "libiomp5");
  return 0;
}

bool llvmServesGnu() {
  void *Entry = dlsym(RTLD_DEFAULT, "GOMP_parallel");
  Dl_info Info;
  return Entry && dladdr(Entry, &Info) && Info.dli_fname && !isNamed(Info.dli_fname, "libgomp");
}

} // namespace

void checkOpenMP() {
  static bool Warned;
  Process &P = TheProcess;
  if (loadRelaxed(&Warned) || !P.Spool.isOpen())
    return;
  Found Runtimes = {};
  dl_iterate_phdr(look, &Runtimes);
  if (!Runtimes.Gnu || !Runtimes.Llvm || llvmServesGnu())
    return;
  storeRelaxed(&Warned, true);
  __atomic_fetch_or(&P.Spool.header()->Flags, format::SpoolTwoOpenMP, __ATOMIC_RELAXED);
  warn(
      "two OpenMP runtimes are live, libgomp and libomp: their threads slow each other down, often "
      "many times; load libomp first (LD_PRELOAD=libomp.so.5, or start with `seamscope run`)");
}

} // namespace seamscope
