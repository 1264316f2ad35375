//===- EscapeTest.cpp - nothing from outside reaches a terminal --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/Escape.h"
#include "trace/io/Error.h"

#include <gtest/gtest.h>

using namespace seamscope::tools;

namespace {

TEST(Escape, LeavesTextAlone) {
  EXPECT_EQ(escaped("void f<int>(char const*) [parallel a.cpp:3]"),
            "void f<int>(char const*) [parallel a.cpp:3]");
  EXPECT_EQ(escaped("größe 中 😀"), "größe 中 😀");
}

TEST(Escape, ShowsControlCharacters) {
  EXPECT_EQ(escaped("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(escaped("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(escaped(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(escaped("\x7f"), "\\x7f");
  EXPECT_EQ(escaped("\xc2\x9b"), "\\u{9b}"); // CSI in one character
}

TEST(Escape, ShowsWhatReordersOrHides) {
  EXPECT_EQ(escaped("\xe2\x80\xae"), "\\u{202e}");
  EXPECT_EQ(escaped("\xe2\x80\x8b"), "\\u{200b}");
  EXPECT_EQ(escaped("\xef\xbb\xbf"), "\\u{feff}");
}

TEST(Escape, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(escaped("\xff"), "\\xff");
  EXPECT_EQ(escaped("\xc3"), "\\xc3");
  EXPECT_EQ(escaped("\xc0\xaf"), "\\xc0\\xaf");          // overlong
  EXPECT_EQ(escaped("\xed\xa0\x80"), "\\xed\\xa0\\x80"); // surrogate
  EXPECT_EQ(escaped("\xe4\xb8"), "\\xe4\\xb8");
}

TEST(Escape, ShortensInTheMiddle) {
  EXPECT_EQ(shortened("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(shortened("abcdefghij", 9), "abc...hij");
  EXPECT_EQ(shortened("abcdefghij", 8), "abc...ij");
  // Characters count, not bytes.
  EXPECT_EQ(shortened("äöüßäöüßäö", 9), "äöü...ßäö");
  EXPECT_EQ(shortened("abc", 2), "ab");
}

TEST(Escape, ErrorMessageIsOneLine) {
  const Error Why = {"a\nb", 12, "x\x1b"};
  EXPECT_EQ(Why.message(), "a\\nb: offset 12: x\\x1b");
}

} // namespace
