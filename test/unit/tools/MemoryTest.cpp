//===- MemoryTest.cpp - memory that was allocated, and copies -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/torch/Memory.h"
#include "TestFile.h"
#include "analysis/core/Cut.h"
#include "analysis/devices/Copies.h"
#include "trace/rewrite/JoinTraces.h"

#include <map>
#include <random>
#include <vector>

namespace seamscope::tools {
namespace {

const ReadOptions Keep = {.Memory = true};

/// A change in us, of the host (type 0) or device 2 (type 1).
std::string change(int Thread, int64_t Ns, int Type, int64_t Address, int64_t Bytes,
                   std::optional<int64_t> Total = {}, std::optional<int64_t> Reserved = {}) {
  std::string More;
  if (Total)
    More += fmt::format(R"(, "Total Allocated": {})", *Total);
  if (Reserved)
    More += fmt::format(R"(, "Total Reserved": {})", *Reserved);
  return fmt::format(
      R"({{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": {}, "ts": {}, "args": {{"Addr": {}, "Bytes": {}, "Device Type": {}, "Device Id": {}{}}}}})",
      Thread, Ns, Address, Bytes, Type, Type ? 2 : -1, More);
}

Trace joined(const std::vector<std::string> &Events, const ReadOptions &Options = Keep) {
  return traceOf(fmt::format("[{}]", fmt::join(Events, ",\n")), Options);
}

std::vector<std::string> example() {
  return {
      eventText("cpu_op", "aten::linear", 1, 0, 100),
      eventText("cpu_op", "aten::empty", 1, 10, 20),
      change(1, 15, 1, 100, 1000, 51'000, 60'000), // of 50,000 that were there before
      change(1, 50, 1, 200, 400, 51'400, 60'000),  // of linear itself
      change(1, 60, 1, 100, -1000, 50'400, 60'000),
      change(1, 120, 1, 300, 3000, 53'400, 80'000),   // outside of operators: the peak
      change(1, 130, 1, 7777, -2000, 51'400, 80'000), // allocated before the trace
      change(1, 15, 0, 900, 64, 64),
      change(2, 20, 0, 901, 36, 100), // on a thread without operators
  };
}

