//===- JsonChecker.cpp - whether bytes are JSON ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/JsonChecker.h"

#include <algorithm>
#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace seamscope::tools {
namespace {

/// Deeper texts are made to overflow the reader's stack.
constexpr size_t Deepest = 1 << 20;

bool isSpace(unsigned char C) { return C == ' ' || C == '\n' || C == '\r' || C == '\t'; }
bool isDigit(unsigned char C) { return C >= '0' && C <= '9'; }
bool isHex(unsigned char C) {
  return isDigit(C) || (C >= 'a' && C <= 'f') || (C >= 'A' && C <= 'F');
}

} // namespace

/// Skips bytes of a string or number that need no further check: most of a trace.
const char *JsonChecker::skipPlain(const char *At, const char *End) const {
  if (Now == State::Digits)
    return std::find_if_not(At, End, isDigit);
  if (Now != State::String || Missing)
    return At;
#if defined(__SSE2__)
  for (; End - At >= 16; At += 16) {
    const __m128i Bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(At));
    // Below a blank are control characters and, as signed bytes, non-ASCII ones.
    const __m128i Stops = _mm_or_si128(_mm_cmplt_epi8(Bytes, _mm_set1_epi8(' ')),
                                       _mm_or_si128(_mm_cmpeq_epi8(Bytes, _mm_set1_epi8('"')),
                                                    _mm_cmpeq_epi8(Bytes, _mm_set1_epi8('\\'))));
    if (const int Mask = _mm_movemask_epi8(Stops))
      return At + std::countr_zero(static_cast<unsigned>(Mask));
  }
#endif
  return std::find_if(At, End, [](char Byte) {
    const auto C = static_cast<unsigned char>(Byte);
    return C < 0x20 || C >= 0x80 || C == '"' || C == '\\';
  });
}

void JsonChecker::take(std::string_view Piece) {
  if (constexpr std::string_view Mark = "\xEF\xBB\xBF"; !Begun && Piece.starts_with(Mark))
    Piece.remove_prefix(Mark.size());
  Begun |= !Piece.empty();
  const char *const End = Piece.data() + Piece.size();
  for (const char *At = Piece.data(); At != End && Now != State::Wrong;) {
    take(static_cast<unsigned char>(*At++));
    At = skipPlain(At, End);
  }
}

void JsonChecker::take(unsigned char C) {
  switch (Now) {
  case State::String:
  case State::Escape:
  case State::Hex:
    return string(C);
  case State::Word:
    if (C != static_cast<unsigned char>(*Rest))
      Now = State::Wrong;
    else if (!*++Rest)
      Now = State::AfterValue;
    return;
  case State::Minus:
  case State::Zero:
  case State::Digits:
  case State::Point:
  case State::Fraction:
  case State::Exponent:
  case State::ExponentSign:
  case State::ExponentDigits:
    if (number(C))
      return;
    Now = endsNumber() ? State::AfterValue : State::Wrong;
    [[fallthrough]];
  default:
    if (Now != State::Wrong && !isSpace(C))
      structure(C);
  }
}

/// Between values.
void JsonChecker::structure(unsigned char C) {
  switch (Now) {
  case State::FirstValue:
    return C == ']' ? close('[') : begin(C);
  case State::Value:
    return begin(C);
  case State::FirstKey:
  case State::Key:
    if (C == '}' && Now == State::FirstKey)
      return close('{');
    IsKey = true;
    Now = C == '"' ? State::String : State::Wrong;
    return;
  case State::Colon:
    Now = C == ':' ? State::Value : State::Wrong;
    return;
  default:
    if (C == ']' || C == '}')
      return close(C == ']' ? '[' : '{');
    Now = C != ',' || Open.empty() ? State::Wrong : Open.back() == '{' ? State::Key : State::Value;
  }
}

