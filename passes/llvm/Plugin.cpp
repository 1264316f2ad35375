//===- Plugin.cpp - the passes and where they run --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Usage:
//   clang -O3 -fpass-plugin=SeamscopePass-22.so -gline-tables-only k.c -lseamscope
//   opt -load-pass-plugin=SeamscopePass-22.so -passes='seamscope<kernels=axpy>' -S k.ll
//   opt -load-pass-plugin=SeamscopePass-22.so -passes='print<seamscope-plan>' -disable-output k.ll
//
//===----------------------------------------------------------------------===//
#include "Apply.h"
#include "Compat.h"
#include "Hookable.h"
#include "Keep.h"
#include "ProgramNotes.h"
#include "SubprogramNames.h"
#include "device/DeviceApply.h"
#include "device/DevicePlan.h"
#include "device/DeviceWork.h"
#include "loops/SourceLoop.h"
#include "replay/Snapshot.h"
#include "work/InlineHelpers.h"
#include "work/LoopCounts.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Passes/PassBuilder.h"

#define DEBUG_TYPE "seamscope"

using namespace llvm;

STATISTIC(NumKernels, "Number of kernels instrumented");
STATISTIC(NumRegions, "Number of OpenMP regions instrumented");
STATISTIC(NumLoops, "Number of loops instrumented");
STATISTIC(NumLaunches, "Number of launches of GPU work instrumented");
STATISTIC(NumSkipped, "Number of functions not instrumented");

