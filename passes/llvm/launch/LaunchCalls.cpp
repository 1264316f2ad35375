//===- LaunchCalls.cpp - recognition of launches in host code --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang compiles `k<<<grid, block>>>(x)` to
//
//   if (!__cudaPushCallConfiguration(grid, block, 0, 0))
//     __device_stub__k(x);       // which calls cudaLaunchKernel(&__device_stub__k, ...)
//
// nvcc compiles it to a call of k, which calls __device_stub__Z1kPf, which launches k by a handle.
// The function whose address the launch gets is registered with the kernel's device symbol: by
// __cudaRegisterFunction or by an entry of clang's offload table.
//
//===----------------------------------------------------------------------===//
#include "launch/LaunchCalls.h"

#include "launch/LaunchNames.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace seamscope {
namespace {

/// The function that \p Call calls; null if unknown.
const Function *calleeOf(const CallBase &Call) {
  return dyn_cast<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases());
}

const Function *functionAt(const CallBase &Call, unsigned Argument) {
  if (Argument >= Call.arg_size())
    return nullptr;
  return dyn_cast<Function>(Call.getArgOperand(Argument)->stripPointerCastsAndAliases());
}

/// The CUDA function that \p F is, or that it wraps as a template of CUDA's headers.
std::optional<LaunchApi> apiOf(const Function &F) {
  if (std::optional<LaunchApi> Api = launchApi(F.getName()))
    return Api;
  if (F.hasLocalLinkage() || F.hasLinkOnceLinkage() || F.hasWeakLinkage())
    return launchTemplate(F.getName());
  return std::nullopt;
}

/// Whether \p Call, of an unknown function, is a launch: __cudaPushCallConfiguration returned 0
/// before it and it is the last such call in its block.
bool isConfigured(const CallBase &Call) {
  if (calleeOf(Call) || Call.isInlineAsm() || !Call.getType()->isVoidTy())
    return false;
  const BasicBlock *Block = Call.getParent();
  for (const Instruction *I = Call.getNextNode(); I; I = I->getNextNode())
    if (const auto *Later = dyn_cast<CallBase>(I);
        Later && !calleeOf(*Later) && !Later->isInlineAsm() && Later->getType()->isVoidTy())
      return false;
  // Some blocks may lie between: they compute the kernel's arguments.
  for (unsigned Steps = 0; Steps < 16; ++Steps) {
    const BasicBlock *Before = Block->getSinglePredecessor();
    if (!Before)
      return false;
    const auto *Branch = dyn_cast<BranchInst>(Before->getTerminator());
    if (Branch && Branch->isConditional()) {
      const Value *Condition = Branch->getCondition();
      if (const auto *Compare = dyn_cast<ICmpInst>(Condition))
        Condition = Compare->getOperand(0);
      const auto *Push = dyn_cast<CallBase>(Condition);
      const Function *Callee = Push ? calleeOf(*Push) : nullptr;
      return Callee && Callee->getName() == "__cudaPushCallConfiguration";
    }
    Block = Before;
  }
  return false;
}

/// The name by which MLIR's host code looks up the kernel.
std::optional<std::string> mlirKernel(const CallBase &Call) {
  if (Call.arg_empty())
    return std::nullopt;
  const auto *Lookup = dyn_cast<CallBase>(Call.getArgOperand(0));
  const Function *Callee = Lookup ? calleeOf(*Lookup) : nullptr;
  StringRef Name;
  if (!Callee || Callee->getName() != "mgpuModuleGetFunction" || Lookup->arg_size() < 2 ||
      !getConstantStringInfo(Lookup->getArgOperand(1), Name))
    return std::nullopt;
  return Name.str();
}

} // namespace

LaunchCalls::LaunchCalls(const Module &M) {
  const Function *Push = M.getFunction("__cudaPushCallConfiguration");
  Any = Push || any_of(M, [](const Function &F) { return launchApi(F.getName()).has_value(); });
  if (!Any)
    return;
  readRegistrations(M);
  readOffloadEntries(M);
  for (const Function &F : M)
    // A stub that is only declared is recognised by name alone, so it counts only in CUDA code.
    if (kernelOfStub(F.getName()) && (F.isDeclaration() ? Push != nullptr : launchesInside(F)))
      addStub(F);
  for (const Function &F : M)
    if (isNvccWrapper(F.getName()))
      addWrapper(F);
  for (const auto &[F, Known] : Stubs)
    if (const DISubprogram *SP = F->getSubprogram())
      StubOfSubprogram[SP] = F;
}

void LaunchCalls::readRegistrations(const Module &M) {
  const Function *Register = M.getFunction("__cudaRegisterFunction");
  if (!Register)
    return;
  for (const User *By : Register->users())
    if (const auto *Call = dyn_cast<CallBase>(By); Call && calleeOf(*Call) == Register)
      if (const Function *F = functionAt(*Call, 1)) {
        StringRef Symbol;
        if (Call->arg_size() > 3 && getConstantStringInfo(Call->getArgOperand(3), Symbol))
          Stubs[F] = {F, Symbol.str()};
      }
}

