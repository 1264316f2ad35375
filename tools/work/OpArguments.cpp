//===- OpArguments.cpp - the recorded arguments of an operator ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/OpArguments.h"

#include <charconv>

namespace seamscope::tools {

namespace {

/// Reads the subset of JSON in the texts: lists of lists of integers, lists of strings.
class Cursor {
public:
  explicit Cursor(std::string_view Text) : At(Text.data()), End(Text.data() + Text.size()) {}

  bool take(char C) {
    skip();
    if (At == End || *At != C)
      return false;
    ++At;
    return true;
  }
  bool sees(char C) {
    skip();
    return At != End && *At == C;
  }
  bool atEnd() {
    skip();
    return At == End;
  }
  std::optional<int64_t> integer() {
    skip();
    int64_t Value;
    auto [Past, Error] = std::from_chars(At, End, Value);
    if (Error != std::errc())
      return std::nullopt;
    At = Past;
    return Value;
  }
  /// The text between the quotes, without decoding escapes.
  std::optional<std::string_view> string() {
    if (!take('"'))
      return std::nullopt;
    const char *Begin = At;
    for (; At != End; ++At) {
      if (*At == '"')
        return std::string_view(Begin, At++ - Begin);
      if (*At == '\\' && ++At == End)
        break;
    }
    return std::nullopt;
  }
  /// Reads a list, with \p Element for each element.
  template <typename F> bool list(F Element) {
    if (!take('['))
      return false;
    if (take(']'))
      return true;
    do
      if (!Element())
        return false;
    while (take(','));
    return take(']');
  }

private:
  void skip() {
    while (At != End && (*At == ' ' || *At == '\t' || *At == '\n' || *At == '\r'))
      ++At;
  }
  const char *At, *End;
};

} // namespace

class ArgumentsParser {
public:
  explicit ArgumentsParser(OpArguments &Into) : Into(Into) {}

  bool types(std::string_view Text) {
    Cursor C(Text);
    return C.list([&] {
      std::optional<std::string_view> Name = C.string();
      if (!Name || Into.Arguments.size() == OpArguments::MaxArguments)
        return false;
      OpArguments::Argument A;
      A.Type = typeOfProfilerName(*Name);
      if (A.Type != DType::Unknown || *Name == "nullptr (uninitialized)")
        A.Kind = ArgumentKind::Tensor;
      else if (*Name == "TensorList")
        A.Kind = ArgumentKind::TensorList;
      else if (!Name->empty())
        A.Kind = ArgumentKind::Value;
      Into.Arguments.push_back(A);
      return true;
    }) && C.atEnd();
  }

  bool dims(std::string_view Text) {
    Cursor C(Text);
    size_t Index = 0;
    return C.list([&] {
      if (Index == Into.Arguments.size())
        return false;
      OpArguments::Argument &A = Into.Arguments[Index++];
      A.FirstShape = static_cast<uint32_t>(Into.Shapes.size());
      if (A.Kind == ArgumentKind::TensorList) {
        if (!C.list([&] { return shape(C); }))
          return false;
      } else if (!shape(C)) {
        return false;
      } else if (A.Kind != ArgumentKind::Tensor) {
        // Scalars and absent arguments are written like a tensor without dimensions. With
        // dimensions it is a tensor of an unknown type.
        if (Into.Shapes.back().Rank)
          A.Kind = ArgumentKind::Tensor;
        else
          Into.Shapes.pop_back();
      }
      A.Shapes = static_cast<uint32_t>(Into.Shapes.size()) - A.FirstShape;
      return true;
    }) && C.atEnd() &&
           Index == Into.Arguments.size();
  }

  bool strides(std::string_view Text) {
    Cursor C(Text);
    size_t Index = 0, Shape = 0;
    return C.list([&] {
      if (Index == Into.Arguments.size())
        return false;
      const OpArguments::Argument &A = Into.Arguments[Index++];
      if (A.Kind == ArgumentKind::TensorList)
        return C.list([&] { return stride(C, Shape++, A); });
      if (A.Kind == ArgumentKind::Tensor)
        return stride(C, Shape++, A);
      return C.list([&] { return C.integer().has_value(); });
    }) && C.atEnd() &&
           Index == Into.Arguments.size() && Shape == Into.Shapes.size();
  }

  bool concrete(std::string_view Text) {
    Cursor C(Text);
    size_t Index = 0;
    return C.list([&] {
      std::optional<std::string_view> Value = C.string();
      if (!Value || Index == Into.Arguments.size())
        return false;
      // Values that formulas use do not contain escapes.
      if (Value->find('\\') == std::string_view::npos)
        Into.Arguments[Index].Concrete = *Value;
      ++Index;
      return true;
    }) && C.atEnd() &&
           Index == Into.Arguments.size();
  }

private:
  bool shape(Cursor &C) {
    OpArguments::Shape S;
    S.First = static_cast<uint32_t>(Into.Numbers.size());
    bool Good = C.list([&] {
      std::optional<int64_t> Size = C.integer();
      if (!Size || *Size < 0 || ++S.Rank > OpArguments::MaxRank)
        return false;
      Into.Numbers.push_back(*Size);
      return true;
    });
    Into.Shapes.push_back(S);
    return Good;
  }

