//===- AdviceTest.cpp - findings and what they could save --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FoundAdvice.h"

#include <gtest/gtest.h>

#include <map>
#include <string_view>

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
  std::map<std::string, int64_t> Result;
  for (const Advice &A : findings(Events, Device)) {
    Result[A.Kind] += A.SavingNs;
    EXPECT_GE(A.SavingNs, 0);
    EXPECT_FALSE(A.Evidence.empty());
  }
  return Result;
}

/// \p Count kernels of 10 us, \p PeriodUs apart, each launched by a \p Call of so many us that ends
/// when it begins.
std::vector<std::string> lateKernels(int Count, int64_t PeriodUs, int64_t CallUs = 1,
                                     const char *Call = "cudaLaunchKernel") {
  std::vector<std::string> Events;
  for (int I = 0; I < Count; ++I) {
    const int64_t Begin = 1000 + I * PeriodUs;
    Events.push_back(eventText("cuda_runtime", Call, 1, Begin - CallUs, CallUs,
                               fmt::format(R"("correlation": {})", I + 1)));
    Events.push_back(work("kernel", fmt::format("k{}", I % 3).c_str(), 7, I + 1, Begin, 10));
  }
  return Events;
}

TEST(Advice, TheHostIsLate) {
  // Of each 100 us the device works 10.
  const auto Found = findings(lateKernels(11, 100));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_STREQ(Found[0].Kind, "launch-bound");
  EXPECT_EQ(Found[0].SavingNs, 900'000);
  EXPECT_NE(Found[0].Evidence.find("ran out of work 10 times"), std::string::npos)
      << Found[0].Evidence;
  EXPECT_NE(Found[0].Evidence.find("90.0 us late"), std::string::npos) << Found[0].Evidence;
  // That may be how any program begins.
  EXPECT_TRUE(findings(lateKernels(10, 100)).empty());
}

TEST(Advice, CallsThatTakeLongAreNotLateLaunches) {
  // They load code.
  EXPECT_TRUE(findings(lateKernels(20, 500, 400)).empty());
  EXPECT_TRUE(findings(lateKernels(20, 50'000, 6'000)).empty());
}

TEST(Advice, AHostThatDoesSomethingElseForLong) {
  const auto Found = findings(lateKernels(20, 50'000));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_STREQ(Found[0].Kind, "host-busy");
  EXPECT_EQ(Found[0].SavingNs, 19 * 49'990'000);
  EXPECT_EQ(Found[0].Remedy.find("CUDA graphs"), std::string::npos);
  EXPECT_TRUE(findings(lateKernels(3, 50'000)).empty());
}

TEST(Advice, GraphsAreNamedWhereTorchCanCaptureThem) {
  for (const char *Call : {"cudaLaunchKernel", "hipLaunchKernel", "cuLaunchKernel", "enqueue"}) {
    const auto Found = findings(lateKernels(11, 100, 1, Call));
    ASSERT_FALSE(Found.empty());
    EXPECT_STREQ(Found[0].Kind, "launch-bound");
    EXPECT_EQ(Found[0].Remedy.starts_with("CUDA graphs"), std::string(Call) != "enqueue") << Call;
  }
}

TEST(Advice, WhatTheHostHidesCannotBeSaved) {
  // Pointwise kernels that are done long before the next is launched: shorter ones change nothing.
  const auto Chain = [](int64_t PeriodUs) {
    std::vector<std::string> Events;
    for (int I = 0; I < 20; ++I) {
      Events.push_back(eventText("cpu_op", "aten::add", 1, I * PeriodUs + 7, 3));
      Events.push_back(launch(I + 1, I * PeriodUs + 8));
      Events.push_back(work("kernel", "vectorized_elementwise_kernel", 7, I + 1, 10 + I * 40, 30));
    }
    return savings(Events);
  };
  // 20 kernels of 30 us, one after the other 40 us apart.
  EXPECT_EQ(Chain(5).at("fusion"), 19 * 30'000);
  // The last alone is on the path.
  EXPECT_EQ(Chain(40).at("fusion"), 30'000);
}

TEST(Advice, WhatOtherKernelsHideCannotBeSaved) {
  const auto Found = savings({
      work("kernel", "vectorized_elementwise_kernel", 7, 1, 0, 20),
      work("kernel", "vectorized_elementwise_kernel", 7, 2, 20, 30),
      work("kernel", "ampere_sgemm_32x32_tn", 8, 3, 10, 100),
  });
  EXPECT_EQ(Found.at("fusion"), 10'000); // of 20 it could save
}

TEST(Advice, TheDeviceWaitsForWhatTheTraceDoesNotHave) {
  // Launched 10 us before the work before ends, and begun so many us behind that.
  const auto Found = [](int Count, int64_t WaitUs) {
    std::vector<std::string> Events = {launch(0, 0), work("kernel", "k", 7, 0, 10, 20)};
    int64_t End = 30;
    for (int I = 1; I <= Count; ++I) {
      Events.push_back(launch(I, End - 11));
      Events.push_back(work("kernel", "k", 7, I, End + WaitUs, 20));
      End += WaitUs + 20;
    }
    return savings(Events);
  };
  EXPECT_EQ(Found(3, 480).at("device-waits"), 3 * 480'000);
  EXPECT_EQ(Found(3, 99).count("device-waits"), 0u);
  EXPECT_EQ(Found(2, 480).count("device-waits"), 0u);
}

TEST(Advice, WithoutGraphBreaksADeviceWouldStillDoItsWork) {
  const auto Region = [](int64_t Begin, const char *Id) {
    return eventText("cpu_op", fmt::format("Torch-Compiled Region: {}", Id).c_str(), 1, Begin, 10);
  };
  const auto Host = [&](const char *Second) {
    return std::vector<std::string>{
        eventText("user_annotation", "ProfilerStep#1", 1, 0, 200),
        Region(0, "0/0"),
        eventText("cpu_op", "aten::mm", 1, 50, 10),
        Region(100, Second),
    };
  };
  EXPECT_EQ(savings(Host("1/0")).at("graph-breaks"), 90'000); // between both
  // The same region again is another call of the function, as of a model in a loop.
  EXPECT_EQ(savings(Host("0/0")).count("graph-breaks"), 0u);
  std::vector<std::string> WithDevice = Host("1/0");
  WithDevice.push_back(launch(1, 5));
  WithDevice.push_back(work("kernel", "k", 7, 1, 10, 80));
  WithDevice.push_back(launch(2, 104));
  WithDevice.push_back(work("kernel", "k", 7, 2, 105, 80));
  EXPECT_EQ(savings(WithDevice).at("graph-breaks"), 15'000); // 90 to 105
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

TEST(Advice, ShortKernelsInSequence) {
  const auto Found = savings({
      work("kernel", "_topk_forward", 7, 1, 0, 5),
      work("kernel", "vectorized_elementwise_kernel", 7, 2, 10, 4),
      work("kernel", "_routing_compute", 7, 3, 20, 9),
      work("kernel", "ampere_sgemm_32x32_tn", 7, 4, 30, 5), // no compiler fuses a library's
      work("kernel", "_topk_forward", 7, 5, 40, 5),
      work("kernel", "_routing_compute", 7, 6, 50, 10),             // not short
      work("kernel", "_topk_forward", 8, 7, 60, 5),                 // another stream
      work("kernel", "vectorized_elementwise_kernel", 9, 8, 70, 5), // a finding of its own
      work("kernel", "vectorized_elementwise_kernel", 9, 9, 80, 5),
  });
  EXPECT_EQ(Found.at("short-kernels"), 9000); // 18 less the longest
  EXPECT_EQ(Found.at("fusion"), 5000);
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

TEST(Advice, WhatAKernelSaysOfAlignmentDecides) {
  const auto Found = [](int Rows, int Sum, int Columns, const char *Kernel) {
    return savings({product(0, "c10::BFloat16", 512, 512, 512), launch(1, 1),
                    work("kernel", "cutlass_bf16_gemm", 7, 1, 100, 10),
                    product(10, "c10::BFloat16", Rows, Sum, Columns), launch(2, 11),
                    work("kernel", Kernel, 7, 2, 200, 40)})
        .count("gemm-alignment");
  };
  EXPECT_EQ(Found(512, 512, 511, "cutlass_bf16_gemm"), 1u);
  EXPECT_EQ(Found(512, 512, 511, "cutlass_128x2_tn_align2"), 1u);
  EXPECT_EQ(Found(512, 512, 512, "cutlass_128x2_tn_align1"), 1u); // begins in the middle of a line
  EXPECT_EQ(Found(512, 511, 512, "cutlass_128x2_tn_align8"), 0u);
  // Rows of the first factor, and what is summed up, may lie one below the other.
  EXPECT_EQ(Found(141, 512, 512, "cutlass_bf16_gemm"), 0u);
  EXPECT_EQ(Found(512, 511, 512, "cutlass_bf16_gemm"), 0u);
}

TEST(Advice, ProductsFasterThanPlainUnitsRanOnTensorCores) {
  // 2 * 512^3 FLOP in 10 us are 26.8 TFLOP/s; an A100 has 19.5 without them.
  EXPECT_EQ(savings({product(20, "float", 512, 512, 512), launch(3, 21),
                     work("kernel", "sgemm", 7, 3, 300, 10)})
                .count("tf32"),
            0u);
}

TEST(Advice, NumbersOf8BitsTake16InALine) {
  const auto Found = [](const char *Type, int Columns, const char *Kernel) {
    return savings({product(0, Type, 512, 512, 512), launch(1, 1),
                    work("kernel", "ampere_gemm", 7, 1, 100, 10),
                    product(10, Type, 512, 512, Columns), launch(2, 11),
                    work("kernel", Kernel, 7, 2, 200, 40)})
        .count("gemm-alignment");
  };
  EXPECT_EQ(Found("c10::Half", 520, "ampere_fp16_gemm"), 0u);
  EXPECT_EQ(Found("c10::Half", 516, "ampere_fp16_gemm"), 1u);
  EXPECT_EQ(Found("signed char", 520, "ampere_imma_gemm"), 1u);
  EXPECT_EQ(Found("signed char", 528, "ampere_imma_gemm"), 0u);
  EXPECT_EQ(Found("signed char", 512, "cutlass_imma_align8"), 1u);
  EXPECT_EQ(Found("signed char", 520, "cutlass_imma_align16"), 0u);
}

TEST(Advice, KernelsThatTakeWholeLinesAloneAreAligned) {
  const auto Found = [](int Columns, const char *Kernel) {
    return savings({product(0, "c10::BFloat16", 512, 512, 512), launch(1, 1),
                    work("kernel", "ampere_bf16_gemm", 7, 1, 100, 10),
                    product(10, "c10::BFloat16", 512, 512, Columns), launch(2, 11),
                    work("kernel", Kernel, 7, 2, 200, 40)})
        .count("gemm-alignment");
  };
  EXPECT_EQ(Found(511, "ampere_bf16_gemm"), 1u);
  EXPECT_EQ(Found(511, "nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_TNT"), 0u);
  EXPECT_EQ(Found(511,
                  "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_warpgroupsize1x1x1"
                  "_execute_segment_k_off_kernel__5x_cublas"),
            0u);
  // Tensile tells what a load takes, or nothing.
  EXPECT_EQ(Found(511, "Cijk_Ailk_Bljk_BBS_BH_MT64x64x64_MI16x16x1_SN_GRVWA8_GRVWB2_WS64"), 1u);
  EXPECT_EQ(Found(511, "Cijk_Ailk_Bljk_BBS_BH_MT64x64x64_MI16x16x1_SN_GRVWA8_GRVWB8_WS64"), 0u);
  EXPECT_EQ(Found(511, "Cijk_Ailk_Bljk_BBS_BH_UserArgs_MT64x64x64_MI16x16x1_SN_WS64"), 0u);
  // It may have been chosen for another reason than rows that do not allow more.
  EXPECT_EQ(Found(512, "Cijk_Ailk_Bljk_BBS_BH_MT64x64x64_MI16x16x1_SN_GRVWA8_GRVWB2_WS64"), 0u);
  // A product with a vector has no lines to pad.
  EXPECT_EQ(Found(511, "gemv2T_kernel_val"), 0u);
  EXPECT_EQ(Found(1, "ampere_bf16_gemm"), 0u);
}

TEST(Advice, StridesTellHowTheFactorsLie) {
  const auto Found = [](const char *Strides) {
    return savings({product(0, "c10::BFloat16", 512, 512, 512), launch(1, 1),
                    work("kernel", "ampere_bf16_gemm", 7, 1, 100, 10),
                    eventText("cpu_op", "aten::mm", 1, 10, 5,
                              fmt::format(R"("Input Dims": [[512, 511], [511, 512]], )"
                                          R"("Input type": ["c10::BFloat16", "c10::BFloat16"], )"
                                          R"("Input Strides": {})",
                                          Strides)),
                    launch(2, 11), work("kernel", "ampere_bf16_gemm", 7, 2, 200, 40)})
        .count("gemm-alignment");
  };
  EXPECT_EQ(Found("[[511, 1], [512, 1]]"), 1u);
  EXPECT_EQ(Found("[[512, 1], [512, 1]]"), 0u); // rows with space behind them
  EXPECT_EQ(Found("[[1, 512], [512, 1]]"), 0u); // transposed
  EXPECT_EQ(Found("[[1, 512], [1, 511]]"), 1u);
}

TEST(Advice, AShareOfAnOperatorTellsNothingOfAKernel) {
  const auto Found = [](bool Several) {
    std::vector<std::string> Events = {
        eventText("cpu_op", "aten::add", 1, 0, 20,
                  R"("Input Dims": [[1048576], [1048576]], "Input type": ["float", "float"])"),
        launch(1, 1),
        work("kernel", "vectorized_elementwise_kernel", 7, 1, 100, 1000),
    };
    if (Several) {
      Events.push_back(launch(2, 5));
      Events.push_back(work("kernel", "copy_before", 7, 2, 50, 10));
    }
    return savings(Events).count("below-roof");
  };
  EXPECT_EQ(Found(false), 1u); // 12.6 MB in 1 ms
  EXPECT_EQ(Found(true), 0u);
}

TEST(Advice, StreamsThatShareUnevenly) {
  const auto Found = savings({
      work("kernel", "gemm", 7, 1, 0, 100),
      work("kernel", "gemm", 8, 2, 0, 60),
      work("kernel", "gemm", 9, 3, 0, 10), // too little to be a partner
  });
  EXPECT_EQ(Found.at("stragglers"), 20000);
  // One after the other they wait for each other.
  EXPECT_EQ(savings({work("kernel", "gemm", 7, 1, 0, 100), work("kernel", "gemm", 8, 2, 100, 60)})
                .count("stragglers"),
            0u);
  // What lies in each other is no stream.
  EXPECT_EQ(savings({work("kernel", "gemm", 7, 1, 0, 100), work("kernel", "gemm", 7, 2, 10, 20),
                     work("kernel", "gemm", 8, 3, 0, 60)})
                .count("stragglers"),
            0u);
}

TEST(Advice, NothingForAnEmptyTrace) {
  EXPECT_TRUE(savings({}).empty());
  EXPECT_TRUE(savings({work("kernel", "k", 7, 1, 0, 0)}).empty());
}

} // namespace
} // namespace seamscope::tools
