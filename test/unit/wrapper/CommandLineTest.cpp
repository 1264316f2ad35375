//===- CommandLineTest.cpp - reading a clang command line ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "wrapper/CommandLine.h"
#include <gtest/gtest.h>

namespace seamscope::wrapper {
namespace {

using Words = std::vector<std::string>;

TEST(ResponseFile, BlanksOfAllKindsSeparate) {
  EXPECT_EQ(splitResponseFile(" a\tb\r\nc\n\n d "), (Words{"a", "b", "c", "d"}));
}

TEST(ResponseFile, QuotesHoldTogetherWithinAWord) {
  EXPECT_EQ(splitResponseFile("a\"b c\"'d e'f"), (Words{"ab cd ef"}));
}

TEST(ResponseFile, BackslashTakesTheNextCharacterEverywhere) {
  EXPECT_EQ(splitResponseFile("a\\ b \"c\\\"d\" 'e\\'f' g\\\nh"),
            (Words{"a b", "c\"d", "e'f", "g\nh"}));
}

TEST(ResponseFile, EmptyQuotedWordVanishesAsInClang) {
  EXPECT_EQ(splitResponseFile("a \"\" '' b"), (Words{"a", "b"}));
}

TEST(ResponseFile, BackslashAtTheEndStays) { EXPECT_EQ(splitResponseFile("a\\"), (Words{"a\\"})); }

TEST(CommandLine, NothingAtAllPassesThrough) { EXPECT_TRUE(readCommandLine({}).PassThrough); }

TEST(CommandLine, OptionWithoutItsValueIsHarmless) {
  EXPECT_TRUE(readCommandLine({"a.cpp", "-o"}).Links);
}

TEST(CommandLine, LibraryAloneLinks) {
  const CommandLine Line = readCommandLine({"-shared", "-lfoo"});
  EXPECT_TRUE(Line.Links);
  EXPECT_FALSE(Line.Compiles);
}

TEST(CommandLine, PrecompiledHeadersAreDistinguished) {
  EXPECT_TRUE(readCommandLine({"-x", "c++-header", "a.h", "-o", "a.h.pch"}).Precompiles);
  EXPECT_TRUE(readCommandLine({"a.hpp"}).Precompiles);
  EXPECT_TRUE(readCommandLine({"a.hpp"}).PassThrough);
  EXPECT_FALSE(readCommandLine({"-E", "a.hpp"}).Precompiles);
  EXPECT_FALSE(readCommandLine({"-include", "a.hpp", "a.cpp"}).Precompiles);
  EXPECT_TRUE(readCommandLine({"-include", "a.hpp", "a.cpp"}).Includes);
  EXPECT_TRUE(readCommandLine({"-include-pch", "a.pch", "a.cpp"}).Includes);
  EXPECT_FALSE(readCommandLine({"-I", "include", "a.cpp"}).Includes);
}

TEST(CommandLine, HeaderBesideASourceIsNoReasonToPassThrough) {
  EXPECT_TRUE(readCommandLine({"-c", "a.cpp", "a.h"}).Compiles);
}

TEST(CommandLine, SuffixIsThatOfTheFileName) {
  EXPECT_FALSE(readCommandLine({"-c", "dir.cpp/object"}).Compiles);
}

TEST(CommandLine, FortranIsCompiled) {
  for (const char *Source : {"a.f90", "a.F90", "a.f", "a.F", "a.for", "a.f03", "a.f08"})
    EXPECT_TRUE(readCommandLine({"-c", Source}).Compiles) << Source;
  EXPECT_FALSE(readCommandLine({"-c", "-J", "mods.f90", "a.o"}).Compiles);
  EXPECT_FALSE(readCommandLine({"-module-dir", "mods.f90", "a.o"}).Compiles);
  EXPECT_TRUE(readCommandLine({"-fc1", "-emit-obj", "a.f90"}).PassThrough);
}

TEST(CommandLine, LastLinkerCounts) {
  EXPECT_EQ(readCommandLine({"a.o", "-fuse-ld=gold", "-fuse-ld=lld"}).Linker, "lld");
}

} // namespace
} // namespace seamscope::wrapper
