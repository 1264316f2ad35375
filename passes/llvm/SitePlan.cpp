//===- SitePlan.cpp - the description of a site, as plain data -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SitePlan.h"

#include "Conventions.h"
#include "Names.h"
#include "OpenMP.h"
#include "UserPlace.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace seamscope {

SitePlan makeSite(SeamscopeSiteKind Kind, const std::string &Name, StringRef Symbol,
                  const KernelRef &Kernel, const SourcePoint &Source) {
  SitePlan Site;
  Site.Kind = Kind;
  Site.Name = Name;
  Site.LinkageName = Symbol.str();
  Site.Kernel = Kernel.Name;
  if (Kernel.File != Source.File)
    Site.KernelFile = Kernel.File;
  Site.KernelLine = Kernel.Line;
  Site.File = Source.File;
  Site.Line = Source.Line;
  Site.Column = Source.Column;
  return Site;
}

SitePlan makeKernel(const std::string &Name, StringRef Symbol, const SourcePoint &Source) {
  return makeSite(SEAMSCOPE_SITE_KERNEL, Name, Symbol, {Name, Source.File, Source.Line}, Source);
}

KernelRef kernelOf(const SitePlan &Site) {
  return {Site.Kernel, Site.KernelFile.empty() ? Site.File : Site.KernelFile,
          Site.Kind == SEAMSCOPE_SITE_KERNEL ? Site.Line : Site.KernelLine};
}

SourcePoint sourceOf(const CallBase &Call, const Function &Body) {
  const DILocation *Loc = Call.getDebugLoc().get();
  const DISubprogram *In = Loc ? Loc->getScope()->getSubprogram() : Body.getSubprogram();
  SourcePoint Point = Loc && Loc->getLine() ? sourceOf(*Loc) : sourceOf(Body);
  if (const std::optional<UserCall> User = userCall(Loc))
    Point = sourceOf(*User->At);
  else if (Loc ? isLibraryCode(*Loc) : In && isLibraryCode(*In))
    if (const DISubprogram *Function = userFunctionIn(Body))
      Point = sourceOf(Function, *Body.getParent());
  // flang often gives the call the place of another statement; the ident_t has the directive's.
  if (In && isFortran(In->getUnit()))
    if (const auto [Line, Column] = directivePlace(Call); Line) {
      Point.Line = Line;
      Point.Column = Column;
    }
  return Point;
}

std::optional<unsigned> targetLine(StringRef Symbol) {
  const std::optional<TargetRegion> Region = targetRegion(kernelSymbol(Symbol));
  return Region ? std::optional(Region->Line) : std::nullopt;
}

std::string shownName(StringRef Symbol, const Module &M, const Selector &Select,
                      const Options &Opts) {
  const std::string Shown = displayName(Symbol, M);
  if (const Function *F = M.getFunction(Symbol))
    if (const Annotations &Marks = Select.annotations(*F); !Marks.Name.empty())
      return Marks.Name;
  for (const std::string &Pair : Opts.Rename) {
    auto [From, To] = StringRef(Pair).split(':');
    if (From == Symbol || From == Shown)
      return To.str();
  }
  return Shown;
}

SitePlan kernelSite(const Function &F, const Selector &Select, const Options &Opts) {
  const std::string Name = shownName(F.getName(), *F.getParent(), Select, Opts);
  SourcePoint Source = sourceOf(F);
  if (const std::optional<unsigned> Line = targetLine(F.getName()))
    Source.Line = *Line;
  SitePlan Site = makeKernel(Name, F.getName(), Source);
  Site.Ops = Select.annotations(F).Ops;
  // The MLIR passes set this attribute.
  if (const Attribute Ops = F.getFnAttribute("seamscope-ops"); Site.Ops.empty() && Ops.isValid())
    Site.Ops = Ops.getValueAsString().str();
  return Site;
}

} // namespace seamscope
