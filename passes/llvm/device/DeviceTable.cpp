//===- DeviceTable.cpp - table of the kernels of a device module -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each entry has its own symbol, which is weak like the control block's: a link of device code
// (-fgpu-rdc) merges the entries of kernels that are in several files, and the host finds an entry
// by the kernel's name. Entries hold offsets, not addresses, because PTX cannot subtract addresses.
//
//===----------------------------------------------------------------------===//
#include "device/DeviceTable.h"

#include "llvm/IR/Constants.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <cstring>

using namespace llvm;

namespace seamscope {

/// Where a variable that the host sets is read with the least delay: every thread reads the control
/// block before it does anything else.
static unsigned hostMemory(const Module &M) {
  constexpr uint64_t MostConstant = 64 << 10, ForOtherFiles = 4 << 10;
  uint64_t Used = 0;
  for (const GlobalVariable &G : M.globals())
    if (G.getAddressSpace() == ConstantMemory)
      Used += M.getDataLayout().getTypeAllocSize(G.getValueType());
  return Used + ForOtherFiles <= MostConstant ? ConstantMemory : GlobalMemory;
}

/// A device variable that the host sets.
GlobalVariable *DeviceTable::hostVariable(const char *Name, Type *Ty, Align Alignment) {
  if (GlobalVariable *Old = M.getGlobalVariable(Name))
    return Old;
  auto *G = new GlobalVariable(M, Ty, /*isConstant=*/false, GlobalValue::WeakAnyLinkage,
                               Constant::getNullValue(Ty), Name, nullptr,
                               GlobalValue::NotThreadLocal, hostMemory(M),
                               /*isExternallyInitialized=*/true);
  G->setAlignment(Alignment);
  return G;
}

GlobalVariable *DeviceTable::control() {
  constexpr size_t Words = sizeof(SeamscopeGpuControl) / sizeof(uint32_t);
  return hostVariable(SEAMSCOPE_GPU_CONTROL,
                      ArrayType::get(Type::getInt32Ty(M.getContext()), Words), Align(16));
}

GlobalVariable *DeviceTable::loops() {
  return hostVariable(SEAMSCOPE_GPU_LOOPS, Type::getInt64Ty(M.getContext()), Align(8));
}

GlobalVariable *DeviceTable::work() {
  return hostVariable(SEAMSCOPE_GPU_WORK, Type::getInt64Ty(M.getContext()), Align(8));
}

void DeviceTable::addEntry(const Twine &Name, StringRef Bytes) {
  Constant *Data = ConstantDataArray::getString(M.getContext(), Bytes, /*AddNull=*/false);
  auto *G = new GlobalVariable(M, Data->getType(), /*isConstant=*/true, GlobalValue::WeakAnyLinkage,
                               Data, Name, nullptr, GlobalValue::NotThreadLocal, GlobalMemory);
  G->setAlignment(Align(16));
  Added.push_back(G);
}

uint64_t DeviceTable::addCounts(const Function &Kernel, StringRef Text, unsigned Words) {
  SeamscopeGpuCounts Head = {};
  Head.size = static_cast<uint32_t>(sizeof(Head) + Text.size() + 1);
  Head.words = Words;
  Head.id = xxh3_64bits(Text);
  std::string Bytes(Head.size, '\0');
  std::memcpy(Bytes.data(), &Head, sizeof(Head));
  std::memcpy(Bytes.data() + sizeof(Head), Text.data(), Text.size());
  addEntry(SEAMSCOPE_GPU_COUNTS + Kernel.getName(), Bytes);
  return Head.id;
}

uint32_t DeviceTable::add(const SitePlan &Site, const Function &Kernel,
                          ArrayRef<DeviceLoop> Loops) {
  std::string Bytes(sizeof(SeamscopeGpuKernel), '\0');
  const auto AddText = [&](const std::string &Text) -> uint32_t {
    if (Text.empty())
      return 0;
    const auto At = static_cast<uint32_t>(Bytes.size());
    Bytes.append(Text.c_str(), Text.size() + 1);
    return At;
  };
  SeamscopeGpuKernel Entry = {};
  Entry.id = seamscope_gpu_kernel_id(Site.LinkageName.c_str());
  Entry.line = Site.Line;
  Entry.name = AddText(Site.Name);
  Entry.linkage_name = AddText(Site.LinkageName);
  Entry.file = AddText(Site.File);
  Entry.ops = AddText(Site.Ops);
  std::vector<SeamscopeGpuKernelLoop> List;
  for (const DeviceLoop &Loop : Loops)
    List.push_back({AddText(Loop.Site->Name), AddText(Loop.Site->File), Loop.Site->Line,
                    Loop.Site->Column, Loop.Parent, AddText(Loop.Site->Ops)});
  Bytes.resize(alignTo(Bytes.size(), sizeof(uint32_t)));
  if (!List.empty()) {
    const auto Count = static_cast<uint32_t>(List.size());
    Entry.loops = static_cast<uint32_t>(Bytes.size());
    Bytes.append(reinterpret_cast<const char *>(&Count), sizeof(Count));
    Bytes.append(reinterpret_cast<const char *>(List.data()), List.size() * sizeof(List[0]));
  }
  Entry.size = static_cast<uint32_t>(Bytes.size());
  std::memcpy(Bytes.data(), &Entry, sizeof(Entry));
  addEntry(SEAMSCOPE_GPU_KERNEL + Kernel.getName(), Bytes);
  return Entry.id;
}

void DeviceTable::finish() { appendToCompilerUsed(M, Added); }

} // namespace seamscope
