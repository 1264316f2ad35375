//===- modules.cpp - modules of kernels in the stand-in's driver ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that uses the runtime has one module, STANDIN_DEVICE. A module that is loaded at run
// time is a library made by standin-llc.py, passed as bytes like a cubin; each load has its own
// variables. The driver does not list the kernels of the first, like drivers before CUDA 12.4, but
// lists those of the others.
//
//===----------------------------------------------------------------------===//
#include "machine.h"

#include <cupti_driver_cbid.h>

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

using namespace standin;

namespace {

constexpr std::string_view WayIn = "standin_run_";

struct Module;

struct Function {
  std::string Name;
  Module *Of;
};

struct Module {
  void *Library = nullptr; ///< null: STANDIN_DEVICE
  int File = -1; ///< the file it was opened from: the loader identifies libraries by their paths
  std::map<std::string, std::unique_ptr<Function>> Functions;
};

std::recursive_mutex Lock;
Module &ownModule() {
  static auto *const Made = new Module;
  return *Made;
}
struct Handles {
  /// A handle that was freed is the first to be used again, as in real drivers.
  std::vector<Module *> Free;
  std::set<Module *> Loaded;
};
/// Never destroyed, since a program may unload its modules at its very end.
Handles &handles() {
  static auto *const Made = new Handles;
  return *Made;
}

Module &moduleOf(CUmodule Handle) { return *reinterpret_cast<Module *>(Handle); }
Function &functionOf(CUfunction Handle) { return *reinterpret_cast<Function *>(Handle); }

CUfunction handleOf(Module &Of, const std::string &Name) {
  std::unique_ptr<Function> &Place = Of.Functions[Name];
  if (!Place)
    Place.reset(new Function{Name, &Of});
  return reinterpret_cast<CUfunction>(Place.get());
}

/// A library's size, from its header: the section table is last.
size_t sizeOf(const ElfW(Ehdr) & Header) {
  return Header.e_shoff + size_t(Header.e_shnum) * Header.e_shentsize;
}

/// Opens a library given as bytes.
bool open(Module &Made, const void *Image) {
  const size_t Size = sizeOf(*static_cast<const ElfW(Ehdr) *>(Image));
  Made.File = memfd_create("stand-in module", MFD_CLOEXEC);
  if (Made.File >= 0 && write(Made.File, Image, Size) == static_cast<ssize_t>(Size))
    Made.Library =
        dlopen(("/proc/self/fd/" + std::to_string(Made.File)).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Made.Library)
    fprintf(stderr, "stand-in: a module cannot be loaded: %s\n", dlerror());
  return Made.Library;
}

/// The kernels of a library, from its symbol table.
std::vector<std::string> kernelsOf(void *Library) {
  std::vector<std::string> Names;
  link_map *Map = nullptr;
  if (dlinfo(Library, RTLD_DI_LINKMAP, &Map))
    return Names;
  const ElfW(Sym) *Symbols = nullptr;
  const char *Texts = nullptr;
  const uint32_t *Hash = nullptr;
  for (const ElfW(Dyn) *Each = Map->l_ld; Each->d_tag != DT_NULL; ++Each)
    if (Each->d_tag == DT_SYMTAB)
      Symbols = reinterpret_cast<const ElfW(Sym) *>(Each->d_un.d_ptr);
    else if (Each->d_tag == DT_STRTAB)
      Texts = reinterpret_cast<const char *>(Each->d_un.d_ptr);
    else if (Each->d_tag == DT_HASH)
      Hash = reinterpret_cast<const uint32_t *>(Each->d_un.d_ptr);
  // The second word of the hash table is the number of symbols.
  for (uint32_t I = 0; Symbols && Texts && Hash && I < Hash[1]; ++I)
    if (const std::string_view Name = Texts + Symbols[I].st_name; Name.starts_with(WayIn))
      Names.emplace_back(Name.substr(WayIn.size()));
  return Names;
}

void *symbol(const Module &Of, const std::string &Name, size_t *Size) {
  return Of.Library ? symbolIn(Of.Library, Name, Size) : deviceSymbol(Name, Size);
}

/// The function that runs a kernel; a library may have one for all names.
WayInto codeOf(const Module &Of, const std::string &Name) {
  void *const Code = symbol(Of, std::string(WayIn) + Name, nullptr);
  return reinterpret_cast<WayInto>(Code ? Code : symbol(Of, std::string(WayIn) + "any", nullptr));
}

/// The content of a handle that is no longer valid.
bool isGone(CUmodule Handle) {
  return &moduleOf(Handle) != &ownModule() && !handles().Loaded.contains(&moduleOf(Handle));
}

CUresult launch(const Call &This, CUfunction Of, const uint32_t (&Grid)[3],
                const uint32_t (&Block)[3], uint32_t Shared, CUstream On, void **Arguments) {
  const Function &What = functionOf(Of);
  return runKernel(On ? *reinterpret_cast<Stream *>(On) : defaultStream(),
                   {What.Name, codeOf(*What.Of, What.Name)}, Grid, Block, Shared, Arguments,
                   This.correlation())
             ? start()
             : CUDA_ERROR_INVALID_VALUE;
}

} // namespace

