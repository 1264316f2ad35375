//===- Signature.cpp - an operator's inputs as words and as text -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Signature.h"

#include <ATen/core/Tensor.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace seamscope::bridge {
namespace {

/// torch.profiler leaves longer lists out.
constexpr size_t LongestList = 30;

enum Tag : uint64_t { Undefined, Dense, OtherLayout, Scalar, TensorList, ScalarList, Other };

/// Whether a tensor's sizes can be read without running code of a subclass.
bool hasSizes(const at::Tensor &Tensor) {
  return Tensor.defined() && !Tensor.is_nested() &&
         !Tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides();
}

bool isScalarList(const c10::IValue &Value) {
  if (!Value.isList())
    return false;
  const auto List = Value.toListRef();
  return List.empty() || (List[0].isScalar() && List.size() <= LongestList);
}

/// As torch prints a number, but not by its operator<<: if a compiler links libstdc++ statically, a
/// stream that is made here is not one to the libstdc++ of torch.
void appendNumber(String &To, double Number) {
  char Text[32];
  const bool IsWhole = std::fpclassify(Number) != FP_SUBNORMAL && std::abs(Number) < 0x1p63 &&
                       Number == std::trunc(Number);
  const int Size = IsWhole
                       ? std::snprintf(Text, sizeof(Text), "%lld.", static_cast<long long>(Number))
                       : std::snprintf(Text, sizeof(Text), "%.17g", Number);
  To.append(Text, static_cast<size_t>(Size));
}

void appendValue(String &To, const c10::IValue &Value) {
  if (Value.isInt()) {
    char Digits[20];
    To.append(Digits, std::to_chars(Digits, Digits + sizeof(Digits), Value.toInt()).ptr);
  } else if (Value.isBool()) {
    To += Value.toBool() ? "True" : "False";
  } else if (Value.isDouble()) {
    appendNumber(To, Value.toDouble());
  } else if (Value.isComplexDouble()) {
    const c10::complex<double> Number = Value.toComplexDouble();
    appendNumber(To, Number.real());
    To += Number.imag() >= 0 ? '+' : '-';
    appendNumber(To, std::abs(Number.imag()));
    To += 'j';
  } else if (Value.isSymInt()) {
    To += Value.toSymInt().toSymNode()->str();
  } else if (Value.isSymFloat()) {
    To += Value.toSymFloat().toSymNodeImpl()->str();
  } else if (Value.isList()) {
    To += '[';
    for (const c10::IValue &Element : Value.toListRef()) {
      if (To.back() != '[')
        To += ", ";
      appendValue(To, Element);
    }
    To += ']';
  } else {
    To += '?';
  }
}

String printed(const c10::IValue &Value) {
  String Text;
  appendValue(Text, Value);
  return Text;
}

/// A list of numbers as JSON.
void appendNumbers(String &To, at::IntArrayRef Numbers) {
  To += '[';
  for (size_t I = 0; I < Numbers.size(); ++I) {
    if (I)
      To += ',';
    char Digits[20];
    To.append(Digits, std::to_chars(Digits, Digits + sizeof(Digits), Numbers[I]).ptr);
  }
  To += ']';
}

/// Appends a JSON string. Scalars and type names are ASCII; other characters become '?'.
void appendString(String &To, std::string_view Text) {
  To += '"';
  for (const char C : Text) {
    if (C == '"' || C == '\\')
      To += '\\';
    To += C >= 0x20 && C < 0x7f ? C : '?';
  }
  To += '"';
}

} // namespace

void Words::addText(const char *Text, size_t Size) {
  const size_t Count = (Size + 7) / 8;
  uint64_t *To = room(1 + Count);
  *To = Size;
  if (Count) {
    To[Count] = 0;
    std::memcpy(To + 1, Text, Size);
  }
}

void Words::addTensor(const at::Tensor &Tensor) {
  if (!hasSizes(Tensor))
    return add(Undefined);
  const auto Sizes = Tensor.sizes();
  const size_t Count = Sizes.size();
  const bool Strided = Tensor.layout() == at::kStrided;
  uint64_t *To = room(1 + Count * (Strided ? 2 : 1));
  *To++ = (Strided ? Dense : OtherLayout) | static_cast<uint64_t>(Tensor.scalar_type()) << 8 |
          static_cast<uint64_t>(Count) << 16;
  for (size_t I = 0; I < Count; ++I)
    To[I] = static_cast<uint64_t>(Sizes[I]);
  if (!Strided)
    return;
  const auto Strides = Tensor.strides();
  for (size_t I = 0; I < Count; ++I)
    To[Count + I] = static_cast<uint64_t>(Strides[I]);
}

