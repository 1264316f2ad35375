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

  /// The table entry of \p Site, which lives and dies with \p Owner. \p Part tells several of one
  /// owner apart, the same in all files that have a copy of it.
  llvm::GlobalVariable *add(const SitePlan &Site, llvm::Function &Owner,
                            const llvm::Twine &Part = "");

  /// The entry of a kernel that has no code of its own. Of a \p Shared one, which other files have
  /// too, the linker keeps one entry.
  void addInlined(const SitePlan &Site, bool Shared);

  /// The DSO's gate, an i32.
  llvm::GlobalVariable *gate();

  /// Emits constructor and destructor. Call once, after the last add().
  void finish();

private:
  /// With a name there is one such entry in a link.
  llvm::GlobalVariable *makeEntry(const SitePlan &Site, const std::string &SharedName);
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
