//===- JoinTracesTest.cpp - several traces, read as one -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result is compared with what reading the file that `combine` writes gives.
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/JoinTraces.h"
#include "TestFile.h"
#include "analysis/devices/Devices.h"
#include "trace/rewrite/Combine.h"

using namespace seamscope::tools;

namespace {

constexpr const char *Base = R"("baseTimeNanoseconds": 1700000000000000000)";

/// A rank on one device, with a launch, flows, steps, a call that is open, and what is only seen by
/// its process: instants and words as process ids.
std::string rankJson(int Rank, int Device, int64_t BaseNs) {
  return fmt::format(
      R"({{"distributedInfo": {{"backend": "gloo", "rank": {0}, "world_size": 2}},
 "deviceProperties": [{{"id": {1}, "name": "GPU {0}"}}], "traceEvents": [
 {{"ph": "M", "name": "process_name", "pid": 7, "tid": 0, "args": {{"name": "python"}}}},
 {{"ph": "M", "name": "thread_name", "pid": 7, "tid": 1, "args": {{"name": "main"}}}},
 {{"ph": "i", "s": "g", "name": "Iteration Start: PyTorch Profiler", "pid": "Traces", "tid": "t", "ts": 0}},
 {{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 7, "tid": 1, "ts": 0, "dur": 90}},
 {{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 1, "ts": 1, "dur": 20,
  "args": {{"Sequence number": 4, "Input Dims": [[2, 3], [3, 4]]}}}},
 {{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 7, "tid": 1, "ts": 2, "dur": 3,
  "args": {{"correlation": 5}}}},
 {{"ph": "X", "cat": "kernel", "name": "gemm", "pid": {1}, "tid": 7, "ts": {2}, "dur": 30,
  "args": {{"device": {1}, "correlation": 5}}}},
 {{"ph": "X", "cat": "cpu_op", "name": "cpp_fused_{0}", "pid": 7, "tid": 1, "ts": 60, "dur": 5,
  "args": {{"kernel": "cpp_fused_{0}"}}}},
 {{"ph": "X", "cat": "omp_region", "name": "r", "pid": 7, "tid": 2, "ts": 61, "dur": 2,
  "args": {{"kernel": "lost_{0}", "thread": 1}}}},
 {{"ph": "B", "cat": "cpu_op", "name": "hung", "pid": 7, "tid": 1, "ts": 80, "args": {{"kernel": "hung"}}}},
 {{"ph": "X", "cat": "cpu_op", "name": "no process", "ts": 70, "dur": 1}},
 {{"name": "Record Window End", "ph": "i", "s": "g", "pid": "", "tid": "", "ts": 99}}
 ], "baseTimeNanoseconds": {3}}})",
      Rank, Device, 10 + Rank, BaseNs);
}

struct Both {
  JoinedTrace Joined;
  Trace Combined;
};

Both readBothWays(const std::vector<std::string> &Texts) {
  const TestFolder Folder;
  std::vector<std::string> Paths;
  for (const std::string &Text : Texts)
    Paths.push_back(Folder.file(fmt::format("{}.json", Paths.size()), Text));
  const ReadOptions Keep = {.Autograd = true, .Stacks = true, .Launches = true};
  auto Joined = joinTraces(Paths, Keep);
  EXPECT_TRUE(Joined) << Joined.error().message();
  EXPECT_TRUE(combineTraces(Paths, {}, Folder.path("all.json")));
  auto Combined = readTrace(Folder.path("all.json"), Keep);
  EXPECT_TRUE(Combined);
  return {std::move(*Joined), std::move(*Combined)};
}

