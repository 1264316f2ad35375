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

  /// Adds the table entry of \p Site. The linker keeps or drops it together with \p Owner. \p Part
  /// distinguishes several entries of one owner, the same way in all files that have a copy of it.
  /// \p Work is the SeamscopeWork of a site of that kind.
  llvm::GlobalVariable *add(const SitePlan &Site, llvm::Function &Owner,
                            const llvm::Twine &Part = "", llvm::GlobalVariable *Work = nullptr);

  /// Adds the entry of a kernel without code of its own. Other files have a \p Shared one too, and
  /// the linker keeps one entry.
  void addInlined(const SitePlan &Site, bool Shared);

  /// The DSO's gate, an i32.
  llvm::GlobalVariable *gate();

  /// Emits the constructor and destructor. Call once, after the last add().
  void finish();

private:
  /// If \p SharedName is not empty, the link keeps one entry with that name.
  llvm::GlobalVariable *makeEntry(const SitePlan &Site, const std::string &SharedName,
                                  llvm::GlobalVariable *Work = nullptr);
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
