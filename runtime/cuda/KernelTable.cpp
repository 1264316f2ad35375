//===- KernelTable.cpp - kernel tables of device modules --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda/KernelTable.h"

#include "cuda/Entries.h"
#include "cuda/Libraries.h"
#include "cuda/OwnStream.h"
#include "seamscope/gpu.h"

#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace seamscope::cuda {
namespace {

/// Longest entry with its texts; anything longer is not an entry.
constexpr size_t MaxEntry = 1 << 20;

struct Table {
  std::mutex Lock;
  std::unordered_map<uint32_t, KernelPlace> Places;
};
Table &table() {
  static auto *const Created = new Table;
  return *Created;
}

/// The id of a text of an entry; 0 if the offset is outside.
uint32_t textOf(const std::vector<char> &Entry, uint32_t Offset) {
  if (Offset < sizeof(SeamscopeGpuKernel) || Offset >= Entry.size())
    return 0;
  const char *const Text = Entry.data() + Offset;
  return textId({Text, strnlen(Text, Entry.size() - Offset)});
}

/// The loops of the list that lie within the entry.
std::vector<LoopPlace> loopsOf(const std::vector<char> &Entry, uint32_t Offset) {
  std::vector<LoopPlace> Loops;
  uint32_t Count = 0;
  if (Offset < sizeof(SeamscopeGpuKernel) || Offset > Entry.size() - sizeof(Count))
    return Loops;
  memcpy(&Count, Entry.data() + Offset, sizeof(Count));
  size_t At = Offset + sizeof(Count);
  for (; Count && At + sizeof(SeamscopeGpuKernelLoop) <= Entry.size() &&
         Loops.size() < SEAMSCOPE_GPU_MOST_LOOPS;
       --Count, At += sizeof(SeamscopeGpuKernelLoop)) {
    SeamscopeGpuKernelLoop Loop;
    memcpy(&Loop, Entry.data() + At, sizeof(Loop));
    // Each loop comes after the loop around it.
    Loops.push_back({textOf(Entry, Loop.name), textOf(Entry, Loop.file), Loop.line, Loop.column,
                     Loop.parent <= Loops.size() ? Loop.parent : 0,
                     textOf(Entry, Loop.inlined_from)});
  }
  return Loops;
}

} // namespace

void readKernel(const OwnStream &By, CUmodule Module, CUfunction Function) {
  const Driver &Cuda = *Driver::get();
  const char *Symbol = nullptr;
  if (!Cuda.FuncGetName || Cuda.FuncGetName(&Symbol, Function) || !Symbol)
    return;
  CUdeviceptr Address = 0;
  size_t Size = 0;
  if (Cuda.ModuleGetGlobal(&Address, &Size, Module,
                           (SEAMSCOPE_GPU_KERNEL + std::string(Symbol)).c_str()) ||
      Size < sizeof(SeamscopeGpuKernel) || Size > MaxEntry)
    return;
  std::vector<char> Entry(Size);
  if (By.copyFrom(Entry.data(), Address, Size))
    return;
  SeamscopeGpuKernel Head;
  memcpy(&Head, Entry.data(), sizeof(Head));
  KernelPlace Place = {textOf(Entry, Head.name), textOf(Entry, Head.file), Head.line,
                       loopsOf(Entry, Head.loops)};
  Table &T = table();
  const std::lock_guard Guard(T.Lock);
  T.Places[Head.id] = std::move(Place);
}

/// Counts a module's kernels. Returns false if the driver is too old for that.
static bool countKernels(CUmodule Module, unsigned &Count) {
  const Driver &Cuda = *Driver::get();
  return Cuda.ModuleGetFunctionCount && Cuda.ModuleEnumerateFunctions &&
         !Cuda.ModuleGetFunctionCount(&Count, Module);
}

bool listsKernels(CUmodule Module) {
  unsigned Count = 0;
  return countKernels(Module, Count);
}

void readKernels(const OwnStream &By, CUmodule Module) {
  const Driver &Cuda = *Driver::get();
  unsigned Count = 0;
  if (!countKernels(Module, Count) || !Count)
    return;
  std::vector<CUfunction> Functions(Count);
  if (Cuda.ModuleEnumerateFunctions(Functions.data(), Count, Module))
    return;
  for (const CUfunction Function : Functions)
    if (Function)
      readKernel(By, Module, Function);
}

KernelPlace kernelPlace(uint32_t Id) {
  Table &T = table();
  const std::lock_guard Guard(T.Lock);
  const auto Found = T.Places.find(Id);
  return Found == T.Places.end() ? KernelPlace() : Found->second;
}

} // namespace seamscope::cuda