void Words::addScalar(const c10::IValue &Value) {
  // The first word has the type, since an integer and a float may have the same bits.
  const auto Put = [&](uint64_t Type, uint64_t Bits) {
    uint64_t *To = room(2);
    To[0] = Scalar | Type << 8;
    To[1] = Bits;
  };
  if (Value.isInt())
    return Put(1, static_cast<uint64_t>(Value.toInt()));
  if (Value.isBool())
    return Put(2, static_cast<uint64_t>(Value.toBool()));
  if (Value.isDouble()) {
    const double Number = Value.toDouble();
    uint64_t Bits;
    std::memcpy(&Bits, &Number, sizeof(Bits));
    return Put(3, Bits);
  }
  // Complex and symbolic scalars are rare.
  const String Text = printed(Value);
  add(Scalar | 4 << 8);
  addText(Text.data(), Text.size());
}

void Words::addInput(const c10::IValue &Value) {
  if (Value.isTensor())
    return addTensor(Value.toTensor());
  if (Value.isScalar())
    return addScalar(Value);
  if (!Value.isList())
    return add(Other);
  const auto List = Value.toListRef();
  const uint64_t Size = static_cast<uint64_t>(List.size()) << 8;
  // Reading the type of a list is slow; usually the first element is enough.
  if (!List.empty() && List[0].isScalar()) {
    if (List.size() > LongestList)
      return add(Other);
    add(ScalarList | Size);
    for (const c10::IValue &Element : List)
      addScalar(Element);
  } else if (Value.isTensorList()) {
    add(TensorList | Size);
    for (const c10::IValue &Element : List)
      addTensor(Element.toTensor());
  } else {
    add(List.empty() ? ScalarList : Other);
  }
}

void Words::set(const at::RecordFunction &Call) {
  Used = 0;
  const char *Name = Call.name();
  add(static_cast<uint64_t>(Call.scope() == at::RecordScope::USER_SCOPE));
  addText(Name, std::strlen(Name));
  for (const c10::IValue &Value : Call.inputs())
    addInput(Value);
  // hash() reads groups of four words.
  for (size_t I = 0; I < 3; ++I)
    Data[Used + I] = 0;
}

uint64_t Words::hash() const {
  // Four independent chains of multiplications run in parallel.
  constexpr uint64_t Factor = 0xff51afd7ed558ccdu;
  uint64_t Lanes[4] = {1, 2, 3, 4};
  for (size_t I = 0; I < Used; I += 4)
    for (size_t L = 0; L < 4; ++L) {
      Lanes[L] = (Lanes[L] ^ Data[I + L]) * Factor;
      Lanes[L] ^= Lanes[L] >> 32;
    }
  uint64_t Hash = Used;
  for (const uint64_t Lane : Lanes) {
    Hash = (Hash ^ Lane) * Factor;
    Hash ^= Hash >> 29;
  }
  return Hash;
}

Texts::Texts(const at::RecordFunction &Call) {
  const auto Inputs = Call.inputs();
  if (Inputs.empty())
    return;
  const auto AddTensor = [&](const at::Tensor &Tensor) {
    const bool Known = hasSizes(Tensor);
    appendNumbers(Dims, Known ? Tensor.sizes() : at::IntArrayRef());
    appendNumbers(Strides,
                  Known && Tensor.layout() == at::kStrided ? Tensor.strides() : at::IntArrayRef());
  };
  const auto AddEmpty = [&] {
    Dims += "[]";
    Strides += "[]";
  };
  for (const c10::IValue &Value : Inputs) {
    for (String *Text : {&Dims, &Types, &Strides, &Values})
      *Text += Text->empty() ? '[' : ',';
    std::string_view Type;
    String Shown;
    if (Value.isTensor()) {
      const at::Tensor &Tensor = Value.toTensor();
      AddTensor(Tensor);
      if (hasSizes(Tensor)) {
        const auto Name = c10::scalarTypeToTypeMeta(Tensor.scalar_type()).name();
        Type = {Name.data(), Name.size()};
      }
    } else if (Value.isTensorList()) {
      Type = "TensorList";
      const auto List = Value.toListRef();
      Dims += '[';
      Strides += '[';
      for (size_t I = 0; I < List.size(); ++I) {
        if (I) {
          Dims += ',';
          Strides += ',';
        }
        AddTensor(List[I].toTensor());
      }
      Dims += ']';
      Strides += ']';
    } else {
      AddEmpty();
      if (Value.isScalar())
        Type = "Scalar";
      else if (isScalarList(Value))
        Type = "ScalarList";
      if (!Type.empty())
        Shown = printed(Value);
    }
    appendString(Types, Type);
    appendString(Values, Shown);
  }
  for (String *Text : {&Dims, &Types, &Strides, &Values})
    *Text += ']';
}

} // namespace seamscope::bridge