TEST(Memory, PeakAndWhoHasIt) {
  const Trace Source = joined(example());
  const std::vector<MemoryRow> Rows = memoryRows(Source);
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0].DeviceType, 0);
  EXPECT_EQ(Rows[0].Device, -1);
  EXPECT_EQ(Rows[0].PeakBytes, 100);
  EXPECT_EQ(Rows[0].FirstBytes, 0);
  EXPECT_EQ(Rows[0].PeakReservedBytes, std::nullopt);
  EXPECT_EQ(Rows[0].PeakNs, 20'000);
  EXPECT_EQ(Rows[0].PeakOperator, 0u);
  const MemoryRow &Gpu = Rows[1];
  EXPECT_EQ(Gpu.DeviceType, 1);
  EXPECT_EQ(Gpu.Device, 2);
  EXPECT_EQ(Gpu.Allocations, 3u);
  EXPECT_EQ(Gpu.Frees, 2u);
  EXPECT_EQ(Gpu.AllocatedBytes, 4400);
  EXPECT_EQ(Gpu.FreedBytes, 3000);
  EXPECT_EQ(Gpu.FirstBytes, 50'000);
  EXPECT_EQ(Gpu.LastBytes, 51'400);
  EXPECT_EQ(Gpu.PeakBytes, 53'400);
  EXPECT_EQ(Gpu.PeakReservedBytes, 80'000);
  EXPECT_EQ(Gpu.PeakRiseBytes, 3400);
  EXPECT_EQ(Gpu.PeakNs, 120'000);
  EXPECT_EQ(Gpu.OlderBytes, 50'000);
  std::map<std::string, std::vector<int64_t>> Of;
  for (const OperatorMemoryRow &Row : Gpu.Operators)
    Of[std::string(Source.text(Row.Name))] = {Row.AllocatedBytes, Row.FreedBytes, Row.netBytes(),
                                              Row.AtPeakBytes};
  EXPECT_EQ(
      Of, (std::map<std::string, std::vector<int64_t>>{{"", {3000, 2000, 1000, 3000}},
                                                       {"aten::empty", {1000, 0, 1000, 0}},
                                                       {"aten::linear", {400, 1000, -600, 400}}}));
}

TEST(Memory, WithoutTotalsTheRiseIsKnown) {
  const Trace Source = joined({change(1, 0, 1, 0, -500), change(1, 10, 1, 0, 800),
                               change(1, 20, 1, 0, -100), change(1, 30, 1, 0, 50)});
  const std::vector<MemoryRow> Rows = memoryRows(Source);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows[0].PeakBytes, std::nullopt);
  EXPECT_EQ(Rows[0].FirstBytes, std::nullopt);
  EXPECT_EQ(Rows[0].OlderBytes, std::nullopt);
  EXPECT_EQ(Rows[0].PeakRiseBytes, 300);
  EXPECT_EQ(Rows[0].PeakNs, 10'000);
}

TEST(Memory, WhatOnlyFallsPeaksAtTheBegin) {
  const Trace Source = joined({change(1, 0, 1, 5, -500, 1000), change(1, 10, 1, 6, 100, 1100)});
  const std::vector<MemoryRow> Rows = memoryRows(Source);
  EXPECT_EQ(Rows[0].PeakBytes, 1500);
  EXPECT_EQ(Rows[0].OlderBytes, 1500);
  EXPECT_EQ(Rows[0].PeakNs, std::nullopt);
  EXPECT_EQ(Rows[0].PeakRiseBytes, 0);
}

TEST(Memory, IsReadOnlyWhenAsked) {
  EXPECT_TRUE(joined(example(), {}).Details.Memory.empty());
  EXPECT_TRUE(memoryRows(joined(example(), {.Autograd = true})).empty());
  EXPECT_EQ(joined(example()).Events.size(), 2u); // they are no calls
}

TEST(Memory, OddChangesAreLeftOut) {
  const Trace Source = joined({
      change(1, 0, 0, 1, INT64_MAX, 5),
      change(1, 0, 0, 1, INT64_MIN, 5),
      change(1, 0, 0, 1, 5, INT64_MAX),
      R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "args": {"Bytes": 5}})",
      R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 9e15, "args": {"Bytes": 5}})",
      R"({"ph": "i", "name": "other", "pid": 1, "tid": 1, "ts": 1, "args": {"Bytes": 5}})",
      R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 1, "args": {"Bytes": "5"}})",
  });
  EXPECT_EQ(Source.Info.SkippedEvents, 5u);
  ASSERT_EQ(Source.Details.Memory.size(), 1u);
  EXPECT_EQ(Source.Details.Memory[0].Bytes, 5);
}

TEST(Memory, APartHasTheChangesOfItsTime) {
  Trace Source = joined(example());
  cutTo(Source, {20'000, 100'000});
  EXPECT_EQ(Source.Details.Memory.size(), 3u);
}

TEST(Memory, OfJoinedTracesEachIsOnItsOwnThread) {
  const TestFolder Folder;
  const std::string One = fmt::format("[{}]", fmt::join(example(), ",\n"));
  const auto Joined = joinTraces({Folder.file("a.json", One), Folder.file("b.json", One)}, Keep);
  ASSERT_TRUE(Joined);
  const Trace &Whole = Joined->Whole;
  ASSERT_EQ(Whole.Details.Memory.size(), 14u);
  std::map<std::string, size_t> Changes;
  for (const MemoryChange &Each : Whole.Details.Memory)
    ++Changes[std::string(Whole.text(Whole.Tracks[Each.Track].Process))];
  EXPECT_EQ(Changes.size(), 2u);
  EXPECT_EQ(Changes.begin()->second, 7u);
}

