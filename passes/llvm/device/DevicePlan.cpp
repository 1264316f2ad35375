//===- DevicePlan.cpp - which GPU kernels to instrument --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "device/DevicePlan.h"

#include "Compat.h"
#include "Hookable.h"
#include "SitePlan.h"
#include "device/DeviceLoops.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace seamscope {
namespace {

/// Until 19 clang marked kernels in the module's metadata.
bool isAnnotatedKernel(const Function &F) {
  const NamedMDNode *Annotations = F.getParent()->getNamedMetadata("nvvm.annotations");
  if (!Annotations)
    return false;
  return any_of(Annotations->operands(), [&](const MDNode *Node) {
    if (Node->getNumOperands() < 3 ||
        mdconst::dyn_extract_or_null<Function>(Node->getOperand(0)) != &F)
      return false;
    for (unsigned I = 1; I + 1 < Node->getNumOperands(); I += 2)
      if (const auto *Name = dyn_cast<MDString>(Node->getOperand(I));
          Name && Name->getString() == "kernel")
        return true;
    return false;
  });
}

Verdict judge(const Function &F, const Selector &Select) {
  if (const std::optional<Reason> Why = whyNotHookable(F))
    return {false, *Why};
  if (!isDeviceKernel(F))
    return {false, Reason::DeviceFunction};
  if (const std::optional<Verdict> Asked = Select.asked(F))
    return *Asked;
  return {true, Reason::DeviceKernel};
}

} // namespace

bool isDeviceModule(const Module &M) {
  return compat::targetTriple(M).getArch() == Triple::nvptx64;
}

bool isDeviceKernel(const Function &F) {
  return F.getCallingConv() == CallingConv::PTX_Kernel || isAnnotatedKernel(F);
}

Plan makeDevicePlan(Module &M, const Selector &Select, const Options &Opts,
                    FunctionAnalysisManager &FAM) {
  Plan Result;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    const Verdict V = judge(F, Select);
    if (!V.Kernel) {
      Result.Skipped.push_back({&F, V.Why});
      continue;
    }
    SitePlan Site = kernelSite(F, Select, Opts);
    if (Opts.Loops != "off" && Opts.Loops != "host") {
      LoopsPlan Loops;
      planLoops(F, kernelOf(Site), false, {}, Select, Opts, FAM, Loops);
      limitDeviceLoops(Loops);
      move(Loops.Loops, std::back_inserter(Result.Loops.Loops));
      move(Loops.Skipped, std::back_inserter(Result.Loops.Skipped));
    }
    Result.Kernels.push_back({&F, V.Why, std::move(Site)});
  }
  return Result;
}

} // namespace seamscope
