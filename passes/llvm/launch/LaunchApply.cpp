//===- LaunchApply.cpp - hooks around launches, in IR ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "launch/LaunchApply.h"

#include "Compat.h"
#include "seamscope/gpu.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/EHPersonalities.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include <map>

using namespace llvm;

namespace seamscope {
namespace {

/// Attribute of calls that have hooks or are part of such a call.
constexpr StringLiteral LaunchMark = "seamscope-launch";

class LaunchInstrumenter {
public:
  LaunchInstrumenter(Module &M, HookWriter &Hooks, SiteTable &Table)
      : M(M), Hooks(Hooks), Table(Table) {
    LLVMContext &C = M.getContext();
    Ptr = PointerType::getUnqual(C);
    Enter = Hooks.hook("__seamscope_launch_enter_v3", Type::getVoidTy(C), {Ptr, Ptr, Ptr});
  }

  void instrument(const LaunchPlan &P) {
    CallBase *Call = P.Call;
    Function &F = *Call->getFunction();
    const FrameSlot Frame = Hooks.launchFrame(F);
    // A tail call would end the frame, whose address the runtime has.
    if (auto *Plain = dyn_cast<CallInst>(Call))
      Plain->setTailCallKind(CallInst::TCK_None);
    if (isa<CallInst>(Call) && !Call->doesNotThrow() && !F.doesNotThrow())
      Call = catchEscape(cast<CallInst>(Call));
    if (auto *Invoke = dyn_cast<InvokeInst>(Call)) {
      Hooks.insertExit(Frame, startOfNormalEdge(*Invoke));
      Hooks.insertExit(Frame, startOfUnwindEdge(*Invoke));
    } else {
      Hooks.insertExit(Frame, Call->getNextNode());
    }
    Hooks.insertEnter(Frame, siteOf(P, F), Call, "seamscope.launch_enter", {launchOf(P.Kernel)},
                      [&](auto &Builder, auto Arguments) { Builder.CreateCall(Enter, Arguments); });
  }

private:
  /// Copies of one call (of an unrolled loop, say) share an entry.
  GlobalVariable *siteOf(const LaunchPlan &P, Function &F) {
    const SitePlan &S = P.Site;
    const std::string Part =
        (".launch." + S.LinkageName + "." + Twine(S.Line) + "." + Twine(S.Column) + "." + S.File)
            .str();
    GlobalVariable *&Site = Sites[{&F, Part}];
    if (!Site)
      Site = Table.add(S, F, Part);
    return Site;
  }

  /// The variable through which the runtime reaches the kernel's device code: a SeamscopeGpuLaunch.
  Constant *launchOf(const Function *Kernel) {
    if (!Kernel)
      return ConstantPointerNull::get(Ptr);
    GlobalVariable *&Launch = Launches[Kernel];
    if (Launch)
      return Launch;
    LLVMContext &C = M.getContext();
    Type *I32 = Type::getInt32Ty(C);
    // abi, reserved, kernel, function_of, context, next
    auto *Ty = StructType::get(C, {I32, I32, Ptr, Ptr, Ptr, Ptr});
    static_assert(sizeof(SeamscopeGpuLaunch) == 40, "the IR type follows gpu.h");
    Constant *Null = ConstantPointerNull::get(Ptr);
    Launch = new GlobalVariable(
        M, Ty, /*isConstant=*/false, GlobalValue::PrivateLinkage,
        ConstantStruct::get(Ty, {ConstantInt::get(I32, SEAMSCOPE_GPU_ABI_VERSION),
                                 ConstantInt::get(I32, 0), const_cast<Function *>(Kernel),
                                 functionOf(), Null, Null}),
        "seamscope.gpu_launch." + Kernel->getName());
    Launch->setAlignment(Align(8));
    return Launch;
  }