TEST(Memory, RowsOfRandomTracesAddUp) {
  std::mt19937 Random(3);
  for (int Round = 0; Round < 30; ++Round) {
    std::vector<std::string> Events;
    for (int I = 0; I < 20; ++I)
      Events.push_back(eventText("cpu_op", I % 2 ? "a" : "b", static_cast<int>(Random() % 2),
                                 Random() % 100, Random() % 50));
    std::map<int64_t, int64_t> Live; // by address
    int64_t Now = 500, Peak = 500, PeakUs = -1;
    for (int I = 0; I < 60; ++I) {
      const int64_t Address = 1 + Random() % 10;
      const auto Block = Live.find(Address);
      const int64_t Bytes =
          Block == Live.end() ? 1 + static_cast<int64_t>(Random() % 100) : -Block->second;
      Block == Live.end() ? Live[Address] = Bytes, void() : void(Live.erase(Address));
      Now += Bytes;
      if (Now > Peak)
        Peak = Now, PeakUs = 2 * I;
      Events.push_back(change(static_cast<int>(Random() % 2), 2 * I, 1, Address, Bytes, Now));
    }
    const Trace Source = joined(Events);
    const MemoryRow Row = memoryRows(Source).at(0);
    EXPECT_EQ(Row.PeakBytes, Peak);
    EXPECT_EQ(Row.PeakRiseBytes, Peak - 500);
    if (PeakUs >= 0) {
      EXPECT_EQ(Row.PeakNs, 1000 * PeakUs);
    }
    EXPECT_EQ(Row.OlderBytes, 500); // all others have addresses
    int64_t Allocated = 0, Freed = 0, AtPeak = 0;
    uint64_t Changes = 0;
    for (const OperatorMemoryRow &Of : Row.Operators) {
      Allocated += Of.AllocatedBytes;
      Freed += Of.FreedBytes;
      AtPeak += Of.AtPeakBytes;
      Changes += Of.Allocations + Of.Frees;
    }
    EXPECT_EQ(Changes, 60u);
    EXPECT_EQ(Allocated, Row.AllocatedBytes);
    EXPECT_EQ(Freed, Row.FreedBytes);
    EXPECT_EQ(AtPeak, Peak - 500);
    EXPECT_EQ(Row.LastBytes, 500 + Allocated - Freed);
  }
}

/// What threads read is put together in the order of the file.
TEST(ReadOptions, ThreadsFindTheSameSparseColumns) {
  std::vector<std::string> Events;
  for (int I = 0; I < 3000; ++I) {
    Events.push_back(
        eventText("cpu_op", "record_param_comms", I % 3, 10 * I, 5,
                  fmt::format(R"("Collective name": "c{}", "dtype": "Float", "In msg nelems": {})",
                              I % 7, I)));
    Events.push_back(eventText("gpu_memcpy", "Memcpy DtoD", 7, 10 * I, 5,
                               fmt::format(R"("device": 0, "bytes": {})", I)));
    Events.push_back(eventText(
        "cuda_sync", "Stream Wait Event", 9, 10 * I, 5,
        fmt::format(
            R"("device": 0, "stream": 9, "correlation": {}, "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": {})",
            I, I + 1)));
    Events.push_back(change(I % 3, 10 * I, I % 2, I, I, 2 * I));
    if (I % 500 == 0)
      Events.push_back(R"({"ph": "X", "broken": })"); // the window is taken again event by event
  }
  std::vector<Trace> Read;
  for (const unsigned Threads : {1, 4})
    Read.push_back(joined(Events, {.Collectives = true,
                                   .Memory = true,
                                   .Syncs = true,
                                   .Threads = Threads,
                                   .WindowBytes = 1 << 13}));
  for (const Trace &Each : Read) {
    const EventDetails &Of = Each.Details;
    ASSERT_EQ(Of.Collectives.size(), 3000u);
    ASSERT_EQ(Of.Copies.size(), 3000u);
    ASSERT_EQ(Of.Syncs.size(), 3000u);
    ASSERT_EQ(Of.Memory.size(), 3000u);
    for (uint32_t I = 0; I < 3000; ++I) {
      EXPECT_EQ(Of.Collectives[I].Event, 3 * I);
      EXPECT_EQ(Each.text(Of.Collectives[I].Name), fmt::format("c{}", I % 7));
      EXPECT_EQ(Of.Collectives[I].InElements, I);
      EXPECT_EQ(Of.Collectives[I].OutElements, -1);
      EXPECT_EQ(Of.Copies[I].Event, 3 * I + 1);
      EXPECT_EQ(Of.Copies[I].Bytes, I);
      EXPECT_EQ(Of.Syncs[I].Event, 3 * I + 2);
      EXPECT_EQ(Of.Syncs[I].Stream, 9);
      EXPECT_EQ(Of.Syncs[I].OtherStream, 7);
      EXPECT_EQ(Of.Syncs[I].Correlation, I ? int64_t{I} : -1); // 0 says nothing
      EXPECT_EQ(Of.Syncs[I].Record, I + 1);
      EXPECT_EQ(Of.Memory[I].Ns, 10'000 * I);
      EXPECT_EQ(Of.Memory[I].Allocated, 2 * I);
      EXPECT_EQ(Each.text(Each.Tracks[Of.Memory[I].Track].Thread), fmt::to_string(I % 3));
    }
  }
}

std::string copy(const char *Category, const char *Name, int Device, int64_t Begin,
                 int64_t Duration, std::optional<int64_t> Bytes = {}) {
  return fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": 7, "ts": {}, "dur": {}, "args": {{"device": {}{}}}}})",
      Category, Name, Device, Begin, Duration, Device,
      Bytes ? fmt::format(R"(, "bytes": {})", *Bytes) : "");
}

