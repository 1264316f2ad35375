//===- DType.cpp - element types of tensors -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/DType.h"

#include <algorithm>
#include <array>

namespace seamscope::tools {
namespace {

using enum DType;

struct TypeInfo {
  std::string_view Name;
  uint8_t Size;
  DTypeCategory Category;
};

// In the order of DType.
constexpr TypeInfo Types[] = {
    {"unknown", 0, DTypeCategory::Real},        {"bool", 1, DTypeCategory::Bool},
    {"uint8", 1, DTypeCategory::Integer},       {"int8", 1, DTypeCategory::Integer},
    {"int16", 2, DTypeCategory::Integer},       {"uint16", 2, DTypeCategory::Integer},
    {"int32", 4, DTypeCategory::Integer},       {"uint32", 4, DTypeCategory::Integer},
    {"int64", 8, DTypeCategory::Integer},       {"uint64", 8, DTypeCategory::Integer},
    {"float4", 1, DTypeCategory::Real},         {"float8", 1, DTypeCategory::Real},
    {"float16", 2, DTypeCategory::Real},        {"bfloat16", 2, DTypeCategory::Real},
    {"float32", 4, DTypeCategory::Real},        {"float64", 8, DTypeCategory::Real},
    {"complex32", 4, DTypeCategory::Complex},   {"complex64", 8, DTypeCategory::Complex},
    {"complex128", 16, DTypeCategory::Complex},
};
static_assert(std::size(Types) == static_cast<size_t>(Complex128) + 1);

struct NamedType {
  std::string_view Name;
  DType Type;
};

DType find(std::string_view Name, const NamedType *Begin, const NamedType *End) {
  const NamedType *Found =
      std::find_if(Begin, End, [&](const NamedType &T) { return T.Name == Name; });
  return Found == End ? Unknown : Found->Type;
}

// Names that C++ demanglers and compilers write, without the namespace.
constexpr NamedType ProfilerNames[] = {
    {"float", Float32},
    {"BFloat16", BFloat16},
    {"Half", Float16},
    {"long int", Int64},
    {"int", Int32},
    {"bool", Bool},
    {"double", Float64},
    {"unsigned char", UInt8},
    {"signed char", Int8},
    {"char", Int8},
    {"long", Int64},
    {"long long", Int64},
    {"__int64", Int64},
    {"short int", Int16},
    {"short", Int16},
    {"short unsigned int", UInt16},
    {"unsigned short", UInt16},
    {"unsigned int", UInt32},
    {"unsigned", UInt32},
    {"long unsigned int", UInt64},
    {"unsigned long", UInt64},
    {"unsigned long long", UInt64},
    {"unsigned __int64", UInt64},
    {"Float8_e4m3fn", Float8},
    {"Float8_e5m2", Float8},
    {"Float8_e4m3fnuz", Float8},
    {"Float8_e5m2fnuz", Float8},
    {"Float8_e8m0fnu", Float8},
    {"Float4_e2m1fn_x2", Float4},
    {"complex<Half>", Complex32},
    {"complex<c10::Half>", Complex32},
    {"complex<float>", Complex64},
    {"complex<double>", Complex128},
    {"qint8", Int8},
    {"quint8", UInt8},
    {"qint32", Int32},
};

constexpr NamedType TorchNames[] = {
    {"half", Float16},
    {"fp16", Float16},
    {"float", Float32},
    {"fp32", Float32},
    {"tf32", Float32},
    {"double", Float64},
    {"fp64", Float64},
    {"bf16", BFloat16},
    {"fp8", Float8},
    {"float8_e4m3fn", Float8},
    {"float8_e5m2", Float8},
    {"float8_e4m3fnuz", Float8},
    {"float8_e5m2fnuz", Float8},
    {"float8_e8m0fnu", Float8},
    {"float4_e2m1fn_x2", Float4},
    {"fp4", Float4},
    {"long", Int64},
    {"int", Int32},
    {"short", Int16},
    {"chalf", Complex32},
    {"cfloat", Complex64},
    {"cdouble", Complex128},
};

constexpr NamedType GraphNames[] = {
    {"f64", Float64},     {"f32", Float32}, {"f16", Float16},   {"bf16", BFloat16},
    {"i64", Int64},       {"i32", Int32},   {"i16", Int16},     {"i8", Int8},
    {"u64", UInt64},      {"u32", UInt32},  {"u16", UInt16},    {"u8", UInt8},
    {"b8", Bool},         {"i1", Bool},     {"c32", Complex32}, {"c64", Complex64},
    {"c128", Complex128},
};

} // namespace

int64_t sizeOf(DType Type) { return Types[static_cast<size_t>(Type)].Size; }
std::string_view nameOf(DType Type) { return Types[static_cast<size_t>(Type)].Name; }
DTypeCategory categoryOf(DType Type) { return Types[static_cast<size_t>(Type)].Category; }

DType typeOfProfilerName(std::string_view Name) {
  // c10::Half, at::Half and torch::headeronly::Half are the same type.
  size_t Template = Name.find('<');
  if (size_t Colons = Name.substr(0, Template).rfind("::"); Colons != std::string_view::npos)
    Name.remove_prefix(Colons + 2);
  return find(Name, std::begin(ProfilerNames), std::end(ProfilerNames));
}

DType typeOfTorchName(std::string_view Name) {
  if (Name.starts_with("torch."))
    Name.remove_prefix(6);
  for (size_t I = 1; I < std::size(Types); ++I)
    if (Types[I].Name == Name)
      return static_cast<DType>(I);
  return find(Name, std::begin(TorchNames), std::end(TorchNames));
}

DType typeOfGraphName(std::string_view Name) {
  return Name.starts_with("f8") || Name.starts_with("fp8")
             ? Float8
             : find(Name, std::begin(GraphNames), std::end(GraphNames));
}

DType typeOfScalarTypeCode(int64_t Code) {
  static constexpr auto Codes = [] {
    std::array<DType, 46> C{};
    constexpr DType First[] = {UInt8,   Int8,    Int16,     Int32,     Int64,      Float16,
                               Float32, Float64, Complex32, Complex64, Complex128, Bool,
                               Int8,    UInt8,   Int32,     BFloat16};
    std::copy(std::begin(First), std::end(First), C.begin());
    C[23] = C[24] = C[25] = C[26] = C[44] = Float8;
    C[27] = UInt16;
    C[28] = UInt32;
    C[29] = UInt64;
    C[45] = Float4;
    return C;
  }();
  return Code >= 0 && Code < static_cast<int64_t>(Codes.size()) ? Codes[Code] : Unknown;
}

DType promote(DType A, DType B) {
  if (A == B)
    return A;
  if (A == Unknown || B == Unknown)
    return Unknown;
  if (categoryOf(A) < categoryOf(B))
    std::swap(A, B);
  if (categoryOf(A) != categoryOf(B)) {
    // Of a complex and a real number, the parts take the wider type.
    if (categoryOf(A) == DTypeCategory::Complex && categoryOf(B) == DTypeCategory::Real) {
      DType Part = A == Complex32 ? Float16 : A == Complex64 ? Float32 : Float64;
      DType Wider = promote(Part, B);
      return Wider == Float64 ? Complex128 : Wider == Float32 ? Complex64 : A;
    }
    return A;
  }
  int64_t SizeA = sizeOf(A), SizeB = sizeOf(B);
  if (SizeA != SizeB)
    return SizeA > SizeB ? A : B;
  // Neither type can represent the values of the other.
  if (categoryOf(A) == DTypeCategory::Real)
    return SizeA == 2 ? Float32 : Unknown;
  return SizeA == 1 ? Int16 : SizeA == 2 ? Int32 : Int64;
}

} // namespace seamscope::tools
