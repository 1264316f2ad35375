//===- NvtxRanges.cpp - kernels for the configured NVTX tool --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/NvtxRanges.h"

#include "core/Environment.h"
#include "core/Platform.h"

#include <cstring>
#include <dlfcn.h>

namespace seamscope {

void loadNvtxRanges() {
  constexpr char Library[] = "libseamscope-nvtx.so";
  const char *Tool = environment("NVTX_INJECTION64_PATH"), *Wanted = environment("SEAMSCOPE_NVTX");
  if (!Tool || (Wanted && !strcmp(Wanted, "off")))
    return;
  // Our own tool does not need kernels, but a tool that comes after it does.
  const char *Slash = strrchr(Tool, '/');
  if (!strcmp(Slash ? Slash + 1 : Tool, Library) && !environment("SEAMSCOPE_NVTX_NEXT"))
    return;
  // Seamscope may have been built without NVTX's header.
  char Path[PATH_MAX];
  if (!pathBeside(Path, Library))
    return;
  void *Loaded = dlopen(Path, RTLD_NOW | RTLD_LOCAL);
  const auto Start =
      Loaded ? reinterpret_cast<void (*)()>(dlsym(Loaded, "seamscope_nvtx_kernels")) : nullptr;
  if (Start)
    Start();
  else
    warn("%s: %s; the NVTX tool is not notified of kernels", Path, dlerror());
}

} // namespace seamscope