TEST(Copies, NamesSayWhatTheyMove) {
  const struct {
    const char *Name, *Direction, *From, *To;
    std::optional<bool> Pinned;
  } Cases[] = {
      {"Memcpy HtoD (Pageable -> Device)", "HtoD", "Pageable", "Device", false},
      {"Memcpy DtoH (Device -> Pinned)", "DtoH", "Device", "Pinned", true},
      {"Memcpy HtoH (Pinned -> Pageable)", "HtoH", "Pinned", "Pageable", false},
      {"Memcpy HtoD (Host -> Device)", "HtoD", "Host", "Device", {}},
      {"Memcpy DtoD (Device -> Device)", "DtoD", "Device", "Device", {}},
      {"Memset (Device)", "fill", "", "Device", {}},
      {"Memset", "fill", "", "", {}},
      {"Memcpy PtoP", "PtoP", "", "", {}},
      {"CopyHostToDevice", "", "", "", {}},
      {"", "", "", "", {}},
      {"Memcpy (", "", "", "", {}},
  };
  for (const auto &Case : Cases) {
    SCOPED_TRACE(Case.Name);
    const CopyName Name = parseCopyName(Case.Name);
    EXPECT_EQ(Name.Direction, Case.Direction);
    EXPECT_EQ(Name.From, Case.From);
    EXPECT_EQ(Name.To, Case.To);
    EXPECT_EQ(Name.Pinned, Case.Pinned);
  }
}

TEST(Copies, BytesTimeAndWhatIsHidden) {
  const char *const Up = "Memcpy HtoD (Pinned -> Device)", *const Fill = "Memset (Device)";
  const Trace Source = joined({
      copy("gpu_memcpy", Up, 0, 0, 100, 1'000'000),
      copy("gpu_memcpy", Up, 0, 200, 300, 3'000'000),
      copy("gpu_memcpy", Up, 0, 600, 50), // of a size that nobody knows
      copy("gpu_memset", Fill, 0, 80, 40, 0),
      copy("gpu_memcpy", Up, 1, 0, 0, 10),
      copy("kernel", "k", 0, 50, 200),
      copy("kernel", "k", 1, 0, 200),
  });
  const Copies Result = copiesOf(Source);
  ASSERT_EQ(Result.Rows.size(), 3u);
  const CopyRow &Row = Result.Rows[0];
  EXPECT_EQ(Source.text(Row.Name), Up);
  EXPECT_EQ(Row.Calls, 3u);
  EXPECT_EQ(Row.TotalNs, 450'000);
  EXPECT_EQ(Row.MinNs, 50'000);
  EXPECT_EQ(Row.MaxNs, 300'000);
  EXPECT_EQ(Row.SizedCalls, 2u);
  EXPECT_EQ(Row.SizedNs, 400'000);
  EXPECT_EQ(Row.Bytes, 4'000'000);
  EXPECT_DOUBLE_EQ(*Row.GBs, 10);
  EXPECT_DOUBLE_EQ(*Result.Rows[1].GBs, 0);
  EXPECT_EQ(Result.Rows[2].Device, 1);
  EXPECT_EQ(Result.Rows[2].Bytes, 10);
  EXPECT_EQ(Result.Rows[2].GBs, std::nullopt); // in no time
  ASSERT_EQ(Result.Places.size(), 1u);
  EXPECT_EQ(Result.Places[0].CopyNs, 120'000 + 300'000 + 50'000);
  EXPECT_EQ(Result.Places[0].OverlappedNs, 70'000 + 50'000);
  EXPECT_EQ(Result.Places[0].ExposedNs, 350'000);
}

TEST(Copies, TooManyBytesAreNotKnown) {
  const Trace Source = joined(
      {copy("gpu_memcpy", "c", 0, 0, 1, INT64_MAX), copy("gpu_memcpy", "c", 0, 1, 1, INT64_MAX),
       copy("gpu_memcpy", "c", 0, 2, 1, 5), copy("gpu_memcpy", "c", 0, 3, 1, -5)});
  const Copies Result = copiesOf(Source);
  EXPECT_EQ(Result.Rows[0].Bytes, std::nullopt);
  EXPECT_EQ(Result.Rows[0].SizedCalls, 3u);
  EXPECT_EQ(Result.Rows[0].Calls, 4u);
}

} // namespace
} // namespace seamscope::tools
