//===- VectorMath.cpp - functions of SLEEF in a library --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "machine/VectorMath.h"

#include "machine/Kernels.h"

#include <dlfcn.h>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Accuracy as ATen's vectors use it: u10 is 1.0 ULP, u35 3.5.
struct Wanted {
  const char *Name, *Accuracy;
  double Low, High;
  bool TakesTwo = false;
  const char *OfF64 = Accuracy; ///< which differs for sines
};
constexpr Wanted Functions[] = {{"exp", "u10", -8, 8},
                                {"exp2", "u10", -8, 8},
                                {"expm1", "u10", -8, 8},
                                {"log", "u10", 0.01, 100},
                                {"log2", "u10", 0.01, 100},
                                {"log10", "u10", 0.01, 100},
                                {"log1p", "u10", 0.01, 100},
                                {"sinh", "u10", -4, 4},
                                {"cosh", "u10", -4, 4},
                                {"tanh", "u10", -4, 4},
                                {"erf", "u10", -4, 4},
                                {"erfc", "u15", -4, 4},
                                {"sin", "u35", -8, 8, false, "u10"},
                                {"cos", "u35", -8, 8, false, "u10"},
                                {"tan", "u10", -8, 8},
                                {"asin", "u10", -1, 1},
                                {"acos", "u10", -1, 1},
                                {"atan", "u10", -8, 8},
                                {"atan2", "u10", -8, 8, true},
                                {"pow", "u10", 0.01, 4, true}};

} // namespace

Result<std::vector<VectorFunction>> vectorFunctions(const std::string &Path, const Processor &On) {
  void *const Library = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Library)
    return Error{Path, {}, fmt::format("cannot be loaded: {}", dlerror())};
  std::vector<VectorFunction> Found;
  for (const KernelSet *const Set : On.Sets)
    for (const bool IsSingle : {true, false})
      for (const Wanted &Each : Functions) {
        const VectorCalls &Calls = IsSingle ? Set->F32Calls : Set->F64Calls;
        const auto Run = Each.TakesTwo ? Calls.Two : Calls.One;
        const unsigned Lanes = Set->Memory.Bits / (IsSingle ? 32 : 64);
        const std::string Symbol = fmt::format("Sleef_{}{}{}_{}", Each.Name, IsSingle ? "f" : "d",
                                               Lanes, IsSingle ? Each.Accuracy : Each.OfF64);
        void *const Function = Run ? dlsym(Library, Symbol.c_str()) : nullptr;
        if (!Function)
          continue;
        Found.push_back({Each.Name + std::string(IsSingle ? "f" : ""), IsSingle ? "f32" : "f64",
                         Set->Memory.Bits, Each.Low, Each.High,
                         [Run, Function](void *Out, const void *A, const void *B, size_t Count) {
                           Run(Function, Out, A, B, Count);
                         }});
      }
  if (Found.empty())
    return Error{Path, {}, "the library has no vector functions of SLEEF for this processor"};
  return Found;
}

} // namespace seamscope::tools
