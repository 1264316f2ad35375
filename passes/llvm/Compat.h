//===- Compat.h - what differs between LLVM 19 and 22, in one place --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_COMPAT_H
#define SEAMSCOPE_PASSES_COMPAT_H

// Moved in 22.
#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif
// Moved in 21.
#if __has_include("llvm/Transforms/Utils/Instrumentation.h")
#include "llvm/Transforms/Utils/Instrumentation.h"
#else
#include "llvm/Transforms/Instrumentation.h"
#endif

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Support/InstructionCost.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <optional>
#include <type_traits>

namespace seamscope::compat {

/// The module's target: a string until 20, a Triple from 21 on.
inline llvm::Triple targetTriple(const llvm::Module &M) {
  return llvm::Triple(M.getTargetTriple());
}

/// The language of a compile unit: a number until 21.
inline llvm::dwarf::SourceLanguage sourceLanguage(const llvm::DICompileUnit &Unit) {
#if LLVM_VERSION_MAJOR >= 22
  const llvm::DISourceLanguageName Name = Unit.getSourceLanguage();
  if (Name.hasVersionedName())
    return llvm::dwarf::toDW_LANG(static_cast<llvm::dwarf::SourceLanguageName>(Name.getName()),
                                  Name.getVersion())
        .value_or(llvm::dwarf::SourceLanguage());
  return static_cast<llvm::dwarf::SourceLanguage>(Name.getName());
#else
  return static_cast<llvm::dwarf::SourceLanguage>(Unit.getSourceLanguage());
#endif
}

/// The code generator that this process has for a target, or null; looked up by text until 21.
inline const llvm::Target *findTarget(const llvm::Triple &T) {
  std::string Why;
#if LLVM_VERSION_MAJOR >= 22
  return llvm::TargetRegistry::lookupTarget(T, Why);
#else
  return llvm::TargetRegistry::lookupTarget(T.str(), Why);
#endif
}

/// Emits a warning without a source location.
inline void warn(llvm::LLVMContext &C, const llvm::Twine &Message) {
#if LLVM_VERSION_MAJOR >= 20
  C.diagnose(llvm::DiagnosticInfoGeneric(Message, llvm::DS_Warning));
#else
  // The generic diagnostic of that version, despite its name.
  C.diagnose(llvm::DiagnosticInfoInlineAsm(Message, llvm::DS_Warning));
#endif
}

/// The value of a valid \p Cost: optional in older majors.
inline int64_t costValue(const llvm::InstructionCost &Cost) {
  return std::optional<int64_t>(Cost.getValue()).value_or(0);
}

/// Writes the values of ScalarEvolution's expressions as code; it knows the data layout itself from
/// 22 on.
template <typename T = llvm::SCEVExpander>
T makeExpander(llvm::ScalarEvolution &Evolution, const llvm::DataLayout &Layout) {
  if constexpr (std::is_constructible_v<T, llvm::ScalarEvolution &, const llvm::DataLayout &,
                                        const char *>)
    return T(Evolution, Layout, "seamscope");
  else
    return T(Evolution, "seamscope");
}

/// Adapts \p Fn(ModulePassManager &) to the module extension points, whose callbacks gained a phase
/// argument in 20.
template <typename FnT> auto moduleCallback(FnT Fn) {
  return [Fn](llvm::ModulePassManager &MPM, auto &&...) { Fn(MPM); };
}

/// Adapts \p Fn(ModulePassManager &, OptimizationLevel) to callbacks that get the level.
template <typename FnT> auto leveledCallback(FnT Fn) {
  return [Fn](llvm::ModulePassManager &MPM, llvm::OptimizationLevel Level, auto &&...) {
    Fn(MPM, Level);
  };
}

} // namespace seamscope::compat
#endif // SEAMSCOPE_PASSES_COMPAT_H