namespace seamscope {
namespace {

/// Marks a module that the link will instrument, from the start of its pipeline to the end of its
/// pre-link part. The mark reaches neither the bitcode nor a second pipeline over the same module
/// (-ffat-lto-objects), so each of these is instrumented once.
constexpr StringLiteral PreLinkMark = "seamscope.prelink";

/// Marks a module whose options are wrong, so that only one pass reports it. The compilation fails.
constexpr StringLiteral RefusedMark = "seamscope.refused";

/// Returns the options and selector of a module; on a mistake reports it and returns null.
std::optional<std::pair<std::unique_ptr<Options>, Selector>> prepare(Module &M,
                                                                     StringRef Parameters) {
  const auto Report = [&](Error E) {
    const std::string Why = toString(std::move(E));
    if (!M.getNamedMetadata(RefusedMark))
      M.getContext().emitError("seamscope: " + Why);
    M.getOrInsertNamedMetadata(RefusedMark);
    return std::nullopt;
  };
  Expected<Options> Opts = Options::collect(Parameters);
  if (!Opts)
    return Report(Opts.takeError());
  auto Owned = std::make_unique<Options>(std::move(*Opts));
  Expected<Selector> Select = Selector::create(*Owned, M);
  if (!Select)
    return Report(Select.takeError());
  return std::pair{std::move(Owned), std::move(*Select)};
}

/// Runs first: marks coroutines, and modules that the LTO link is to instrument.
class MarkPass : public PassInfoMixin<MarkPass> {
public:
  explicit MarkPass(OptimizationLevel Level) : Level(Level) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (!isSupportedTarget(M))
      return PreservedAnalyses::all();
    markCoroutines(M);
    // At O0 a ThinLTO link does not run passes, so the compile step instruments.
    if (Level != OptimizationLevel::O0 && M.getModuleFlag("EnableSplitLTOUnit"))
      if (auto Prepared = prepare(M, {}); Prepared && Prepared->first->Lto == "link")
        M.getOrInsertNamedMetadata(PreLinkMark);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  OptimizationLevel Level;
};

/// Runs on simplified code, in which trip counts are known, before the inliner: keeps kernels from
/// being inlined away.
class KeepPass : public PassInfoMixin<KeepPass> {
public:
  explicit KeepPass(bool Deferred) : Deferred(Deferred) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (!isSupportedTarget(M))
      return PreservedAnalyses::all();
    auto Prepared = prepare(M, {});
    if (!Prepared)
      return PreservedAnalyses::all();
    auto &[Opts, Select] = *Prepared;
    auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    // Only attributes and notes change, which existing analyses do not look at.
    nameSubprograms(M);
    keepKernels(M, Select, *Opts, FAM, Deferred);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  bool Deferred;
};

/// "2", "s".
std::string levelName(OptimizationLevel Level) {
  return Level.getSizeLevel() == 1   ? "s"
         : Level.getSizeLevel() == 2 ? "z"
                                     : std::to_string(Level.getSpeedupLevel());
}

/// Runs next, also at O0: keeps the code of kernels that are to be replayed.
class SnapshotPass : public PassInfoMixin<SnapshotPass> {
public:
  explicit SnapshotPass(OptimizationLevel Level) : Level(Level) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (!isSupportedTarget(M) || M.getNamedMetadata(PreLinkMark))
      return PreservedAnalyses::all();
    if (auto Prepared = prepare(M, {}); Prepared && !Prepared->first->Replay.empty())
      takeSnapshot(M, Prepared->second, "-O" + levelName(Level), MAM);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  OptimizationLevel Level;
};

/// The second half of KeepPass: runs on a function once it is simplified, before its callers are.
class ApplyKeepMarkPass : public PassInfoMixin<ApplyKeepMarkPass> {
public:
  PreservedAnalyses run(LazyCallGraph::SCC &C, CGSCCAnalysisManager &, LazyCallGraph &,
                        CGSCCUpdateResult &) {
    for (LazyCallGraph::Node &N : C)
      applyKeepMark(N.getFunction());
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

/// Runs before the vectoriser: records which source loop each loop is.
class MarkLoopsPass : public PassInfoMixin<MarkLoopsPass> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    const Module &M = *F.getParent();
    if (!isSupportedTarget(M) || M.getNamedMetadata(PreLinkMark))
      return PreservedAnalyses::all();
    markLoops(FAM.getResult<LoopAnalysis>(F), F);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

DiagnosticLocation locationOf(const Function &F) { return DiagnosticLocation(F.getSubprogram()); }

/// Emits one remark for a module that is not instrumented.
void remarkTarget(Module &M, FunctionAnalysisManager &FAM) {
  for (Function &F : M)
    if (!F.isDeclaration()) {
      FAM.getResult<OptimizationRemarkEmitterAnalysis>(F).emit([&] {
        return OptimizationRemarkMissed(DEBUG_TYPE, slug(Reason::UnsupportedTarget), locationOf(F),
                                        &F.getEntryBlock())
               << "module '" << ore::NV("Module", M.getSourceFileName())
               << "' is not instrumented: " << ore::NV("Reason", text(Reason::UnsupportedTarget))
               << " (" << ore::NV("Target", compat::targetTriple(M).str()) << ")";
      });
      return; // one remark is enough, but it needs a function
    }
}

void remark(Module &M, const Plan &P, FunctionAnalysisManager &FAM) {
  using namespace ore;
  const auto Emitter = [&](Function &F) -> OptimizationRemarkEmitter & {
    return FAM.getResult<OptimizationRemarkEmitterAnalysis>(F);
  };
  for (const KernelPlan &K : P.Kernels)
    Emitter(*K.F).emit([&] {
      return OptimizationRemark(DEBUG_TYPE, "Kernel", locationOf(*K.F), &K.F->getEntryBlock())
             << "timing kernel '" << NV("Kernel", K.Site.Name)
             << "': " << NV("Reason", text(K.Why));
    });
  for (const CallPlan &C : P.Calls)
    Emitter(*C.Call->getFunction()).emit([&] {
      return OptimizationRemark(DEBUG_TYPE, "Fork", C.Call)
             << "timing " << (C.isMessage() ? "message" : "parallel region") << " as kernel '"
             << NV("Kernel", C.Site.Name) << "'";
    });
  for (const GroupsPlan &InFrame : P.Groups)
    for (const GroupPlan &G : InFrame.Groups)
      Emitter(*InFrame.Frame->getFunction()).emit([&] {
        return OptimizationRemark(DEBUG_TYPE, "Group", G.Enters.front())
               << "timing group '" << NV("Group", G.Site.Name) << "'";
      });
  for (const RegionPlan &R : P.Regions)
    Emitter(*R.Body).emit([&] {
      return OptimizationRemark(DEBUG_TYPE, "Region", locationOf(*R.Body), &R.Body->getEntryBlock())
             << "timing region '" << NV("Region", R.Site.Name) << "' on every thread";
    });
  for (const LaunchPlan &L : P.Launches.Calls)
    Emitter(*L.Call->getFunction()).emit([&] {
      return OptimizationRemark(DEBUG_TYPE, "Launch", L.Call)
             << "timing launch of '" << NV("Kernel", L.Site.Name) << "'";
    });
  for (const LoopPlan &L : P.Loops.Loops)
    Emitter(*L.F).emit([&] {
      return OptimizationRemark(DEBUG_TYPE, "Loop", locationOf(*L.F), &L.F->getEntryBlock())
             << (L.isInlinedCall() ? "timing inlined kernel '" : "timing loop '")
             << NV("Loop", L.Site.Name) << "'";
    });
  for (const LoopSkip &S : P.Loops.Skipped)
    Emitter(*S.F).emit([&] {
      return OptimizationRemarkMissed(DEBUG_TYPE, slug(S.Why), locationOf(*S.F),
                                      &S.F->getEntryBlock())
             << "'" << NV("Loop", S.Name) << "' is not timed: " << NV("Reason", text(S.Why));
    });
  for (const SkipPlan &S : P.Skipped)
    Emitter(*S.F).emit([&] {
      return OptimizationRemarkMissed(DEBUG_TYPE, slug(S.Why), locationOf(*S.F),
                                      &S.F->getEntryBlock())
             << "'" << NV("Function", S.F->getName())
             << "' is not timed: " << NV("Reason", text(S.Why));
    });
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    for (const InlinedPlan &I : P.Inlined)
      Emitter(F).emit([&] {
        return OptimizationRemarkMissed(DEBUG_TYPE, slug(Reason::Inlined),
                                        DiagnosticLocation(I.Subprogram), &F.getEntryBlock())
               << "'" << NV("Function", I.Site.LinkageName)
               << "' is not timed: " << NV("Reason", text(Reason::Inlined));
      });
    Emitter(F).emit([&] {
      return OptimizationRemarkAnalysis(DEBUG_TYPE, "Totals", locationOf(F), &F.getEntryBlock())
             << "module '" << NV("Module", M.getSourceFileName())
             << "': " << NV("Kernels", unsigned(P.kernels())) << " kernels, "
             << NV("Regions", unsigned(P.Regions.size())) << " regions, "
             << NV("Skipped", unsigned(P.Skipped.size())) << " functions not timed";
    });
    break; // these remarks are for the module, but a remark needs a function
  }
}

/// Selects, plans, applies, and emits remarks.
class InstrumentPass : public PassInfoMixin<InstrumentPass> {
public:
  explicit InstrumentPass(std::string Parameters = {}) : Parameters(std::move(Parameters)) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (isDeviceModule(M))
      return PreservedAnalyses::all(); // InstrumentDevicePass handles it
    if (!isSupportedTarget(M)) {
      auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
      remarkTarget(M, FAM);
      return PreservedAnalyses::all();
    }
    if (NamedMDNode *Mark = M.getNamedMetadata(PreLinkMark)) {
      M.eraseNamedMetadata(Mark);
      noteLinkStep(M, /*Waits=*/true);
      return PreservedAnalyses::all();
    }
    auto Prepared = prepare(M, Parameters);
    if (!Prepared) {
      restoreSubprograms(M);
      return PreservedAnalyses::all();
    }
    auto &[Opts, Select] = *Prepared;
    noteLinkStep(M, /*Waits=*/false);
    noteKernelGlobs(M, *Opts);
    auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    if (Opts->Work != "off") {
      inlineHelpers(M, Select, Opts->Work == "exact", FAM);
      for (Function &F : M)
        if (!F.isDeclaration())
          separateLoops(F, FAM);
    }
    const Plan P = makePlan(M, Select, *Opts, FAM);
    restoreSubprograms(M);
    remark(M, P, FAM);
    NumKernels += P.kernels();
    NumRegions += P.Regions.size();
    NumLaunches += P.Launches.Calls.size();
    NumLoops += P.loops();
    NumSkipped += P.Skipped.size();
    if (P.empty())
      noteSkipped(M, P);
    if (P.empty() && P.Launches.Parts.empty())
      return PreservedAnalyses::none(); // loops may have been separated
    std::vector<FunctionWork> Work;
    if (Opts->Work != "off")
      Work = planWork(P, Opts->Work == "exact", FAM);
    apply(M, P, insertCounters(Work, FAM));
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  std::string Parameters;
};

/// Emits one remark for a GPU kernel that does not count its work.
void remarkUncounted(Function &F, FunctionAnalysisManager &FAM) {
  FAM.getResult<OptimizationRemarkEmitterAnalysis>(F).emit([&] {
    return OptimizationRemarkMissed(DEBUG_TYPE, "NotCounted", locationOf(F), &F.getEntryBlock())
           << "'" << ore::NV("Function", F.getName())
           << "' does not count its work: GPUs before sm_70 cannot compare numbers of a warp's "
              "threads";
  });
}

/// Does the same for GPU kernels.
class InstrumentDevicePass : public PassInfoMixin<InstrumentDevicePass> {
public:
  explicit InstrumentDevicePass(std::string Parameters = {}) : Parameters(std::move(Parameters)) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (!isDeviceModule(M))
      return PreservedAnalyses::all();
    auto Prepared = prepare(M, Parameters);
    if (!Prepared)
      return PreservedAnalyses::all();
    auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    if (!Prepared->first->Gpu) {
      remarkTarget(M, FAM);
      return PreservedAnalyses::all();
    }
    const bool Counts = Prepared->first->Work == "on" || Prepared->first->Work == "exact";
    if (Counts)
      for (Function &F : M)
        if (!F.isDeclaration())
          separateLoops(F, FAM);
    const Plan P = makeDevicePlan(M, Prepared->second, *Prepared->first, FAM);
    remark(M, P, FAM);
    NumKernels += P.Kernels.size();
    NumLoops += P.Loops.Loops.size();
    NumSkipped += P.Skipped.size();
    if (P.empty())
      return PreservedAnalyses::none(); // loops may have been separated
    std::vector<FunctionWork> Work;
    if (Counts)
      Work = planWork(P, Prepared->first->Work == "exact", FAM);
    erase_if(Work, [&](const FunctionWork &Of) {
      if (!canAddUp(*Of.F))
        remarkUncounted(*Of.F, FAM);
      return !canAddUp(*Of.F);
    });
    applyToDevice(M, P, insertCounters(Work, FAM));
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  std::string Parameters;
};

/// Prints the plan and changes nothing.
class PrintPlanPass : public PassInfoMixin<PrintPlanPass> {
public:
  explicit PrintPlanPass(std::string Parameters) : Parameters(std::move(Parameters)) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (auto Prepared = prepare(M, Parameters)) {
      auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
      const auto &[Opts, Select] = *Prepared;
      (isDeviceModule(M) && Opts->Gpu ? makeDevicePlan(M, Select, *Opts, FAM)
                                      : makePlan(M, Select, *Opts, FAM))
          .print(outs(), M);
    }
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  std::string Parameters;
};

/// If \p Text is \p Name, optionally followed by `<...>`, returns the text between the brackets.
std::optional<std::string> parametersOf(StringRef Text, StringRef Name) {
  if (!Text.consume_front(Name))
    return std::nullopt;
  if (Text.empty())
    return std::string();
  if (Text.consume_front("<") && Text.consume_back(">"))
    return Text.str();
  return std::nullopt;
}

bool parsePipelineElement(StringRef Text, ModulePassManager &MPM,
                          ArrayRef<PassBuilder::PipelineElement>) {
  if (Text == "print<seamscope-plan>") {
    MPM.addPass(PrintPlanPass({}));
    return true;
  }
  // print<seamscope-plan;kernels=...>
  if (Text.consume_front("print<seamscope-plan;") && Text.consume_back(">")) {
    MPM.addPass(PrintPlanPass(Text.str()));
    return true;
  }
  if (Text == "seamscope-keep") {
    MPM.addPass(KeepPass(/*Deferred=*/false));
    MPM.addPass(SnapshotPass(OptimizationLevel::O2));
    return true;
  }
  if (std::optional<std::string> Parameters = parametersOf(Text, "seamscope")) {
    MPM.addPass(InstrumentPass(*Parameters));
    MPM.addPass(InstrumentDevicePass(std::move(*Parameters)));
    return true;
  }
  return false;
}

void registerCallbacks(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(parsePipelineElement);
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) { MPM.addPass(MarkPass(Level)); });
  // At O0 only always_inline functions are inlined.
  PB.registerPipelineEarlySimplificationEPCallback(
      compat::leveledCallback([](ModulePassManager &MPM, OptimizationLevel Level) {
        if (Level != OptimizationLevel::O0)
          MPM.addPass(KeepPass(/*Deferred=*/true));
        Expected<Options> Opts = Options::collect({});
        if (!Opts) // a pass reports it
          consumeError(Opts.takeError());
        else if (!Opts->Replay.empty())
          MPM.addPass(SnapshotPass(Level));
      }));
  PB.registerCGSCCOptimizerLateEPCallback(
      [](CGSCCPassManager &CGPM, OptimizationLevel) { CGPM.addPass(ApplyKeepMarkPass()); });
  PB.registerVectorizerStartEPCallback([](FunctionPassManager &FPM, OptimizationLevel) {
    // Decide once and not for each function.
    Expected<Options> Opts = Options::collect({});
    if (!Opts) // a pass reports it
      consumeError(Opts.takeError());
    else if (Opts->Loops != "off")
      FPM.addPass(MarkLoopsPass());
  });
  const auto Instrument = compat::moduleCallback([](ModulePassManager &MPM) {
    MPM.addPass(InstrumentPass());
    MPM.addPass(InstrumentDevicePass());
  });
  // Runs last in a compilation, in the ThinLTO backend of a link, and in a full LTO link.
  PB.registerOptimizerLastEPCallback(Instrument);
  PB.registerFullLinkTimeOptimizationLastEPCallback(Instrument);
}

} // namespace
} // namespace seamscope

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  // Older majors have no callback before code generation; the rest of the struct is zeroed.
  PassPluginLibraryInfo Info{};
  Info.APIVersion = LLVM_PLUGIN_API_VERSION;
  Info.PluginName = "seamscope";
  Info.PluginVersion = SEAMSCOPE_VERSION;
  Info.RegisterPassBuilderCallbacks = seamscope::registerCallbacks;
  return Info;
}
