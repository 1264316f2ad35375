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
  std::unordered_map<uint64_t, KernelCounts> Counts;
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

/// The bytes of the variable \p Name, of at least \p Least; none: there is no such variable.
static std::vector<char> readVariable(const OwnStream &By, CUmodule Module, const std::string &Name,
                                      size_t Least) {
  CUdeviceptr Address = 0;
  size_t Size = 0;
  if (Driver::get()->ModuleGetGlobal(&Address, &Size, Module, Name.c_str()) || Size < Least ||
      Size > MaxEntry)
    return {};
  std::vector<char> Bytes(Size);
  return By.copyFrom(Bytes.data(), Address, Size) ? std::vector<char>() : Bytes;
}

static void readCounts(const OwnStream &By, CUmodule Module, const char *Symbol, uint32_t Kernel) {
  SeamscopeGpuCounts Head;
  const std::vector<char> Bytes =
      readVariable(By, Module, SEAMSCOPE_GPU_COUNTS + std::string(Symbol), sizeof(Head) + 1);
  if (Bytes.empty())
    return;
  memcpy(&Head, Bytes.data(), sizeof(Head));
  const char *const Text = Bytes.data() + sizeof(Head);
  const KernelCounts Counts = {textId({Text, strnlen(Text, Bytes.size() - sizeof(Head))}),
                               Head.words};
  const KernelPlace Place = kernelPlace(Kernel);
  Table &T = table();
  {
    const std::lock_guard Guard(T.Lock);
    if (!T.Counts.emplace(Head.id, Counts).second)
      return;
  }
  format::DeviceCountedKernel Entry = {};
  Entry.Id = Head.id;
  Entry.Kernel = Kernel;
  Entry.Counts = Counts.Text;
  Entry.Name = Place.Name;
  Entry.File = Place.File;
  Entry.Line = Place.Line;
  Entry.LinkageName = textId(Symbol);
  append(Entry, format::DeviceEntryKind::CountedKernel);
}

void readKernel(const OwnStream &By, CUmodule Module, CUfunction Function) {
  const Driver &Cuda = *Driver::get();
  const char *Symbol = nullptr;
  if (!Cuda.FuncGetName || Cuda.FuncGetName(&Symbol, Function) || !Symbol)
    return;
  SeamscopeGpuKernel Head;
  const std::vector<char> Entry =
      readVariable(By, Module, SEAMSCOPE_GPU_KERNEL + std::string(Symbol), sizeof(Head));
  if (Entry.empty())
    return;
  memcpy(&Head, Entry.data(), sizeof(Head));
  KernelPlace Place = {textOf(Entry, Head.name), textOf(Entry, Head.file), Head.line,
                       loopsOf(Entry, Head.loops)};
  {
    Table &T = table();
    const std::lock_guard Guard(T.Lock);
    T.Places[Head.id] = std::move(Place);
  }
  readCounts(By, Module, Symbol, Head.id);
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

KernelCounts kernelCounts(uint64_t Id) {
  Table &T = table();
  const std::lock_guard Guard(T.Lock);
  const auto Found = T.Counts.find(Id);
  return Found == T.Counts.end() ? KernelCounts() : Found->second;
}

} // namespace seamscope::cuda
