//===- BaselineTest.cpp - fused kernels beside what they replaced ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/compare/Baseline.h"
#include "TestFile.h"

#include <nlohmann/json.hpp>

using namespace seamscope::tools;

namespace {

/// Calls one behind the other on one thread; times in µs.
class Calls {
public:
  Calls &add(const std::string &Name, int Duration, const std::string &Ops = "", int Times = 1) {
    for (int I = 0; I < Times; ++I) {
      Json += R"({"ph": "X", "cat": "cpu_op", "pid": 1, "tid": 1, "name": ")" + Name +
              R"(", "ts": )" + std::to_string(Now) + R"(, "dur": )" + std::to_string(Duration);
      Json += Ops.empty() ? "}," : R"(, "args": {"kernel": "k", "ops": ")" + Ops + R"("}},)";
      Now += Duration;
    }
    return *this;
  }
  Trace trace() const { return traceOf("[" + Json.substr(0, Json.size() - 1) + "]"); }

private:
  std::string Json;
  int Now = 0;
};

struct Compared {
  Compared(const Calls &Fused, const Calls &Eager)
      : Fused(Fused.trace()), Eager(Eager.trace()), Numbers(computeStatistics(this->Fused)),
        Result(compareToBaseline(this->Fused, Numbers, this->Eager)) {}
  Trace Fused, Eager;
  Statistics Numbers;
  BaselineComparison Result;
};

TEST(Baseline, RowsHaveTheWorkOfCallsWhoseTimeTheyHave) {
  constexpr const char *Shapes = R"("Input Dims": [[8]], "Input type": ["float"])";
  const std::string Host = eventText("cpu_op", "aten::relu", 1, 0, 10, Shapes) + "," +
                           eventText("cpu_op", "aten::relu", 1, 20, 10, Shapes) + "," +
                           eventText("cpu_op", "aten::sort", 1, 40, 10, Shapes);
  const std::vector<EagerRow> Rows = eagerRows(traceOf("[" + Host + "]"));
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0].Work.Calls, 2u);
  EXPECT_EQ(Rows[0].Work.Of.Flop, 16);
  EXPECT_EQ(Rows[0].Work.Of.Bytes, 2 * 64);
  EXPECT_EQ(Rows[1].Work.Calls, 0u);
  // A device did the work: the row of the operator has another time.
  const std::string Device =
      eventText("cuda_runtime", "cudaLaunchKernel", 1, 5, 1, R"("correlation": 1)") + "," +
      eventText("kernel", "relu_kernel", 7, 30, 5, R"("device": 0, "correlation": 1)");
  for (const EagerRow &Row : eagerRows(traceOf("[" + Host + "," + Device + "]")))
    EXPECT_EQ(Row.Work.Calls, Row.TotalNs == 5000 ? 1u : 0u) << Row.TotalNs;
}

TEST(Baseline, ListedOperatorsAreReplacedOneCallEach) {
  // add, mean 10 us, twice; mul, mean 30 us.
  const Compared C(Calls().add("fused", 20, "add,mul,add", 2),
                   Calls().add("aten::add", 8).add("aten::add", 12).add("aten::mul", 30));
  ASSERT_EQ(C.Result.Pairs.size(), 1u);
  const BaselinePair &Pair = C.Result.Pairs[0];
  EXPECT_EQ(Pair.FusedMeanNs, 20000);
  EXPECT_EQ(Pair.EagerMeanNs, 2 * 10000 + 30000);
  EXPECT_EQ(Pair.Speedup, 2.5);
  EXPECT_FALSE(Pair.Approximate);
  ASSERT_EQ(Pair.Operators.size(), 2u);
  EXPECT_EQ(Pair.Operators[0].Name, "add");
  EXPECT_EQ(Pair.Operators[0].Count, 2u);
  EXPECT_EQ(Pair.Operators[0].MeanNs, 10000);
  EXPECT_EQ(Pair.Operators[1].Count, 1u);
  EXPECT_TRUE(C.Result.UnmatchedFused.empty());
  EXPECT_TRUE(C.Result.UnmatchedEager.empty());
}

TEST(Baseline, AMissingOperatorMakesItApproximate) {
  const Compared C(Calls().add("fused", 20, "add,frobnicate"), Calls().add("aten::add", 10));
  ASSERT_EQ(C.Result.Pairs.size(), 1u);
  EXPECT_TRUE(C.Result.Pairs[0].Approximate);
  EXPECT_EQ(C.Result.Pairs[0].EagerMeanNs, 10000);
  EXPECT_TRUE(C.Result.Pairs[0].Operators[1].Rows.empty());
}

/// A call of a kernel of MLIR; each of \p Ops is "name type line", of x.mlir, line 0: not known.
std::string groupCall(int64_t Begin, int64_t Duration, const std::vector<std::string> &Ops) {
  std::string Objects, Name;
  for (const std::string &Op : Ops) {
    char Of[16], Type[16];
    int Line = 0;
    EXPECT_EQ(sscanf(Op.c_str(), "%15s %15s %d", Of, Type, &Line), 3);
    Name += Name.empty() ? Of : fmt::format("+{}", Of);
    Objects += fmt::format(R"({}{{"name": "{}", "op": "linalg.generic", "type": "{}"{}}})",
                           Objects.empty() ? "" : ", ", Of, Type,
                           Line ? fmt::format(R"(, "file": "x.mlir", "line": {})", Line) : "");
  }
  return eventText("cpu_op", Name.c_str(), 1, Begin, Duration,
                   fmt::format(R"("kernel": "k", "ops": {})",
                               nlohmann::json(fmt::format(R"({{"ops": [{}]}})", Objects)).dump()));
}

