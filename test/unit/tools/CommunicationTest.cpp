//===- CommunicationTest.cpp - the time in which ranks communicate --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/Communication.h"
#include "TestFile.h"
#include "analysis/core/Cover.h"
#include "analysis/devices/CollectiveRanks.h"

#include <random>
#include <vector>

namespace seamscope::tools {
namespace {

const ReadOptions Keep = {.Collectives = true};

std::string work(const char *Name, int Device, int Stream, int64_t Begin, int64_t Duration,
                 int64_t Id, const std::string &More = "") {
  return fmt::format(
      R"({{"ph": "X", "cat": "kernel", "name": "{}", "pid": {}, "tid": {}, "ts": {}, "dur": {}, "args": {{"device": {}, "correlation": {}{}}}}})",
      Name, Device, Stream, Begin, Duration, Device, Id, More);
}

std::string launch(int64_t Begin, int64_t Id) {
  return eventText("cuda_runtime", "cudaLaunchKernel", 1, Begin, 1,
                   fmt::format(R"("correlation": {})", Id));
}

std::string comms(const char *Name, int64_t In, int64_t Out, int Size, const char *Type) {
  return fmt::format(
      R"("Collective name": "{}", "In msg nelems": {}, "Out msg nelems": {}, "Group size": {}, "dtype": "{}", "Process Group Name": "0", "Process Group Ranks": "[0, 1, 2, 3]")",
      Name, In, Out, Size, Type);
}

std::string shaped(const char *Dims, const char *Type) {
  return fmt::format(R"("Input Dims": {}, "Input type": ["{}"])", Dims, Type);
}

Trace joined(const std::vector<std::string> &Events, const std::string &Groups = "") {
  return traceOf(
      fmt::format(R"({{"distributedInfo": {{"backend": "nccl", "rank": 0, "world_size": 4{}}},
                       "traceEvents": [{}]}})",
                  Groups, fmt::join(Events, ",\n")),
      Keep);
}

std::vector<Collective> find(const Trace &Source) {
  return findCollectives(Source, linkWork(Source));
}

TEST(Collectives, KindsByNames) {
  using enum CollectiveKind;
  for (const auto &[Name, Kind] :
       {std::pair("allreduce", AllReduce),
        {"all_reduce", AllReduce},
        {"allreduce_coalesced", AllReduce},
        {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", AllReduce},
        {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)",
         AllReduce},
        {"_allgather_base", AllGather},
        {"allgather_into_tensor_coalesced", AllGather},
        {"ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)", AllGather},
        {"_reduce_scatter_base", ReduceScatter},
        {"ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(x)", ReduceScatter},
        {"all_to_allv", AllToAll},
        {"c10d::alltoall_base_", AllToAll},
        {"broadcast", Broadcast},
        {"ncclKernel_Broadcast_RING_LL_Sum_int8_t(x)", Broadcast},
        {"reduce", Reduce},
        {"ncclDevKernel_Reduce_Sum_f32_RING_LL(x)", Reduce},
        {"gather", Gather},
        {"scatter", Scatter},
        {"send", SendReceive},
        {"ncclDevKernel_SendRecv(x)", SendReceive},
        {"barrier", Barrier},
        {"void vllm::cross_device_reduce_1stage<half, 2>(x)", AllReduce},
        {"ncclDevKernel_Generic(x)", Other},
        {"", Other}})
    EXPECT_EQ(collectiveKindOf(Name), Kind) << Name;
}

TEST(Collectives, BusFactorsAreThoseOfNcclTests) {
  using enum CollectiveKind;
  EXPECT_EQ(busFactor(AllReduce, 8), 1.75);
  EXPECT_EQ(busFactor(AllGather, 8), 0.875);
  EXPECT_EQ(busFactor(ReduceScatter, 4), 0.75);
  EXPECT_EQ(busFactor(AllToAll, 2), 0.5);
  EXPECT_EQ(busFactor(Broadcast, {}), 1);
  EXPECT_EQ(busFactor(Reduce, 8), 1);
  EXPECT_EQ(busFactor(AllReduce, 1), 0);
  EXPECT_EQ(busFactor(AllReduce, {}), std::nullopt);
  EXPECT_EQ(busFactor(Barrier, 8), std::nullopt);
  EXPECT_EQ(busFactor(Other, 8), std::nullopt);
}

