//===- CriticalPathTest.cpp - what a step's duration hangs on -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/torch/CriticalPath.h"
#include "TestFile.h"

#include <algorithm>
#include <random>
#include <vector>

namespace seamscope::tools {
namespace {

const ReadOptions Keep = {.Syncs = true};

std::string call(const char *Name, int Thread, int64_t Begin, int64_t Duration, int64_t Id) {
  return eventText("cuda_runtime", Name, Thread, Begin, Duration,
                   fmt::format(R"("correlation": {})", Id));
}

std::string work(const char *Category, const char *Name, int Stream, int64_t Begin,
                 int64_t Duration, int64_t Id, int Device = 0) {
  return fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": {}, "ts": {}, "dur": {}, "args": {{"device": {}, "correlation": {}}}}})",
      Category, Name, Device, Stream, Begin, Duration, Device, Id);
}

std::string kernel(const char *Name, int Stream, int64_t Begin, int64_t Duration, int64_t Id) {
  return work("kernel", Name, Stream, Begin, Duration, Id);
}

/// As CUPTI records waits, beside the call with the correlation.
std::string sync(const char *Name, int64_t Id, int Stream, int Other = -1, int64_t Record = -1) {
  return fmt::format(
      R"({{"ph": "X", "cat": "cuda_sync", "name": "{}", "pid": 0, "tid": {}, "ts": 0, "dur": 0, "args": {{"device": 0, "stream": {}, "correlation": {}, "wait_on_stream": {}, "wait_on_cuda_event_record_corr_id": {}}}}})",
      Name, Stream, Stream, Id, Other, Record);
}

std::string step(int64_t End) { return eventText("user_annotation", "ProfilerStep#1", 1, 0, End); }

Trace joined(const std::vector<std::string> &Events) {
  return traceOf(fmt::format("[{}]", fmt::join(Events, ",\n")), Keep);
}

struct PathWithParts : CriticalPath {
  std::vector<PathSegment> Segments;
};

PathWithParts wholePathOf(const CriticalPaths &Paths, const Step &In, PathEnd End = PathEnd::Step) {
  PathWithParts Path;
  static_cast<CriticalPath &>(Path) =
      Paths.of(In, End, [&](const PathSegment &Each) { Path.Segments.push_back(Each); });
  std::ranges::reverse(Path.Segments);
  return Path;
}

/// What must hold of every path.
void expectWhole(const Trace &Source, const PathWithParts &Path) {
  int64_t Now = Path.BeginNs, Sum = 0;
  for (const PathSegment &Each : Path.Segments) {
    EXPECT_EQ(Each.BeginNs, Now);
    EXPECT_LT(Each.BeginNs, Each.EndNs);
    EXPECT_TRUE(Each.Event == NoEvent || Each.Event < Source.Events.size());
    Now = Each.EndNs;
  }
  EXPECT_EQ(Now, std::max(Path.EndNs, Path.BeginNs));
  for (const PathSum &Each : Path.Sums)
    Sum += Each.Ns;
  EXPECT_EQ(Sum, Path.wallNs());
}

/// "host aten::mm 100-120", in us.
std::vector<std::string> textOf(const Trace &Source, const PathWithParts &Path) {
  std::vector<std::string> Lines;
  for (const PathSegment &Each : Path.Segments)
    Lines.push_back(fmt::format(
        "{} {} {}-{}", pathKindName(Each.Kind),
        Each.Event == NoEvent ? "none"
                              : Source.text(Source.Sites[Source.Events.Site[Each.Event]].Name),
        Each.BeginNs / 1000, Each.EndNs / 1000));
  return Lines;
}

PathWithParts pathOf(const Trace &Source, PathEnd End = PathEnd::Step) {
  const std::vector<Step> Steps = stepsOf(Source, StepsBy::Mark);
  EXPECT_EQ(Steps.size(), 1u);
  const PathWithParts Path = wholePathOf(CriticalPaths(Source, linkWork(Source)), Steps.at(0), End);
  expectWhole(Source, Path);
  return Path;
}

using Lines = std::vector<std::string>;

TEST(CriticalPath, ThroughHostAndDevice) {
  const Trace Source = joined({
      step(700),
      eventText("cpu_op", "aten::mm", 1, 100, 100),
      call("cudaLaunchKernel", 1, 120, 10, 1),
      kernel("first", 7, 150, 250, 1), // the device was idle: its launch held it up
      eventText("cpu_op", "aten::relu", 1, 300, 50),
      call("cudaLaunchKernel", 1, 310, 10, 2),
      kernel("second", 7, 405, 195, 2), // launched long before
      eventText("cpu_op", "aten::item", 1, 490, 140),
      call("cudaDeviceSynchronize", 1, 500, 120, 3),
  });
  const PathWithParts Path = pathOf(Source);
  EXPECT_EQ(textOf(Source, Path),
            (Lines{"between ProfilerStep#1 0-100", "host aten::mm 100-120",
                   "host cudaLaunchKernel 120-130", "launch delay first 130-150",
                   "device first 150-400", "kernel gap second 400-405", "device second 405-600",
                   "sync cudaDeviceSynchronize 600-620", "host aten::item 620-630",
                   "between ProfilerStep#1 630-700"}));
  ASSERT_EQ(Path.Sums.size(), 9u);
  EXPECT_EQ(Path.Sums[0].Kind, PathKind::Device);
  EXPECT_EQ(Path.Sums[0].Ns, 250'000);
  EXPECT_EQ(Path.UnknownSyncs + Path.UnknownStreamWaits + Path.Unlaunched, 0u);
}

TEST(CriticalPath, WhatNobodyWaitsForIsNotOnIt) {
  const std::vector<std::string> Events = {step(100), eventText("cpu_op", "aten::mm", 1, 10, 80),
                                           call("cudaLaunchKernel", 1, 20, 10, 1),
                                           kernel("long", 7, 40, 1000, 1),
                                           // Over before it was asked for.
                                           call("cudaDeviceSynchronize", 1, 15, 2, 2)};
  const Trace Source = joined(Events);
  EXPECT_EQ(textOf(Source, pathOf(Source)),
            (Lines{"between ProfilerStep#1 0-10", "host aten::mm 10-15",
                   "host cudaDeviceSynchronize 15-17", "host aten::mm 17-20",
                   "host cudaLaunchKernel 20-30", "host aten::mm 30-90",
                   "between ProfilerStep#1 90-100"}));
  // But up to the end of what the step launched it is.
  EXPECT_EQ(
      textOf(Source, pathOf(Source, PathEnd::Device)),
      (Lines{"between ProfilerStep#1 0-10", "host aten::mm 10-15",
             "host cudaDeviceSynchronize 15-17", "host aten::mm 17-20",
             "host cudaLaunchKernel 20-30", "launch delay long 30-40", "device long 40-1040"}));
}

TEST(CriticalPath, TheUsersThreadWaitsForAutograds) {
  const Trace Source = joined({
      step(330),
      eventText("cpu_op", "aten::mm", 1, 0, 100),
      eventText("python_function", "run_backward", 1, 105, 190),
      eventText("cpu_op", "autograd::engine::evaluate_function: MmBackward0", 2, 120, 60),
      eventText("cpu_op", "aten::mm", 2, 130, 40),
      eventText("cpu_op", "autograd::engine::evaluate_function: TBackward0", 2, 200, 80),
      eventText("cpu_op", "aten::add_", 1, 300, 20),
      eventText("cpu_op", "loader", 3, 0, 299), // nobody's business
  });
  EXPECT_EQ(
      textOf(Source, pathOf(Source)),
      (Lines{
          "host aten::mm 0-100", "between ProfilerStep#1 100-105", "between run_backward 105-120",
          "host autograd::engine::evaluate_function: MmBackward0 120-130", "host aten::mm 130-170",
          "host autograd::engine::evaluate_function: MmBackward0 170-180", "between none 180-200",
          "host autograd::engine::evaluate_function: TBackward0 200-280",
          "between run_backward 280-295", "between ProfilerStep#1 295-300",
          "host aten::add_ 300-320", "between ProfilerStep#1 320-330"}));
}

std::vector<std::string> twoStreams() {
  return {
      step(600),
      eventText("cpu_op", "aten::mm", 1, 0, 20),
      call("cudaLaunchKernel", 1, 5, 5, 1),
      kernel("a", 7, 20, 300, 1),
      call("cudaEventRecord", 1, 22, 2, 2),
      eventText("cpu_op", "late", 1, 26, 10),
      call("cudaLaunchKernel", 1, 27, 2, 3),
      kernel("after", 7, 320, 200, 3), // behind the record
      call("cudaStreamWaitEvent", 1, 40, 2, 4),
      eventText("cpu_op", "other", 1, 50, 20),
      call("cudaLaunchKernel", 1, 55, 5, 5),
      kernel("b", 9, 325, 75, 5), // waits for a
      call("cudaEventRecord", 1, 75, 2, 6),
      call("cudaEventSynchronize", 1, 80, 330, 7),
  };
}

TEST(CriticalPath, StreamsWaitForEachOther) {
  std::vector<std::string> Events = twoStreams();
  Events.push_back(sync("Stream Wait Event", 4, 9, 7, 2));
  Events.push_back(sync("Event Sync", 7, -1, 9, 6));
  const Trace Source = joined(Events);
  const PathWithParts Path = pathOf(Source);
  EXPECT_EQ(textOf(Source, Path),
            (Lines{"host aten::mm 0-5", "host cudaLaunchKernel 5-10", "launch delay a 10-20",
                   "device a 20-320", "sync b 320-325", "device b 325-400",
                   "sync cudaEventSynchronize 400-410", "between ProfilerStep#1 410-600"}));
  EXPECT_EQ(Path.UnknownSyncs + Path.UnknownStreamWaits, 0u);
}

TEST(CriticalPath, WhatIsNotToldIsSaid) {
  const Trace Source = joined(twoStreams());
  const PathWithParts Path = pathOf(Source);
  EXPECT_EQ(Path.UnknownSyncs, 1u);
  EXPECT_EQ(Path.UnknownStreamWaits, 1u);
  EXPECT_EQ(textOf(Source, Path).at(textOf(Source, Path).size() - 2),
            "host cudaEventSynchronize 80-410");
}

TEST(CriticalPath, OfOneStreamItIsTheOnlyOneThatCanBeWaitedFor) {
  std::vector<std::string> Events = {
      step(300), eventText("cpu_op", "aten::mm", 1, 0, 20), call("cudaLaunchKernel", 1, 5, 5, 1),
      kernel("a", 7, 20, 100, 1), call("cudaStreamSynchronize", 1, 50, 80, 2)};
  const Lines Waited{
      "host aten::mm 0-5", "host cudaLaunchKernel 5-10",         "launch delay a 10-20",
      "device a 20-120",   "sync cudaStreamSynchronize 120-130", "between ProfilerStep#1 130-300"};
  {
    const Trace Source = joined(Events);
    EXPECT_EQ(textOf(Source, pathOf(Source)), Waited);
  }
  Events.push_back(call("cudaLaunchKernel", 1, 22, 5, 3));
  Events.push_back(kernel("b", 9, 30, 200, 3));
  {
    const Trace Source = joined(Events);
    EXPECT_EQ(pathOf(Source).UnknownSyncs, 1u);
  }
  Events.push_back(sync("Stream Sync", 2, 7));
  const Trace Source = joined(Events);
  EXPECT_EQ(textOf(Source, pathOf(Source)), Waited);
}

TEST(CriticalPath, AnOperatorThatCopiesAndWaitsWaitsForItsCopy) {
  for (const bool Apart : {false, true}) {
    std::vector<std::string> Events = {
        step(300),
        eventText("cpu_op", "aten::mm", 1, 0, 20),
        call("cudaLaunchKernel", 1, 5, 5, 1),
        kernel("a", 9, 20, 200, 1),
        eventText("cpu_op", "aten::_local_scalar_dense", 1, 40, 100),
        call("cudaMemcpyAsync", 1, 45, 5, 2),
        work("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", 7, 60, 30, 2),
        call("cudaStreamSynchronize", 1, 55, 50, 3),
    };
    if (Apart) // a call of something else in between
      Events.push_back(call("cudaEventQuery", 1, 51, 1, 4));
    const Trace Source = joined(Events);
    const PathWithParts Path = pathOf(Source);
    EXPECT_EQ(Path.UnknownSyncs, Apart ? 1u : 0u);
    const Lines Text = textOf(Source, Path);
    EXPECT_EQ(std::ranges::count(Text, "sync cudaStreamSynchronize 90-105"), Apart ? 0 : 1);
  }
}

TEST(CriticalPath, CopiesThatTheHostWaitsFor) {
  const char *const Down = "Memcpy DtoH (Device -> Pageable)";
  for (const auto &[Call, Name, Waits] :
       {std::tuple("cudaMemcpy", "Memcpy DtoH (Device -> Pinned)", true),
        {"cudaMemcpyAsync", Down, true},
        {"cudaMemcpyAsync", "Memcpy DtoH (Device -> Pinned)", false},
        {"hipMemcpyWithStream", "Memcpy DtoH (Device -> Host)", true}}) {
    const Trace Source =
        joined({step(200), call(Call, 1, 10, 100, 1), work("gpu_memcpy", Name, 7, 50, 40, 1)});
    const Lines Path = textOf(Source, pathOf(Source));
    EXPECT_EQ(std::ranges::count(Path, fmt::format("device {} 50-90", Name)), Waits ? 1 : 0)
        << Call << " " << Name;
  }
}

TEST(CriticalPath, ACopyThatWaitedForWorkIsHeldUpByIt) {
  const auto Path = [](int64_t KernelEnd) {
    const Trace Source = joined({
        step(400),
        eventText("cpu_op", "aten::mm", 1, 0, 20),
        call("hipLaunchKernel", 1, 5, 5, 1),
        kernel("k", 7, 20, KernelEnd - 20, 1),
        eventText("cpu_op", "aten::copy_", 1, 40, 320),
        call("hipMemcpyWithStream", 1, 50, 300, 2),
        work("gpu_memcpy", "Memcpy DtoH (Device -> Host)", 7, 310, 30, 2),
    });
    return textOf(Source, pathOf(Source));
  };
  // For most of the call the stream was at work on the kernel.
  EXPECT_EQ(
      Path(300),
      (Lines{"host aten::mm 0-5", "host hipLaunchKernel 5-10", "launch delay k 10-20",
             "device k 20-300", "kernel gap Memcpy DtoH (Device -> Host) 300-310",
             "device Memcpy DtoH (Device -> Host) 310-340", "sync hipMemcpyWithStream 340-350",
             "host aten::copy_ 350-360", "between ProfilerStep#1 360-400"}));
  // For most of the call nothing was in its way: the host prepared the copy.
  const Lines Prepared = Path(60);
  EXPECT_EQ(std::ranges::count(Prepared, "host hipMemcpyWithStream 50-310"), 1);
  EXPECT_EQ(std::ranges::count(Prepared, "device k 20-60"), 0);
}

TEST(CriticalPath, WorkThatCameFromNowhere) {
  const Trace Source = joined({
      step(300),
      kernel("older", 7, -50, 100, 8),
      kernel("graph's", 7, 60, 100, 9),
      call("cudaDeviceSynchronize", 1, 10, 200, 2),
  });
  const PathWithParts Path = pathOf(Source);
  EXPECT_EQ(textOf(Source, Path),
            (Lines{"device older 0-50", "kernel gap graph's 50-60", "device graph's 60-160",
                   "sync cudaDeviceSynchronize 160-210", "between ProfilerStep#1 210-300"}));
  EXPECT_EQ(Path.Unlaunched, 2u);
  const Trace Alone =
      joined({step(300), kernel("k", 7, 60, 100, 9), call("cudaDeviceSynchronize", 1, 10, 200, 2)});
  EXPECT_EQ(textOf(Alone, pathOf(Alone))[0], "unknown k 0-60");
}

TEST(CriticalPath, AWholeTrace) {
  const Trace Source =
      joined({eventText("cpu_op", "a", 1, 10, 20), eventText("cpu_op", "b", 1, 40, 20),
              eventText("cpu_op", "c", 2, 0, 5)});
  const CriticalPaths Paths(Source, linkWork(Source));
  const Step Whole = Paths.wholeTrace();
  const PathWithParts Path = wholePathOf(Paths, Whole);
  expectWhole(Source, Path);
  EXPECT_EQ(textOf(Source, Path),
            (Lines{"between none 0-10", "host a 10-30", "between none 30-40", "host b 40-60"}));
  // What was launched is a part of the trace, whoever waits for it.
  const Trace Graph =
      joined({eventText("cpu_op", "a", 1, 0, 20), call("cudaGraphLaunch", 1, 5, 5, 1),
              kernel("first", 7, 100, 50, 1), kernel("second", 7, 151, 50, 1)});
  const CriticalPaths OfGraph(Graph, linkWork(Graph));
  EXPECT_EQ(textOf(Graph, wholePathOf(OfGraph, OfGraph.wholeTrace(), PathEnd::Device)),
            (Lines{"host a 0-5", "host cudaGraphLaunch 5-10", "launch delay first 10-100",
                   "device first 100-150", "kernel gap second 150-151", "device second 151-201"}));
  const Trace None = joined({});
  EXPECT_EQ(CriticalPaths(None, {}).of(CriticalPaths(None, {}).wholeTrace()).wallNs(), 0);
  // An operator that takes no time is no path, either.
  const Trace Instant = traceOf("[" + eventText("cpu_op", "aten::add", 1, 5, 0) + "]");
  const CriticalPaths OfInstant(Instant, {});
  const CriticalPath Empty = OfInstant.of(OfInstant.wholeTrace());
  EXPECT_EQ(Empty.BeginNs, Empty.EndNs);
}

TEST(CriticalPath, IsWholeWhateverTheTraceClaims) {
  std::mt19937 Random(17);
  for (int Round = 0; Round < 150; ++Round) {
    std::vector<std::string> Events = {step(1000)};
    const auto Below = [&](int N) { return static_cast<int>(Random() % static_cast<unsigned>(N)); };
    static constexpr const char *Calls[] = {"cudaLaunchKernel",
                                            "cudaDeviceSynchronize",
                                            "cudaStreamSynchronize",
                                            "cudaEventSynchronize",
                                            "cudaStreamWaitEvent",
                                            "cudaEventRecord",
                                            "cudaMemcpy"};
    static constexpr const char *Syncs[] = {"Stream Wait Event", "Stream Sync", "Event Sync",
                                            "Context Sync"};
    for (int I = 0; I < 60; ++I)
      switch (Below(5)) {
      case 0:
        Events.push_back(eventText("cpu_op", Below(2) ? "op" : "autograd::engine::x", 1 + Below(3),
                                   Below(1000), Below(200)));
        break;
      case 1:
        Events.push_back(call(Calls[Below(7)], 1 + Below(3), Below(1000), Below(100), Below(20)));
        break;
      case 2:
        Events.push_back(work(Below(2) ? "kernel" : "gpu_memcpy", "w", 7 + Below(3), Below(1000),
                              Below(100), Below(20), Below(2)));
        break;
      case 3:
        Events.push_back(sync(Syncs[Below(4)], Below(20), 7 + Below(3), 7 + Below(3), Below(20)));
        break;
      default:
        Events.push_back(eventText("python_function", "f", 1 + Below(3), Below(1000), Below(300)));
      }
    const Trace Source = joined(Events);
    for (const PathEnd End : {PathEnd::Step, PathEnd::Device})
      pathOf(Source, End);
  }
}

} // namespace
} // namespace seamscope::tools
