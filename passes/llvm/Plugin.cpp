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

#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Passes/PassBuilder.h"

#define DEBUG_TYPE "seamscope"

using namespace llvm;

STATISTIC(NumKernels, "Number of kernels instrumented");
STATISTIC(NumRegions, "Number of OpenMP regions instrumented");
STATISTIC(NumSkipped, "Number of functions left alone");

namespace seamscope {
namespace {

/// Named metadata on a module that is compiled for LTO, from the start of its pipeline to the end
/// of its pre-link part. Seen by neither the bitcode nor a second pipeline over the same module
/// (-ffat-lto-objects), which are thus instrumented, each once.
constexpr StringLiteral PreLinkMark = "seamscope.prelink";

/// Options and selector of a module; reports what is wrong with them and returns null.
std::optional<std::pair<std::unique_ptr<Options>, Selector>> prepare(Module &M,
                                                                     StringRef Parameters) {
  const auto Report = [&](Error E) {
    M.getContext().emitError("seamscope: " + toString(std::move(E)));
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

/// Runs first, on code as the front end made it: keeps kernels from being inlined away, and marks
/// what is bound for LTO.
class KeepPass : public PassInfoMixin<KeepPass> {
public:
  explicit KeepPass(OptimizationLevel Level) : Level(Level) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    auto Prepared = prepare(M, {});
    if (!Prepared)
      return PreservedAnalyses::all();
    auto &[Opts, Select] = *Prepared;
    // At O0 a ThinLTO link runs no pass at all: then the compile step is the only chance.
    if (Opts->Lto == "link" && Level != OptimizationLevel::O0 &&
        M.getModuleFlag("EnableSplitLTOUnit"))
      M.getOrInsertNamedMetadata(PreLinkMark);
    // Nothing is inlined at O0, but what must be always.
    if (!Opts->Keep || Level == OptimizationLevel::O0)
      return PreservedAnalyses::all();
    auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    const SmallVector<Function *> Kept = Select.keepers(M, FAM);
    for (Function *F : Kept)
      F->addFnAttr(Attribute::NoInline);
    return Kept.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  OptimizationLevel Level;
};

/// Select, plan, apply, and say what was done.
class InstrumentPass : public PassInfoMixin<InstrumentPass> {
public:
  explicit InstrumentPass(std::string Parameters = {}) : Parameters(std::move(Parameters)) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (NamedMDNode *Mark = M.getNamedMetadata(PreLinkMark)) {
      M.eraseNamedMetadata(Mark);
      return PreservedAnalyses::all();
    }
    auto Prepared = prepare(M, Parameters);
    if (!Prepared)
      return PreservedAnalyses::all();
    auto &[Opts, Select] = *Prepared;
    auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    const Plan P = makePlan(M, Select, *Opts, FAM);
    remark(M, P, FAM);
    NumKernels += P.Kernels.size() + P.Forks.size();
    NumRegions += P.Regions.size();
    NumSkipped += P.Skipped.size();
    if (P.empty())
      return PreservedAnalyses::all();
    apply(M, P);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  static DiagnosticLocation locationOf(const Function &F) {
    return DiagnosticLocation(F.getSubprogram());
  }

  static void remark(Module &M, const Plan &P, FunctionAnalysisManager &FAM) {
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
    for (const ForkPlan &F : P.Forks)
      Emitter(*F.Call->getFunction()).emit([&] {
        return OptimizationRemark(DEBUG_TYPE, "Fork", F.Call)
               << "timing parallel region as kernel '" << NV("Kernel", F.Site.Name) << "'";
      });
    for (const RegionPlan &R : P.Regions)
      Emitter(*R.Body).emit([&] {
        return OptimizationRemark(DEBUG_TYPE, "Region", locationOf(*R.Body),
                                  &R.Body->getEntryBlock())
               << "timing region '" << NV("Region", R.Site.Name) << "' on every thread";
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
      Emitter(F).emit([&] {
        return OptimizationRemarkAnalysis(DEBUG_TYPE, "Totals", locationOf(F), &F.getEntryBlock())
               << "module '" << NV("Module", M.getSourceFileName())
               << "': " << NV("Kernels", unsigned(P.Kernels.size() + P.Forks.size()))
               << " kernels, " << NV("Regions", unsigned(P.Regions.size())) << " regions, "
               << NV("Skipped", unsigned(P.Skipped.size())) << " functions not timed";
      });
      break; // one total a module; a remark needs some function to stand on
    }
  }

  std::string Parameters;
};

/// Prints the plan and changes nothing.
class PrintPlanPass : public PassInfoMixin<PrintPlanPass> {
public:
  explicit PrintPlanPass(std::string Parameters) : Parameters(std::move(Parameters)) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (auto Prepared = prepare(M, Parameters)) {
      auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
      makePlan(M, Prepared->second, *Prepared->first, FAM).print(outs(), M);
    }
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  std::string Parameters;
};

/// The text between `<` and `>` of \p Text when \p Text is \p Name with or without them.
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
    MPM.addPass(KeepPass(OptimizationLevel::O2));
    return true;
  }
  if (std::optional<std::string> Parameters = parametersOf(Text, "seamscope")) {
    MPM.addPass(InstrumentPass(std::move(*Parameters)));
    return true;
  }
  return false;
}

void registerCallbacks(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(parsePipelineElement);
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) { MPM.addPass(KeepPass(Level)); });
  const auto Instrument =
      compat::moduleCallback([](ModulePassManager &MPM) { MPM.addPass(InstrumentPass()); });
  // Last of a compile, and of the ThinLTO backend of a link; last of a full LTO link.
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