TEST(Collectives, WhatTellsTheSizes) {
  const Trace Source = joined({
      // The kernel itself.
      work("ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", 0, 9, 0, 10, 1,
           ", " + comms("allreduce", 1000, 1000, 4, "Float")),
      // The operator around the launch.
      eventText("cpu_op", "record_param_comms", 1, 100, 20,
                comms("_allgather_base", 500, 2000, 4, "BFloat16")),
      launch(105, 2),
      work("ncclDevKernel_AllGather_RING_LL(x)", 0, 9, 130, 10, 2),
      // torch's scope: shapes alone.
      eventText("user_annotation", "nccl:all_to_all", 1, 200, 20, shaped("[[8, 16]]", "float")),
      launch(205, 3),
      work("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(x)", 0, 9, 230, 10, 3),
      // Two kernels of one call: which of them moved what?
      eventText("user_annotation", "nccl:broadcast", 1, 300, 20, shaped("[[8, 16]]", "float")),
      launch(305, 4),
      launch(307, 5),
      work("ncclKernel_Broadcast_RING_LL_Sum_int8_t(x)", 0, 9, 330, 10, 4),
      work("ncclKernel_Broadcast_RING_LL_Sum_int8_t(x)", 0, 9, 350, 10, 5),
      // Nothing but the name.
      work("ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(x)", 0, 9, 400, 10, 99),
      // What only enqueues is none; Gloo's is.
      eventText("user_annotation", "nccl:all_reduce", 1, 500, 20, shaped("[[8]]", "float")),
      eventText("user_annotation", "gloo:all_reduce", 2, 600, 20, shaped("[[10]]", "double")),
      eventText("user_annotation", "gloo:all_reduce", 2, 630, 20, shaped("[[10]]", "TensorList")),
      eventText("user_annotation", "gloo::all_reduce", 2, 660, 20),
  });
  const std::vector<Collective> Found = find(Source);
  using enum CollectiveKind;
  const struct {
    CollectiveKind Kind;
    bool OfHost;
    std::optional<int64_t> Size, In, Out, Group;
  } Expected[] = {
      {AllReduce, false, 4000, 4000, 4000, 4}, {AllGather, false, 4000, 1000, 4000, 4},
      {AllToAll, false, 512, 512, {}, {}},     {Broadcast, false, {}, {}, {}, {}},
      {Broadcast, false, {}, {}, {}, {}},      {ReduceScatter, false, {}, {}, {}, {}},
      {AllReduce, true, 80, 80, {}, {}},       {AllReduce, true, {}, {}, {}, {}},
  };
  ASSERT_EQ(Found.size(), std::size(Expected));
  for (size_t I = 0; I < Found.size(); ++I) {
    SCOPED_TRACE(I);
    EXPECT_EQ(Found[I].Kind, Expected[I].Kind);
    EXPECT_EQ(Found[I].OfHost, Expected[I].OfHost);
    EXPECT_EQ(Found[I].sizeBytes(), Expected[I].Size);
    EXPECT_EQ(Found[I].InBytes, Expected[I].In);
    EXPECT_EQ(Found[I].OutBytes, Expected[I].Out);
    EXPECT_EQ(Found[I].GroupSize, Expected[I].Group);
  }
  EXPECT_EQ(Source.text(Found[0].Ranks), "[0, 1, 2, 3]");
  EXPECT_FALSE(Found[2].EvenSplit);
}

TEST(Collectives, TheOnlyGroupIsTheGroup) {
  const std::vector<std::string> Events = {
      eventText("user_annotation", "gloo:all_gather", 2, 0, 20, shaped("[[10]]", "float"))};
  EXPECT_EQ(
      find(joined(Events, R"(, "pg_config": [{"pg_name": "0", "pg_size": 4}])"))[0].sizeBytes(),
      160);
  EXPECT_EQ(find(joined(Events, R"(, "pg_config": [{"pg_name": "0", "pg_size": 4},
                                                   {"pg_name": "1", "pg_size": 2}])"))[0]
                .sizeBytes(),
            std::nullopt);
  EXPECT_EQ(find(joined(Events, R"(, "pg_config": "[0]")"))[0].GroupSize, std::nullopt);
}