/// All that reports show, as text.
std::vector<std::string> contents(const Trace &Of) {
  std::vector<std::string> Lines;
  const auto TrackText = [&](TrackId Id) {
    const Track &Its = Of.Tracks[Id];
    return fmt::format("{}/{} '{}'", Of.text(Its.Process), Of.text(Its.Thread),
                       Of.text(Its.ThreadName));
  };
  const auto SiteText = [&](SiteId Id) {
    const Site &What = Of.Sites[Id];
    return fmt::format("{} {} {} {} {} {} {}", static_cast<int>(What.Kind), Of.text(What.Name),
                       Of.text(What.Category), Of.text(What.Kernel), Of.text(What.InputDims),
                       What.Device, What.Line);
  };
  for (SiteId Id = 0; Id < Of.Sites.size(); ++Id)
    Lines.push_back("site " + SiteText(Id));
  for (TrackId Id = 0; Id < Of.Tracks.size(); ++Id)
    Lines.push_back("track " + TrackText(Id));
  for (const Device &Known : Of.Devices)
    Lines.push_back(fmt::format("device {} {}", Known.Id, Of.text(Known.Name)));
  const std::vector<Origin> Links = linkWork(Of);
  for (uint32_t I = 0; I < Of.Events.size(); ++I) {
    const bool IsOpen = std::ranges::find(Of.Open, I, &OpenCall::Event) != Of.Open.end();
    Lines.push_back(fmt::format("{} {} {} {} {} {}", IsOpen ? "open" : "call", Of.Events.BeginNs[I],
                                Of.Events.DurationNs[I], SiteText(Of.Events.Site[I]),
                                TrackText(Of.Events.Track[I]), Of.Events.teamThread(I)));
    for (const Origin &Link : Links)
      if (Link.Work == I)
        for (const uint32_t From : {Link.Launch, Link.Operator})
          Lines.back() += From == NoEvent ? " of nothing"
                                          : fmt::format(" of {} {}", Of.Events.BeginNs[From],
                                                        SiteText(Of.Events.Site[From]));
  }
  for (const SampleState &State : Of.Sampling)
    Lines.push_back(fmt::format("sampling {} {} {} {}", Of.text(State.Process), State.Rate,
                                State.BeginNs, State.UntilNs));
  for (const SampledSpan &Span : Of.SampledSpans)
    Lines.push_back(fmt::format("span {} {} {}", TrackText(Span.Track), Span.FromNs, Span.ToNs));
  const auto ModuleText = [&](int64_t Index) {
    if (Index < 0)
      return std::string("nothing");
    const MappedModule &Module = Of.Modules[static_cast<size_t>(Index)];
    return fmt::format("{} {} {}", Of.text(Module.Process), Of.text(Module.Path), Module.FromNs);
  };
  for (size_t I = 0; I < Of.Samples.size(); ++I)
    Lines.push_back(fmt::format("sample {} {} in {}", Of.Samples.Ns[I],
                                TrackText(static_cast<TrackId>(Of.Samples.Track[I])),
                                ModuleText(Of.Samples.Module[I])));
  for (size_t I = 0; I < Of.OffCpu.size(); ++I)
    Lines.push_back(fmt::format(
        "off {} {} {} {}", Of.OffCpu.BeginNs[I], Of.OffCpu.EndNs[I],
        TrackText(static_cast<TrackId>(Of.OffCpu.Track[I])),
        Of.OffCpu.Wait[I] < 0 ? -1 : Of.Waits[static_cast<size_t>(Of.OffCpu.Wait[I])].SystemCall));
  // Calls without an end stand behind those of their own trace, or of all.
  std::ranges::sort(Lines);
  for (const AbandonedCalls &Left : Of.Abandoned)
    Lines.push_back(fmt::format("abandoned {} {}", SiteText(Left.Site), Left.Calls));
  for (const Process &Known : Of.Processes)
    if (Known.Name && Of.text(Known.Name).find("python") != std::string_view::npos)
      Lines.push_back(fmt::format("process {} {}", Of.text(Known.Pid), Of.text(Known.Name)));
  Lines.push_back(fmt::format("{} {} rank {} of {}, lost {}", Of.Info.Producer, Of.Info.Mode,
                              Of.Info.Rank.value_or(-1), Of.Info.WorldSize.value_or(-1),
                              Of.Info.LostEvents));
  return Lines;
}

