//===- HostLoadTest.cpp - what a machine did while a program ran ---------------- ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/folder/HostLoad.h"
#include "TestRoot.h"

#include <gtest/gtest.h>

using namespace seamscope::tools;

namespace {

constexpr int64_t Second = 1'000'000'000;

TEST(HostCounts, WithoutFilesNothingIsKnown) {
  const HostCounts Of = HostCounts::now(TestRoot().path());
  EXPECT_FALSE(Of.BusyNs || Of.StolenNs || Of.Periods || Of.HeldPeriods || Of.HeatEvents);
  EXPECT_EQ(Of.Processors, 0u);
}

TEST(HostCounts, TicksOfAllProcessors) {
  TestRoot Root;
  // In user are 10 of guests, which are no other time.
  Root.file("proc/stat", "cpu  100 20 30 4000 500 6 7 80 10 0\ncpu0 50 10 15 2000 250 3 3 40 5 0\n"
                         "cpu1 50 10 15 2000 250 3 4 40 5 0\nintr 5\n");
  const HostCounts Of = HostCounts::now(Root.path());
  EXPECT_EQ(Of.BusyNs, (100 + 20 + 30 + 6 + 7) * (Second / 100));
  EXPECT_EQ(Of.StolenNs, 80 * (Second / 100));
  EXPECT_EQ(Of.Processors, 2u);
  EXPECT_FALSE(HostCounts::now(TestRoot().file("proc/stat", "cpu  1 2 3").path()).BusyNs);
  EXPECT_FALSE(HostCounts::now(TestRoot().file("proc/stat", "cpu  a b").path()).BusyNs);
}

TEST(HostCounts, TheQuotaThatWasUsedUpMostOften) {
  TestRoot Root;
  Root.file("proc/self/cgroup", "0::/a/b")
      .file("sys/fs/cgroup/a/b/cpu.stat", "usage_usec 5\nnr_periods 10\nnr_throttled 1\n")
      .file("sys/fs/cgroup/a/cpu.stat", "usage_usec 5\nnr_periods 40\nnr_throttled 7\n")
      .file("sys/fs/cgroup/cpu.stat", "usage_usec 5\n");
  const HostCounts Of = HostCounts::now(Root.path());
  EXPECT_EQ(Of.Periods, 40u);
  EXPECT_EQ(Of.HeldPeriods, 7u);
}

TEST(HostCounts, HeatOfAllProcessors) {
  TestRoot Root;
  Root.file("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "3")
      .file("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "4");
  EXPECT_EQ(HostCounts::now(Root.path()).HeatEvents, 7u);
}

TEST(HostLoad, WhatWasCountedMeanwhile) {
  HostLoad Load;
  Load.ProgramNs = 3 * Second;
  EXPECT_FALSE(Load.othersNs());
  HostCounts Before, After;
  Before.BusyNs = 10 * Second;
  After.BusyNs = 14 * Second;
  Before.HeatEvents = 5; // of a processor that was then taken out
  After.HeatEvents = 2;
  After.Periods = 3;
  Load.setMeanwhile(Before, After);
  EXPECT_EQ(Load.Meanwhile.BusyNs, 4 * Second);
  EXPECT_EQ(Load.othersNs(), Second);
  EXPECT_FALSE(Load.Meanwhile.HeatEvents);
  EXPECT_FALSE(Load.Meanwhile.Periods);
  // Ticks are coarse.
  Load.ProgramNs = 5 * Second;
  EXPECT_EQ(Load.othersNs(), 0);
}

TEST(HostLoad, AMachineHasWorkOfItsOwn) {
  HostLoad Load;
  Load.WallNs = 4'000'000'000;
  Load.ProgramNs = 4'345'000'000;
  EXPECT_FALSE(Load.hadTheMachine()); // not known
  Load.Meanwhile.BusyNs = 4'360'000'000;
  EXPECT_TRUE(Load.hadTheMachine());
  Load.Meanwhile.BusyNs = 8'000'000'000; // a loop on another processor
  EXPECT_FALSE(Load.hadTheMachine());
}

} // namespace
