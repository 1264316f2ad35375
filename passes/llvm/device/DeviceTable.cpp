//===- DeviceTable.cpp - what a device module tells of its kernels ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each entry is a symbol of its own, weak as the control block is: a link of device code
// (-fgpu-rdc) merges those of kernels that are in several files, and whoever knows a kernel by its
// name finds what belongs to it. Entries hold offsets and no addresses, which PTX could not
// subtract.
//
//===----------------------------------------------------------------------===//
#include "device/DeviceTable.h"

#include "llvm/IR/Constants.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <cstring>

using namespace llvm;

namespace seamscope {

GlobalVariable *DeviceTable::control() {
  if (GlobalVariable *Old = M.getGlobalVariable(SEAMSCOPE_GPU_CONTROL))
    return Old;
  LLVMContext &C = M.getContext();
  auto *Ty = ArrayType::get(Type::getInt32Ty(C), sizeof(SeamscopeGpuControl) / sizeof(uint32_t));
  auto *G = new GlobalVariable(M, Ty, /*isConstant=*/false, GlobalValue::WeakAnyLinkage,
                               Constant::getNullValue(Ty), SEAMSCOPE_GPU_CONTROL, nullptr,
                               GlobalValue::NotThreadLocal, GlobalMemory,
                               /*isExternallyInitialized=*/true);
  G->setAlignment(Align(16));
  return G;
}

uint32_t DeviceTable::add(const SitePlan &Site, const Function &Kernel) {
  std::string Bytes(sizeof(SeamscopeGpuKernel), '\0');
  const auto Text = [&](const std::string &What) -> uint32_t {
    if (What.empty())
      return 0;
    const auto At = static_cast<uint32_t>(Bytes.size());
    Bytes.append(What.c_str(), What.size() + 1);
    return At;
  };
  SeamscopeGpuKernel Entry = {};
  Entry.id = seamscope_gpu_kernel_id(Site.LinkageName.c_str());
  Entry.line = Site.Line;
  Entry.name = Text(Site.Name);
  Entry.linkage_name = Text(Site.LinkageName);
  Entry.file = Text(Site.File);
  Entry.ops = Text(Site.Ops);
  Bytes.resize(alignTo(Bytes.size(), sizeof(uint32_t)));
  Entry.size = static_cast<uint32_t>(Bytes.size());
  std::memcpy(Bytes.data(), &Entry, sizeof(Entry));
  Constant *Data = ConstantDataArray::getString(M.getContext(), Bytes, /*AddNull=*/false);
  auto *G = new GlobalVariable(M, Data->getType(), /*isConstant=*/true, GlobalValue::WeakAnyLinkage,
                               Data, SEAMSCOPE_GPU_KERNEL + Kernel.getName(), nullptr,
                               GlobalValue::NotThreadLocal, GlobalMemory);
  G->setAlignment(Align(16));
  Added.push_back(G);
  return Entry.id;
}

void DeviceTable::finish() { appendToCompilerUsed(M, Added); }

} // namespace seamscope
