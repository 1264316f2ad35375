//===- Arguments.cpp - hostile texts of an operator's arguments -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An input is four texts, each on a line: dims, types, strides, values.
//
//===----------------------------------------------------------------------===//
#include "Checks.h"

#include "work/OpArguments.h"

#include <algorithm>
#include <memory>
#include <string_view>

using namespace seamscope;
using tools::ArgumentKind;
using tools::OpArguments;

namespace {

/// A copy of its own of a text, so that a look past its end is found.
class OwnText {
public:
  explicit OwnText(std::string_view Text) : Size(Text.size()), Bytes(new char[Size]) {
    std::ranges::copy(Text, Bytes.get());
  }
  std::string_view text() const { return {Bytes.get(), Size}; }

private:
  size_t Size;
  std::unique_ptr<char[]> Bytes;
};

std::string_view nextLine(std::string_view &Input) {
  const std::string_view Line = Input.substr(0, Input.find('\n'));
  Input.remove_prefix(std::min(Input.size(), Line.size() + 1));
  return Line;
}

void checkTensor(const tools::TensorRef &Tensor) {
  SEAMSCOPE_CHECK(Tensor.Dims.size() <= OpArguments::MaxRank);
  for (const int64_t Size : Tensor.Dims)
    SEAMSCOPE_CHECK(Size >= 0);
  SEAMSCOPE_CHECK(Tensor.Strides.empty() || Tensor.Strides.size() == Tensor.Dims.size());
  int64_t Sum = 0;
  for (const int64_t Stride : Tensor.Strides)
    Sum ^= Stride; // each can be read
  static_cast<void>(Sum);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::string_view Input(reinterpret_cast<const char *>(Data), Size);
  const OwnText Dims(nextLine(Input)), Types(nextLine(Input)), Strides(nextLine(Input)),
      Values(nextLine(Input));
  const OpArguments Call =
      OpArguments::parse(Dims.text(), Types.text(), Strides.text(), Values.text());
  SEAMSCOPE_CHECK(Call.known() || (Call.size() == 0 && !Call.hasConcrete()));
  SEAMSCOPE_CHECK(Call.size() <= OpArguments::MaxArguments);
  for (size_t I = 0; I < Call.size() + 2; ++I) {
    const ArgumentKind Kind = Call.kind(I);
    const size_t Tensors = Call.tensors(I);
    SEAMSCOPE_CHECK(I < Call.size() || (Kind == ArgumentKind::None && !Tensors));
    SEAMSCOPE_CHECK(Kind != ArgumentKind::Tensor || Tensors == 1);
    SEAMSCOPE_CHECK(!Tensors || Kind == ArgumentKind::Tensor || Kind == ArgumentKind::TensorList);
    for (size_t Item = 0; Item < Tensors; ++Item)
      checkTensor(Call.tensor(I, Item));
    const std::string_view Text = Call.concrete(I);
    SEAMSCOPE_CHECK(Text.size() <= Values.text().size());
    const auto Whole = Call.integer(I);
    const auto Truth = Call.boolean(I);
    const auto List = Call.integers(I);
    SEAMSCOPE_CHECK(Whole.has_value() + Truth.has_value() + List.has_value() <= 1);
    SEAMSCOPE_CHECK(!List || List->size() <= Text.size());
  }
  return 0;
}
