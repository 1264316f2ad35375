//===- MathCalls.cpp - functions and instructions by name ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// glibc: _ZGV<isa><mask><lanes><parameters>_<function>, the vector function ABI. SLEEF:
// Sleef_[finz_|cinz_]<function>[<lanes>]_u<ulp>[<isa>], where doubles end in d<lanes>. SVML:
// __svml_<function><lanes>[_ha|_l9...].
//
//===----------------------------------------------------------------------===//
#include "work/MathCalls.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace seamscope {
namespace {

/// C's functions of double; those of float end in f, of long double in l.
constexpr StringLiteral Functions[] = {
    "acos",      "acosh", "asin",      "asinh",    "atan",  "atan2", "atanh", "cbrt",  "cos",
    "cosh",      "cospi", "erf",       "erfc",     "exp",   "exp10", "exp2",  "expm1", "fmod",
    "hypot",     "ldexp", "lgamma",    "log",      "log10", "log1p", "log2",  "pow",   "powi",
    "remainder", "sin",   "sincos",    "sincospi", "sinh",  "sinpi", "tan",   "tanh",  "tgamma",
    "frexp",     "modf",  "nextafter", "scalbn",   "ilogb", "logb",  "fdim"};

/// Finds \p Name, with or without a suffix of its type, among the functions.
StringRef functionNamed(StringRef Name) {
  StringRef Base = Name;
  if (!is_contained(Functions, Base) && !Base.consume_back("f"))
    Base.consume_back("l");
  return is_contained(Functions, Base) ? Name : StringRef();
}

/// The function of double or float, by name of that of double.
StringRef ofType(StringRef Base, bool IsFloat) {
  const auto *const Found = find(Functions, Base);
  if (Found == std::end(Functions))
    return {};
  if (!IsFloat)
    return *Found;
  // Names with an f stand in a table, since the result must outlive this call.
  static const auto *const Floats = [] {
    static std::string Names[std::size(Functions)];
    for (size_t I = 0; I < std::size(Functions); ++I)
      Names[I] = Functions[I].str() + "f";
    return &Names;
  }();
  return (*Floats)[Found - std::begin(Functions)];
}

StringRef ofSleef(StringRef Symbol) {
  if (!Symbol.consume_front("Sleef_"))
    return {};
  Symbol.consume_front("finz_") || Symbol.consume_front("cinz_");
  const StringRef Name = Symbol.split('_').first;
  const StringRef WithoutLanes = Name.rtrim("0123456789"); // expf8, expd4, log2f8
  for (const bool IsFloat : {true, false})
    if (StringRef Base = WithoutLanes; Base.consume_back(IsFloat ? "f" : "d"))
      if (const StringRef Found = ofType(Base, IsFloat); !Found.empty())
        return Found;
  // A scalar function has no number of lanes: Sleef_exp_u10, Sleef_log2f_u10.
  return functionNamed(Name);
}

StringRef ofSvml(StringRef Symbol) {
  if (!Symbol.consume_front("__svml_"))
    return {};
  const StringRef Name = Symbol.split('_').first;
  // log24: log2 of 4 lanes; exp108: exp10 of 8.
  for (size_t Digits = 1; Digits <= 2 && Digits < Name.size(); ++Digits)
    if (const StringRef Found = functionNamed(Name.drop_back(Digits)); !Found.empty())
      return Found;
  return {};
}

StringRef ofVectorAbi(StringRef Symbol) {
  if (!Symbol.starts_with("_ZGV"))
    return {};
  return functionNamed(Symbol.split('_').second.split('_').second); // _ZGVdN8v_expf
}

StringRef ofIntrinsic(StringRef Symbol) {
  if (!Symbol.consume_front("llvm."))
    return {};
  Symbol.consume_front("experimental.constrained.");
  const auto [Base, Types] = Symbol.split('.'); // exp.v8f32
  return ofType(Base, Types.split('.').first.ends_with("f32"));
}

} // namespace

StringRef mathFunction(StringRef Symbol) {
  if (Symbol.starts_with("llvm."))
    return ofIntrinsic(Symbol);
  for (const auto Of : {ofSleef, ofSvml, ofVectorAbi})
    if (const StringRef Found = Of(Symbol); !Found.empty())
      return Found;
  StringRef Plain = Symbol;
  // -ffinite-math-only on older glibc: __exp_finite.
  if (Plain.consume_front("__"))
    if (!Plain.consume_back("_finite"))
      return {};
  return functionNamed(Plain);
}

