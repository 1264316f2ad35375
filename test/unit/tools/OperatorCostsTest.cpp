//===- OperatorCostsTest.cpp - estimated costs of operators -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "estimate/OperatorCosts.h"
#include "estimate/Statements.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace seamscope::tools;

namespace {

/// A loop of a reduction and one that uses it, in a loop over rows.
constexpr std::string_view Source = R"(void kernel(const float* in_ptr0, float* out_ptr0)
{
#pragma omp for
for(int64_t x0=static_cast<int64_t>(0L); x0<64; x0+=1)
{
for(int64_t x1=static_cast<int64_t>(0L); x1<1024; x1+=16)
{
auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 1024L*x0), static_cast<int64_t>(16)); // [seamscope :0]
auto tmp1 = tmp0.exp(); // [seamscope 0:0]
tmp_acc0_vec = tmp_acc0_vec + tmp1; // [seamscope 0:1]
}
for(int64_t x1=static_cast<int64_t>(0L); x1<1024; x1+=16)
{
auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 1024L*x0), static_cast<int64_t>(16)); // [seamscope :2]
auto tmp1 = in_ptr1[static_cast<int64_t>(x0)]; // [seamscope :2]
auto tmp2 = tmp1 / tmp1; // [seamscope 1:2]
auto tmp3 = at::vec::Vectorized<float>(tmp2); // [seamscope 1:3]
auto tmp4 = tmp0.sqrt() / tmp3; // [seamscope 1:3]
auto tmp5 = tmp4 + tmp3; // [seamscope 1:4]
tmp5.store(out_ptr0 + static_cast<int64_t>(x1 + 1024L*x0)); // [seamscope 1:4]
}
}
}
)";

Machine machine() {
  Machine Of;
  const auto Level = [&](const char *Name, unsigned Threads, uint64_t Bytes, uint64_t Capacity,
                         double Rate) {
    Of.Memory.push_back(
        {Name, Threads, Bytes, Capacity, Rate, Rate / 2, Rate * 0.8, Rate * 0.9, 0});
  };
  Level("L1", 1, 24'000, 48'000, 400e9);
  Level("L2", 1, 1'000'000, 2'000'000, 100e9);
  Level("L3", 1, 8'000'000, 64'000'000, 30e9);
  Level("L3", 1, 32'000'000, 64'000'000, 20e9);
  Level("DRAM", 1, 256'000'000, 0, 10e9);
  Level("L1", 2, 48'000, 96'000, 800e9);
  Level("DRAM", 2, 256'000'000, 0, 16e9);
  for (const unsigned Bits : {32u, 512u})
    Of.Compute.push_back({"f32", Bits, true, 1, Bits == 512 ? 200e9 : 10e9, 0});
  Of.Math = {{"div", "f32", 32, 1, 0},      {"div", "f32", 512, 0.2, 0},
             {"sqrt", "f32", 512, 0.25, 0}, {"sum", "f32", 512, 0.02, 0},
             {"expf", "f32", 32, 3, 0},     {"expf", "f32", 512, 0.5, 0}};
  return Of;
}

LineWork line(uint32_t Number, const char *Key, uint64_t Count) {
  LineWork Of{"k.cpp", Number, {}};
  Of.Work.Counts[Key] = {Count, Count};
  return Of;
}

/// Work of one call: 65,536 elements.
struct Fused {
  static constexpr uint64_t N = 65536;
  std::vector<LineWork> Lines = {
      line(8, "read", 4 * N),  line(9, "call.expf", N), line(10, "f32.add", N),
      line(14, "read", 4 * N), line(15, "read", N / 4), line(16, "f32.div", N / 16),
      line(18, "f32.div", N),  line(19, "f32.add", N),  line(20, "write", 4 * N)};
  FusedKernel Kernel;
  uint64_t Footprint = 8 * N;

  Fused() {
    Lines[6].Work.Counts["f32.sqrt"] = {N, N};
    // Parts of sums have no rates of their own.
    Lines[0].Work.Parts["streamed_read"] = {4 * N, 4 * N};
    Lines[1].Work.Parts["vector.expf"] = {N, N};
  }

