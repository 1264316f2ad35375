//===- Decimal.cpp - microseconds as written, to whole nanoseconds --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/Decimal.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace seamscope::tools {

std::optional<int64_t> nanosecondsFromMicroseconds(int64_t Microseconds) {
  int64_t Ns;
  if (__builtin_mul_overflow(Microseconds, int64_t{1000}, &Ns))
    return std::nullopt;
  return Ns;
}

/// The form of nearly all times: up to 15 digits, a point, up to 3 more.
static bool isPlain(std::string_view Text, int64_t &Ns) {
  int64_t Value = 0;
  size_t I = 0;
  for (; I < Text.size() && Text[I] != '.'; ++I) {
    if (Text[I] < '0' || Text[I] > '9' || I == 15)
      return false;
    Value = Value * 10 + (Text[I] - '0');
  }
  if (I == 0)
    return false;
  unsigned Decimals = 0;
  for (++I; I < Text.size(); ++I, ++Decimals) {
    if (Text[I] < '0' || Text[I] > '9' || Decimals == 3)
      return false;
    Value = Value * 10 + (Text[I] - '0');
  }
  for (; Decimals < 3; ++Decimals)
    Value *= 10;
  Ns = Value;
  return true;
}

std::optional<int64_t> nanosecondsFromMicroseconds(std::string_view Text) {
  if (int64_t Ns; isPlain(Text, Ns))
    return Ns;
  const bool Negative = !Text.empty() && Text[0] == '-';
  if (Negative)
    Text.remove_prefix(1);

  int64_t Exponent = 3; // ns in a µs, as a power of ten
  if (const size_t E = Text.find_first_of("eE"); E != Text.npos) {
    std::string_view Digits = Text.substr(E + 1);
    if (!Digits.empty() && Digits[0] == '+')
      Digits.remove_prefix(1);
    int32_t Written;
    const auto [End, Code] = std::from_chars(Digits.begin(), Digits.end(), Written);
    if (Code != std::errc() || End != Digits.end())
      return std::nullopt;
    Exponent += Written;
    Text = Text.substr(0, E);
  }

  const size_t Point = std::min(Text.find('.'), Text.size());
  const std::string_view Whole = Text.substr(0, Point);
  const std::string_view Fraction = Point < Text.size() ? Text.substr(Point + 1) : "";
  if (Whole.empty())
    return std::nullopt;

  // The value is Whole Fraction (concatenated) times 10^(Exponent - size of Fraction). Digits
  // before the ns point are taken; the first one after it rounds.
  const int64_t Count = static_cast<int64_t>(Whole.size() + Fraction.size());
  const int64_t BeforePoint = static_cast<int64_t>(Whole.size()) + Exponent;
  int64_t Ns = 0;
  for (int64_t I = 0; I < std::max(Count, BeforePoint); ++I) {
    int64_t Digit = 0;
    if (I < Count) {
      const auto Index = static_cast<size_t>(I);
      const char C = Index < Whole.size() ? Whole[Index] : Fraction[Index - Whole.size()];
      if (C < '0' || C > '9')
        return std::nullopt;
      Digit = C - '0';
    } else if (Ns == 0) {
      break; // zero times a power of ten
    }
    if (I < BeforePoint) {
      if (__builtin_mul_overflow(Ns, int64_t{10}, &Ns) || __builtin_add_overflow(Ns, Digit, &Ns))
        return std::nullopt;
    } else if (I == BeforePoint && Digit >= 5 && __builtin_add_overflow(Ns, int64_t{1}, &Ns)) {
      return std::nullopt;
    }
  }
  return Negative ? -Ns : Ns;
}

std::string microsecondsText(int64_t Ns) {
  const uint64_t Size =
      Ns < 0 ? uint64_t{0} - static_cast<uint64_t>(Ns) : static_cast<uint64_t>(Ns);
  return fmt::format("{}{}.{:03}", Ns < 0 ? "-" : "", Size / 1000, Size % 1000);
}

std::string_view withoutFraction(std::string_view Number) {
  const size_t Dot = Number.find('.');
  return Dot != Number.npos && Dot + 1 < Number.size() &&
                 Number.find_first_not_of('0', Dot + 1) == Number.npos
             ? Number.substr(0, Dot)
             : Number;
}

std::optional<int64_t> wholeNumber(std::string_view Text) {
  Text = withoutFraction(Text);
  int64_t Number;
  const auto [End, Code] = std::from_chars(Text.begin(), Text.end(), Number);
  return Code == std::errc() && End == Text.end() ? std::optional(Number) : std::nullopt;
}

} // namespace seamscope::tools
