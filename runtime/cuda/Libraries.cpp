//===- Libraries.cpp - finds and opens the driver and CUPTI -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda/Libraries.h"

#include "core/Environment.h"

#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <string>
#include <vector>

namespace seamscope::cuda {

std::string loadedPath(const char *Prefix) {
  struct Search {
    const char *Prefix;
    std::string Path;
  } For = {Prefix, {}};
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Pointer) {
        auto &For = *static_cast<Search *>(Pointer);
        const char *Path = Info->dlpi_name ? Info->dlpi_name : "";
        const char *Slash = strrchr(Path, '/');
        if (strncmp(Slash ? Slash + 1 : Path, For.Prefix, strlen(For.Prefix)))
          return 0;
        For.Path = Path;
        return 1;
      },
      &For);
  return For.Path;
}

namespace {

/// Possible paths of CUPTI, best first. CUPTI must have the major version of the CUDA runtime.
std::vector<std::string> cuptiCandidates() {
  std::vector<std::string> Paths;
  if (const char *Named = environment("SEAMSCOPE_CUPTI"))
    return {Named};
  if (std::string Loaded = loadedPath("libcupti.so"); !Loaded.empty())
    return {Loaded};
  std::vector<std::string> Names = {"libcupti.so.13", "libcupti.so.12"};
  std::vector<std::string> Folders;
  if (const std::string Runtime = loadedPath("libcudart.so."); !Runtime.empty()) {
    const size_t Slash = Runtime.rfind('/');
    const std::string Folder = Slash == Runtime.npos ? std::string(".") : Runtime.substr(0, Slash);
    if (Runtime.find("libcudart.so.12") != Runtime.npos)
      std::swap(Names[0], Names[1]);
    // In the runtime's folder, in NVIDIA's toolkit, and in NVIDIA's Python packages.
    for (const char *Below : {"", "/../extras/CUPTI/lib64", "/../../cuda_cupti/lib"})
      Folders.push_back(Folder + Below + "/");
  } else {
    int Version = 0;
    if (const Driver *Cuda = Driver::get())
      if (!Cuda->DriverGetVersion(&Version) && Version < 13000)
        Names.erase(Names.begin());
  }
  Folders.emplace_back(""); // where the loader finds it
  if (const char *Home = environment("CUDA_HOME"))
    for (const char *Below : {"/lib64/", "/lib/", "/extras/CUPTI/lib64/"})
      Folders.push_back(std::string(Home) + Below);
  for (const char *Below : {"/lib64/", "/extras/CUPTI/lib64/"})
    Folders.push_back(std::string("/usr/local/cuda") + Below);
  for (const std::string &Name : Names)
    for (const std::string &Folder : Folders)
      Paths.push_back(Folder + Name);
  return Paths;
}

template <typename FnT> void find(void *Library, FnT &Function, const char *Name) {
  Function = reinterpret_cast<FnT>(dlsym(Library, Name));
}

} // namespace

static void *driverLibrary() {
  static void *const Library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  return Library;
}

bool Driver::isThere() { return driverLibrary() != nullptr; }

const Driver *Driver::get() {
  static const Driver *const Opened = []() -> const Driver * {
    void *const Library = driverLibrary();
    if (!Library)
      return nullptr;
    static Driver Found;
    bool HasAll = true;
#define SEAMSCOPE_DRIVER_FUNCTION(Name, Symbol)                                                    \
  find(Library, Found.Name, Symbol);                                                               \
  HasAll = HasAll && Found.Name;
#include "cuda/Functions.def"
    find(Library, Found.CtxGetId, "cuCtxGetId");
    find(Library, Found.FuncGetName, "cuFuncGetName");
    find(Library, Found.ModuleGetFunctionCount, "cuModuleGetFunctionCount");
    find(Library, Found.ModuleEnumerateFunctions, "cuModuleEnumerateFunctions");
    if (!HasAll)
      warn("GPU kernels are not timed from within: the driver is older than CUDA 11");
    return HasAll ? &Found : nullptr;
  }();
  return Opened;
}

const Cupti *Cupti::get() {
  static const Cupti *const Opened = []() -> const Cupti * {
    const std::vector<std::string> Paths = cuptiCandidates();
    void *Library = nullptr;
    for (size_t I = 0; I < Paths.size() && !Library; ++I)
      Library = dlopen(Paths[I].c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!Library) {
      if (Paths.size() == 1)
        warn("GPU work is not recorded: CUPTI cannot be loaded: %s", dlerror());
      else
        warn("GPU work is not recorded: no libcupti.so was found; set CUDA_HOME to a CUDA toolkit, "
             "or SEAMSCOPE_CUPTI to the library");
      return nullptr;
    }
    static Cupti Found;
    const char *Missing = nullptr;
#define SEAMSCOPE_CUPTI_FUNCTION(Name)                                                             \
  find(Library, Found.Name, "cupti" #Name);                                                        \
  if (!Found.Name)                                                                                 \
    Missing = "cupti" #Name;
#include "cuda/Functions.def"
    find(Library, Found.SetThreadIdType, "cuptiSetThreadIdType");
    find(Library, Found.Subscribe, "cuptiSubscribe");
    find(Library, Found.EnableCallback, "cuptiEnableCallback");
    find(Library, Found.GetGraphNodeId, "cuptiGetGraphNodeId");
    find(Library, Found.GetContextId, "cuptiGetContextId");
    find(Library, Found.GetStreamIdEx, "cuptiGetStreamIdEx");
    find(Library, Found.ActivityEnableDriverApi, "cuptiActivityEnableDriverApi");
    if (Missing)
      warn("GPU work is not recorded: this libcupti.so has no %s; it must be of CUDA 12 or 13",
           Missing);
    return Missing ? nullptr : &Found;
  }();
  return Opened;
}

const char *Cupti::nameOf(CUptiResult Error) const {
  const char *Name = nullptr;
  return GetResultString(Error, &Name) == CUPTI_SUCCESS && Name ? Name : "an unknown error";
}

} // namespace seamscope::cuda
