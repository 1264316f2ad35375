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

/// The loops of a comparison, a line each.
std::string loopsIn(const Difference &Result) {
  std::string Text;
  for (const PlaceDiffRow &Row : Result.Places)
    if (Row.Kind == PlaceKind::Loop)
      Text += fmt::format("{} {} {}/{} {}/{} {}/{} {}\n", Row.Depth, Row.Name, Row.First.Ns / 1000,
                          Row.First.SelfNs.value_or(0) / 1000, Row.Second.Ns / 1000,
                          Row.Second.SelfNs.value_or(0) / 1000, Row.First.Calls, Row.Second.Calls,
                          placeMatchName(Row.Match));
  return Text;
}

TEST(Diff, LoopsAreMatchedByFunctionOrderAndInlining) {
  const Trace A = traceOf(looped("/a", 100, 10, 60, "f.c:30:2")),
              B = traceOf(looped("/b/c", 300, 12, 30, "f.c:31:2"));
  // The inlined function is called at another line, the inner loop stands two lines below.
  EXPECT_EQ(loopsIn(difference(A, B)), "1 k [loop f.c:9] 100/40 300/270 1/1 line\n"
                                       "2 k [loop f.c:10] 60/60 30/30 1/1 order\n"
                                       "1 g [loop f.c:2] in k at /a/f.c:30:2 20/20 20/20 1/1 "
                                       "order\n");
}

/// Kernel k, which begins at line 1, with a loop at each of these lines, in a row.
Trace loopsAt(const std::vector<int> &Lines) {
  std::string Text = fmt::format(R"([{{"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 0, )"
                                 R"("dur": 500, "args": {{"file": "f.c", "line": 1}}}})");
  for (size_t I = 0; I < Lines.size(); ++I)
    Text += fmt::format(R"(,{{"ph": "X", "cat": "loop", "name": "k [loop f.c:{0}]", "pid": 1, )"
                        R"("tid": 1, "ts": {1}, "dur": 10, )"
                        R"("args": {{"kernel": "k", "file": "f.c", "line": {0}}}}})",
                        Lines[I], 10 + 20 * I);
  return traceOf(Text + "]");
}

SourceTexts texts(std::string First, std::string Second) {
  return {[=](std::string_view) { return std::optional(First); },
          [=](std::string_view) { return std::optional(Second); }};
}

std::string matchesIn(const Difference &Result) {
  std::string Text;
  for (const PlaceDiffRow &Row : Result.Places)
    if (Row.Kind == PlaceKind::Loop)
      Text += fmt::format("{}>{} {}; ", Row.First.Line, Row.Second.Line, placeMatchName(Row.Match));
  return Text;
}

TEST(Diff, WithoutSourcesEqualCandidatesAreAmbiguous) {
  const Trace Three = loopsAt({3, 6, 9}), Two = loopsAt({3, 6});
  // Which of three equal loops went is not known; that one of several stands where it stood is not
  // enough.
  const Difference Result = difference(Three, Two);
  EXPECT_NE(matchesIn(Result).find("ambiguous"), std::string::npos) << matchesIn(Result);
  for (const PlaceDiffRow &Row : Result.Places) {
    if (Row.Match == PlaceMatch::Ambiguous) {
      EXPECT_FALSE(Row.isPair());
    }
  }
  // As many of both are the same ones.
  EXPECT_EQ(matchesIn(difference(Three, loopsAt({5, 6, 30}))), "3>5 order; 6>6 line; 9>30 order; ");
}

TEST(Diff, SourcesTellWhichLoopWent) {
  const std::string Head = "void k() {\n",
                    Loops[] = {"for (;;)\n  a();\n", "for (;;)\n  b();\n", "for (;;)\n  c();\n"};
  const Trace Three = loopsAt({2, 4, 6}), Two = loopsAt({2, 4});
  const std::string All = Head + Loops[0] + Loops[1] + Loops[2] + "}\n";
  EXPECT_EQ(matchesIn(difference(Three, Two, texts(All, Head + Loops[0] + Loops[1] + "}\n"))),
            "2>2 source; 4>4 source; 6>0 none; ");
  EXPECT_EQ(matchesIn(difference(Three, Two, texts(All, Head + Loops[0] + Loops[2] + "}\n"))),
            "2>2 source; 4>0 none; 6>4 source; ");
  EXPECT_EQ(matchesIn(difference(Three, Two, texts(All, Head + Loops[1] + Loops[2] + "}\n"))),
            "2>0 none; 4>2 source; 6>4 source; ");
  // Swapped, they are the same two.
  EXPECT_EQ(matchesIn(difference(Two, Two,
                                 texts(Head + Loops[0] + Loops[1] + "}\n",
                                       Head + Loops[1] + Loops[0] + "}\n")))
                .find("none"),
            std::string::npos);
}