extern "C" {

CUresult cuModuleLoadData(CUmodule *Handle, const void *Image) {
  if (const CUresult Error = start())
    return Error;
  const std::lock_guard Guard(Lock);
  if (memcmp(Image, ELFMAG, SELFMAG)) {
    // The format that the test's programs use in place of a cubin.
    *Handle = reinterpret_cast<CUmodule>(&ownModule());
    return CUDA_SUCCESS;
  }
  Handles &H = handles();
  if (H.Free.empty())
    H.Free.push_back(new Module);
  Module *const Made = H.Free.back();
  if (!open(*Made, Image))
    return CUDA_ERROR_INVALID_IMAGE;
  H.Free.pop_back();
  H.Loaded.insert(Made);
  return *Handle = reinterpret_cast<CUmodule>(Made), CUDA_SUCCESS;
}
CUresult cuModuleLoadDataEx(CUmodule *Handle, const void *Image, unsigned, CUjit_option *,
                            void **) {
  return cuModuleLoadData(Handle, Image);
}
CUresult cuModuleUnload(CUmodule Handle) {
  const std::lock_guard Guard(Lock);
  Module &Of = moduleOf(Handle);
  if (&Of == &ownModule())
    return start();
  if (!handles().Loaded.erase(&Of))
    return CUDA_ERROR_INVALID_HANDLE;
  dlclose(Of.Library);
  close(Of.File);
  Of.Functions.clear();
  handles().Free.push_back(&Of);
  return start();
}
CUresult cuModuleGetFunction(CUfunction *Found, CUmodule Handle, const char *Name) {
  const std::lock_guard Guard(Lock);
  if (isGone(Handle))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!codeOf(moduleOf(Handle), Name))
    return CUDA_ERROR_NOT_FOUND;
  return *Found = handleOf(moduleOf(Handle), Name), CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal(CUdeviceptr *Address, size_t *Size, CUmodule Handle, const char *Name) {
  const std::lock_guard Guard(Lock);
  if (isGone(Handle))
    return CUDA_ERROR_INVALID_HANDLE;
  *Address = reinterpret_cast<CUdeviceptr>(symbol(moduleOf(Handle), Name, Size));
  return *Address ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
CUresult cuModuleGetFunctionCount(unsigned *Count, CUmodule Handle) {
  const std::lock_guard Guard(Lock);
  if (&moduleOf(Handle) == &ownModule())
    return CUDA_ERROR_NOT_SUPPORTED;
  if (isGone(Handle))
    return CUDA_ERROR_INVALID_HANDLE;
  return *Count = static_cast<unsigned>(kernelsOf(moduleOf(Handle).Library).size()), CUDA_SUCCESS;
}
CUresult cuModuleEnumerateFunctions(CUfunction *Functions, unsigned Count, CUmodule Handle) {
  const std::lock_guard Guard(Lock);
  if (isGone(Handle) || &moduleOf(Handle) == &ownModule())
    return CUDA_ERROR_NOT_SUPPORTED;
  for (const std::string &Each : kernelsOf(moduleOf(Handle).Library))
    if (Count && Count--)
      *Functions++ = handleOf(moduleOf(Handle), Each);
  return CUDA_SUCCESS;
}
CUresult cuFuncGetModule(CUmodule *Handle, CUfunction Of) {
  return *Handle = reinterpret_cast<CUmodule>(functionOf(Of).Of), CUDA_SUCCESS;
}
CUresult cuFuncGetName(const char **Name, CUfunction Of) {
  return *Name = functionOf(Of).Name.c_str(), CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) { return start(); }
CUresult cuLaunchKernel(CUfunction Of, unsigned GridX, unsigned GridY, unsigned GridZ,
                        unsigned BlockX, unsigned BlockY, unsigned BlockZ, unsigned Shared,
                        CUstream On, void **Arguments, void **) {
  const Call This(false, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, "cuLaunchKernel");
  return launch(This, Of, {GridX, GridY, GridZ}, {BlockX, BlockY, BlockZ}, Shared, On, Arguments);
}
/// Used by cudart.cpp.
CUfunction standinFunction(const char *Name) {
  const std::lock_guard Guard(Lock);
  return handleOf(ownModule(), Name);
}

} // extern "C"