TEST(JoinTraces, IsWhatCombineWrites) {
  for (const int OtherDevice : {0, 3}) {
    const Both Read = readBothWays({rankJson(0, 0, 1700000000000000000),
                                    rankJson(1, OtherDevice, 1700000000000004000),
                                    rankJson(1, 1, 1699999999999999999)});
    EXPECT_EQ(contents(Read.Joined.Whole), contents(Read.Combined));
    EXPECT_EQ(Read.Joined.NotAligned, "");
    ASSERT_EQ(Read.Joined.Inputs.size(), 3u);
    EXPECT_EQ(Read.Joined.Inputs[0].Label, "rank 0");
    EXPECT_EQ(Read.Joined.Inputs[2].Label, "rank 1, input 3");
    EXPECT_EQ(linkWork(Read.Joined.Whole).size(), 3u);
    EXPECT_EQ(Read.Joined.Whole.Open.size(), 3u);
  }
}

TEST(JoinTraces, TracesOfSeamscopeToo) {
  const auto Ours = [](int Pid, int Lost) {
    return fmt::format(
        R"({{"seamscope": {{"version": "0", "format": 1, "mode": "trace", "lost_events": {1},
 "abandoned": [{{"name": "k", "calls": 2}}, {{"name": "never seen", "calls": 1}}]}},
 "traceEvents": [{{"ph": "X", "cat": "cpu_op", "name": "k", "pid": {0}, "tid": {0}, "ts": {1}, "dur": 5,
 "args": {{"kernel": "k", "file": "k.cpp", "line": 3}}}}], {2}}})",
        Pid, Lost, Base);
  };
  const Both Read = readBothWays({Ours(5, 1), Ours(6, 2), Ours(5, 4)});
  EXPECT_EQ(contents(Read.Joined.Whole), contents(Read.Combined));
  EXPECT_EQ(Read.Joined.Whole.Info.LostEvents, 7u);
  EXPECT_EQ(Read.Joined.Inputs[0].Label, "process 5, input 1");
  EXPECT_EQ(Read.Joined.Inputs[1].Label, "process 6");
  EXPECT_EQ(Read.Joined.Inputs[2].Label, "process 5, input 3");
}

TEST(JoinTraces, SamplesMoveWithTheirTrace) {
  const auto Ours = [](int Pid, int64_t BaseNs) {
    return fmt::format(
        R"({{"seamscope_samples": [{{"format": 1, "pid": {0}, "state": "on", "rate": 250, "begin_ns": 10,
 "until_ns": 9000, "threads": [{{"tid": {0}, "from_ns": 10, "to_ns": 9000, "name": "main"}}],
 "modules": [{{"path": "lib{0}.so", "begin": 4096, "end": 8192, "offset": 0, "from_ns": -5}}],
 "waits": [{{"id": 3, "system_call": {0}, "stack": "00ff"}}],
 "samples": {{"tid": [{0}, 0], "ns": [100, 100], "address": [5000, -4999]}},
 "off": {{"tid": [{0}], "begin_ns": [300], "length_ns": [20], "off_ns": [20], "kind": [2], "wait": [3]}}}}],
 "traceEvents": [{{"ph": "X", "cat": "cpu_op", "name": "k", "pid": {0}, "tid": {0}, "ts": 1, "dur": 5,
 "args": {{"kernel": "k"}}}}], "baseTimeNanoseconds": {1}}})",
        Pid, BaseNs);
  };
  const Both Read = readBothWays(
      {Ours(5, 1700000000000000000), Ours(6, 1700000000000001000), Ours(5, 1700000000000003000)});
  EXPECT_EQ(contents(Read.Joined.Whole), contents(Read.Combined));
  const Trace &Whole = Read.Joined.Whole;
  ASSERT_EQ(Whole.Samples.size(), 6u);
  EXPECT_EQ(Whole.Samples.Ns, (std::vector<int64_t>{100, 200, 1100, 1200, 3100, 3200}));
  EXPECT_EQ(Whole.OffCpu.BeginNs, (std::vector<int64_t>{300, 1300, 3300}));
  EXPECT_EQ(Whole.Sampling.size(), 3u);
  EXPECT_NE(Whole.Sampling[0].Process, Whole.Sampling[2].Process);
}

