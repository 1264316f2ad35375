//===- Signature.cpp - an operator's inputs as words and as text -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Signature.h"

#include <ATen/core/Tensor.h>

#include <cstring>
#include <sstream>

namespace seamscope::bridge {
namespace {

/// torch.profiler says nothing of lists that are longer.
constexpr size_t LongestList = 30;

enum Tag : uint64_t { Undefined, Dense, OtherLayout, Scalar, TensorList, ScalarList, Other };

/// A tensor that can be asked for its sizes without running anyone's code.
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

std::string printed(const c10::IValue &Value) {
  std::ostringstream Text;
  Text << Value;
  return Text.str();
}

/// A list of numbers as JSON.
void appendNumbers(std::string &To, at::IntArrayRef Numbers) {
  To += '[';
  for (size_t I = 0; I < Numbers.size(); ++I) {
    if (I)
      To += ',';
    To += std::to_string(Numbers[I]);
  }
  To += ']';
}

/// A JSON string. Values of scalars and names of types are ASCII; what is not becomes '?'.
void appendString(std::string &To, const std::string &Text) {
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
  add(Size);
  for (size_t I = 0; I < Size; I += 8) {
    uint64_t Word = 0;
    std::memcpy(&Word, Text + I, Size - I < 8 ? Size - I : 8);
    add(Word);
  }
}

void Words::addTensor(const at::Tensor &Tensor) {
  if (!hasSizes(Tensor))
    return add(Undefined);
  const auto Sizes = Tensor.sizes();
  const bool Strided = Tensor.layout() == at::kStrided;
  add((Strided ? Dense : OtherLayout) | static_cast<uint64_t>(Tensor.scalar_type()) << 8 |
      static_cast<uint64_t>(Sizes.size()) << 16);
  for (const int64_t Size : Sizes)
    add(static_cast<uint64_t>(Size));
  if (Strided)
    for (const int64_t Stride : Tensor.strides())
      add(static_cast<uint64_t>(Stride));
}

void Words::addScalar(const c10::IValue &Value) {
  // The low bits tell the sorts apart: the same bits of an integer and of a float are not one
  // value.
  if (Value.isInt()) {
    add(Scalar | 1 << 8);
    add(static_cast<uint64_t>(Value.toInt()));
  } else if (Value.isBool()) {
    add(Scalar | 2 << 8 | static_cast<uint64_t>(Value.toBool()) << 16);
  } else if (Value.isDouble()) {
    const double Number = Value.toDouble();
    uint64_t Bits;
    std::memcpy(&Bits, &Number, sizeof(Bits));
    add(Scalar | 3 << 8);
    add(Bits);
  } else {
    // Complex and symbolic ones: rare.
    const std::string Text = printed(Value);
    add(Scalar | 4 << 8);
    addText(Text.data(), Text.size());
  }
}

void Words::addInput(const c10::IValue &Value) {
  if (Value.isTensor())
    return addTensor(Value.toTensor());
  if (Value.isScalar())
    return addScalar(Value);
  if (Value.isTensorList()) {
    const auto List = Value.toListRef();
    add(TensorList | static_cast<uint64_t>(List.size()) << 8);
    for (const c10::IValue &Element : List)
      addTensor(Element.toTensor());
    return;
  }
  if (!isScalarList(Value))
    return add(Other);
  const auto List = Value.toListRef();
  add(ScalarList | static_cast<uint64_t>(List.size()) << 8);
  for (const c10::IValue &Element : List)
    addScalar(Element);
}

void Words::set(const at::RecordFunction &Call) {
  Data.clear();
  const char *Name = Call.name();
  add(static_cast<uint64_t>(Call.scope() == at::RecordScope::USER_SCOPE));
  addText(Name, std::strlen(Name));
  for (const c10::IValue &Value : Call.inputs())
    addInput(Value);
}

uint64_t Words::hash() const {
  uint64_t Hash = 0x9e3779b97f4a7c15u;
  for (const uint64_t Word : Data) {
    Hash = (Hash ^ Word) * 0xff51afd7ed558ccdu;
    Hash ^= Hash >> 32;
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
    for (std::string *Text : {&Dims, &Types, &Strides, &Values})
      *Text += Text->empty() ? '[' : ',';
    std::string Type, Shown;
    if (Value.isTensor()) {
      const at::Tensor &Tensor = Value.toTensor();
      AddTensor(Tensor);
      if (hasSizes(Tensor))
        Type = std::string(c10::scalarTypeToTypeMeta(Tensor.scalar_type()).name());
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
  for (std::string *Text : {&Dims, &Types, &Strides, &Values})
    *Text += ']';
}

} // namespace seamscope::bridge