  std::vector<LoopEstimate> costs(std::vector<TimedLoop> Loops, const Machine &On = machine()) {
    Kernel.Loops = codeLoops(Source);
    Kernel.Operators.assign(6, {});
    const std::map<uint32_t, uint32_t> Marks = markedLines(Source);
    for (const LineWork &Each : Lines) {
      const auto Mark = Marks.find(Each.Line);
      FusedOperator &Into = Kernel.Operators[Mark == Marks.end() ? 5 : Mark->second];
      if (Mark != Marks.end())
        Into.Nodes = {{0}};
      Into.Lines.push_back(&Each);
      Into.Work.add(Each.Work);
    }
    EstimateInput Of;
    Of.Kernel = &Kernel;
    Of.Source = Source;
    Of.File = "k.cpp";
    Of.Calls = 1;
    Of.Footprint = Footprint;
    Of.Loops = Loops;
    return estimateCosts(Of, On);
  }
};

} // namespace

TEST(OperatorCosts, StatementsSayWhatTheyComputeWith) {
  const std::vector<CodeStatement> Of = statementsOf(Source, codeLoops(Source));
  EXPECT_EQ(vectorBits(Source), 512u);
  for (const uint32_t Vector : {8u, 9u, 10u, 14u, 17u, 18u, 19u, 20u})
    EXPECT_TRUE(Of[Vector - 1].IsVector) << Vector;
  for (const uint32_t Scalar : {15u, 16u}) // names of vectors of another loop
    EXPECT_FALSE(Of[Scalar - 1].IsVector) << Scalar;
  EXPECT_EQ(Of[7].Pointer, "in_ptr0");
  EXPECT_TRUE(Of[7].IsStream);
  EXPECT_EQ(Of[14].Pointer, "in_ptr1");
  EXPECT_FALSE(Of[14].IsStream); // the same for a row
  EXPECT_EQ(Of[19].Pointer, "out_ptr0");
  EXPECT_EQ(Of[15].Pointer, "");
  EXPECT_EQ(Of[9].Accumulator, "tmp_acc0_vec");
  EXPECT_EQ(Of[18].Accumulator, "");
  EXPECT_EQ(statementsOf("tmp_acc0_vec = cascade_sum_combine(tmp3, &cascade_helper0);", {})[0]
                .Accumulator,
            "tmp_acc0_vec");
  EXPECT_EQ(statementsOf("tmp_acc0_vec = cascade_sum_final(&cascade_helper0);", {})[0].Accumulator,
            "");
  EXPECT_EQ(vectorBits("auto tmp0 = in_ptr0[0];"), 0u);
  const auto Wide =
      statementsOf(R"(at::vec::VectorizedN<float,2> tmp_acc0_vec = at::vec::VectorizedN<float,2>(0);
at::vec::Vectorized<float> tmp_acc1_vec = at::vec::Vectorized<float>(0);
tmp_acc0_vec = tmp_acc0_vec + tmp2; // [seamscope 0:1]
tmp_acc1_vec = tmp_acc1_vec + tmp2; // [seamscope 0:2]
at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
tmp_acc0_vec = tmp_acc0_vec + tmp2; // [seamscope 0:3])",
                   {});
  EXPECT_EQ(Wide[2].Registers, 2u);
  EXPECT_EQ(Wide[3].Registers, 1u);
  EXPECT_EQ(Wide[5].Registers, 1u); // the name is used again in the next loop
  EXPECT_EQ(vectorBits("at::vec::Vectorized<double>::loadu(p, static_cast<int64_t>(4));"), 256u);
}

