//===- WorkRoofsTest.cpp - counted work below the machine's roofs -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/WorkRoofs.h"
#include "machine/Machine.h"

#include <gtest/gtest.h>

using namespace seamscope::tools;

namespace {

Machine machine() {
  Machine Of;
  Of.Memory = {{"L1", 1, 1000, 2000, 100e9, 100e9, 100e9, 100e9, 0},
               {"DRAM", 1, 1000000, 0, 10e9, 5e9, 8e9, 9e9, 0}};
  Of.Compute = {{"f32", 256, true, 1, 200e9, 0}};
  // Scalar calls take as long as single values, whatever vectors of SLEEF take.
  Of.Math = {{"div", "f32", 32, 2, 0}, {"expf", "f32", 256, 0.3, 0}, {"expf", "f32", 32, 4, 0}};
  return Of;
}

KernelWork kernel(ExecutedWork::Sums Counts, ExecutedWork::Sums Parts = {}, uint64_t Read = 0,
                  uint64_t Written = 0) {
  KernelWork Of;
  Of.All.Counts = std::move(Counts);
  Of.All.Parts = std::move(Parts);
  Of.Arrays = {{"", "", 0, false, Read}, {"", "", 0, true, Written}};
  return Of;
}

const WorkTime OneSecond = {.Ns = 1'000'000'000};

Bounds exactly(uint64_t Count) { return {Count, Count}; }

TEST(WorkRoofs, EachResourceHasItsShare) {
  const KernelWork Of = kernel({{"f32.fma", exactly(50'000'000'000)},
                                {"f32.div", exactly(100'000'000)},
                                {"call.expf", exactly(200'000'000)},
                                {"read", exactly(10'000'000'000)},
                                {"write", exactly(0)}},
                               {{"vector.expf", exactly(100'000'000)}}, 4'000'000'000);
  const RoofShares Shares = roofShares(Of, 1000, machine(), OneSecond);
  EXPECT_NEAR(*Shares.Arithmetic, 0.5005, 1e-9); // and the divisions
  EXPECT_NEAR(*Shares.Division, 0.2, 1e-9);
  EXPECT_NEAR(*Shares.Functions, 0.4, 1e-9); // of the scalar calls
  EXPECT_NEAR(*Shares.L1, 0.1, 1e-9);
  EXPECT_EQ(Shares.Level, "DRAM");
  EXPECT_NEAR(*Shares.Memory, 0.4, 1e-9);
  EXPECT_EQ(Shares.nearest().first, "arithmetic");
  EXPECT_TRUE(Shares.bounds());
  EXPECT_TRUE(Shares.IsPartial); // vector functions
}

TEST(WorkRoofs, SmallDataIsInL1) {
  const RoofShares Shares =
      roofShares(kernel({{"read", exactly(1'000'000)}}, {}, 1'000'000), 1000, machine(), OneSecond);
  EXPECT_EQ(Shares.Level, "L1");
  EXPECT_FALSE(Shares.Memory);
  EXPECT_FALSE(Shares.bounds());
  EXPECT_TRUE(Shares.isBelowAll());
}

TEST(WorkRoofs, BelowAllRoofsOnlyIfAllAreKnown) {
  const KernelWork Of =
      kernel({{"f32.add", exactly(1'000'000)}, {"read", exactly(1'000'000)}}, {}, 1'000'000);
  const auto isBelowAll = [](const KernelWork &Of, WorkTime Time = OneSecond) {
    const RoofShares Shares = roofShares(Of, 1, machine(), Time);
    EXPECT_TRUE(Shares.isKnown());
    EXPECT_FALSE(Shares.bounds());
    return Shares.isBelowAll();
  };
  EXPECT_TRUE(isBelowAll(Of));
  WorkTime Longer = OneSecond;
  Longer.IsAtMost = true;
  EXPECT_FALSE(isBelowAll(Of, Longer));
  KernelWork Other = Of;
  Other.LacksArrays = true;
  EXPECT_FALSE(isBelowAll(Other));
  Other = Of;
  Other.All.Counts["call.unmeasuredf"] = exactly(5);
  EXPECT_FALSE(isBelowAll(Other));
  Other = Of;
  Other.All.Counts["bf16.add"] = exactly(5);
  EXPECT_FALSE(isBelowAll(Other));
  // The memory of a part of a kernel is not known.
  EXPECT_FALSE(roofShares(Of.All, machine(), OneSecond).isBelowAll());
  EXPECT_TRUE(roofShares(Of.All, machine(), OneSecond).isKnown());
}

TEST(WorkRoofs, WhatIsNotKnownHasNoShare) {
  // Bounds that are far apart, a type without a peak, bytes that are counted each time.
  const KernelWork Of = kernel({{"f32.add", {0, 100}}, {"read", exactly(8'000'000)}},
                               {{"scattered_read", exactly(4'000'000)}}, 4'000'000);
  const RoofShares Shares = roofShares(Of, 1, machine(), OneSecond);
  EXPECT_FALSE(Shares.Arithmetic);
  EXPECT_FALSE(Shares.Memory);
  EXPECT_TRUE(Shares.L1);
  EXPECT_FALSE(roofShares(kernel({{"f64.add", exactly(5)}}), 1, machine(), OneSecond).Arithmetic);
  KernelWork Unknown = Of;
  Unknown.All.Unknown.insert("a call of f");
  EXPECT_FALSE(roofShares(Unknown, 1, machine(), OneSecond).isKnown());
  EXPECT_FALSE(roofShares(Of, 1, machine(), WorkTime()).isKnown());
}

} // namespace