/// A kernel with a loop two lines below.
std::string kernelAt(const char *Name, int Line, int Begin) {
  return fmt::format(R"({{"ph": "X", "name": "{0}", "pid": 1, "tid": 1, "ts": {2}, "dur": 50, )"
                     R"("args": {{"file": "f.c", "line": {1}}}}},)"
                     R"({{"ph": "X", "cat": "loop", "name": "{0} [loop f.c:{3}]", "pid": 1, )"
                     R"("tid": 1, "ts": {2}, "dur": 10, )"
                     R"("args": {{"kernel": "{0}", "file": "f.c", "line": {3}, "column": 3}}}})",
                     Name, Line, Begin, Line + 2);
}

const DiffRow *rowOf(const Difference &Result, std::string_view Key) {
  for (const DiffRow &Row : Result.Rows)
    if (Row.Key == Key)
      return &Row;
  return nullptr;
}

TEST(Diff, ARenamedKernelIsOneRow) {
  const Difference Result = difference(traceOf("[" + kernelAt("old", 10, 0) + "]"),
                                       traceOf("[" + kernelAt("new", 30, 0) + "]"));
  const DiffRow *Row = rowOf(Result, "old -> new");
  ASSERT_TRUE(Row);
  EXPECT_EQ(Row->Match, DiffMatch::Renamed);
  EXPECT_EQ(Row->FirstNs, Row->SecondNs);
  EXPECT_EQ(matchesIn(Result), "12>32 order; ");
  // Of two that look alike it could be either.
  const Difference Two =
      difference(traceOf("[" + kernelAt("old", 10, 0) + "]"),
                 traceOf("[" + kernelAt("new", 30, 0) + "," + kernelAt("other", 40, 60) + "]"));
  EXPECT_TRUE(rowOf(Two, "old") && rowOf(Two, "new") && rowOf(Two, "other"));
}

TEST(Diff, NumbersOfLambdasAreNotTheirNames) {
  const Trace One = traceOf("[" + kernelAt("each<main::$_0>", 10, 0) + "]"),
              Two = traceOf("[" + kernelAt("each<main::$_0>", 10, 0) + "," +
                            kernelAt("each<main::$_1>", 10, 60) + "]");
  // A lambda was added before or behind: either can be the one that was there.
  const Difference Result = difference(One, Two);
  for (const DiffRow &Row : Result.Rows)
    EXPECT_FALSE(Row.FirstCalls && Row.SecondCalls && Row.isPair()) << Row.Key;
  const Difference Same = difference(Two, Two);
  const DiffRow *Second = rowOf(Same, "each<main::$_1>");
  ASSERT_TRUE(Second);
  EXPECT_EQ(Second->Match, DiffMatch::Numbered);
  EXPECT_TRUE(Second->isPair());
}

TEST(Diff, OtherCountsHaveARatioOfOneCall) {
  EXPECT_EQ(callRatioOf(100, 10, 400, 20), 2.0);
  EXPECT_EQ(callRatioOf(100, 0, 400, 20), std::nullopt);
  const auto Of = [](int Calls) {
    std::string Text = "[";
    for (int I = 0; I < Calls; ++I)
      Text +=
          fmt::format(R"({}{{"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": {}, "dur": 10}})",
                      I ? "," : "", 20 * I);
    return traceOf(Text + "]");
  };
  const Trace A = Of(2), B = Of(6);
  const Difference Result = difference(A, B);
  const Document Made = diffDocument({&A, &B, &Result});
  const auto Json = nlohmann::json::parse(rendered(renderJson, Made));
  EXPECT_EQ(Json["rows"][0]["ratio"], 3.0);
  EXPECT_EQ(Json["rows"][0]["call_ratio"], 1.0);
  const std::string Text = rendered(renderText, Made, TextStyle{});
  EXPECT_NE(Text.find("a different number of calls"), std::string::npos) << Text;
}

TEST(Diff, LoopsOfOneTraceAloneAreNotCompared) {
  const Trace With = traceOf(looped("/a", 100, 10, 60, "")),
              Without =
                  traceOf(R"([{"ph": "X", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": 5}])");
  const Difference Result = difference(With, Without);
  EXPECT_EQ(loopsIn(Result), "");
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