TEST(OperatorCosts, TransfersByShareOfWrites) {
  const Machine On = machine();
  const auto Ns = [&](const char *Level, unsigned Threads, uint64_t Footprint, double Read,
                      double Written) {
    return 1e9 * On.transferSeconds(Level, Threads, Footprint, Read, Written);
  };
  EXPECT_NEAR(Ns("L2", 1, 0, 1e6, 0), 1e6 / 100, 1);
  EXPECT_NEAR(Ns("L2", 1, 0, 0, 1e6), 1e6 / 50, 1);
  EXPECT_NEAR(Ns("L2", 1, 0, 5e5, 5e5), 1e6 / 80, 1);
  EXPECT_NEAR(Ns("L2", 1, 0, 2e6, 1e6), 3e6 / 90, 1);
  EXPECT_NEAR(Ns("L2", 1, 0, 2.5e5, 7.5e5), (1e6 / 80 + 1e6 / 50) / 2, 1);
  // The smallest and the largest working set.
  EXPECT_NEAR(Ns("L3", 1, 5'000'000, 1e6, 0), 1e6 / 30, 1);
  EXPECT_NEAR(Ns("L3", 1, 50'000'000, 1e6, 0), 1e6 / 20, 1);
  // Two threads have 8 bytes a ns each: times of threads add up.
  EXPECT_NEAR(Ns("DRAM", 2, 0, 1e6, 0), 1e6 / 8, 1);
  EXPECT_EQ(Ns("L4", 1, 0, 1e6, 0), 0);
  EXPECT_EQ(Ns("L2", 1, 0, 0, 0), 0);
}

TEST(OperatorCosts, LoopsHaveTheirOwn) {
  constexpr double N = Fused::N;
  Fused Of;
  // exp: 0.5 ns a value, behind loads of 4 bytes from L2 in 0.04 ns.
  const double First = N * (0.5 + 0.04);
  // sqrt and two divisions, one of single values for each vector of 16; loads from L1.
  const double Second = N * (0.25 + 0.2 + 1.0 / 16);
  const auto Found =
      Of.costs({{6, static_cast<int64_t>(First)}, {12, static_cast<int64_t>(Second)}});
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found[0].Problem, "");
  EXPECT_NEAR(Found[0].ModelledNs, First, 10);
  EXPECT_EQ(Found[0].Bound, Resource::Functions);
  ASSERT_EQ(Found[0].Costs.size(), 2u);
  EXPECT_EQ(Found[0].Costs[0].Operator, 0u);
  EXPECT_NEAR(Found[0].Costs[0].SharePercent, 100 * N * 0.5 / First, 0.1);
  EXPECT_EQ(Found[0].Costs[1].SharePercent, 0); // the addition is hidden
  EXPECT_EQ(Found[0].Level, "L2");              // 512 kB
  EXPECT_EQ(Found[1].Bound, Resource::Divider);
  EXPECT_NEAR(Found[1].ModelledNs, Second, 10);
  EXPECT_EQ(Found[1].Costs[0].Operator, 3u); // without it the stores are what takes longest
  EXPECT_NEAR(Found[1].Costs[0].SharePercent, 100 * (1 - N * 4 / 50 / Second), 0.1);
  EXPECT_EQ(Found[1].Costs[1].Operator, 2u);
  EXPECT_FALSE(Found[1].isBoundByMemory());
}

TEST(OperatorCosts, MemoryHidesOperators) {
  Machine On = machine();
  On.Memory[1].Capacity = 1000;
  On.Memory[2].Capacity = On.Memory[3].Capacity = 2000; // the tensors are in DRAM
  Fused Of;
  for (size_t I : {1u, 5u, 6u})
    Of.Lines[I].Work.Counts = {{"f32.add", {Fused::N, Fused::N}}};
  const double Ns = Fused::N * (4 / 10.0 + 4 / 5.0);
  const auto Found = Of.costs({{3, static_cast<int64_t>(Ns * 0.8)}}, On);
  EXPECT_EQ(Found[0].Level, "DRAM");
  EXPECT_EQ(Found[0].Bound, Resource::Far);
  EXPECT_TRUE(Found[0].isBoundByMemory());
  // The second loop finds in_ptr0 in a cache.
  EXPECT_NEAR(Found[0].ModelledNs, Ns, 10);
}

