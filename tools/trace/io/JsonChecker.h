//===- JsonChecker.h - whether bytes are JSON -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_JSONCHECKER_H
#define SEAMSCOPE_TOOLS_TRACE_JSONCHECKER_H

#include <cstdint>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// Checks a text of any length, in pieces, against the grammar of RFC 8259, and its strings for
/// valid UTF-8. Readers of traces accept more, and do not look into values that they do not use,
/// but output for other programs must be JSON to the last byte.
class JsonChecker {
public:
  void take(std::string_view Piece);

  /// Whether everything taken is one complete JSON text.
  bool isWhole() const;

private:
  enum class State : uint8_t {
    Value,      ///< one must follow
    FirstValue, ///< or the end of the array
    Key,
    FirstKey, ///< or the end of the object
    Colon,
    AfterValue,
    String,
    Escape,
    Hex,
    Minus,
    Zero, ///< the first digit of a number
    Digits,
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
    Word,
    Wrong,
  };

  void take(unsigned char C);
  const char *skipPlain(const char *At, const char *End) const;
  void begin(unsigned char C);
  void structure(unsigned char C);
  void string(unsigned char C);
  void beginUtf8(unsigned char C);
  bool number(unsigned char C);
  void open(char Bracket);
  void close(char Bracket);
  bool endsNumber() const;

  State Now = State::Value;
  bool Begun = false;              ///< a piece was taken
  bool IsKey = false;              ///< the string is a key
  uint8_t Missing = 0;             ///< missing hexadecimal digits, or bytes of a character
  uint8_t Low = 0x80, High = 0xbf; ///< of the next byte of a character
  const char *Rest = "";           ///< rest of the word
  std::string Open;                ///< brackets
};

/// Whether \p Text is one complete JSON text.
bool isJson(std::string_view Text);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_JSONCHECKER_H
