//===- Amount.cpp - a count that may depend on dynamic sizes --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Amount.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace seamscope::mlir_passes {
namespace {

/// A product of sums grows with each factor; longer ones are useless to a reader.
constexpr size_t MostTerms = 64;

} // namespace

Amount::Amount(int64_t Value) : Known(true), Fixed(Value) {}

Amount Amount::symbol(std::string Name) {
  Amount Result(0);
  Result.Terms[{std::move(Name)}] = 1;
  return Result;
}

Amount Amount::parse(StringRef Text) {
  if (Text.empty())
    return {};
  Amount Sum(0);
  SmallVector<StringRef> Terms;
  Text.split(Terms, '+');
  for (StringRef Term : Terms) {
    Amount Product(1);
    SmallVector<StringRef> Factors;
    Term.split(Factors, '*');
    for (StringRef Factor : Factors) {
      int64_t Number;
      if (!Factor.getAsInteger(10, Number))
        Product = Product * Number;
      else if (Factor.empty())
        return {};
      else
        Product = Product * symbol(Factor.str());
    }
    Sum = Sum + Product;
  }
  return Sum;
}

std::optional<int64_t> Amount::constant() const {
  if (!Known || !Terms.empty())
    return std::nullopt;
  return Fixed;
}

std::string Amount::text() const {
  if (!Known)
    return "";
  std::string Text;
  if (Fixed || Terms.empty())
    Text = itostr(Fixed);
  for (const auto &[Factors, Coefficient] : Terms) {
    if (!Text.empty())
      Text += '+';
    if (Coefficient != 1)
      Text += itostr(Coefficient) + "*";
    Text += join(Factors, "*");
  }
  return Text;
}

Amount Amount::operator+(const Amount &Other) const {
  if (!Known || !Other.Known)
    return {};
  Amount Sum = *this;
  if (__builtin_add_overflow(Sum.Fixed, Other.Fixed, &Sum.Fixed))
    return {};
  for (const auto &[Factors, Coefficient] : Other.Terms) {
    int64_t &Into = Sum.Terms[Factors];
    if (__builtin_add_overflow(Into, Coefficient, &Into))
      return {};
    if (!Into)
      Sum.Terms.erase(Factors);
  }
  if (Sum.count() > MostTerms)
    return {};
  return Sum;
}

Amount Amount::operator*(const Amount &Other) const {
  if (!Known || !Other.Known)
    return {};
  Amount Product(0);
  if (__builtin_mul_overflow(Fixed, Other.Fixed, &Product.Fixed))
    return {};
  if (Terms.empty() && Other.Terms.empty())
    return Product;
  // All terms, with the constant as one of them.
  const auto TermsOf = [](const Amount &Factor) {
    auto All = Factor.Terms;
    if (Factor.Fixed)
      All[{}] = Factor.Fixed;
    return All;
  };
  const auto OtherTerms = TermsOf(Other);
  for (const auto &[Left, A] : TermsOf(*this))
    for (const auto &[Right, B] : OtherTerms) {
      std::vector<std::string> Factors = Left;
      Factors.insert(Factors.end(), Right.begin(), Right.end());
      if (Factors.empty())
        continue; // Product already has the product of the constants
      llvm::sort(Factors);
      Amount Term(0);
      int64_t &Coefficient = Term.Terms[std::move(Factors)];
      if (__builtin_mul_overflow(A, B, &Coefficient))
        return {};
      Product = Product + Term;
      if (!Product.Known)
        return {};
    }
  return Product;
}

} // namespace seamscope::mlir_passes
