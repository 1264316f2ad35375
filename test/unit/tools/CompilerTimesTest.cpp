//===- CompilerTimesTest.cpp - how long the compiler took for each file ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/folder/CompilerTimes.h"
#include "TestFile.h"

#include <gtest/gtest.h>

namespace seamscope::tools {
namespace {

CompilerTimes timesOf(std::string_view Text) {
  const TestFolder Folder;
  const std::string Path = Folder.file("compiler-times.jsonl", Text);
  return readCompilerTimes(std::filesystem::path(Path).parent_path().string());
}

TEST(CompilerTimes, AddUpByName) {
  const CompilerTimes Times = timesOf(
      R"({"source":"/cache/ab/cab.main.cpp","begin_ns":1,"ns":2000000000,"exit":0}
{"source":"/cache/ab/cab.main.cpp","begin_ns":9,"ns":5,"exit":143}
{"source":"probe.cpp","begin_ns":9,"ns":7,"exit":1}
)");
  EXPECT_EQ(Times.Unread, 0u);
  ASSERT_EQ(Times.Files.size(), 2u);
  const CompilerTime *Main = Times.of("/elsewhere/cab.main.cpp");
  ASSERT_TRUE(Main);
  EXPECT_EQ(Main->Calls, 2u);
  EXPECT_EQ(Main->Failed, 1u);
  EXPECT_EQ(Main->Ns, 2'000'000'005);
  ASSERT_TRUE(Times.of("probe.cpp"));
  EXPECT_EQ(Times.of("probe.cpp")->Failed, 1u);
  EXPECT_FALSE(Times.of("cab"));
  EXPECT_FALSE(Times.of(""));
}

TEST(CompilerTimes, WhatIsNoLineIsCounted) {
  const CompilerTimes Times = timesOf(R"(no JSON
[1]
{"source":1,"ns":1,"exit":0}
{"source":"a.cpp","ns":-1,"exit":0}
{"source":"a.cpp","ns":1e300,"exit":0}
{"source":"a.cpp","ns":18446744073709551615,"exit":0}
{"source":"a.cpp","ns":1}
{"source":"a.cpp","ns":3,"exit":0}
{"source":"a.cpp","ns":4,"ex)");
  EXPECT_EQ(Times.Unread, 8u);
  ASSERT_TRUE(Times.of("a.cpp"));
  EXPECT_EQ(Times.of("a.cpp")->Ns, 3);
}

TEST(CompilerTimes, NothingWithoutTheFile) {
  const TestFolder Folder;
  EXPECT_TRUE(readCompilerTimes(Folder.path("")).Files.empty());
}

} // namespace
} // namespace seamscope::tools
