//===- SiteTable.h - the table and its registration, in IR -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_SITETABLE_H
#define SEAMSCOPE_PASSES_SITETABLE_H

#include "Plan.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/GlobalVariable.h"

namespace seamscope {

/// Writes SeamscopeSite entries (abi.h) and the constructor that registers them.
class SiteTable {
public:
  explicit SiteTable(llvm::Module &M);

  /// The table entry of \p Site, which lives and dies with \p Owner.
  llvm::GlobalVariable *add(const SitePlan &Site, llvm::Function &Owner);

  /// The DSO's gate, an i32.
  llvm::GlobalVariable *gate();

  /// Emits constructor and destructor. Call once, after the last add().
  void finish();

private:
  llvm::Constant *offsetTo(llvm::StringRef Text, llvm::GlobalVariable *Site);
  llvm::Function *makeHook(llvm::StringRef Name, llvm::StringRef Callee,
                           llvm::GlobalVariable *Module);
  llvm::GlobalVariable *hidden(llvm::StringRef Name, llvm::Type *Ty, llvm::Constant *Init);

  llvm::Module &M;
  llvm::StructType *SiteTy;
  llvm::StringMap<llvm::GlobalVariable *> Strings;
  llvm::SmallVector<llvm::GlobalValue *> Used;
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_SITETABLE_H