void LaunchCalls::readOffloadEntries(const Module &M) {
  for (const GlobalVariable &G : M.globals()) {
    const StringRef Section = G.getSection();
    const auto *Entry = G.hasInitializer() ? dyn_cast<ConstantStruct>(G.getInitializer()) : nullptr;
    if (!Entry)
      continue;
    // CUDA entries have a section of their own, or a kind number from 21 on.
    constexpr unsigned Cuda = 2;
    const auto IsCuda = [&] {
      const auto *Kind =
          Entry->getNumOperands() > 2 ? dyn_cast<ConstantInt>(Entry->getOperand(2)) : nullptr;
      return Kind && Kind->equalsInt(Cuda);
    };
    if (Section != "cuda_offloading_entries" && (Section != "llvm_offload_entries" || !IsCuda()))
      continue;
    for (unsigned I = 0; I + 1 < Entry->getNumOperands(); ++I)
      if (const auto *F = dyn_cast<Function>(Entry->getOperand(I)->stripPointerCastsAndAliases())) {
        if (StringRef Symbol; getConstantStringInfo(Entry->getOperand(I + 1), Symbol))
          Stubs[F] = {F, Symbol.str()};
        break;
      }
  }
}

void LaunchCalls::addStub(const Function &F) {
  if (Stubs.contains(&F))
    return;
  Stub Known = {&F, *kernelOfStub(F.getName())};
  if (isNvccStub(F.getName())) {
    // The stub's name contains a C++ name even if the kernel is extern "C".
    Known.Kernel = kernelInside(F);
    if (Known.Kernel)
      Known.Symbol = Stubs.find(Known.Kernel)->second.Symbol;
  }
  Stubs[&F] = Known;
}

/// Adds \p F, a wrapper by nvcc, as a stub of the kernel whose stub it calls or has inlined.
void LaunchCalls::addWrapper(const Function &F) {
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? calleeOf(*Call) : nullptr;
    if (const auto Found = Stubs.find(Callee); Callee && Found != Stubs.end()) {
      const Stub Known = Found->second;
      Stubs[&F] = Known;
      return;
    }
  }
  if (const Function *Kernel = kernelInside(F)) {
    const Stub Known = Stubs.find(Kernel)->second;
    Stubs[&F] = Known;
  }
}

/// Whether \p F, named like a stub, launches: users may name a function of their own like this.
bool LaunchCalls::launchesInside(const Function &F) const {
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? calleeOf(*Call) : nullptr;
    const std::optional<LaunchApi> Api = Callee ? apiOf(*Callee) : std::nullopt;
    if (Api &&
        (isNvccStub(F.getName()) || (Api->Kernel >= 0 && functionAt(*Call, Api->Kernel) == &F)))
      return true;
  }
  return false;
}

/// The registered function whose address \p F, a stub by nvcc, passes on.
const Function *LaunchCalls::kernelInside(const Function &F) const {
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      for (unsigned At = 0; At < Call->arg_size(); ++At)
        if (const Function *Passed = functionAt(*Call, At); Passed && Stubs.contains(Passed))
          return Passed;
  return nullptr;
}

bool LaunchCalls::isPartOfLaunch(const Function &F) const { return Stubs.contains(&F) || apiOf(F); }

LaunchCall LaunchCalls::ofKernel(const Function &Kernel) const {
  if (const auto Found = Stubs.find(&Kernel); Found != Stubs.end())
    return {Found->second.Kernel, Found->second.Symbol, {}};
  return {&Kernel, kernelOfStub(Kernel.getName()).value_or(Kernel.getName().str()), {}};
}

/// The kernel of the stub that \p Call was inlined from.
std::optional<LaunchCall> LaunchCalls::inlinedStub(const CallBase &Call) const {
  for (const DILocation *At = Call.getDebugLoc().get(); At; At = At->getInlinedAt())
    if (const auto Found = StubOfSubprogram.find(At->getScope()->getSubprogram());
        Found != StubOfSubprogram.end())
      return ofKernel(*Found->second);
  return std::nullopt;
}

std::optional<LaunchCall> LaunchCalls::look(const CallBase &Call) const {
  const Function *Callee = calleeOf(Call);
  if (!Callee)
    return isConfigured(Call)
               ? std::optional(LaunchCall{nullptr, "cudaLaunchKernel", "cudaLaunchKernel"})
               : std::nullopt;
  if (Stubs.contains(Callee))
    return ofKernel(*Callee);
  const std::optional<LaunchApi> Api = apiOf(*Callee);
  if (!Api)
    return std::nullopt;
  if (Api->Kernel >= 0)
    if (const Function *Kernel = functionAt(Call, Api->Kernel))
      return ofKernel(*Kernel);
  if (std::optional<LaunchCall> Inlined = inlinedStub(Call))
    return Inlined;
  if (Api->Name.starts_with("mgpu"))
    if (std::optional<std::string> Kernel = mlirKernel(Call))
      return LaunchCall{nullptr, *Kernel, {}};
  StringRef Name = Api->Name;
  Name.consume_front("__");
  return LaunchCall{nullptr, Callee->getName().str(), Name.str()};
}

const DILocation *LaunchCalls::placeOf(const CallBase &Call) const {
  const DILocation *Last = nullptr;
  for (const DILocation *At = Call.getDebugLoc().get(); At; At = At->getInlinedAt()) {
    Last = At;
    if (At->getLine() && !StubOfSubprogram.contains(At->getScope()->getSubprogram()) &&
        !isCudaHeader((At->getDirectory() + "/" + At->getFilename()).str()) &&
        !isCudaHeader(At->getFilename()))
      return At;
  }
  return Last;
}

} // namespace seamscope
