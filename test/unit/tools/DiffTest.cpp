//===- DiffTest.cpp - rows of two traces find each other ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Diff.h"
#include "TestFile.h"
#include "report/Diff.h"

#include <nlohmann/json.hpp>

using namespace seamscope::tools;

namespace {

/// A kernel of 10 µs that aten::mm launches on inputs of this shape; \p At in µs.
std::string launched(const std::string &Kernel, const std::string &Shape, int At) {
  const std::string Id = std::to_string(At);
  return R"({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": )" + Id +
         R"(, "dur": 4, "args": {"Input Dims": )" + Shape + R"(, "Input type": ["float"]}},
         {"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 1, "tid": 1, "ts": )" +
         Id + R"(, "dur": 2, "args": {"correlation": )" + Id + R"(}},
         {"ph": "X", "cat": "kernel", "name": ")" +
         Kernel + R"(", "pid": 0, "tid": 7, "ts": )" + Id + R"(, "dur": 10, "args":
         {"correlation": )" +
         Id + "}}";
}

const DiffRow *rowOf(const Difference &Result, DiffMatch Match) {
  for (const DiffRow &Row : Result.Rows)
    if (Row.Match == Match)
      return &Row;
  return nullptr;
}

TEST(Diff, MatchesTheStrictestWayThatFits) {
  const Trace A =
      traceOf("[" + launched("same", "[[1]]", 0) + "," + launched("a1", "[[2]]", 20) + "," +
              launched("a2", "[[3]]", 40) + "," + launched("a2", "[[9]]", 60) + "]");
  const Trace B = traceOf("[" + launched("same", "[[7]]", 0) + "," + launched("b1", "[[2]]", 20) +
                          "," + launched("b2", "[[4]]", 50) + "]");
  const Difference Result = difference(A, B);
  const DiffRow *Row = rowOf(Result, DiffMatch::Kernel);
  ASSERT_TRUE(Row);
  EXPECT_EQ(Row->Key, "same");
  EXPECT_EQ(Row->deltaNs(), 0);
  Row = rowOf(Result, DiffMatch::OperatorShape);
  ASSERT_TRUE(Row);
  EXPECT_NE(Row->Key.find("aten::mm [[2]]"), std::string::npos);
  Row = rowOf(Result, DiffMatch::Operator);
  ASSERT_TRUE(Row);
  EXPECT_EQ(Row->Key, "aten::mm");
  EXPECT_EQ(Row->FirstCalls, 2u);
  EXPECT_EQ(Row->SecondCalls, 1u);
  EXPECT_EQ(Row->FirstNs, 20000);
  EXPECT_EQ(Row->deltaNs(), -10000);
  EXPECT_FALSE(rowOf(Result, DiffMatch::None));
  EXPECT_EQ(Result.FirstWindowNs, 70000);
  EXPECT_EQ(Result.SecondWindowNs, 60000);
}

TEST(Diff, WhatOneSideAloneHasIsARow) {
  const Difference Result =
      difference(traceOf(R"([{"ph": "X", "name": "gone", "ts": 0, "dur": 3}])"),
                 traceOf(R"([{"ph": "X", "name": "new", "ts": 0, "dur": 5}])"));
  ASSERT_EQ(Result.Rows.size(), 3u);
  EXPECT_EQ(Result.Rows[0].Key, "new"); // the largest change
  EXPECT_EQ(Result.Rows[0].FirstCalls, 0u);
  EXPECT_EQ(Result.Rows[1].Key, "gone");
  EXPECT_EQ(Result.Rows[1].deltaNs(), -3000);
  EXPECT_EQ(Result.Rows[2].Match, DiffMatch::Unattributed);
}

TEST(Diff, OperatorsBesideCompiledKernelsCount) {
  const Trace Eager = traceOf("[" + eventText("cpu_op", "aten::copy_", 1, 0, 4) + "," +
                              eventText("cpu_op", "aten::relu", 1, 4, 6) + "]");
  const Trace Compiled = traceOf("[" + eventText("cpu_op", "aten::copy_", 1, 0, 3) + "," +
                                 eventText("cpu_op", "cpp_fused_relu_0", 1, 3, 2) + "]");
  const Difference Result = difference(Eager, Compiled);
  const DiffRow *Same = rowOf(Result, DiffMatch::Kernel);
  ASSERT_TRUE(Same);
  EXPECT_EQ(Same->Key, "aten::copy_");
  EXPECT_EQ(Same->FirstNs, 4000);
  EXPECT_EQ(Same->SecondNs, 3000);
  EXPECT_EQ(Same->SecondCalls, 1u);
  ASSERT_EQ(Result.Rows.size(), 4u);
  EXPECT_EQ(Result.Rows[0].Key, "aten::relu");
  EXPECT_EQ(Result.Rows[0].deltaNs(), -6000);
  EXPECT_EQ(Result.Rows[1].Key, "cpp_fused_relu_0");
  EXPECT_EQ(Result.Rows[1].deltaNs(), 2000);
}

TEST(Diff, IsRenderedWithWhatAddsUp) {
  const Trace A = traceOf(R"([{"ph": "X", "name": "k\u001b[31m", "ts": 0, "dur": 3}])");
  const Trace B = traceOf(R"([{"ph": "X", "name": "k\u001b[31m", "ts": 0, "dur": 5},
                              {"ph": "X", "name": "=new", "ts": 9, "dur": 1}])");
  const Difference Result = difference(A, B);
  const DiffInput Input = {&A, &B, &Result};
  const std::string Text = diffText(Input, false);
  EXPECT_NE(Text.find("k\\x1b[31m"), std::string::npos) << Text;
  EXPECT_EQ(Text.find('\x1b'), std::string::npos);
  EXPECT_NE(Text.find("[window]"), std::string::npos);
  const auto Json = nlohmann::json::parse(diffJson(Input));
  EXPECT_EQ(Json["total_delta_ns"], 7000);
  int64_t Sum = 0;
  for (const auto &Row : Json["rows"])
    Sum += Row["delta_ns"].get<int64_t>();
  EXPECT_EQ(Sum, 7000);
  const std::string Csv = diffCsv(Input);
  EXPECT_NE(Csv.find("\r\n'=new,none,0,1000,0,1,1000\r\n"), std::string::npos) << Csv;
}

} // namespace
