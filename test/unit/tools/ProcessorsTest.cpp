//===- ProcessorsTest.cpp - how many threads can run at once ------------------- ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/Processors.h"
#include "TestRoot.h"

#include <gtest/gtest.h>

#include <sched.h>

using namespace seamscope::tools;

namespace {

/// A file system of which control groups are known.
class Root {
public:
  explicit Root(const std::string &Groups) { Files.file("proc/self/cgroup", Groups); }
  Root &file(const std::string &Name, const std::string &Text) {
    Files.file(Name, Text);
    return *this;
  }
  unsigned processors() const { return availableProcessors(Files.path()); }

private:
  TestRoot Files;
};

unsigned ofThisMachine() { return availableProcessors(TestRoot().path()); }

TEST(Processors, WithoutControlGroupsTheAffinityMaskCounts) {
  cpu_set_t Before, One;
  ASSERT_EQ(sched_getaffinity(0, sizeof(Before), &Before), 0);
  EXPECT_EQ(ofThisMachine(), static_cast<unsigned>(CPU_COUNT(&Before)));
  CPU_ZERO(&One);
  for (int Cpu = 0; Cpu < CPU_SETSIZE && !CPU_COUNT(&One); ++Cpu)
    if (CPU_ISSET(Cpu, &Before))
      CPU_SET(Cpu, &One);
  ASSERT_EQ(sched_setaffinity(0, sizeof(One), &One), 0);
  EXPECT_EQ(ofThisMachine(), 1u);
  sched_setaffinity(0, sizeof(Before), &Before);
}

TEST(Processors, QuotaOfVersion2) {
  EXPECT_EQ(Root("0::/a/b").file("sys/fs/cgroup/a/b/cpu.max", "50000 100000").processors(), 1u);
  EXPECT_EQ(Root("0::/a/b").file("sys/fs/cgroup/a/b/cpu.max", "max 100000").processors(),
            ofThisMachine());
  EXPECT_EQ(Root("0::/").file("sys/fs/cgroup/cpu.max", "100000 100000").processors(), 1u);
}

TEST(Processors, QuotaOfAGroupAboveCounts) {
  EXPECT_EQ(Root("0::/a/b")
                .file("sys/fs/cgroup/a/b/cpu.max", "max 100000")
                .file("sys/fs/cgroup/a/cpu.max", "10000 100000")
                .processors(),
            1u);
}

TEST(Processors, QuotaOfVersion1) {
  EXPECT_EQ(Root("5:memory:/x\n4:cpu,cpuacct:/docker/1")
                .file("sys/fs/cgroup/cpu,cpuacct/docker/1/cpu.cfs_quota_us", "20000")
                .file("sys/fs/cgroup/cpu,cpuacct/docker/1/cpu.cfs_period_us", "100000")
                .processors(),
            1u);
  // The path is the host's: the container sees its own group as the mount.
  EXPECT_EQ(Root("4:cpu,cpuacct:/docker/1")
                .file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "20000")
                .file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000")
                .processors(),
            1u);
  EXPECT_EQ(Root("4:cpu,cpuacct:/")
                .file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1")
                .file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000")
                .processors(),
            ofThisMachine());
}

TEST(Processors, WhatIsNoQuotaIsNone) {
  for (const char *Text : {"", "0 100000", "-5 100000", "100000 0", "many 100000"})
    EXPECT_EQ(Root("0::/").file("sys/fs/cgroup/cpu.max", Text).processors(), ofThisMachine())
        << Text;
  EXPECT_EQ(Root("no line of a control group").processors(), ofThisMachine());
}

} // namespace