  bool stride(Cursor &C, size_t Index, const OpArguments::Argument &A) {
    if (Index >= A.FirstShape + A.Shapes)
      return false;
    OpArguments::Shape &S = Into.Shapes[Index];
    S.Strides = static_cast<uint32_t>(Into.Numbers.size());
    uint32_t Rank = 0;
    bool Good = C.list([&] {
      std::optional<int64_t> Stride = C.integer();
      if (!Stride || ++Rank > S.Rank)
        return false;
      Into.Numbers.push_back(*Stride);
      return true;
    });
    return Good && Rank == S.Rank;
  }

  OpArguments &Into;
};

OpArguments OpArguments::parse(std::string_view Dims, std::string_view Types,
                               std::string_view Strides, std::string_view Concrete) {
  OpArguments A;
  // Offsets have 32 bits.
  if (Dims.size() + Strides.size() > UINT32_MAX)
    return A;
  ArgumentsParser Parser(A);
  if (!Parser.types(Types) || !Parser.dims(Dims) ||
      (!Strides.empty() && !Parser.strides(Strides)) ||
      (!Concrete.empty() && !Parser.concrete(Concrete)))
    return OpArguments();
  A.Known = true;
  A.HasConcrete = !Concrete.empty();
  return A;
}

void OpArguments::addShape(const TensorRef &Tensor) {
  Shape S;
  S.First = static_cast<uint32_t>(Numbers.size());
  S.Rank = static_cast<uint32_t>(Tensor.Dims.size());
  Numbers.insert(Numbers.end(), Tensor.Dims.begin(), Tensor.Dims.end());
  if (Tensor.Strides.size() == Tensor.Dims.size() && S.Rank) {
    S.Strides = static_cast<uint32_t>(Numbers.size());
    Numbers.insert(Numbers.end(), Tensor.Strides.begin(), Tensor.Strides.end());
  }
  Shapes.push_back(S);
  ++Arguments.back().Shapes;
}

void OpArguments::addTensor(const TensorRef &Tensor) {
  addTensors({&Tensor, 1});
  Arguments.back().Kind = ArgumentKind::Tensor;
}

void OpArguments::addTensors(std::span<const TensorRef> List) {
  addNone();
  Argument &A = Arguments.back();
  A.Kind = ArgumentKind::TensorList;
  A.FirstShape = static_cast<uint32_t>(Shapes.size());
  for (const TensorRef &Each : List) {
    A.Type = Each.Type;
    addShape(Each);
  }
}

void OpArguments::addValue(std::string_view Text) {
  addNone();
  Arguments.back().Kind = ArgumentKind::Value;
  Arguments.back().Concrete = Text;
}

void OpArguments::addNone() {
  Known = HasConcrete = true;
  Arguments.emplace_back();
}

ArgumentKind OpArguments::kind(size_t Index) const {
  return Index < Arguments.size() ? Arguments[Index].Kind : ArgumentKind::None;
}

size_t OpArguments::tensors(size_t Index) const {
  return Index < Arguments.size() ? Arguments[Index].Shapes : 0;
}

TensorRef OpArguments::tensor(size_t Index, size_t Item) const {
  const Argument &A = Arguments[Index];
  const Shape &S = Shapes[A.FirstShape + Item];
  TensorRef T{{Numbers.data() + S.First, S.Rank}, {}, A.Type};
  if (S.Strides)
    T.Strides = {Numbers.data() + S.Strides, S.Rank};
  return T;
}

std::string_view OpArguments::concrete(size_t Index) const {
  return Index < Arguments.size() ? Arguments[Index].Concrete : std::string_view();
}

std::optional<int64_t> OpArguments::integer(size_t Index) const {
  Cursor C(concrete(Index));
  std::optional<int64_t> Value = C.integer();
  return Value && C.atEnd() ? Value : std::nullopt;
}

std::optional<bool> OpArguments::boolean(size_t Index) const {
  std::string_view Text = concrete(Index);
  if (Text == "True")
    return true;
  if (Text == "False")
    return false;
  return std::nullopt;
}

std::optional<std::vector<int64_t>> OpArguments::integers(size_t Index) const {
  std::string_view Text = concrete(Index);
  std::vector<int64_t> Values;
  if (Text.find_first_of("TF") != std::string_view::npos) {
    // "[True, False]"
    if (!Text.starts_with('[') || !Text.ends_with(']'))
      return std::nullopt;
    for (Text = Text.substr(1, Text.size() - 2);;) {
      size_t Comma = Text.find(", ");
      std::string_view Word = Text.substr(0, Comma);
      if (Word != "True" && Word != "False")
        return std::nullopt;
      Values.push_back(Word == "True");
      if (Comma == std::string_view::npos)
        return Values;
      Text.remove_prefix(Comma + 2);
    }
  }
  Cursor C(Text);
  bool Good = C.list([&] {
    std::optional<int64_t> Value = C.integer();
    if (Value)
      Values.push_back(*Value);
    return Value.has_value();
  });
  if (!Good || !C.atEnd())
    return std::nullopt;
  return Values;
}

} // namespace seamscope::tools
