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

/// A product of sums grows with each factor; more terms say nothing to a reader.
constexpr size_t MostTerms = 64;

} // namespace

Amount::Amount(int64_t Value) : Known(true) {
  if (Value)
    Terms[{}] = Value;
}

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
  if (!Known)
    return std::nullopt;
  if (Terms.empty())
    return 0;
  if (Terms.size() == 1 && Terms.begin()->first.empty())
    return Terms.begin()->second;
  return std::nullopt;
}

std::string Amount::text() const {
  if (!Known)
    return "";
  if (Terms.empty())
    return "0";
  std::string Text;
  for (const auto &[Factors, Coefficient] : Terms) {
    if (!Text.empty())
      Text += '+';
    const std::string Product = join(Factors, "*");
    if (Product.empty())
      Text += itostr(Coefficient);
    else if (Coefficient == 1)
      Text += Product;
    else
      Text += itostr(Coefficient) + "*" + Product;
  }
  return Text;
}

Amount Amount::operator+(const Amount &Other) const {
  if (!Known || !Other.Known)
    return {};
  Amount Sum = *this;
  for (const auto &[Factors, Coefficient] : Other.Terms) {
    int64_t &Into = Sum.Terms[Factors];
    if (__builtin_add_overflow(Into, Coefficient, &Into))
      return {};
    if (!Into)
      Sum.Terms.erase(Factors);
  }
  if (Sum.Terms.size() > MostTerms)
    return {};
  return Sum;
}

Amount Amount::operator*(const Amount &Other) const {
  if (!Known || !Other.Known)
    return {};
  Amount Product(0);
  for (const auto &[Left, A] : Terms)
    for (const auto &[Right, B] : Other.Terms) {
      std::vector<std::string> Factors = Left;
      Factors.insert(Factors.end(), Right.begin(), Right.end());
      llvm::sort(Factors);
      int64_t Both;
      if (__builtin_mul_overflow(A, B, &Both))
        return {};
      Amount Term(0);
      Term.Terms[std::move(Factors)] = Both;
      Product = Product + Term;
      if (!Product.Known)
        return {};
    }
  return Product;
}

} // namespace seamscope::mlir_passes