TEST(Communication, OverlapAndBandwidth) {
  const std::string Reduce = ", " + comms("allreduce", 1'000'000, 1'000'000, 4, "Float");
  const Trace Source = joined({
      work("gemm", 0, 7, 0, 100, 1),
      work("gemm", 0, 8, 50, 100, 2),                                 // to 150
      work("ncclDevKernel_AllReduce(x)", 0, 9, 120, 100, 3, Reduce),  // 30 overlap
      work("ncclDevKernel_AllReduce(x)", 0, 10, 200, 300, 4, Reduce), // to 500; 20 of both at once
      work("gemm", 0, 7, 300, 50, 5),                                 // all overlap
      work("gemm", 1, 7, 0, 1000, 6),                                 // another device
      work("ncclDevKernel_AllReduce(x)", 1, 9, 2000, 200, 7, Reduce),
      eventText("cpu_op", "aten::mm", 1, 0, 5000), // the host does not count for devices
  });
  const Communication Result = communication(Source, find(Source));
  ASSERT_EQ(Result.Places.size(), 2u);
  const CommunicationRow &Row = Result.Places[0];
  EXPECT_EQ(Row.Device, 0);
  EXPECT_EQ(Row.Calls, 2u);
  EXPECT_EQ(Row.SumNs, 400'000);
  EXPECT_EQ(Row.CommunicationNs, 380'000);
  EXPECT_EQ(Row.OverlappedNs, 80'000);
  EXPECT_EQ(Row.ExposedNs, 300'000);
  EXPECT_EQ(Row.ComputeNs, 200'000);
  EXPECT_EQ(Result.Places[1].Device, 1);
  EXPECT_EQ(Result.Places[1].ExposedNs, 200'000);
  ASSERT_EQ(Result.Rows.size(), 1u);
  const CollectiveRow &All = Result.Rows[0];
  EXPECT_EQ(All.Calls, 3u);
  EXPECT_EQ(All.TotalNs, 600'000);
  EXPECT_EQ(All.MinNs, 100'000);
  EXPECT_EQ(All.MedianNs, 200'000);
  EXPECT_EQ(All.MaxNs, 300'000);
  EXPECT_EQ(All.MovedBytes, 12'000'000);
  EXPECT_DOUBLE_EQ(*All.AlgorithmGBs, 20); // 12 MB in 600 us
  EXPECT_DOUBLE_EQ(*All.BusGBs, 30);       // 2 * 3 / 4
}

TEST(Communication, OfTheHostOperatorsCompute) {
  const Trace Source = joined({
      eventText("user_annotation", "gloo:all_reduce", 2, 100, 100, shaped("[[10]]", "float")),
      eventText("cpu_op", "aten::mm", 1, 50, 70),
      eventText("cpu_op", "c10d::allreduce_", 1, 130, 30),
      eventText("cpu_op", "outer", 1, 165, 60),
      eventText("cpu_op", "_c10d_functional::wait_tensor", 1, 170, 20),
  });
  const Communication Result = communication(Source, find(Source));
  ASSERT_EQ(Result.Places.size(), 1u);
  EXPECT_EQ(Result.Places[0].Device, -1);
  EXPECT_EQ(Source.text(Result.Places[0].Process), "1");
  EXPECT_EQ(Result.Places[0].CommunicationNs, 100'000);
  EXPECT_EQ(Result.Places[0].OverlappedNs, 20'000 + 5'000 + 10'000);
  EXPECT_EQ(Result.Places[0].ComputeNs, 70'000 + 60'000 - 20'000);
  EXPECT_EQ(Result.Rows[0].BusGBs, std::nullopt); // between how many?
  EXPECT_FALSE(communication(Source, {}).any());
}

// Two ranks as processes 1 and 2, each with a device.
std::string onRank(int Rank, int64_t Begin, int64_t Duration, const char *Name = "allreduce",
                   const char *Group = "0", int Size = 2) {
  return fmt::format(
      R"({{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_Generic", "pid": "{}", "tid": 9, "ts": {}, "dur": {}, "args": {{"device": {}, "Collective name": "{}", "Process Group Name": "{}", "Group size": {}, "In msg nelems": 10, "dtype": "Float"}}}})",
      Rank, Begin, Duration, Rank, Name, Group, Size);
}

CollectiveMatch match(const std::vector<std::string> &Events, const std::string &NotAligned = "") {
  const Trace Source = joined(Events);
  RankReport Ranks;
  Ranks.Inputs = {{"rank 0", "a", 0, {"0"}}, {"rank 1", "b", 1, {"1"}}};
  Ranks.NotAligned = NotAligned;
  return matchCollectives(Source, Ranks, find(Source));
}

TEST(CollectiveRanks, WaitingIsApartFromTransfer) {
  const CollectiveMatch Result = match({
      onRank(0, 1000, 500),
      onRank(1, 1300, 210), // the second rank waits for nobody
      onRank(1, 2000, 150),
      onRank(0, 2100, 50), //
      onRank(0, 3000, 10),
      onRank(1, 3000, 10), // at once
      onRank(0, 4000, 20, "broadcast"),
      onRank(1, 4100, 30, "broadcast"), // the root went ahead
  });
  ASSERT_EQ(Result.Rows.size(), 2u);
  const MatchedCollectives &Reduce = Result.Rows[0];
  EXPECT_EQ(Reduce.Of.Kind, CollectiveKind::AllReduce);
  EXPECT_EQ(Reduce.Count, 3u);
  EXPECT_EQ(Reduce.Shares[0].Calls, 3u);
  EXPECT_EQ(Reduce.Shares[0].WaitNs, 300'000);
  EXPECT_EQ(Reduce.Shares[0].TransferNs, 200'000 + 50'000 + 10'000);
  EXPECT_EQ(Reduce.Shares[0].TimesLast, 1u);
  EXPECT_EQ(Reduce.Shares[0].CausedNs, 100'000);
  EXPECT_EQ(Reduce.Shares[1].WaitNs, 100'000);
  EXPECT_EQ(Reduce.Shares[1].TransferNs, 210'000 + 50'000 + 10'000);
  EXPECT_EQ(Reduce.Shares[1].TimesLast, 1u);
  EXPECT_EQ(Reduce.Shares[1].CausedNs, 300'000);
  EXPECT_EQ(Reduce.SkewNs, 400'000);
  EXPECT_EQ(Reduce.MedianSkewNs, 100'000);
  EXPECT_EQ(Reduce.MaxSkewNs, 300'000);
  const MatchedCollectives &Broadcast = Result.Rows[1];
  EXPECT_EQ(Broadcast.Shares[0].WaitNs, 20'000); // no longer than it took
  EXPECT_EQ(Broadcast.Shares[0].TransferNs, 0);
  EXPECT_EQ(Broadcast.SkewNs, 100'000);
  EXPECT_EQ(Result.Shares[0].Calls, 4u);
  EXPECT_EQ(Result.Shares[0].WaitNs + Result.Shares[0].TransferNs, 580'000);
  EXPECT_EQ(Result.Shares[1].TimesLast, 2u);
}

TEST(CollectiveRanks, WhatCannotBeMatchedIsCounted) {
  const CollectiveMatch Result = match({
      onRank(0, 1000, 10, "allreduce", "7"),
      onRank(1, 1000, 10, "allreduce", "7"),
      onRank(0, 1100, 10, "allreduce", "7"), // one more
      onRank(0, 2000, 10, "allgather", "8", 3),
      onRank(1, 2000, 10, "allgather", "8", 3),
      onRank(0, 3000, 10, "barrier"),
      onRank(1, 3020, 10, "barrier"), // one after the other
      onRank(0, 4000, 10, "send"),
      onRank(1, 4000, 10, "recv"),
      work("ncclDevKernel_AllReduce(x)", 0, 9, 5000, 10, 1), // of what group?
      onRank(5, 6000, 10),                                   // of no input
  });
  EXPECT_TRUE(Result.Rows.empty());
  EXPECT_EQ(Result.OtherCounts, 3u);
  EXPECT_EQ(Result.MissingRanks, 2u);
  EXPECT_EQ(Result.Contradicted, 2u);
  EXPECT_EQ(Result.BetweenTwo, 2u);
  EXPECT_EQ(Result.UnknownGroup, 1u);
}

TEST(CollectiveRanks, OtherSizesAreNotOneCollective) {
  const auto Of = [](int Rank, int64_t Begin, int Elements) {
    std::string Text = onRank(Rank, Begin, 100);
    Text.replace(Text.find("nelems\": 10"), 11, fmt::format("nelems\": {}", Elements));
    return Text;
  };
  // Each rank lacks one: the orders do not belong together.
  const CollectiveMatch Result =
      match({Of(0, 1000, 10), Of(0, 2000, 20), Of(1, 2000, 20), Of(1, 3000, 30)});
  EXPECT_TRUE(Result.Rows.empty());
  EXPECT_EQ(Result.OtherSizes, 4u);
}

TEST(CollectiveRanks, ErrorsOfClocksAreErrorsOfWaits) {
  const Trace Source = joined({
      onRank(0, 1000, 500),
      onRank(1, 1300, 210), // the second was last for certain
      onRank(0, 2010, 50),
      onRank(1, 2000, 60), // one of them
  });
  RankReport Ranks;
  Ranks.Inputs = {{"rank 0", "a", 0, {"0"}}, {"rank 1", "b", 1, {"1"}}};
  Ranks.Clocks.resize(2);
  for (RankClock &Each : Ranks.Clocks) {
    Each.Basis = ClockBasis::Collectives;
    Each.Reference = 0;
    Each.ErrorNs = 0;
  }
  Ranks.Clocks[1].ErrorNs = 20'000;
  CollectiveMatch Result = matchCollectives(Source, Ranks, find(Source));
  EXPECT_EQ(Result.Shares[0].WaitNs, 300'000);
  EXPECT_EQ(Result.Shares[0].WaitErrorNs, 40'000);
  EXPECT_EQ(Result.Shares[1].CausedNs, 300'000);
  EXPECT_EQ(Result.Shares[1].CausedErrorNs, 20'000 + 40'000 + 70'000);
  EXPECT_EQ(Result.Shares[0].CausedNs, 10'000);
  EXPECT_EQ(Result.Shares[0].CausedErrorNs, 70'000);
  EXPECT_EQ(Result.Rows[0].SkewErrorNs, 20'000);
  // Of another reference:
  Ranks.Clocks[1].Reference = 1;
  Result = matchCollectives(Source, Ranks, find(Source));
  EXPECT_TRUE(Result.Rows.empty());
  EXPECT_EQ(Result.OtherClocks, 4u);
}

TEST(CollectiveRanks, ClocksThatDoNotCompareAreNotCompared) {
  const CollectiveMatch Result =
      match({onRank(0, 1000, 500), onRank(1, 1300, 210)}, "no common clock");
  EXPECT_TRUE(Result.Rows.empty());
  EXPECT_EQ(Result.NotAligned, "no common clock");
}

TEST(Cover, AgainstMomentByMoment) {
  std::mt19937 Random(5);
  for (int Round = 0; Round < 300; ++Round) {
    Cover Raw[2];
    for (Cover &Each : Raw)
      for (size_t I = Random() % 8; I > 0; --I) {
        const int64_t Begin = Random() % 40;
        Each.emplace_back(Begin, Begin + Random() % 10);
      }
    const auto Has = [](const Cover &In, int64_t Ns) {
      return std::ranges::any_of(
          In, [&](const auto &Part) { return Part.first <= Ns && Ns < Part.second; });
    };
    const Cover A = unionOf(Raw[0]), B = unionOf(Raw[1]);
    const Cover Both = intersectionOf(A, B), Less = differenceOf(A, B);
    int64_t Length = 0;
    for (int64_t Ns = 0; Ns < 60; ++Ns) {
      EXPECT_EQ(Has(A, Ns), Has(Raw[0], Ns));
      EXPECT_EQ(Has(Both, Ns), Has(Raw[0], Ns) && Has(Raw[1], Ns));
      EXPECT_EQ(Has(Less, Ns), Has(Raw[0], Ns) && !Has(Raw[1], Ns));
      Length += Has(Raw[0], Ns);
    }
    EXPECT_EQ(lengthOf(A), Length);
    EXPECT_EQ(lengthOf(Both) + lengthOf(Less), Length);
  }
}

} // namespace
} // namespace seamscope::tools
