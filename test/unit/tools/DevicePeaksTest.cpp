//===- DevicePeaksTest.cpp - devices by the names that traces give them ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/DevicePeaks.h"
#include "TestFile.h"

#include <gtest/gtest.h>

using namespace seamscope::tools;

namespace {

TEST(DevicePeaks, Names) {
  const PeakTable Table = PeakTable::published();
  const auto Dram = [&](const char *Name) {
    const DevicePeaks *Found = Table.find(Name);
    return Found ? Found->DramGBPerS : 0;
  };
  EXPECT_EQ(Dram("NVIDIA A100-SXM4-80GB"), 2039);
  EXPECT_EQ(Dram("NVIDIA A100-SXM4-40GB"), 1555);
  EXPECT_EQ(Dram("NVIDIA A100 80GB PCIe"), 1935);
  EXPECT_EQ(Dram("NVIDIA A10"), 600);
  EXPECT_EQ(Dram("Tesla V100-DGXS-32GB"), 900);
  EXPECT_EQ(Dram("NVIDIA H100 80GB HBM3"), 3352);
  EXPECT_EQ(Dram("NVIDIA H100 PCIe"), 2039);
  EXPECT_EQ(Dram("NVIDIA H200"), 4800);
  EXPECT_EQ(Dram("NVIDIA RTX 6000 Ada Generation"), 960);
  EXPECT_EQ(Dram("NVIDIA GeForce RTX 4090"), 1008);
  EXPECT_EQ(Dram("AMD Instinct MI300X OAM"), 5300);
  EXPECT_EQ(Dram("AMD Instinct MI300X VF"), 5300);
  EXPECT_EQ(Dram("AMD Radeon Graphics"), 0);
  EXPECT_EQ(Dram("NVIDIA GeForce RTX 4090 Laptop GPU"), 0);
  EXPECT_EQ(Dram("NVIDIA A100-SXM4-40GB MIG 1g.5gb"), 0);
  EXPECT_EQ(Dram(""), 0);
}

TEST(DevicePeaks, RoofByTypeAndUnit) {
  const PeakTable Table = PeakTable::published();
  const DevicePeaks &A100 = *Table.find("NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(A100.tflops(OpWorkKind::MatMul, DType::BFloat16, "x"), 312);
  EXPECT_EQ(A100.tflops(OpWorkKind::MatMul, DType::Float32, "ampere_sgemm_32x32"), 19.5);
  EXPECT_EQ(A100.tflops(OpWorkKind::MatMul, DType::Float32, "sm80_xmma_gemm_f32f32_tf32f32"), 156);
  EXPECT_EQ(A100.tflops(OpWorkKind::Pointwise, DType::BFloat16, "x"), 19.5);
  EXPECT_EQ(A100.tflops(OpWorkKind::MatMul, DType::Unknown, "x"), 0);
}

TEST(DevicePeaks, AFileGoesFirst) {
  PeakTable Table = PeakTable::published();
  const TestFolder Folder;
  EXPECT_FALSE(Table.read(
      Folder.file("good.json", R"({"devices": [{"name": "NVIDIA H200", "fp32_tflops": 60.5}]})")));
  EXPECT_EQ(Table.find("NVIDIA H200")->Fp32, 60.5);
  EXPECT_EQ(Table.find("NVIDIA H200")->DramGBPerS, 0);
  for (const char *Bad :
       {"", "[]", "{}", R"({"devices": [{}]})", R"({"devices": [{"name": "X", "fp31_tflops": 1}]})",
        R"({"devices": [{"name": "X", "fp32_tflops": -1}]})",
        R"({"devices": [{"name": "X", "fp32_tflops": "1"}]})"})
    EXPECT_TRUE(PeakTable().read(Folder.file("bad.json", Bad))) << Bad;
  EXPECT_TRUE(PeakTable().read("/nonexistent/peaks.json"));
}

} // namespace