TEST(OperatorCosts, MemoryHidesOnlyWhatOverlaps) {
  // A division behind loads of 0.4 ns from DRAM. Where the loop takes longer, they may not overlap.
  const auto Found = [](double Divider, double Ratio) {
    Machine On = machine();
    On.Memory[1].Capacity = 1000;
    On.Memory[2].Capacity = On.Memory[3].Capacity = 2000;
    On.Math.push_back({"div", "f64", 512, Divider, 0});
    Fused Of;
    Of.Lines[1].Work.Counts = {{"f64.div", {Fused::N, Fused::N}}};
    return Of.costs({{6, static_cast<int64_t>(Fused::N * 0.4 / Ratio)}}, On)[0];
  };
  EXPECT_TRUE(Found(0.3, 0.9).isBoundByMemory());
  EXPECT_EQ(Found(0.3, 0.6).Problem,
            "the model takes 0.60 of the measured time, and the answer depends on whether "
            "arithmetic and memory overlap");
  EXPECT_TRUE(Found(0.08, 0.6).isBoundByMemory()); // 12 % at most
  EXPECT_EQ(Found(0.3, 1.2).Problem, "");          // nothing is missing
}

TEST(OperatorCosts, DataAreFetchedWhileFunctionsRun) {
  // Values of 0.3 ns behind loads of 0.4 ns from DRAM: the recorded time says how much overlaps.
  const auto Found = [](double NsPerValue) {
    Machine On = machine();
    On.Memory[1].Capacity = 1000;
    On.Memory[2].Capacity = On.Memory[3].Capacity = 2000;
    On.Math.back().NsPerValue = 0.3;
    Fused Of;
    return Of.costs({{6, static_cast<int64_t>(Fused::N * NsPerValue)}}, On)[0];
  };
  const LoopEstimate Together = Found(0.4), Half = Found(0.55), Apart = Found(0.7);
  EXPECT_EQ(Together.Problem, "");
  EXPECT_NEAR(Together.ratio(), 1, 0.01);
  EXPECT_TRUE(Together.isBoundByMemory());
  EXPECT_NEAR(Half.ratio(), 1, 0.01);
  EXPECT_NEAR(Half.Costs[0].SharePercent, 100 * 0.15 / 0.55, 0.1);
  EXPECT_EQ(Half.numberOfFirst(), 1u);
  EXPECT_NEAR(Apart.ratio(), 1, 0.01);
  EXPECT_NEAR(Apart.Costs[0].SharePercent, 100 * 0.3 / 0.7, 0.1);
  EXPECT_EQ(Found(0.2).Problem, "the model takes 2.00 of the measured time");
}

TEST(OperatorCosts, NothingIsRuledOutWithinTheError) {
  // A division behind loads of 0.04 ns from L2.
  const auto Found = [](double Divider, double Ns) {
    Machine On = machine();
    On.Math.push_back({"div", "f64", 512, Divider, 0});
    Fused Of;
    Of.Lines[1].Work.Counts = {{"f64.div", {Fused::N, Fused::N}}};
    return Of.costs({{6, static_cast<int64_t>(Fused::N * Ns)}}, On)[0];
  };
  // 0.0345 ns behind 0.034 at worst.
  EXPECT_EQ(Found(0.03, 0.04).Problem, "");
  EXPECT_FALSE(Found(0.03, 0.04).IsBalanced);
  EXPECT_TRUE(Found(0.03, 0.04).isBoundByMemory());
  // 0.0437 ns behind 0.034, without a cost by the model.
  EXPECT_EQ(Found(0.038, 0.04).Problem,
            "memory and operators take equally long within the error of the model (15 %)");
  EXPECT_TRUE(Found(0.038, 0.04).Costs.empty());
  // The division takes longer, by less than the error.
  const LoopEstimate Longer = Found(0.045, 0.045);
  EXPECT_EQ(Longer.Problem, "");
  EXPECT_TRUE(Longer.IsBalanced);
  EXPECT_NEAR(Longer.Costs[0].SharePercent, 11.1, 0.1);
  EXPECT_EQ(Longer.numberOfFirst(), 1u);
  EXPECT_FALSE(Longer.isBoundByMemory());
}

