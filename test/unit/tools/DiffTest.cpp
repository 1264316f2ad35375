//===- DiffTest.cpp - rows of two traces find each other ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Diff.h"
#include "TestFile.h"
#include "report/render/Render.h"
#include "report/sections/Documents.h"

#include <fmt/format.h>
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

/// Kernel k with a loop of line \p Line in another one, and where \p Inlined is not empty a third.
std::string looped(const char *Folder, int Outer, int Line, int Inner, const char *Inlined) {
  const auto Loop = [&](const char *Name, int At, int Begin, int Ns, const std::string &Chain) {
    return fmt::format(
        R"(,{{"ph": "X", "cat": "loop", "name": "{}", "pid": 1, "tid": 1, "ts": {}, )"
        R"("dur": {}, "args": {{"kernel": "k", "file": "{}/f.c", "line": {}{}}}}})",
        Name, Begin, Ns, Folder, At, Chain);
  };
  std::string Text = R"([{"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": 500})";
  Text += Loop("k [loop f.c:9]", 9, 10, Outer, "") + Loop("k [loop f.c:10]", Line, 20, Inner, "");
  if (*Inlined)
    Text += Loop("g [loop f.c:2]", 2, 400, 20,
                 fmt::format(R"(, "inlined_from": "k at {}/{}")", Folder, Inlined));
  return Text + "]";
}

TEST(Diff, LoopsAreMatchedByPlaceAndInlining) {
  Difference Result;
  addLoopDifference(Result, traceOf(looped("/a", 100, 10, 60, "f.c:30:2")),
                    traceOf(looped("/b/c", 300, 10, 30, "f.c:31:2")));
  std::string Text;
  for (const LoopDiffRow &Row : Result.Loops)
    Text += fmt::format("{} {} {} {}/{} {}/{} {}/{}\n", Row.Depth, Row.Kernel, Row.Loop,
                        Row.FirstNs / 1000, Row.FirstSelfNs / 1000, Row.SecondNs / 1000,
                        Row.SecondSelfNs / 1000, Row.FirstCalls, Row.SecondCalls);
  // The function stands at another line in the second trace: another loop.
  EXPECT_EQ(Text, "1 k g [loop f.c:2] in k at /a/f.c:30:2 20/20 0/0 1/0\n"
                  "1 k g [loop f.c:2] in k at /b/c/f.c:31:2 0/0 20/20 0/1\n"
                  "1 k k [loop f.c:9] 100/40 300/270 1/1\n"
                  "2 k k [loop f.c:10] 60/60 30/30 1/1\n");
}

TEST(Diff, LoopsOfOneTraceAloneAreNotCompared) {
  const Trace With = traceOf(looped("/a", 100, 10, 60, "")),
              Without =
                  traceOf(R"([{"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": 5}])");
  Difference Result = difference(With, Without);
  addLoopDifference(Result, With, Without);
  EXPECT_TRUE(Result.Loops.empty());
  const std::string Text =
      rendered(renderText, diffDocument({&With, &Without, &Result}), TextStyle{});
  EXPECT_NE(Text.find("only A was recorded with loops"), std::string::npos) << Text;
}

TEST(Diff, CallsThatWereNotTimedCount) {
  const auto Of = [](int Untimed) {
    return traceOf(fmt::format(
        R"({{"seamscope": {{"version": "1", "format": 1, "mode": "trace", "throttled": [
          {{"cat": "cpu_op", "name": "tiny", "pid": 1, "tid": 1, "ts": 0, "every": 10, "timed": 1,
           "untimed": {}, "args": {{"kernel": "tiny"}}}}]}}, "traceEvents": [
        {{"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": 200, "args": {{"kernel": "k"}}}},
        {{"ph": "X", "cat": "cpu_op", "name": "tiny", "pid": 1, "tid": 1, "ts": 10, "dur": 2, "args": {{"kernel": "tiny"}}}}]}})",
        Untimed));
  };
  const Difference Result = difference(Of(10), Of(40));
  for (const DiffRow &Row : Result.Rows)
    if (Row.Key == "tiny") {
      EXPECT_EQ(
          fmt::format("{}/{} {}/{}", Row.FirstNs, Row.FirstCalls, Row.SecondNs, Row.SecondCalls),
          "22000/11 82000/41");
    } else if (Row.Key == "k") {
      EXPECT_EQ(Row.deltaNs(), -60000);
    }
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
  const Document Made = diffDocument({&A, &B, &Result});
  const std::string Text = rendered(renderText, Made, TextStyle{});
  EXPECT_NE(Text.find("k\\x1b[31m"), std::string::npos) << Text;
  EXPECT_EQ(Text.find('\x1b'), std::string::npos);
  EXPECT_NE(Text.find("[window]"), std::string::npos);
  const auto Json = nlohmann::json::parse(rendered(renderJson, Made));
  EXPECT_EQ(Json["total_delta_ns"], 7000);
  int64_t Sum = 0;
  for (const auto &Row : Json["rows"])
    Sum += Row["delta_ns"].get<int64_t>();
  EXPECT_EQ(Sum, 7000);
  const std::string Csv = rendered(renderCsv, Made);
  EXPECT_NE(Csv.find("\r\n'=new,none,0,1000,0,1,1000\r\n"), std::string::npos) << Csv;
}

} // namespace
