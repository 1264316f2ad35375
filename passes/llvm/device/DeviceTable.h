//===- DeviceTable.h - table of the kernels of a device module -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_DEVICETABLE_H
#define SEAMSCOPE_PASSES_DEVICETABLE_H

#include "Plan.h"
#include "seamscope/gpu.h"

namespace seamscope {

/// Address spaces.
constexpr unsigned GlobalMemory = 1, SharedMemory = 3, ConstantMemory = 4, LocalMemory = 5,
                   ClusterMemory = 7, ParameterMemory = 101;

/// A loop in a kernel's table entry.
struct DeviceLoop {
  const SitePlan *Site;
  uint32_t Parent; ///< number of the enclosing loop, from 1; 0: none
};

/// The control block of a device module and the entries of its kernels, see seamscope/gpu.h.
class DeviceTable {
public:
  explicit DeviceTable(llvm::Module &M) : M(M) {}

  llvm::GlobalVariable *control();
  /// The variable with the address of the loop records.
  llvm::GlobalVariable *loops();

  /// The variable with the address of the sums of counters.
  llvm::GlobalVariable *work();

  /// Adds the description of \p Kernel's \p Words counters and returns its id.
  uint64_t addCounts(const llvm::Function &Kernel, llvm::StringRef Text, unsigned Words);

  /// Adds the entry of \p Kernel and returns its id.
  uint32_t add(const SitePlan &Site, const llvm::Function &Kernel,
               llvm::ArrayRef<DeviceLoop> Loops);

  /// Keeps the added entries, which nothing in the module refers to, from being removed.
  void finish();

private:
  llvm::GlobalVariable *hostVariable(const char *Name, llvm::Type *Ty, llvm::Align Alignment);
  void addEntry(const llvm::Twine &Name, llvm::StringRef Bytes);

  llvm::Module &M;
  llvm::SmallVector<llvm::GlobalValue *> Added;
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_DEVICETABLE_H