TEST(OperatorCosts, ReductionsAreChains) {
  Machine On = machine();
  std::ranges::find(On.Math, "sum", &MathCost::Function)->NsPerValue = 0.25;
  Fused Of;
  Of.Lines[1].Work.Counts = {{"f32.mul", {Fused::N, Fused::N}}};
  const double Chain = Fused::N * 0.25, Loads = Fused::N * 0.04;
  const auto Found = Of.costs({{6, static_cast<int64_t>(Chain)}}, On);
  EXPECT_NEAR(Found[0].ModelledNs, Chain, 10);
  EXPECT_EQ(Found[0].Bound, Resource::Chain);
  ASSERT_EQ(Found[0].Costs.size(), 2u);
  EXPECT_EQ(Found[0].Costs[0].Operator, 1u);
  EXPECT_NEAR(Found[0].Costs[0].SharePercent, 100 * (1 - Loads / Chain), 0.1);
  EXPECT_EQ(Found[0].Costs[1].SharePercent, 0); // the next product does not wait for the sum
  EXPECT_NEAR(BusyTimes({1, 2, 3, 4, 5, 6}).total(), 6 + 5, 1e-9);
  EXPECT_NEAR(BusyTimes({1, 2, 3, 4, 5, 6}).sum(), 6 + 1 + 2 + 5, 1e-9); // L1 is part of memory
  EXPECT_NEAR(BusyTimes({1, 2, 30, 4, 5, 6}).sum(), 30, 1e-9);
  // Two accumulators at once take as long as one.
  Demand Both;
  Both.ChainNs = {{"tmp_acc0_vec", 5}, {"tmp_acc1_vec", 7}};
  EXPECT_EQ(Throughput(On, 1, 512).timesOf(Both, "L2", 1).ChainNs, 7);
  std::erase_if(On.Math, [](const MathCost &Each) { return Each.Function == "sum"; });
  EXPECT_EQ(Of.costs({{6, static_cast<int64_t>(Chain)}}, On)[0].Problem,
            "no rate of sum of f32 of 512 bits");
}

/// What a statement with these operations of vectors asks for.
Demand ofVectors(const Machine &On, const ExecutedWork::Sums &Counts,
                 std::set<std::string> &Unknown, CodeStatement At = {}) {
  ExecutedWork Work;
  Work.Counts = Counts;
  At.IsVector = true;
  return Throughput(On, 1, 512).demandOf(Work, At, Unknown);
}

TEST(OperatorCosts, ChainsWaitForWhatTheyCompute) {
  Machine On = machine();
  On.Math.push_back({"stored_sum", "f32", 512, 0.3, 0});
  On.Math.push_back({"max", "f32", 512, 0.2, 0});
  On.Math.push_back({"independent_max", "f32", 512, 0.05, 0});
  const auto ChainNs = [&](const ExecutedWork::Sums &Counts, unsigned Registers = 1) {
    std::set<std::string> Unknown;
    CodeStatement At;
    At.Accumulator = "tmp_acc0_vec";
    At.Registers = Registers;
    const Demand Found = ofVectors(On, Counts, Unknown, At);
    EXPECT_TRUE(Unknown.empty());
    return Found.ChainNs.at("tmp_acc0_vec");
  };
  EXPECT_NEAR(ChainNs({{"f32.add", {1000, 1000}}}), 20, 0.01);
  // Loaded once for a loop, and for each addition.
  EXPECT_NEAR(ChainNs({{"f32.add", {1000, 1000}}, {"read", {64, 64}}}), 20, 0.01);
  EXPECT_NEAR(ChainNs({{"f32.add", {1000, 1000}}, {"read", {4000, 4000}}}), 300, 0.01);
  EXPECT_NEAR(ChainNs({{"f32.minmax", {1000, 1000}}}), 20, 0.01);
  EXPECT_NEAR(ChainNs({{"f32.minmax", {1000, 1000}}, {"f32.compare", {1000, 1000}}}), 200, 0.01);
  // Each register has a part of the additions, and does not wait for the others.
  EXPECT_NEAR(ChainNs({{"f32.add", {1000, 1000}}}, 2), 10, 0.01);
}

