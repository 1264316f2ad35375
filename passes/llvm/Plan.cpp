//===- Plan.cpp - what to instrument, as plain data ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Plan.h"

#include "Names.h"
#include "OpenMP.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace seamscope {
namespace {

std::string fullPath(const DIFile *File) {
  if (!File)
    return {};
  SmallString<256> Path;
  if (!sys::path::is_absolute(File->getFilename()))
    Path = File->getDirectory();
  sys::path::append(Path, File->getFilename());
  sys::path::remove_dots(Path, /*remove_dot_dot=*/false);
  return std::string(Path);
}

SourcePoint sourceOf(const Function &F) {
  if (const DISubprogram *SP = F.getSubprogram())
    return {fullPath(SP->getFile()), SP->getLine(), 0};
  return {F.getParent()->getSourceFileName(), 0, 0};
}

SourcePoint sourceOf(const CallBase &Call, const Function &Body) {
  if (const DILocation *Loc = Call.getDebugLoc().get(); Loc && Loc->getLine())
    return {fullPath(Loc->getFile()), Loc->getLine(), Loc->getColumn()};
  return sourceOf(Body);
}

/// Makes the plan of one module.
class Planner {
public:
  Planner(Module &M, const Selector &Select, const Options &Opts, FunctionAnalysisManager &FAM)
      : M(M), Select(Select), Opts(Opts), FAM(FAM) {}

  Plan run() {
    for (Function &F : M)
      if (!F.isDeclaration())
        planFunction(F);
    if (Opts.Regions)
      for (const ForkSite &Fork : findForks(M))
        planFork(Fork);
    // The bodies that are timed are not "left alone".
    erase_if(Result.Skipped, [&](const SkipPlan &S) { return Bodies.contains(S.F); });
    return std::move(Result);
  }

private:
  void planFunction(Function &F) {
    const Verdict V = Select.judge(F, FAM);
    if (!V.Kernel) {
      Result.Skipped.push_back({&F, V.Why});
      return;
    }
    Chosen.insert(&F);
    const std::string Name = shownName(F.getName());
    unsigned Returns = 0;
    bool MayUnwind = false;
    for (const Instruction &I : instructions(F)) {
      Returns += isa<ReturnInst>(I);
      MayUnwind |= isa<ResumeInst>(I) || (isa<CallInst>(I) && I.mayThrow());
    }
    const Annotations &Marks = Select.annotations(F);
    Result.Kernels.push_back(
        {&F,
         V.Why,
         {SEAMSCOPE_SITE_KERNEL, Name, F.getName().str(), Name, sourceOf(F), Marks.Ops},
         Returns,
         MayUnwind && !F.doesNotThrow()});
  }

  void planFork(const ForkSite &Fork) {
    Function &Body = *Fork.Body;
    const StringRef Symbol = kernelSymbol(Body.getName());
    Function *Kernel = M.getFunction(Symbol);
    if (!wanted(Kernel, *Fork.Call->getFunction()) || Body.hasFnAttribute("seamscope-instrumented"))
      return;
    const std::string Name = shownName(Symbol);
    const SourcePoint Source = sourceOf(*Fork.Call, Body);
    if (Bodies.insert(&Body).second)
      Result.Regions.push_back({&Body,
                                {SEAMSCOPE_SITE_REGION,
                                 regionName(Name, Source),
                                 Body.getName().str(),
                                 Name,
                                 Source,
                                 {}}});
    // The team's starter is timed as well: by its kernel, by the region around a nested
    // fork, or else by the fork itself.
    Function &Caller = *Fork.Call->getFunction();
    const bool Covered =
        (Kernel == &Caller && Chosen.contains(&Caller)) || isOutlinedSymbol(Caller.getName());
    auto *Call = dyn_cast<CallInst>(Fork.Call);
    if (!Covered && Call)
      Result.Forks.push_back({Call, {SEAMSCOPE_SITE_KERNEL, Name, Symbol.str(), Name, Source, {}}});
  }

  /// Whether regions of \p Kernel (null once it is inlined everywhere), forked in \p Caller,
  /// are wanted.
  bool wanted(const Function *Kernel, const Function &Caller) const {
    if (Kernel && Chosen.contains(Kernel))
      return true;
    if ((Kernel && Select.isExcluded(*Kernel)) || Select.isExcluded(Caller))
      return false;
    return Opts.Kernels.empty() && Opts.Select != "marked";
  }

  std::string shownName(StringRef Symbol) const {
    const std::string Shown = displayName(Symbol);
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

  std::string regionName(StringRef Kernel, const SourcePoint &Source) {
    const unsigned Ordinal = ++Ordinals[Kernel];
    if (Source.Line)
      return (Kernel + " [parallel " + sys::path::filename(Source.File) + ":" + Twine(Source.Line) +
              "]")
          .str();
    return (Kernel + " [parallel #" + Twine(Ordinal) + "]").str();
  }

  Module &M;
  const Selector &Select;
  const Options &Opts;
  FunctionAnalysisManager &FAM;
  Plan Result;
  DenseSet<const Function *> Chosen;
  DenseSet<const Function *> Bodies;
  StringMap<unsigned> Ordinals;
};

void printSource(raw_ostream &OS, const SourcePoint &Source) {
  OS << (Source.File.empty() ? "?" : Source.File);
  if (Source.Line)
    OS << ':' << Source.Line;
  if (Source.Column)
    OS << ':' << Source.Column;
}

void printSite(raw_ostream &OS, StringRef What, const SitePlan &Site) {
  OS << What << " '" << Site.Name << "' symbol=" << Site.LinkageName << " source=";
  printSource(OS, Site.Source);
  if (!Site.Ops.empty())
    OS << " ops=" << Site.Ops;
}

} // namespace

void Plan::print(raw_ostream &OS, const Module &M) const {
  OS << "seamscope plan for '" << M.getSourceFileName() << "'\n";
  for (const KernelPlan &K : Kernels) {
    printSite(OS, "  kernel", K.Site);
    OS << " returns=" << K.Returns << (K.MayUnwind ? " unwinds" : "") << " because " << text(K.Why)
       << '\n';
  }
  for (const ForkPlan &F : Forks) {
    printSite(OS, "  fork", F.Site);
    OS << " in=" << F.Call->getFunction()->getName() << '\n';
  }
  for (const RegionPlan &R : Regions) {
    printSite(OS, "  region", R.Site);
    OS << " of='" << R.Site.Kernel << "'\n";
  }
  for (const SkipPlan &S : Skipped)
    OS << "  skip " << S.F->getName() << ": " << text(S.Why) << '\n';
  OS << "  total kernels=" << Kernels.size() + Forks.size() << " regions=" << Regions.size()
     << " skipped=" << Skipped.size() << '\n';
}

Plan makePlan(Module &M, const Selector &Select, const Options &Opts,
              FunctionAnalysisManager &FAM) {
  return Planner(M, Select, Opts, FAM).run();
}

} // namespace seamscope