Trace groups(const std::vector<std::string> &All) {
  return traceOf(fmt::format("[{}]", fmt::join(All, ",\n")));
}

const BaselinePair &pairOf(const BaselineComparison &Found, const Statistics &Numbers,
                           int64_t FusedNs) {
  return *std::ranges::find_if(Found.Pairs, [&](const BaselinePair &Pair) {
    return Numbers.Kernels[Pair.Kernel].Times.MeanNs == FusedNs;
  });
}

TEST(Baseline, OperatorsOfOneNameAreToldApartByTheirPlace) {
  const Trace Fused = groups(
      {groupCall(0, 40, {"add t8 1", "exp t8 2"}), groupCall(100, 2, {"add t1 3", "exp t1 4"})});
  const Trace Eager = groups({groupCall(0, 30, {"add t8 1"}), groupCall(40, 50, {"exp t8 2"}),
                              groupCall(100, 1, {"add t1 3"}), groupCall(110, 3, {"exp t1 4"})});
  const Statistics Numbers = computeStatistics(Fused);
  const BaselineComparison Found = compareToBaseline(Fused, Numbers, Eager);
  ASSERT_EQ(Found.Pairs.size(), 2u);
  EXPECT_EQ(pairOf(Found, Numbers, 40000).Speedup, 2.0);
  EXPECT_EQ(pairOf(Found, Numbers, 2000).Speedup, 2.0);
  EXPECT_TRUE(Found.UnmatchedEager.empty());
}

TEST(Baseline, WithoutPlacesTheirTypesDecide) {
  const Trace Fused = groups({groupCall(0, 40, {"add t8 0", "add t1 0"})});
  const Trace Eager = groups({groupCall(0, 50, {"add t8 0"}), groupCall(60, 10, {"add t1 0"})});
  const Statistics Numbers = computeStatistics(Fused);
  const BaselineComparison Found = compareToBaseline(Fused, Numbers, Eager);
  ASSERT_EQ(Found.Pairs.size(), 1u);
  EXPECT_EQ(Found.Pairs[0].Speedup, 1.5);
  EXPECT_EQ(Found.Pairs[0].Operators[0].Count, 2u);
  EXPECT_EQ(Found.Pairs[0].Operators[0].Ns, 60000);
  // Another place is another operator.
  const Trace Elsewhere = groups({groupCall(0, 40, {"add t8 7"})});
  const Statistics Others = computeStatistics(Elsewhere);
  EXPECT_EQ(compareToBaseline(Elsewhere, Others, groups({groupCall(0, 50, {"add t8 1"})}))
                .UnmatchedFused.size(),
            1u);
}

TEST(Baseline, WhereTheyCannotBeToldApartThereIsNoRatio) {
  const auto Call = [](int64_t Begin, int64_t Duration, const char *Dims) {
    return eventText("cpu_op", "aten::add", 1, Begin, Duration,
                     fmt::format(R"("Input Dims": {}, "Input type": [])", Dims));
  };
  const Trace Eager = groups({Call(0, 1000, "[[1024, 1024]]"), Call(2000, 1, "[[8]]")});
  for (const Trace &Fused :
       {groups({groupCall(0, 2, {"add t1 1"})}), Calls().add("fused", 2, "add").trace()}) {
    const Statistics Numbers = computeStatistics(Fused);
    const BaselineComparison Found = compareToBaseline(Fused, Numbers, Eager);
    ASSERT_EQ(Found.Pairs.size(), 1u);
    EXPECT_FALSE(Found.Pairs[0].Speedup || Found.Pairs[0].EagerMeanNs);
    EXPECT_FALSE(Found.Pairs[0].Operators[0].MeanNs);
    EXPECT_FALSE(Found.Pairs[0].Operators[0].Rows.empty());
  }
}

TEST(Baseline, ANameAloneDealsOutAllCalls) {
  // Two fused calls; add ran four times, mul twice.
  const Compared C(Calls().add("cpp_fused_add_mul_0", 10, "", 2),
                   Calls().add("aten::add", 5, "", 4).add("aten::mul", 10, "", 2));
  ASSERT_EQ(C.Result.Pairs.size(), 1u);
  const BaselinePair &Pair = C.Result.Pairs[0];
  EXPECT_EQ(Pair.EagerMeanNs, (4 * 5000 + 2 * 10000) / 2);
  EXPECT_EQ(Pair.Operators[0].Count, 2u);
  EXPECT_EQ(Pair.Operators[1].Count, 1u);
  EXPECT_FALSE(Pair.Approximate);
}