TEST(OperatorCosts, MaximaThatPropagateNaNsHaveTheirRate) {
  Machine On = machine();
  On.Compute = {{"f32", 512, true, 1, 200e9, 0}, {"f32", 32, true, 1, 10e9, 0}};
  std::set<std::string> Unknown;
  const auto ArithmeticNs = [&](uint64_t Maxima, uint64_t Comparisons) {
    return ofVectors(
               On, {{"f32.minmax", {Maxima, Maxima}}, {"f32.compare", {Comparisons, Comparisons}}},
               Unknown)
        .ArithmeticNs;
  };
  EXPECT_NEAR(ArithmeticNs(1000, 0), 10, 0.01); // one instruction
  EXPECT_TRUE(Unknown.empty());
  // A machine file of an older version.
  ArithmeticNs(1000, 1000);
  EXPECT_EQ(Unknown, std::set<std::string>{"no rate of independent_max of f32 of 512 bits"});
  Unknown.clear();
  On.Math.push_back({"independent_max", "f32", 512, 0.04, 0});
  EXPECT_NEAR(ArithmeticNs(1000, 1000), 40, 0.01);
  EXPECT_NEAR(ArithmeticNs(1000, 1500), 45, 0.01); // 500 other comparisons
  EXPECT_TRUE(Unknown.empty());
}

TEST(OperatorCosts, ProductsMayHaveFewerUnits) {
  Machine On = machine();
  On.Compute = {{"f32", 512, true, 1, 200e9, 0}, {"f32", 512, false, 1, 200e9, 0}};
  std::set<std::string> Unknown;
  const auto ArithmeticNs = [&](uint64_t Products, uint64_t Sums) {
    const Demand Of =
        ofVectors(On, {{"f32.mul", {Products, Products}}, {"f32.add", {Sums, Sums}}}, Unknown);
    return Throughput(On, 1, 512).timesOf(Of, "L1", 0).ArithmeticNs;
  };
  // 100 multiply-adds a ns, and 200 operations.
  EXPECT_NEAR(ArithmeticNs(1000, 0), 10, 0.01);
  EXPECT_NEAR(ArithmeticNs(1000, 1000), 10, 0.01);
  EXPECT_NEAR(ArithmeticNs(1000, 3000), 20, 0.01);
  EXPECT_TRUE(Unknown.empty());
}

TEST(OperatorCosts, ShiftsAndProductsOfIntegersHaveTheirRates) {
  Machine On = machine();
  // Two units add, one of which shifts. A product is two operations.
  On.Math = {{"add", "i32", 512, 0.01, 0},       {"shift", "i32", 512, 0.02, 0},
             {"mul", "i32", 512, 0.02, 0},       {"mul_shift", "i32", 512, 0.03, 0},
             {"mul_4_add", "i32", 512, 0.06, 0}, {"mul", "i16", 512, 0.005, 0}};
  std::set<std::string> Unknown;
  const auto ArithmeticNs = [&](uint64_t Products, uint64_t Shifts, uint64_t Others) {
    const Demand Of = ofVectors(On,
                                {{"i32.mul", {Products, Products}},
                                 {"i32.shift", {Shifts, Shifts}},
                                 {"i32.logic", {Others, Others}}},
                                Unknown);
    return Throughput(On, 1, 512).timesOf(Of, "L1", 0).ArithmeticNs;
  };
  EXPECT_NEAR(ArithmeticNs(0, 0, 1000), 10, 0.01);
  EXPECT_NEAR(ArithmeticNs(0, 1000, 1000), 20, 0.01);
  EXPECT_NEAR(ArithmeticNs(0, 1000, 3000), 40, 0.01);
  EXPECT_NEAR(ArithmeticNs(1000, 0, 1000), 30, 0.01);
  EXPECT_NEAR(ArithmeticNs(1000, 1000, 0), 30, 0.01);
  // An operator without its shifts.
  const Demand Whole =
      ofVectors(On, {{"i32.mul", {500, 500}}, {"i32.shift", {1000, 1000}}}, Unknown);
  const Demand Part = ofVectors(On, {{"i32.shift", {1000, 1000}}}, Unknown);
  EXPECT_NEAR(Throughput(On, 1, 512).timesOf(Whole.without(Part), "L1", 0).ArithmeticNs, 10, 0.01);
  // Products have a unit of their own, which is one of four that add.
  On.Math[3].NsPerValue = 0.02;
  On.Math[4].NsPerValue = 0.045;
  EXPECT_NEAR(ArithmeticNs(1000, 1000, 0), 20, 0.01);
  EXPECT_NEAR(ArithmeticNs(1000, 0, 3000), 35, 0.01);
  EXPECT_NEAR(ofVectors(On, {{"i16.mul", {1000, 1000}}}, Unknown).IntegerMulNs, 5, 0.01);
  EXPECT_TRUE(Unknown.empty());
  // A machine file of an older version.
  On.Math.clear();
  EXPECT_NEAR(ArithmeticNs(0, 0, 1000), 10, 0.01); // as of f32
  EXPECT_TRUE(Unknown.empty());
  ArithmeticNs(1, 1, 0);
  EXPECT_EQ(Unknown, (std::set<std::string>{"no rate of mul of i32 of 512 bits",
                                            "no rate of shift of i32 of 512 bits"}));
}

