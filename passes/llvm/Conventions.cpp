//===- Conventions.cpp - naming conventions of other tools -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Conventions.h"

#include "Compat.h"
#include "FortranNames.h"
#include "seamscope/target-region.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace seamscope {

/// Suffixes used by clang's own code generation, and by the OMPIRBuilder of clang, flang and MLIR.
static constexpr StringLiteral ClangOutlined = ".omp_outlined", BuilderOutlined = "..omp_par";

bool isInductorProbe(StringRef Symbol) {
  return Symbol.starts_with("__") && Symbol.contains("_chk_kernel");
}

bool isInductorName(StringRef Symbol) { return Symbol.starts_with("cpp_fused_"); }

bool isInductorModule(const Module &M) {
  const Function *Kernel = M.getFunction("kernel");
  return Kernel && !Kernel->isDeclaration() && M.getFunction("PyInit_kernel");
}

bool isInductorWrapper(const Module &M) {
  return any_of(M, [](const Function &F) {
    return !F.isDeclaration() && F.getName().contains("inductor_entry_");
  });
}

bool isInductorRuntime(StringRef Shown) { return Shown.starts_with("torch::aot_inductor::"); }

bool isStartupCode(const Function &F) {
  StringRef Symbol = F.getName();
  return Symbol.starts_with("_GLOBAL__") || Symbol.starts_with("__cxx_global_var_init") ||
         Symbol.starts_with("__cxx_global_array_dtor") || F.getSection() == ".text.startup";
}

bool isFortran(const DICompileUnit *Unit) {
  return Unit && dwarf::isFortran(compat::sourceLanguage(*Unit));
}

bool isSourceFile(StringRef Module) {
  return Module != "FIRModule" && Module != "LLVMDialectModule";
}

bool isProgramEntry(StringRef Symbol) {
  return Symbol == "main" || Symbol == StringRef(FortranMain);
}

bool isStandardLibrary(StringRef Shown) {
  return Shown.starts_with("std::") || Shown.starts_with("__gnu_cxx::") ||
         Shown.starts_with("operator new") || Shown.starts_with("__clang_") ||
         Shown.starts_with("_FortranA");
}

bool isOutlinedSymbol(StringRef Symbol) { return Symbol.contains(ClangOutlined); }

StringRef withoutOutlinedSuffix(StringRef Symbol) {
  return Symbol.take_front(std::min(Symbol.find(ClangOutlined), Symbol.find(BuilderOutlined)));
}

bool isOpenMPHelper(StringRef Symbol) {
  return Symbol.starts_with(".omp") || Symbol.contains(".omp_task") ||
         Symbol.contains(".omp.reduction") ||
         (Symbol.starts_with("__omp_") && !targetRegion(Symbol)) ||
         Symbol.contains(BuilderOutlined);
}

std::optional<TargetRegion> targetRegion(StringRef Symbol) {
  SeamscopeTargetRegion Region;
  if (!seamscope_target_region(Symbol.data(), Symbol.size(), &Region))
    return std::nullopt;
  return TargetRegion{StringRef(Region.function, Region.function_size), Region.line, Region.number};
}

} // namespace seamscope
