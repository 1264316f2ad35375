//===- AdviceTest.cpp - findings and what they could save --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/Advice.h"
#include "TestFile.h"
#include "analysis/torch/CriticalPath.h"

#include <fmt/format.h>
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

/// What is known of the machine that a trace is of.
struct Machine {
  unsigned Processors = 0;
  bool Disturbed = false; ///< other programs ran
};

std::vector<Advice> findings(const std::vector<std::string> &Events,
                             const char *Device = "NVIDIA A100-SXM4-80GB", const Machine &On = {}) {
  Trace Source = traceOf(
      fmt::format(R"({{"deviceProperties": [{{"id": 0, "name": "{}"}}], "traceEvents": [{}]}})",
                  Device, fmt::join(Events, ",\n")));
  if (On.Disturbed)
    Source.Health.Found.emplace_back().Check = HealthCheck::BusyMachine;
  const Statistics Numbers = computeStatistics(Source);
  const std::vector<Origin> Links = linkWork(Source);
  std::vector<IdleGap> Gaps;
  const std::vector<DeviceRow> Devices = deviceRows(Source, Numbers.WindowNs, Links, &Gaps);
  const TraceWork Work(Source, Links, DType::Unknown);
  const PeakTable Peaks = PeakTable::published();
  const CompiledView Compiled = compiledView(Source, Links);
  const LoopTree Loops = loopTree(Source);
  const CriticalPaths Paths(Source, Links);
  return advise({&Source, &Numbers, &Devices, &Links, &Work, &Peaks, &Compiled, &Loops,
                 On.Processors, &Gaps, &Paths});
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

/// What a thread of a team does in a call: "name begin duration" of loops, and of waits, w where
/// they have no name.
struct Piece {
  const char *Loop;
  int64_t Begin, Duration;
  const char *Wait = "w";
};

/// A call of region r of kernel k, which ends at \p End, and the pieces of its threads.
struct TeamCall {
  int64_t End;
  std::vector<std::vector<Piece>> Threads;
};

/// The calls one after the other. \p Construct: what waits end.
std::vector<std::string> teamEvents(const std::vector<TeamCall> &Calls,
                                    const char *Construct = "for schedule(static)",
                                    const char *Kernel = "k") {
  std::vector<std::string> Events;
  int64_t Begin = 0;
  for (const TeamCall &Call : Calls) {
    for (size_t Thread = 0; Thread < Call.Threads.size(); ++Thread) {
      const int Tid = static_cast<int>(Thread) + 1;
      const std::string Of = fmt::format(R"("kernel": "{}")", Kernel);
      if (!Thread)
        Events.push_back(eventText("cpu_op", Kernel, Tid, Begin, Call.End, Of));
      Events.push_back(eventText("omp_region", "r", Tid, Begin, Call.End,
                                 fmt::format(R"({}, "thread": {})", Of, Thread)));
      for (const Piece &Each : Call.Threads[Thread])
        Events.push_back(
            Each.Loop ? eventText("loop", Each.Loop, Tid, Begin + Each.Begin, Each.Duration, Of)
                      : eventText("omp_wait", Each.Wait, Tid, Begin + Each.Begin, Each.Duration,
                                  fmt::format(R"({}, "construct": "{}")", Of, Construct)));
    }
    Begin += Call.End;
  }
  return Events;
}

/// "saving in us: evidence; remedy" of each finding about teams.
std::string imbalances(const std::vector<std::string> &Events, const Machine &On = {}) {
  std::string Text;
  for (const Advice &A : findings(Events, "NVIDIA A100-SXM4-80GB", On))
    if (A.Kind == std::string_view("imbalance"))
      Text += fmt::format("{}: {}; try {}\n", A.SavingNs / 1000, A.Evidence, A.Remedy);
  return Text;
}

/// Of eight calls in which two threads do the same.
std::string ofTeam(int64_t End, const std::vector<Piece> &First, const std::vector<Piece> &Second) {
  return imbalances(teamEvents(std::vector<TeamCall>(8, TeamCall{End, {First, Second}})));
}

constexpr const char *Remedy = "try schedule(dynamic) or schedule(static, chunk) for that loop\n";

TEST(Advice, TheLoopInWhichOneThreadHasMost) {
  EXPECT_EQ(ofTeam(100, {{"a", 0, 20}, {nullptr, 20, 80}}, {{"a", 0, 100}}),
            "320: r: thread 1 works 1.67 times as long as the mean of 2 threads in a, and longest "
            "in 8 of 8 turns; the threads spend 40 % of their time waiting at w; " +
                std::string(Remedy));
}

TEST(Advice, ALoopThatOneThreadAloneEnters) {
  EXPECT_EQ(ofTeam(100, {{nullptr, 0, 100}}, {{"a", 0, 100}}),
            "400: r: thread 1 works 2.00 times as long as the mean of 2 threads in a, and longest "
            "in 8 of 8 turns; the threads spend 50 % of their time waiting at w; " +
                std::string(Remedy));
}

TEST(Advice, LoopsThatMakeUpForEachOther) {
  // Both threads work 50 us of 80, and wait for each other twice.
  EXPECT_EQ(ofTeam(80, {{"a", 0, 40}, {"b", 40, 10}, {nullptr, 50, 30}},
                   {{"a", 0, 10}, {nullptr, 10, 30}, {"b", 40, 40}}),
            "120: r: thread 0 works 1.60 times as long as the mean of 2 threads in a, and longest "
            "in 8 of 8 turns; the threads spend 38 % of their time waiting at w; " +
                std::string(Remedy));
  // Without waits between them nothing is lost.
  EXPECT_EQ(ofTeam(50, {{"a", 0, 40}, {"b", 40, 10}}, {{"a", 0, 10}, {"b", 10, 40}}), "");
}

TEST(Advice, TheWaitIsThatOfTheLoop) {
  // Longest is the wait for what thread 0 does outside of loops.
  EXPECT_EQ(ofTeam(200, {{"a", 0, 100}, {"b", 140, 20}, {nullptr, 160, 40, "v"}},
                   {{"a", 0, 60}, {nullptr, 60, 40}, {nullptr, 100, 40, "u"}, {"b", 140, 60}}),
            "160: r: thread 0 works 1.25 times as long as the mean of 2 threads in a, and longest "
            "in 8 of 8 turns; the threads spend 10 % of their time waiting at w; " +
                std::string(Remedy));
  // In the loop, not behind the other.
  EXPECT_EQ(ofTeam(200, {{"a", 0, 130}, {"b", 130, 20}, {nullptr, 150, 50, "u"}},
                   {{"a", 0, 130}, {nullptr, 30, 40}, {"b", 130, 20}, {nullptr, 150, 50, "u"}}),
            "160: r: thread 0 works 1.18 times as long as the mean of 2 threads in a, and longest "
            "in 8 of 8 turns; the threads spend 10 % of their time waiting at w; " +
                std::string(Remedy));
}

TEST(Advice, TheInnerLoopThatHasNearlyAllOfIt) {
  EXPECT_EQ(ofTeam(100, {{"time", 0, 100}, {"sweep", 0, 20}, {nullptr, 20, 70}},
                   {{"time", 0, 100}, {"sweep", 0, 90}}),
            "280: r: thread 1 works 1.64 times as long as the mean of 2 threads in sweep, and "
            "longest in 8 of 8 turns; the threads spend 35 % of their time waiting at w; " +
                std::string(Remedy));
}

TEST(Advice, LoopsNoneOfWhichIsToBlameAlone) {
  EXPECT_EQ(
      ofTeam(90,
             {{"a", 0, 10},
              {nullptr, 10, 20},
              {"b", 30, 10},
              {nullptr, 40, 20},
              {"c", 60, 10},
              {nullptr, 70, 20}},
             {{"a", 0, 30}, {"b", 30, 30}, {"c", 60, 30}}),
      "240: r: thread 1 works 1.50 times as long as the mean of 2 threads, and longest in 8 of 8 "
      "calls; the threads spend 33 % of their time waiting at w; " +
          std::string(Remedy));
}

TEST(Advice, UnevenWorkOutsideOfEvenLoops) {
  EXPECT_EQ(
      ofTeam(100, {{"a", 0, 20}, {nullptr, 20, 80}}, {{"a", 0, 20}}),
      "320: r: thread 1 works 1.67 times as long as the mean of 2 threads, and longest in 8 of 8 "
      "calls; the threads spend 40 % of their time waiting at w; " +
          std::string(Remedy));
}

/// A call of which thread \p Longest takes all, and the other so long.
TeamCall callOf(int64_t All, int Longest, int64_t Other) {
  TeamCall Call{All, {{}, {}}};
  Call.Threads[static_cast<size_t>(!Longest)].push_back({nullptr, Other, All - Other});
  return Call;
}

TEST(Advice, OneCallSaysNothingOfAThread) {
  EXPECT_EQ(imbalances(teamEvents({callOf(9000, 1, 100)})), "");
  // Of two threads one is longer seven times in a row in 1 of 64 programs.
  EXPECT_EQ(imbalances(teamEvents(std::vector<TeamCall>(7, callOf(100, 1, 20)))), "");
  EXPECT_NE(imbalances(teamEvents(std::vector<TeamCall>(8, callOf(100, 1, 20)))), "");
}

TEST(Advice, ThreadsThatAreLongestByTurnsHaveNoMoreWork) {
  // Thread 1 is preempted for long now and then: on the whole it is 1.4 times as busy as the mean.
  std::vector<TeamCall> Calls;
  for (int I = 0; I < 40; ++I)
    Calls.push_back(I % 4 ? callOf(100, I % 2, 98) : callOf(1000, 1, 100));
  EXPECT_EQ(imbalances(teamEvents(Calls)), "");
  // It is in four of five calls, and as fast as the other in the rest.
  Calls.clear();
  for (int I = 0; I < 40; ++I)
    Calls.push_back(I % 5 ? callOf(200, 1, 100) : callOf(100, 1, 98));
  EXPECT_EQ(imbalances(teamEvents(Calls)), "");
}

TEST(Advice, MoreWorkShowsAlthoughOthersAreDisturbed) {
  std::vector<TeamCall> Calls;
  for (int I = 0; I < 40; ++I)
    Calls.push_back(I % 8 ? callOf(300, 1, 100) : callOf(900, 0, 300));
  EXPECT_NE(imbalances(teamEvents(Calls)).find("35 of 40 calls"), std::string::npos);
}

TEST(Advice, AThreadThatNobodyWaitsForHoldsNobodyUp) {
  // Thread 0 does nearly all of it, and then waits for thread 1, which came late.
  std::vector<std::string> Events;
  for (int64_t I = 0; I < 20; ++I) {
    Events.push_back(eventText("cpu_op", "k", 1, I * 100, 100, R"("kernel": "k")"));
    Events.push_back(
        eventText("omp_region", "r", 1, I * 100, 100, R"("kernel": "k", "thread": 0)"));
    Events.push_back(eventText("omp_wait", "w", 1, I * 100 + 80, 20,
                               R"x("kernel": "k", "construct": "for schedule(static)")x"));
    Events.push_back(
        eventText("omp_region", "r", 2, I * 100 + 80, 20, R"("kernel": "k", "thread": 1)"));
  }
  EXPECT_EQ(imbalances(Events), "");
}

TEST(Advice, TeamsThatOverlapAreNotToldApart) {
  std::vector<std::string> Events;
  for (int64_t I = 0; I < 20; ++I)
    for (int Team = 0; Team < 2; ++Team)
      for (int Thread = 0; Thread < 2; ++Thread)
        Events.push_back(eventText("omp_region", "r", 1 + 2 * Team + Thread, I * 100 + Team * 10,
                                   Thread ? 80 : 20,
                                   fmt::format(R"("kernel": "k", "thread": {})", Thread)));
  EXPECT_EQ(imbalances(Events), "");
}

TEST(Advice, ThreadsThatShareAProcessor) {
  const auto Uneven = teamEvents(std::vector<TeamCall>(8, callOf(100, 1, 20)));
  EXPECT_NE(imbalances(Uneven, {.Processors = 2}), "");
  EXPECT_EQ(imbalances(Uneven, {.Processors = 1}), "");
  // Beside another program a thread takes twice as long for the same; in less than a time slice it
  // mostly does not.
  const auto Twice = teamEvents(std::vector<TeamCall>(20, callOf(10'000, 1, 5'000)));
  EXPECT_NE(imbalances(Twice), "");
  EXPECT_EQ(imbalances(Twice, {.Disturbed = true}), "");
  EXPECT_NE(imbalances(Uneven, {.Disturbed = true}), "");
  const auto TenTimes = teamEvents(std::vector<TeamCall>(20, callOf(10'000, 1, 1'000)));
  EXPECT_NE(imbalances(TenTimes, {.Disturbed = true}), "");
}

TEST(Advice, ThreadsThatTakeWorkAsTheyCome) {
  const auto Uneven =
      teamEvents(std::vector<TeamCall>(20, callOf(100, 1, 20)), "for schedule(dynamic, 8)");
  EXPECT_EQ(imbalances(Uneven), "");
  EXPECT_EQ(imbalances(Uneven, {.Processors = 2, .Disturbed = true}), "");
  EXPECT_NE(imbalances(Uneven, {.Processors = 2}).find("smaller chunks"), std::string::npos);
}

/// Finding texts of kind \p Kind.
std::string findingsOf(const char *Kind, const std::vector<std::string> &Events,
                       const Machine &On = {}) {
  std::string Text;
  for (const Advice &A : findings(Events, "NVIDIA A100-SXM4-80GB", On))
    if (A.Kind == std::string_view(Kind))
      Text += fmt::format("{}: {}; try {}\n", A.SavingNs / 1000, A.Evidence, A.Remedy);
  return Text;
}

TEST(Advice, ThreadsThatWaitEvenlyForALock) {
  const auto Events = [](const char *Construct, int64_t Wait) {
    return teamEvents(
        std::vector<TeamCall>(8, TeamCall{100, {{{nullptr, 10, Wait}}, {{nullptr, 60, Wait}}}}),
        Construct);
  };
  EXPECT_EQ(findingsOf("contention", Events("critical", 30)),
            "240: r: its 2 threads spend 30 % of their time waiting for each other at w; try "
            "shorten it: reduction, atomic, or separate data for each thread\n");
  EXPECT_NE(findingsOf("contention", Events("lock", 30)), "");
  EXPECT_NE(findingsOf("contention", Events("ordered", 30)), "");
  EXPECT_EQ(findingsOf("contention", Events("critical", 5)), "");
  EXPECT_EQ(findingsOf("contention", Events("barrier", 30)), "");
  // A thread that has the lock may be off the processor.
  EXPECT_EQ(findingsOf("contention", Events("critical", 30), {.Processors = 1}), "");
  EXPECT_NE(findingsOf("contention", Events("critical", 30), {.Processors = 2}), "");
}

TEST(Advice, AReductionBetweenALoopAndTheJoinIsNotTheWait) {
  // Thread 0 hands its sum over at once, and waits in the join.
  std::vector<std::string> Events;
  for (int64_t I = 0; I < 8; ++I) {
    const int64_t Begin = I * 1000;
    const auto Add = [&](const char *Category, const char *Name, int Tid, int64_t At, int64_t Ns,
                         const char *More = "") {
      Events.push_back(
          eventText(Category, Name, Tid, Begin + At, Ns, fmt::format(R"("kernel": "k"{})", More)));
    };
    Add("cpu_op", "k", 1, 0, 1000);
    Add("omp_wait", "p", 1, 0, 1000, R"x(, "construct": "parallel for schedule(static)")x");
    Add("omp_region", "r", 1, 0, 102, R"(, "thread": 0)");
    Add("loop", "l", 1, 0, 100);
    Add("omp_wait", "reduction", 1, 100, 2, R"(, "construct": "reduction")");
    Add("omp_region", "r", 2, 0, 1000, R"(, "thread": 1)");
    Add("loop", "l", 2, 0, 998);
    Add("omp_wait", "reduction", 2, 998, 2, R"(, "construct": "reduction")");
  }
  EXPECT_EQ(imbalances(Events),
            "3592: r: thread 1 works 1.82 times as long as the mean of 2 threads in l, and longest "
            "in 8 of 8 turns; the threads spend 45 % of their time waiting at the end of the "
            "region; " +
                std::string(Remedy));
}

TEST(Advice, AMasterThatTheOthersWaitFor) {
  const auto Said = [](const char *Construct) {
    return imbalances(teamEvents(std::vector<TeamCall>(8, callOf(100, 0, 20)), Construct));
  };
  for (const char *Construct : {"master", "masked"})
    EXPECT_NE(Said(Construct).find("try share the work of the master thread"), std::string::npos)
        << Said(Construct);
  EXPECT_EQ(Said("barrier").find("schedule"), std::string::npos) << Said("barrier");
}

TEST(Advice, TheThreadOfATeamOfSeveral) {
  // Two threads of the program start teams at the same time; thread 1 of the second one has most.
  std::vector<std::string> Events;
  for (int64_t I = 0; I < 10; ++I)
    for (int Team = 0; Team < 2; ++Team) {
      const int64_t Begin = I * 1000 + Team * 200;
      Events.push_back(eventText("omp_wait", "p", 1 + 2 * Team, Begin, 500,
                                 R"("kernel": "k", "construct": "parallel")"));
      for (int Thread = 0; Thread < 2; ++Thread)
        Events.push_back(eventText("omp_region", "r", 1 + 2 * Team + Thread, Begin,
                                   Team && Thread ? 490 : 190,
                                   fmt::format(R"("kernel": "k", "thread": {})", Thread)));
    }
  const std::string Said = imbalances(Events);
  EXPECT_NE(Said.find("thread 1 of team 1 works 1.85 times as long as the mean of 4 threads, and "
                      "longest in 10 of 10 calls"),
            std::string::npos)
      << Said;
}

TEST(Advice, NobodyWritesInductorsPragmas) {
  const std::string Said = imbalances(teamEvents(std::vector<TeamCall>(8, callOf(100, 1, 20)),
                                                 "for schedule(static)", "cpp_fused_add_0"));
  EXPECT_NE(Said.find("torch.set_num_threads()"), std::string::npos) << Said;
  EXPECT_EQ(Said.find("schedule("), std::string::npos) << Said;
}

TEST(Advice, NothingForAnEmptyTrace) {
  EXPECT_TRUE(savings({}).empty());
  EXPECT_TRUE(savings({work("kernel", "k", 7, 1, 0, 0)}).empty());
}

} // namespace
} // namespace seamscope::tools
