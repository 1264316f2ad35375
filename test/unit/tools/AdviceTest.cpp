//===- AdviceTest.cpp - findings and what they could save --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/Advice.h"
#include "TestFile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

namespace seamscope::tools {
namespace {

std::string launch(int64_t Id, int64_t Begin) {
  return eventText("cuda_runtime", "cudaLaunchKernel", 1, Begin, 1,
                   fmt::format("\"correlation\": {}", Id));
}
std::string work(const char *Category, const char *Name, int Stream, int64_t Id, int64_t Begin,
                 int64_t Duration) {
  return eventText(Category, Name, Stream, Begin, Duration,
                   fmt::format("\"device\": 0, \"correlation\": {}", Id));
}
std::string product(int64_t Begin, const char *Type, int M, int K, int N) {
  return eventText(
      "cpu_op", "aten::mm", 1, Begin, 5,
      fmt::format(R"("Input Dims": [[{0}, {1}], [{1}, {2}]], "Input type": ["{3}", "{3}"])", M, K,
                  N, Type));
}

/// What could be saved in ns, by kind.
std::map<std::string, int64_t> savings(const std::vector<std::string> &Events,
                                       const char *Device = "NVIDIA A100-SXM4-80GB") {
  const Trace Source = traceOf(
      fmt::format(R"({{"deviceProperties": [{{"id": 0, "name": "{}"}}], "traceEvents": [{}]}})",
                  Device, fmt::join(Events, ",\n")));
  const Statistics Numbers = computeStatistics(Source);
  const std::vector<Origin> Links = linkWork(Source);
  const std::vector<DeviceRow> Devices = deviceRows(Source, Numbers.WindowNs, Links);
  const TraceWork Work(Source, Links, DType::Unknown);
  const PeakTable Peaks = PeakTable::published();
  const CompiledView Compiled = compiledView(Source, Links);
  std::map<std::string, int64_t> Result;
  for (const Advice &A : advise({&Source, &Numbers, &Devices, &Links, &Work, &Peaks, &Compiled})) {
    Result[A.Kind] += A.SavingNs;
    EXPECT_GE(A.SavingNs, 0);
    EXPECT_FALSE(A.Evidence.empty());
  }
  return Result;
}

TEST(Advice, TheHostIsLate) {
  const auto Found = savings({
      launch(1, 0),
      work("kernel", "k", 7, 1, 10, 10),
      launch(2, 99),
      work("kernel", "k", 7, 2, 100, 10),
  });
  // From 20 on nothing was launched until the call ended at 100.
  EXPECT_EQ(Found.at("launch-bound"), 80000);
}

TEST(Advice, PointwiseKernelsInSequence) {
  const auto Found = savings({
      work("kernel", "vectorized_elementwise_kernel", 7, 1, 0, 10),
      work("kernel", "vectorized_elementwise_kernel", 7, 2, 10, 30),
      work("kernel", "vectorized_elementwise_kernel", 7, 3, 40, 20),
      work("kernel", "ampere_sgemm_32x32_tn", 7, 4, 60, 30),
      work("kernel", "vectorized_elementwise_kernel", 7, 5, 90, 10),
  });
  EXPECT_EQ(Found.at("fusion"), 30000); // 60 less the longest; the last is alone
}

TEST(Advice, CopiesThatNothingHides) {
  const auto Found = savings({
      work("gpu_memcpy", "Memcpy HtoD", 7, 1, 0, 50),
      work("kernel", "ampere_sgemm_32x32_tn", 8, 2, 30, 50),
      work("kernel", "ncclDevKernel_AllReduce", 9, 3, 60, 40),
  });
  EXPECT_EQ(Found.at("exposed-copies"), 30000);
  EXPECT_EQ(Found.at("exposed-collectives"), 20000);
}

TEST(Advice, ProductsThatDoNotFitTheTensorCores) {
  const auto Found = savings({
      product(0, "c10::BFloat16", 512, 512, 512),
      launch(1, 1),
      product(10, "c10::BFloat16", 512, 512, 511),
      launch(2, 11),
      product(20, "float", 512, 512, 512),
      launch(3, 21),
      work("kernel", "ampere_bf16_gemm", 7, 1, 100, 10),
      work("kernel", "cutlass_bf16_gemm", 7, 2, 200, 40),
      work("kernel", "ampere_sgemm_128x64_tn", 7, 3, 300, 80),
  });
  // At the aligned one's rate the other would take 10 * 511 / 512.
  EXPECT_NEAR(static_cast<double>(Found.at("gemm-alignment")), 40000 - 10000 * 511.0 / 512, 2);
  EXPECT_NEAR(static_cast<double>(Found.at("tf32")), 80000 * (1 - 19.5 / 156), 2);
  EXPECT_EQ(savings({product(20, "float", 512, 512, 512), launch(3, 21),
                     work("kernel", "ampere_tf32_s1688gemm", 7, 3, 300, 80)})
                .count("tf32"),
            0u);
}

TEST(Advice, StreamsThatShareUnevenly) {
  const auto Found = savings({
      work("kernel", "gemm", 7, 1, 0, 100),
      work("kernel", "gemm", 8, 2, 0, 60),
      work("kernel", "gemm", 9, 3, 0, 10), // too little to be a partner
  });
  EXPECT_EQ(Found.at("stragglers"), 20000);
}

TEST(Advice, NothingForAnEmptyTrace) {
  EXPECT_TRUE(savings({}).empty());
  EXPECT_TRUE(savings({work("kernel", "k", 7, 1, 0, 0)}).empty());
}

} // namespace
} // namespace seamscope::tools
