//===- OccupancyTest.cpp - warps that an SM has room for ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expectations are worked out by hand from the limits of the compute capability.
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/Occupancy.h"

#include <gtest/gtest.h>

using namespace seamscope::tools;

namespace {

constexpr SmLimits H100 = {9, 0, 132, 32, 2048, 65536, 233472};

void expect(const SmLimits &Limits, const LaunchNeeds &Needs, int64_t Blocks, double Share,
            OccupancyLimiter Limiter) {
  const auto Of = occupancyOf(Limits, Needs);
  ASSERT_TRUE(Of);
  EXPECT_EQ(Of->BlocksPerSm, Blocks);
  EXPECT_DOUBLE_EQ(Of->GridShare, Share);
  EXPECT_EQ(Of->Limiter, Limiter);
}

TEST(Occupancy, ByWarps) { expect(H100, {10000, 256, 32, 0}, 8, 1, OccupancyLimiter::Warps); }

// 32 blocks of one warp are 32 of 64 warps.
TEST(Occupancy, ByBlocks) { expect(H100, {100000, 32, 32, 0}, 32, 0.5, OccupancyLimiter::Blocks); }

// A warp takes 168 * 32 registers; each quarter of 16384 has room for 3, the SM for 12, or 3
// blocks.
TEST(Occupancy, ByRegisters) {
  expect(H100, {10000, 128, 168, 0}, 3, 12.0 / 64, OccupancyLimiter::Registers);
}

// 1 KiB more of each block is the system's: 228 KiB / 101 KiB.
TEST(Occupancy, BySharedMemory) {
  expect(H100, {10000, 128, 32, 102400}, 2, 8.0 / 64, OccupancyLimiter::SharedMemory);
}

// Half a block for each SM.
TEST(Occupancy, ByGrid) { expect(H100, {66, 256, 32, 0}, 8, 4.0 / 64, OccupancyLimiter::Grid); }

// 7.5 has room for 16 blocks and 32 warps.
TEST(Occupancy, OfTuring) {
  expect({7, 5, 40, 32, 1024, 65536, 65536}, {10000, 32, 16, 0}, 16, 0.5, OccupancyLimiter::Blocks);
}

TEST(Occupancy, UnknownStaysUnknown) {
  EXPECT_FALSE(occupancyOf({}, {10000, 256, 32, 0}));
  // AMD's properties have the same keys, but wavefronts of 64 and no registers.
  EXPECT_FALSE(occupancyOf({9, 4, 304, 64, 2048, 0, 65536}, {10000, 256, 32, 0}));
  EXPECT_FALSE(occupancyOf({4, 0, 15, 32, 2048, 65536, 49152}, {10000, 256, 32, 0}));
  EXPECT_FALSE(occupancyOf(H100, {0, 256, 32, 0}));
  EXPECT_FALSE(occupancyOf(H100, {10, 256, 0, 0}));
  EXPECT_FALSE(occupancyOf(H100, {10, 1024, 255, 0})) << "a block that fits nowhere";
}

} // namespace