void JsonChecker::begin(unsigned char C) {
  switch (C) {
  case '{':
  case '[':
    return open(static_cast<char>(C));
  case '"':
    IsKey = false;
    Now = State::String;
    return;
  case '-':
    Now = State::Minus;
    return;
  case '0':
    Now = State::Zero;
    return;
  case 't':
  case 'f':
  case 'n':
    Rest = C == 't' ? "rue" : C == 'f' ? "alse" : "ull";
    Now = State::Word;
    return;
  default:
    Now = isDigit(C) ? State::Digits : State::Wrong;
  }
}

void JsonChecker::string(unsigned char C) {
  if (Now == State::Escape) {
    Missing = C == 'u' ? 4 : 0;
    const bool Known =
        std::string_view("\"\\/bfnrtu").find(static_cast<char>(C)) != std::string_view::npos;
    Now = !Known ? State::Wrong : C == 'u' ? State::Hex : State::String;
  } else if (Now == State::Hex) {
    Now = !isHex(C) ? State::Wrong : --Missing ? State::Hex : State::String;
  } else if (Missing) {
    if (C < Low || C > High)
      Now = State::Wrong;
    Low = 0x80;
    High = 0xbf;
    --Missing;
  } else if (C == '"') {
    Now = IsKey ? State::Colon : State::AfterValue;
  } else if (C == '\\') {
    Now = State::Escape;
  } else if (C < 0x20) {
    Now = State::Wrong;
  } else if (C >= 0x80) {
    beginUtf8(C);
  }
}

/// The first byte of a character, by the table of RFC 3629: no overlong forms, no surrogates.
void JsonChecker::beginUtf8(unsigned char C) {
  if (C >= 0xc2 && C <= 0xdf)
    Missing = 1;
  else if (C >= 0xe0 && C <= 0xef)
    Missing = 2;
  else if (C >= 0xf0 && C <= 0xf4)
    Missing = 3;
  else
    Now = State::Wrong;
  Low = C == 0xe0 ? 0xa0 : C == 0xf0 ? 0x90 : 0x80;
  High = C == 0xed ? 0x9f : C == 0xf4 ? 0x8f : 0xbf;
}

/// Takes another character of a number; false: it is not part of the number.
bool JsonChecker::number(unsigned char C) {
  const bool Digit = isDigit(C);
  switch (Now) {
  case State::Minus:
    if (Digit)
      Now = C == '0' ? State::Zero : State::Digits;
    return Digit;
  case State::Zero:
  case State::Digits:
    if (C == '.' || C == 'e' || C == 'E')
      Now = C == '.' ? State::Point : State::Exponent;
    else
      return Digit && Now == State::Digits;
    return true;
  case State::Point:
    Now = Digit ? State::Fraction : Now;
    return Digit;
  case State::Fraction:
    if (C == 'e' || C == 'E')
      Now = State::Exponent;
    else
      return Digit;
    return true;
  case State::Exponent:
    if (C == '+' || C == '-')
      Now = State::ExponentSign;
    else if (Digit)
      Now = State::ExponentDigits;
    else
      return false;
    return true;
  default: // after the sign, or among the digits, of an exponent
    Now = Digit ? State::ExponentDigits : Now;
    return Digit;
  }
}

bool JsonChecker::endsNumber() const {
  return Now == State::Zero || Now == State::Digits || Now == State::Fraction ||
         Now == State::ExponentDigits;
}

void JsonChecker::open(char Bracket) {
  Open += Bracket;
  Now = Open.size() > Deepest ? State::Wrong : Bracket == '[' ? State::FirstValue : State::FirstKey;
}

void JsonChecker::close(char Bracket) {
  if (Open.empty() || Open.back() != Bracket) {
    Now = State::Wrong;
    return;
  }
  Open.pop_back();
  Now = State::AfterValue;
}

bool JsonChecker::isWhole() const {
  return Open.empty() && (Now == State::AfterValue || endsNumber());
}

bool isJson(std::string_view Text) {
  JsonChecker Checker;
  Checker.take(Text);
  return Checker.isWhole();
}

} // namespace seamscope::tools