TEST(Baseline, ANameWhoseCallsDoNotDivideIsApproximate) {
  const Compared C(Calls().add("cpp_fused_add_0", 10, "", 2), Calls().add("aten::add", 5, "", 3));
  ASSERT_EQ(C.Result.Pairs.size(), 1u);
  EXPECT_TRUE(C.Result.Pairs[0].Approximate);
  EXPECT_FALSE(C.Result.Pairs[0].Operators[0].Count);
  EXPECT_EQ(C.Result.Pairs[0].EagerMeanNs, 7500);
}

TEST(Baseline, TwoNamesThatClaimOneOperatorAreApproximate) {
  const Compared C(Calls().add("cpp_fused_add_0", 10).add("cpp_fused_add_mul_1", 10),
                   Calls().add("aten::add", 5, "", 2).add("aten::mul", 5));
  ASSERT_EQ(C.Result.Pairs.size(), 2u);
  EXPECT_TRUE(C.Result.Pairs[0].Approximate);
  EXPECT_TRUE(C.Result.Pairs[1].Approximate);
}

TEST(Baseline, WhatHasNoCounterpartIsReported) {
  const Compared C(Calls().add("fused", 5, "sub").add("cpp_fused_add_0", 5),
                   Calls().add("aten::add", 5).add("aten::softmax", 7));
  ASSERT_EQ(C.Result.UnmatchedFused.size(), 1u);
  const KernelRow &Kernel = C.Numbers.Kernels[C.Result.UnmatchedFused[0]];
  EXPECT_EQ(C.Fused.text(C.Fused.Sites[Kernel.Site].Name), "fused");
  ASSERT_EQ(C.Result.UnmatchedEager.size(), 1u);
  EXPECT_EQ(C.Result.Rows[C.Result.UnmatchedEager[0]].title(C.Eager), "aten::softmax");
}

TEST(Baseline, AnOperatorThatOnlyCallsAnotherGoesByBothNames) {
  const Trace Eager = traceOf(R"([
    {"ph": "X", "cat": "cpu_op", "name": "aten::softmax", "pid": 1, "tid": 1, "ts": 0, "dur": 10},
    {"ph": "X", "cat": "cpu_op", "name": "aten::_softmax", "pid": 1, "tid": 1, "ts": 1, "dur": 8},
    {"ph": "X", "cat": "cpu_op", "name": "aten::_softmax", "pid": 1, "tid": 2, "ts": 1, "dur": 8}])");
  const std::vector<EagerRow> Rows = eagerRows(Eager);
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0].title(Eager), "aten::softmax > aten::_softmax");
  EXPECT_EQ(Rows[0].TotalNs, 10000);
  EXPECT_EQ(operatorsCarried(Eager, Rows[0]), (std::vector<std::string>{"_softmax", "softmax"}));
  EXPECT_EQ(Rows[1].title(Eager), "aten::_softmax");
}

TEST(Baseline, HugeCountsAreCappedAndNoDanger) {
  std::string Ops = "add";
  for (int I = 0; I < 3000; ++I)
    Ops += ",add";
  const Compared C(Calls().add("fused", 1, Ops), Calls().add("aten::add", 2000000000));
  ASSERT_EQ(C.Result.Pairs.size(), 1u);
  EXPECT_EQ(C.Result.Pairs[0].EagerMeanNs, 3001 * int64_t{2000000000000});
  const Trace Fused = traceOf(R"([{"ph": "X", "name": "f", "ts": 0, "dur": 1, "cat": "cpu_op",
                                   "args": {"kernel": "f", "ops": ")" +
                              Ops + R"("}}])");
  const Trace Long = traceOf(
      R"([{"ph": "X", "cat": "cpu_op", "name": "aten::add", "ts": 0, "dur": 4000000000000000}])");
  EXPECT_EQ(compareToBaseline(Fused, computeStatistics(Fused), Long).Pairs[0].EagerMeanNs,
            INT64_MAX);
}

TEST(Baseline, CallsOfWhichNoneWasTimedHaveNoSpeedup) {
  const Trace Fused = traceOf(
      R"({"seamscope": {"version": "1", "format": 1, "mode": "trace", "throttled": [
            {"cat": "cpu_op", "name": "f", "pid": 1, "tid": 1, "ts": 0, "every": 10, "timed": 0,
             "untimed": 30, "args": {"kernel": "f", "ops": "add"}}]},
          "traceEvents": []})");
  const Statistics Numbers = computeStatistics(Fused);
  ASSERT_EQ(Numbers.Kernels.size(), 1u);
  const BaselineComparison Result =
      compareToBaseline(Fused, Numbers, Calls().add("aten::add", 8).trace());
  EXPECT_TRUE(Result.Pairs.empty());
  EXPECT_EQ(Result.UnmatchedFused.size(), 1u);
}

TEST(Baseline, NothingBesideNothing) {
  const Trace Empty = traceOf("[]");
  const BaselineComparison Result = compareToBaseline(Empty, computeStatistics(Empty), Empty);
  EXPECT_TRUE(Result.Pairs.empty() && Result.Rows.empty());
  EXPECT_TRUE(Result.UnmatchedFused.empty() && Result.UnmatchedEager.empty());
}

} // namespace