TEST(JoinTraces, IdsOfDifferentTracesStayApart) {
  // The launch is in the first trace alone; hashes and negative correlations too.
  const auto Kernel = [](const char *Id, bool Launch) {
    return fmt::format(
        R"([{} {{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 9, "dur": 1,
 "args": {{"device": 0, "correlation": {}}}}}])",
        Launch
            ? fmt::format(
                  R"({{"ph": "X", "cat": "cuda_runtime", "name": "l", "pid": 1, "tid": 1, "ts": 1,
 "dur": 1, "args": {{"correlation": {}}}}},)",
                  Id)
            : "",
        Id);
  };
  for (const char *Id : {"5", "-7", "\"5\"", "5.0", "4611686018427387905", "0", "-1"}) {
    SCOPED_TRACE(Id);
    const Both Read = readBothWays({Kernel(Id, true), Kernel(Id, false), Kernel(Id, true)});
    const std::vector<Origin> Links = linkWork(Read.Joined.Whole);
    ASSERT_EQ(Links.size(), 3u);
    const bool SaysNothing = std::string_view(Id) == "0" || std::string_view(Id) == "-1";
    EXPECT_EQ(Links[0].Launch, SaysNothing ? NoEvent : 0u);
    EXPECT_EQ(Links[1].Launch, NoEvent);
    EXPECT_EQ(Links[2].Launch, SaysNothing ? NoEvent : 3u);
    EXPECT_EQ(contents(Read.Joined.Whole), contents(Read.Combined));
    EXPECT_NE(Read.Joined.NotAligned.find("0.json does not say when its times begin"),
              std::string::npos);
  }
}

TEST(JoinTraces, GoesOnWithoutWhatCannotBeRead) {
  const TestFolder Folder;
  const std::string Good = Folder.file("good.json", rankJson(0, 0, 1700000000000000000));
  const std::string Whole = rankJson(1, 0, 1700000000000000000);
  const std::string Cut = Folder.file("cut.json", Whole.substr(0, Whole.find("\"ph\": \"B\"") - 4));
  const std::string Bad = Folder.file("bad.json", "no trace");
  const auto Read = joinTraces({Good, Bad, Cut, Folder.path("none.json")}, {});
  ASSERT_TRUE(Read);
  ASSERT_EQ(Read->Inputs.size(), 2u);
  EXPECT_FALSE(Read->Inputs[0].Info.Damage);
  ASSERT_TRUE(Read->Inputs[1].Info.Damage);
  EXPECT_EQ(Read->Inputs[1].Info.Path, Cut);
  EXPECT_FALSE(Read->Whole.Info.Damage);
  ASSERT_EQ(Read->Unread.size(), 2u);
  EXPECT_EQ(Read->Unread[0].Path, Bad);
  EXPECT_EQ(Read->Whole.Open.size(), 1u);
  EXPECT_FALSE(joinTraces({Bad}, {}));
}

TEST(JoinTraces, TimesMustFitTogether) {
  const TestFolder Folder;
  const auto At = [&](const char *Name, const char *BaseNs) {
    return Folder.file(Name, fmt::format(R"({{"traceEvents": [{{"ph": "X", "name": "k", "ts": 1e15,
 "dur": 1}}], "baseTimeNanoseconds": {}}})",
                                         BaseNs));
  };
  const auto Far = joinTraces({At("a.json", "0"), At("b.json", "4500000000000000000")}, {});
  ASSERT_FALSE(Far);
  EXPECT_EQ(Far.error().Reason, "lies too far from the other traces in time");
}

TEST(JoinTraces, RankStandsBeforeTheEvents) {
  const TestFolder Folder;
  EXPECT_EQ(rankOfTrace(Folder.file("a.json", rankJson(3, 0, 0))), 3);
  EXPECT_EQ(rankOfTrace(Folder.file("b.json", "[]")), std::nullopt);
  EXPECT_TRUE(beginsLikeTrace(Folder.path("a.json")));
  EXPECT_TRUE(beginsLikeTrace(Folder.path("b.json")));
  EXPECT_FALSE(beginsLikeTrace(Folder.file("c.json", "[1, 2]")));
  EXPECT_FALSE(beginsLikeTrace(Folder.file("d.json", R"({"schema": "seamscope.run/1"})")));
  EXPECT_FALSE(beginsLikeTrace(Folder.file("e.json", "")));
}

} // namespace