  /// cudaGetFuncBySymbol. Weak, so that a program with an older CUDA runtime links as it does
  /// without the plugin. In a static CUDA runtime the same object file defines it and the launch
  /// function.
  Constant *functionOf() {
    constexpr StringLiteral Name = "cudaGetFuncBySymbol";
    if (GlobalValue *Known = M.getNamedValue(Name))
      return Known;
    auto *Ty = FunctionType::get(Type::getInt32Ty(M.getContext()), {Ptr, Ptr}, false);
    return Function::Create(Ty, GlobalValue::ExternalWeakLinkage, Name, M);
  }

  /// Turns \p Call into an invoke that catches nothing, to give an exception an exit hook.
  InvokeInst *catchEscape(CallInst *Call) {
    Function &F = *Call->getFunction();
    LLVMContext &C = F.getContext();
    if (!F.hasPersonalityFn()) {
      const EHPersonality Personality = getDefaultEHPersonality(compat::targetTriple(M));
      F.setPersonalityFn(cast<Constant>(
          M.getOrInsertFunction(getEHPersonalityName(Personality),
                                FunctionType::get(Type::getInt32Ty(C), /*isVarArg=*/true))
              .getCallee()));
    }
    BasicBlock *Cleanup = BasicBlock::Create(C, "seamscope.cleanup", &F);
    auto *Caught = LandingPadInst::Create(StructType::get(C, {Ptr, Type::getInt32Ty(C)}), 1,
                                          "seamscope.caught", Cleanup);
    Caught->setCleanup(true);
    ResumeInst *Resume = ResumeInst::Create(Caught, Cleanup);
    Caught->setDebugLoc(HookWriter::hookLocation(F));
    Resume->setDebugLoc(HookWriter::hookLocation(F));
    BasicBlock *Block = Call->getParent();
    changeToInvokeAndSplitBasicBlock(Call, Cleanup);
    return cast<InvokeInst>(Block->getTerminator());
  }

  static Instruction *startOfNormalEdge(InvokeInst &Invoke) {
    BasicBlock *Next = Invoke.getNormalDest();
    if (!Next->getSinglePredecessor())
      Next = SplitEdge(Invoke.getParent(), Next);
    return &*Next->getFirstInsertionPt();
  }

  static Instruction *startOfUnwindEdge(InvokeInst &Invoke) {
    BasicBlock *Pad = Invoke.getUnwindDest();
    if (!Pad->getSinglePredecessor()) {
      SmallVector<BasicBlock *, 2> Pads; // for this call, and for the others
      SplitLandingPadPredecessors(Pad, {Invoke.getParent()}, ".seamscope", ".others", Pads);
      Pad = Pads.front();
    }
    return &*Pad->getFirstInsertionPt();
  }

  Module &M;
  HookWriter &Hooks;
  SiteTable &Table;
  PointerType *Ptr;
  FunctionCallee Enter;
  std::map<std::pair<const Function *, std::string>, GlobalVariable *> Sites;
  DenseMap<const Function *, GlobalVariable *> Launches;
};

} // namespace

bool isMarkedLaunch(const CallBase &Call) { return Call.hasFnAttr(LaunchMark); }

void markLaunches(const LaunchesPlan &P) {
  const auto Mark = [](CallBase &Call) {
    Call.addFnAttr(Attribute::get(Call.getContext(), LaunchMark));
  };
  for (const LaunchPlan &Launch : P.Calls)
    Mark(*Launch.Call);
  for (CallBase *Part : P.Parts)
    Mark(*Part);
}

void applyLaunches(Module &M, const LaunchesPlan &P, HookWriter &Hooks, SiteTable &Table,
                   SmallVectorImpl<Function *> &Hooked) {
  if (P.Calls.empty())
    return;
  LaunchInstrumenter Instrumenter(M, Hooks, Table);
  SmallSetVector<Function *, 8> Callers;
  for (const LaunchPlan &Launch : P.Calls) {
    Callers.insert(Launch.Call->getFunction());
    Instrumenter.instrument(Launch);
  }
  Hooked.append(Callers.begin(), Callers.end());
}

} // namespace seamscope