bool isWithoutWork(StringRef Symbol) {
  static constexpr StringLiteral Prefixes[] = {"__kmpc_",   "omp_",   "GOMP_",    "__seamscope_",
                                               "seamscope", "__cxa_", "_Unwind_", "__clang_call_",
                                               "__assert",  "__gxx_"};
  static constexpr StringLiteral Names[] = {
      "abort",       "exit",          "_exit",           "clock_gettime", "gettimeofday",
      "sched_yield", "aligned_alloc", "posix_memalign",  "free",          "malloc",
      "calloc",      "realloc",       "__errno_location"};
  return is_contained(Names, Symbol) ||
         any_of(Prefixes, [&](StringRef Prefix) { return Symbol.starts_with(Prefix); });
}

std::optional<TargetOperation> targetOperation(StringRef Name) {
  if (!Name.consume_front("llvm.x86."))
    return std::nullopt;
  StringRef Rest = Name;
  Rest = Rest.split('.').second; // without sse, avx512, ...
  Rest.consume_front("mask.") || Rest.consume_front("maskz.");
  const bool IsScalar = Rest.ends_with(".ss") || Rest.ends_with(".sd") || Rest.ends_with(".sh") ||
                        Rest.contains(".ss.") || Rest.contains(".sd.");
  const auto Is = [&](StringRef What) { return Rest.starts_with(What); };
  const auto Found = [&](StringRef Key, uint64_t Each = 1, StringRef Type = "") {
    return TargetOperation{Key, Each, Type, IsScalar};
  };
  if (Is("vfmadd") || Is("vfmsub") || Is("vfnmadd") || Is("vfnmsub"))
    return Found("fma");
  if (Is("add.p") || Is("sub.p") || Is("add.s") || Is("sub.s") || Is("addsub.") || Is("hadd.") ||
      Is("hsub."))
    return Found("add");
  if (Is("mul.p") || Is("mul.s"))
    return Found("mul");
  if (Is("div.p") || Is("div.s"))
    return Found("div");
  if (Is("sqrt."))
    return Found("sqrt");
  if (Is("min.") || Is("max."))
    return Found("minmax");
  if (Is("rcp") || Is("rsqrt"))
    return Found("estimate");
  if (Is("round.") || Is("rndscale") || Is("reduce."))
    return Found("round");
  if (Is("cmp.") || Is("comi") || Is("ucomi"))
    return Found("compare");
  if (Is("cvt") || Is("vcvt"))
    return Found("convert");
  // Four products of bytes, or two of words, are added to each lane.
  if (Is("vpdpb"))
    return Found("fma", 4, "i8");
  if (Is("vpdpw"))
    return Found("fma", 2, "i16");
  if (Is("pmadd.w") || Is("pmaddw."))
    return Found("fma", 2, "i16");
  if (Is("pmadd.ub") || Is("pmaddubs."))
    return Found("fma", 2, "i8");
  if (Is("dpbf16ps"))
    return Found("fma", 2, "bf16");
  if (Is("pmulh") || Is("pmulu") || Is("pmul"))
    return Found("mul");
  if (Is("psad") || Is("pavg") || Is("padd") || Is("psub") || Is("phadd") || Is("phsub"))
    return Found("add");
  if (Is("psll") || Is("psrl") || Is("psra"))
    return Found("shift");
  if (Is("vpternlog"))
    return Found("logic");
  if (Is("pshuf") || Is("vperm") || Is("perm") || Is("pack") || Is("blendv") || Is("insert") ||
      Is("movmsk") || Is("pmovmsk") || Is("ptest") || Is("vtest") || Is("vzero") || Is("pclmul") ||
      Is("vperm2") || Is("pblend") || Is("kunpck") || Is("kand") || Is("kor") || Is("sfence") ||
      Is("lfence") || Is("mfence") || Is("prefetch") || Is("pause") || Is("ldmxcsr") ||
      Is("stmxcsr"))
    return Found("");
  // Narrower integers, in a register; another form stores them.
  if ((Is("pmov.") || Is("pmovs.") || Is("pmovus.")) && !Rest.contains(".mem."))
    return Found("");
  return std::nullopt;
}

} // namespace seamscope
