//===- Hookable.cpp - which code can have hooks ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Hookable.h"

#include "Compat.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/EHPersonalities.h"
#include "llvm/IR/GlobalIFunc.h"

using namespace llvm;

namespace seamscope {

static constexpr StringLiteral CoroutineMark = "seamscope-coroutine";

bool isSupportedTarget(const Module &M) {
  const Triple Target = compat::targetTriple(M);
  if (Target.getTriple().empty())
    return true;
  if (!Target.isOSLinux() || !Target.isOSBinFormatELF())
    return false;
  switch (Target.getArch()) {
  case Triple::x86_64:
    return !Target.isX32();
  case Triple::aarch64:
    return Target.getEnvironment() != Triple::GNUILP32;
  case Triple::loongarch64:
  case Triple::ppc64le:
  case Triple::riscv64:
    return true;
  default:
    return false;
  }
}

std::optional<Reason> whyNotHookable(const Function &F) {
  if (F.isDeclaration() || F.hasAvailableExternallyLinkage())
    return Reason::NotThisModule;
  if (F.hasFnAttribute(Attribute::Naked))
    return Reason::Naked;
  if (F.isPresplitCoroutine() || F.hasFnAttribute(CoroutineMark))
    return Reason::Coroutine;
  if (F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation) ||
      F.hasFnAttribute("no_instrument_function"))
    return Reason::InstrumentationDisabled;
  if (F.getName().starts_with("seamscope.") || F.getName().starts_with("__seamscope_"))
    return Reason::SeamscopeRuntime;
  if (F.hasFnAttribute("seamscope-instrumented"))
    return Reason::AlreadyInstrumented;
  if (F.hasPersonalityFn() && isScopedEHPersonality(classifyEHPersonality(F.getPersonalityFn())))
    return Reason::FuncletEH;
  if (any_of(F.getParent()->ifuncs(),
             [&](const GlobalIFunc &I) { return I.getResolverFunction() == &F; }))
    return Reason::IFuncResolver;
  return std::nullopt;
}

bool markCoroutines(Module &M) {
  bool Any = false;
  for (Function &F : M)
    if (F.isPresplitCoroutine()) {
      F.addFnAttr(CoroutineMark);
      Any = true;
    }
  return Any;
}

} // namespace seamscope
