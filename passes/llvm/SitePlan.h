//===- SitePlan.h - the description of a site, as plain data ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_SITEPLAN_H
#define SEAMSCOPE_PASSES_SITEPLAN_H

#include "Select.h"
#include "SourcePoint.h"
#include "seamscope/abi.h"

#include "llvm/IR/Module.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace seamscope {

/// A site's entry of the site table: the fields of site.def.
struct SitePlan {
#define SEAMSCOPE_SITE_NUMBER(Type, field, Field) Type Field = 0;
#define SEAMSCOPE_SITE_TEXT(field, Field) std::string Field;
#include "seamscope/site.def"
};

/// A kernel, as the parts of it know it.
struct KernelRef {
  std::string Name; ///< as it is shown
  std::string File; ///< several files may have a kernel of the name
  uint32_t Line = 0;
};

/// The kernel that a site is, or is a part of.
KernelRef kernelOf(const SitePlan &Site);

/// The place of \p Call or, without one, of the function \p Body that it starts. For code of a
/// library, where the user called it (UserPlace.h).
SourcePoint sourceOf(const llvm::CallBase &Call, const llvm::Function &Body);

/// The site of \p Symbol, shown as \p Name, a part of \p Kernel.
SitePlan makeSite(SeamscopeSiteKind Kind, const std::string &Name, llvm::StringRef Symbol,
                  const KernelRef &Kernel, const SourcePoint &Source);
/// The same for a kernel itself.
SitePlan makeKernel(const std::string &Name, llvm::StringRef Symbol, const SourcePoint &Source);

/// The line of the target region that \p Symbol is.
std::optional<unsigned> targetLine(llvm::StringRef Symbol);

/// The name to show for \p Symbol: the annotated or renamed one, else the demangled symbol.
std::string shownName(llvm::StringRef Symbol, const llvm::Module &M, const Selector &Select,
                      const Options &Opts);

/// The site of a function that is a kernel.
SitePlan kernelSite(const llvm::Function &F, const Selector &Select, const Options &Opts);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_SITEPLAN_H