TEST(OperatorCosts, TheCompilerMakesVectorsOfSingleValues) {
  const Machine On = machine();
  std::set<std::string> Unknown;
  ExecutedWork Work;
  Work.Counts = {{"f32.add", {1000, 1000}}, {"call.expf", {100, 100}}};
  const auto Of = [&] { return Throughput(On, 1, 512).demandOf(Work, CodeStatement(), Unknown); };
  EXPECT_NEAR(Of().ArithmeticNs, 200, 0.01);
  EXPECT_NEAR(Of().FunctionsNs, 300, 0.01);
  Work.Parts = {{"vector.f32.add", {900, 900}}, {"vector.expf", {100, 100}}};
  EXPECT_NEAR(Of().ArithmeticNs, 9 + 20, 0.01);
  EXPECT_NEAR(Of().FunctionsNs, 50, 0.01);
  EXPECT_TRUE(Unknown.empty());
}

TEST(OperatorCosts, SmallDifferencesTie) {
  LoopEstimate Of;
  const auto First = [&](std::vector<double> Shares) {
    Of.Costs.clear();
    for (const double Share : Shares)
      Of.Costs.push_back({Of.Costs.size(), Share});
    return Of.numberOfFirst();
  };
  EXPECT_EQ(First({}), 0u);
  EXPECT_EQ(First({CostErrorPercent - 1}), 0u);
  EXPECT_EQ(First({40, 40 - LeastCostPercent - 1}), 1u);
  EXPECT_EQ(First({40, 40 - LeastCostPercent + 1, 40 - LeastCostPercent - 1}), 2u);
  // None is named that costs less than the error.
  EXPECT_EQ(First({CostErrorPercent + 1, CostErrorPercent - 1}), 1u);
}

TEST(OperatorCosts, CostsAboveTheErrorAreNamed) {
  Fused Of;
  // A division of 0.05 ns a value behind loads of 0.04: 20 %.
  Machine On = machine();
  On.Math.push_back({"div", "f64", 512, 0.05, 0});
  Of.Lines[1].Work.Counts = {{"f64.div", {Fused::N, Fused::N}}};
  const auto Named = Of.costs({{6, static_cast<int64_t>(Fused::N * 0.05)}}, On)[0];
  EXPECT_EQ(Named.numberOfFirst(), 1u);
  EXPECT_EQ(Named.Costs[0].Operator, 0u);
  EXPECT_NEAR(Named.Costs[0].SharePercent, 20, 0.1);
}

TEST(OperatorCosts, WhatTheModelMissesMayBeAnOperator) {
  Machine On = machine();
  On.Math.push_back({"div", "f64", 512, 0.045, 0});
  Fused Of;
  Of.Lines[1].Work.Counts = {{"f64.div", {Fused::N, Fused::N}}}; // 11 % where it overlaps
  const auto At = [&](double Ratio) {
    const auto Ns = static_cast<int64_t>(Fused::N * 0.045 / Ratio);
    return Of.costs({{6, Ns}}, On)[0];
  };
  EXPECT_EQ(At(0.98).Problem, "");
  // Division and loads may take turns: 0.085 of 0.09 ns.
  EXPECT_NE(At(0.5).Problem.find("depends on whether arithmetic and memory overlap"),
            std::string::npos);
  EXPECT_TRUE(At(0.5).Costs.empty());
  // An operator that costs most either way is named.
  Of.Lines[1].Work.Counts = {{"call.expf", {Fused::N, Fused::N}}};
  const auto Named = Of.costs({{6, static_cast<int64_t>(Fused::N * (0.5 + 0.04) / 0.6)}}, On)[0];
  EXPECT_EQ(Named.Problem, "");
  EXPECT_EQ(Named.numberOfFirst(), 1u);
}

TEST(OperatorCosts, TensorsInL1MayBeDisplaced) {
  Fused Of;
  Of.Footprint = 40'000;
  const double Ns = Fused::N * (0.5 + 0.04);
  EXPECT_EQ(Of.costs({{6, static_cast<int64_t>(Ns)}})[0].numberOfFirst(), 1u);
  // A division of 0.03 ns a value and a sum of 0.02, with loads of 0.01 from L1 or of 0.04 from L2.
  Machine On = machine();
  On.Math.push_back({"div", "f64", 512, 0.03, 0});
  Of.Lines[1].Work.Counts = {{"f64.div", {Fused::N, Fused::N}}};
  EXPECT_EQ(Of.costs({{6, static_cast<int64_t>(Fused::N * 0.03)}}, On)[0].Problem,
            "the answer depends on whether its tensors stay in L1 between two calls");
}

TEST(OperatorCosts, LittleWorkMayBeInAnyLoop) {
  Fused Of;
  const auto Ns = static_cast<int64_t>(Fused::N * (0.5 + 0.04));
  const auto Lost = [&](uint64_t Count) {
    Of.Lines.resize(9);
    Of.Lines.push_back(line(0, "f32.compare", Count));
    Of.Lines.back().File.clear();
    return Of.costs({{6, Ns}})[0].Problem;
  };
  EXPECT_EQ(Lost(Fused::N), "");
  EXPECT_EQ(Lost(10 * Fused::N), "the compiler does not say in which loop some of its work is");
}

TEST(OperatorCosts, LoopsInATimedOneAddUp) {
  Fused Of;
  const double First = Fused::N * (0.5 + 0.04), Second = Fused::N * (0.25 + 0.2 + 1.0 / 16);
  const auto Found = Of.costs({{3, static_cast<int64_t>(First + Second)}});
  EXPECT_NEAR(Found[0].ModelledNs, First + Second, 10);
  ASSERT_EQ(Found[0].Costs.size(), 5u);
  EXPECT_EQ(Found[0].Costs[0].Operator, 0u);
  EXPECT_NEAR(Found[0].Costs[0].SharePercent, 100 * Fused::N * 0.5 / (First + Second), 0.1);
}

TEST(OperatorCosts, UnknownIsNeverGuessed) {
  const auto Problem = [](auto Change, int64_t Ns = Fused::N) {
    Fused Of;
    Machine On = machine();
    Change(Of, On);
    const auto Found = Of.costs({{0, Ns}}, On);
    EXPECT_TRUE(Found[0].Problem.empty() || Found[0].Costs.empty());
    return Found[0].Problem;
  };
  EXPECT_EQ(Problem([](Fused &, Machine &) {}), "");
  EXPECT_EQ(Problem([](Fused &, Machine &On) { On.Math.pop_back(); }),
            "no rate of expf of 512 bits");
  EXPECT_EQ(Problem([](Fused &Of, Machine &) { Of.Lines[5].Work.Counts = {{"f16.add", {1, 1}}}; }),
            "no rate of f16.add of single values");
  EXPECT_EQ(Problem([](Fused &Of, Machine &) { Of.Lines[2].Work.Counts["f32.add"].Least = 0; }),
            "its work is only known within bounds");
  EXPECT_EQ(Problem([](Fused &, Machine &) {}, 10 * Fused::N),
            "the model takes 0.11 of the measured time");
  EXPECT_EQ(Problem([](Fused &, Machine &) {}, 0), "its time is not known");
  Fused Of;
  const auto Loops = Of.costs({{6, Fused::N / 2, true}, {12, Fused::N / 2}});
  EXPECT_EQ(Loops[0].Problem, "it has work that is not known");
  EXPECT_EQ(Loops[1].Problem, "");
  EXPECT_EQ(Problem([](Fused &Of, Machine &) { Of.Footprint = 0; }),
            "the distinct bytes of a call are not known");
}
