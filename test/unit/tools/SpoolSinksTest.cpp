//===- SpoolSinksTest.cpp - the model and the JSON of a spool agree ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSpool.h"
#include "trace/chrome/TraceToChrome.h"
#include "trace/spool/SpoolToChrome.h"

#include <algorithm>

using namespace seamscope;
using namespace seamscope::tools;

namespace {

std::string siteText(const Trace &T, SiteId Id) {
  const Site &What = T.Sites[Id];
  std::string Text;
  Site::forEachText(What, [&](StringId Each) { Text += fmt::format("{}|", T.text(Each)); });
  return Text + fmt::format("{} {} {} {} {} {}", What.Flop, What.Bytes, What.Line, What.Column,
                            What.Device, static_cast<int>(What.Kind));
}

std::string optional(const std::optional<double> &Value) {
  return Value ? fmt::to_string(*Value) : "-";
}

/// All that the model says, in an order that does not depend on how its tables are numbered.
std::vector<std::string> contents(const Trace &T) {
  std::vector<std::string> Lines;
  const auto Add = [&]<typename... Of>(fmt::format_string<Of...> Form, Of &&...What) {
    Lines.push_back(fmt::format(Form, std::forward<Of>(What)...));
  };
  const auto TrackText = [&](TrackId Id) {
    const Track &Of = T.Tracks[Id];
    return fmt::format("{}/{}/{}", T.text(Of.Process), T.text(Of.Thread), T.text(Of.ThreadName));
  };
  const EventColumns &E = T.Events;
  for (size_t I = 0; I < E.size(); ++I)
    Add("event {} {} {} {} {} {}", I, E.BeginNs[I], E.DurationNs[I], siteText(T, E.Site[I]),
        TrackText(E.Track[I]), E.teamThread(I));
  for (const tools::OpenCall &Of : T.Open)
    Add("open {}", Of.Event);
  for (const Correlation &Of : T.Correlations)
    Add("correlation {} {}", Of.Event, Of.Id);
  const EventDetails &D = T.Details;
  for (const SequenceNumber &Of : D.Sequences)
    Add("sequence {} {} {}", Of.Event, Of.Number, Of.ForwardThread);
  for (const FlowEnd &Of : D.Flows)
    Add("flow {} {} {} {}", Of.Id, Of.Ns, TrackText(Of.Track), Of.IsTarget);
  for (const LaunchShape &Of : D.Launches)
    Add("launch {} {} {} {} {} {}", Of.Event, fmt::join(Of.Grid, "x"), fmt::join(Of.Block, "x"),
        Of.Registers, Of.SharedBytes, Of.Stream);
  for (const KernelInside &Of : D.Insides)
    Add("inside {} {} {} {} {} {} {} {} {} {} {} {}", Of.Event, Of.Sms, Of.Blocks, Of.Warps,
        Of.OpenWarps, Of.LostWarps, Of.ResidentBlocks, optional(Of.Share), optional(Of.Waves),
        optional(Of.TailPercent), optional(Of.SmImbalance), optional(Of.WarpImbalance));
  for (const KernelLoop &Of : D.KernelLoops)
    Add("loop {} {} {} {} {} {} {}", Of.Event, siteText(T, Of.Site), Of.Parent, Of.Entries,
        Of.Clocks, Of.KernelClocks, Of.Threads);
  for (const KernelCapture &Of : D.Captures)
    Add("capture {} {}", Of.Event, siteText(T, Of.Site));
  for (const CopySize &Of : D.Copies)
    Add("copy {} {}", Of.Event, Of.Bytes);
  for (const DeviceSync &Of : D.Syncs)
    Add("sync {} {} {} {} {} {}", Of.Event, Of.Correlation, Of.Stream, Of.OtherStream, Of.Record,
        Of.Device);
  for (const Device &Of : T.Devices)
    Add("device {} {} {} {} {} {}", Of.Id, T.text(Of.Name), Of.Limits.Sms, Of.Limits.Threads,
        Of.Limits.Registers, Of.Limits.SharedBytes);
  for (const ProfileRow &Of : T.Profile)
    Add("sums {} {} {} {} {} {} {} {} {} {}", siteText(T, Of.Site), TrackText(Of.Track),
        Of.TeamThread, Of.Calls, Of.TotalNs, Of.MinNs, Of.MaxNs, Of.FirstNs, Of.LastNs,
        Of.HistogramNs.size());
  for (const tools::ThrottledCalls &Of : T.Throttled)
    Add("throttled {} {} {} {} {} {} {} {}", siteText(T, Of.Site), TrackText(Of.Track), Of.Every,
        Of.Timed, Of.Untimed, Of.SinceNs, Of.CallsBefore, Of.BeforeNs);
  for (const AbandonedCalls &Of : T.Abandoned)
    Add("abandoned {} {}", siteText(T, Of.Site), Of.Calls);
  for (const Process &Of : T.Processes)
    Add("process {} {} {}", T.text(Of.Pid), T.text(Of.Name), T.text(Of.Labels));
  for (const InlinedKernels::Kernel &Of : T.Info.Inlined.named())
    Add("inlined {} {} {}", Of.Name, Of.File, Of.Line);
  for (const SampleState &Of : T.Sampling)
    Add("sampling {} {} {} {} {} {} {} {} {} {} {} {}", T.text(Of.Process),
        static_cast<int>(Of.State), Of.Why, Of.AskedRate, Of.Rate, Of.SampleCostNs, Of.SwitchCostNs,
        Of.Switches, Of.Lost, Of.Dropped, Of.BeginNs, Of.UntilNs);
  for (const SampledSpan &Of : T.SampledSpans)
    Add("span {} {} {}", TrackText(Of.Track), Of.FromNs, Of.ToNs);
  for (const MappedModule &Of : T.Modules)
    Add("module {} {} {} {} {} {} {}", T.text(Of.Process), T.text(Of.Path), T.text(Of.BuildId),
        Of.Begin, Of.End, Of.Offset, Of.FromNs);
  for (size_t I = 0; I < T.Samples.size(); ++I)
    Add("sample {} {} {} {}", T.Samples.Ns[I], TrackText(static_cast<TrackId>(T.Samples.Track[I])),
        T.Samples.Address[I], T.Samples.Module[I]);
  for (size_t I = 0; I < T.OffCpu.size(); ++I)
    Add("off {} {} {} {} {} {}", T.OffCpu.BeginNs[I], T.OffCpu.EndNs[I], T.OffCpu.OffNs[I],
        TrackText(static_cast<TrackId>(T.OffCpu.Track[I])), T.OffCpu.Kind[I], T.OffCpu.Wait[I]);
  for (const ThreadWait &Of : T.Waits)
    Add("wait {} {} {} {} {}", Of.SystemCall, fmt::join(Of.Arguments, ","), Of.Sp, Of.Pc, Of.Stack);
  const TraceInfo &Info = T.Info;
  Add("{} {} {} {} {} {} {} {} {} {} {} {} {}", Info.Mode, Info.CommandLine, Info.HostName,
      Info.Rank.value_or(-1), Info.WorldSize.value_or(-1), Info.BaseNs.value_or(-1),
      Info.LostEvents, Info.CallCostNs, Info.StampBiasNs, Info.TwoOpenMP, Info.Recovered, Info.End,
      Info.Processors);
  std::ranges::sort(Lines);
  return Lines;
}

void expectSinksAgree(const Spool &S, size_t LeastLines) {
  ReadOptions Keep;
  Keep.Autograd = Keep.Stacks = Keep.Launches = Keep.Collectives = Keep.Memory = Keep.Syncs = true;
  Keep.Processes = true;
  const auto File = opened(S);
  ASSERT_FALSE(File->damage());
  const Trace Direct = readSpool(*File, "a.spool", Keep);
  EXPECT_TRUE(Direct.Info.Notes.empty());
  const TestFolder Folder;
  ASSERT_FALSE(writeChrome(*File, Folder.path("a.json")));
  const auto Json = readTrace(Folder.path("a.json"), Keep);
  ASSERT_TRUE(Json) << Json.error().message();
  EXPECT_EQ(contents(Direct), contents(*Json));
  EXPECT_GE(contents(Direct).size(), LeastLines);
}

TEST(SpoolSinks, CallsOfTheHost) {
  Spool S = someSpool();
  S.header().Rank = 1;
  S.header().WorldSize = 4;
  S.header().Processors = 6;
  S.header().CallCost = 40 << 10;
  S.header().StampBiasTicks = 10;
  S.site(4, SEAMSCOPE_SITE_OPERATOR, "aten::mul", "",
         {{&SiteEntry::Dims, "[[2,3],[]]"},
          {&SiteEntry::Types, R"(["float","Scalar"])"},
          {&SiteEntry::Values, R"(["","2"])"}});
  S.site(5, SEAMSCOPE_SITE_LOOP, "plain:9", "plain", {{&SiteEntry::Ops, "f at a.cpp:3\ng at b:4"}});
  S.site(6, SEAMSCOPE_SITE_TEAM_WAIT, "barrier", "plain",
         {{&SiteEntry::Ops, "for schedule(static)"}, {&SiteEntry::File, "/src/a.cpp"}});
  S.site(7, SEAMSCOPE_SITE_KERNEL, "fused", "fused",
         {{&SiteEntry::Ops, R"({"ops":[{"name":"aten.mul","op":"linalg.generic"}],"flops":12,)"
                            R"("bytes":48,"unfused_bytes":96})"},
          {&SiteEntry::LinkageName, "_Z5fusedv"}});
  S.site(8, SEAMSCOPE_SITE_KERNEL, "listed", "listed", {{&SiteEntry::Ops, "add,mul"}});
  S.site(9, SEAMSCOPE_SITE_KERNEL, "never ran", "never ran");
  S.addSites();
  S.add(BlockKind::Events, std::vector<Record>{{1500, 100, 1},
                                               {1600, 3, EscapeTeamThread},
                                               {1600, 50, 2},
                                               {1700, 60, 3},
                                               {5 + 1, 0, EscapeSequence},
                                               {1800, 20, 4},
                                               {1900, 30, 5},
                                               {2000, 30, 6},
                                               {2100, 30, 7},
                                               {2200, 30, 8},
                                               {2300, 1, EscapeAbandoned},
                                               {2400, 30, 77}});
  LiveThread Live{};
  Live.Thread = 1;
  Live.Open[0] = {3000, 0, 1, -1};
  S.add(BlockKind::Live, std::vector{Live});
  expectSinksAgree(S, 15);
}

TEST(SpoolSinks, SumsAndThrottledCalls) {
  Spool S = someSpool();
  S.header().Mode = 1;
  SiteProfile Row{};
  Row.Site = 2;
  Row.TeamThread = 1;
  Row.Calls = 3;
  Row.SumTicks = 600;
  Row.MinTicks = 100;
  Row.MaxTicks = 300;
  Row.FirstTick = 2000;
  Row.LastTick = 9000;
  Row.Histogram[histogramBucket(100)] = 1;
  Row.Histogram[histogramBucket(250)] = 2;
  S.add(BlockKind::Profile, std::vector{Row});
  const uint64_t Countdown = uint64_t{3} << 32 | 4;
  S.add(BlockKind::Throttles,
        std::vector<ThrottleEntry>{{1, 16, Countdown, {30, 51}, 1400, 7, 700, 0}});
  expectSinksAgree(S, 4);
}

TEST(SpoolSinks, WorkOfDevices) {
  Spool S = someSpool();
  S.site(10, SEAMSCOPE_SITE_LAUNCH, "launch of k", "plain",
         {{&SiteEntry::File, "/src/k.cu"}, {&SiteEntry::LinkageName, "_Z1kv"}});
  S.addSites();
  S.add(BlockKind::Events, std::vector<Record>{{1500, 100, 1}});
  S.deviceText(1, "k");
  S.deviceText(2, "NVIDIA H100");
  S.deviceText(3, "cudaLaunchKernel");
  S.deviceText(4, "/src/k.cu");
  S.deviceText(5, "k:12");
  S.device(DeviceClock{{}, 5000, 1000}, DeviceEntryKind::Clock);
  DeviceProperties H100 = {};
  H100.Name = 2;
  H100.Sms = 132;
  H100.WarpSize = 32;
  H100.ThreadsPerSm = 2048;
  H100.RegistersPerSm = 65536;
  H100.SharedPerSm = 233472;
  H100.Major = 9;
  S.device(H100, DeviceEntryKind::Properties);
  DeviceActivity A = {};
  A.Kind = DeviceActivityKind::RuntimeCall;
  A.Name = 3;
  A.BeginNs = 5400;
  A.EndNs = 5500;
  A.Correlation = 9;
  A.Thread = 42;
  S.device(A, DeviceEntryKind::Activity);
  A.Kind = DeviceActivityKind::Kernel;
  A.Name = 1;
  A.BeginNs = 5600;
  A.EndNs = 15600;
  A.Stream = 7;
  A.Registers = 40;
  A.Grid[0] = 4;
  A.Grid[1] = A.Grid[2] = A.Block[1] = A.Block[2] = 1;
  A.Block[0] = 64;
  A.DynamicShared = 1024;
  A.Number = 3;
  A.Kernel = 5;
  A.GraphNode = 21;
  A.Graph = 2;
  S.device(A, DeviceEntryKind::Activity);
  S.device(DeviceGraphNode{{}, 0, 0, 21, 20}, DeviceEntryKind::GraphNode);
  S.device(DeviceGraphNode{{}, 10, 0, 20, 0}, DeviceEntryKind::GraphNode);
  DeviceActivity Copy = {};
  Copy.Kind = DeviceActivityKind::Copy;
  Copy.BeginNs = 16000;
  Copy.EndNs = 17000;
  Copy.Correlation = 10;
  Copy.Stream = UnknownStream;
  Copy.Bytes = 4096;
  Copy.Direction = 1;
  Copy.From = 2;
  Copy.To = 3;
  S.device(Copy, DeviceEntryKind::Activity);
  Copy.Kind = DeviceActivityKind::Fill;
  Copy.Device = 1;
  Copy.Stream = 7;
  S.device(Copy, DeviceEntryKind::Activity);
  DeviceActivity Wait = {};
  Wait.Kind = DeviceActivityKind::Wait;
  Wait.BeginNs = 17000;
  Wait.EndNs = 18000;
  Wait.Stream = 7;
  Wait.Correlation = 11;
  Wait.Result = 3;
  S.device(Wait, DeviceEntryKind::Activity);
  DeviceActivity Own = {};
  Own.Kind = DeviceActivityKind::Overhead;
  Own.BeginNs = 18000;
  Own.EndNs = 18100;
  S.device(Own, DeviceEntryKind::Activity);
  DeviceInside I = {};
  I.Number = 3;
  I.Kernel = 5;
  I.Warps = 8;
  I.Blocks = 4;
  I.Sms = 3;
  I.Resident = 2;
  I.BeginNs = 5700;
  I.EndNs = 15500;
  I.SmNs = 20000;
  I.MostSmNs = 9000;
  I.TailNs = 700;
  I.WarpClocks = 1000;
  I.MostWarpClocks = 1234;
  I.Name = 1;
  I.File = 4;
  I.Line = 12;
  I.SegmentShift = 10;
  I.MostWarps = 32;
  S.device(I, DeviceEntryKind::Inside);
  I.Number = 8; // of which there is no activity
  S.device(I, DeviceEntryKind::Inside);
  S.device(DeviceLoop{{}, 3, 5, 0, 0, 5, 4, 13, 2, 0, 0, 8, 256, 90000, 70000, 8},
           DeviceEntryKind::Loop);
  S.device(DeviceLoop{{}, 3, 5, 0, 1, 5, 4, 14, 2, 1, 0, 8, 256, 90000, 50000, 80},
           DeviceEntryKind::Loop);
  S.device(DeviceBlockSpan{{}, 3, 5, 0, 17, 2, 2, 6000, 9000}, DeviceEntryKind::BlockSpan);
  S.addDevices();
  expectSinksAgree(S, 25);
}

Spool sampledSpool() {
  Spool S = someSpool();
  S.header().Samples = {SamplesOn, 0, 250, 20000, 900, 0, 6000, 900000, 3, 8, 2, 1, ""};
  S.add(BlockKind::Events, std::vector<Record>{{1500, 100, 1}});
  SampledThreadEntry Thread = {};
  Thread.Tid = 42;
  Thread.FromNs = 6000;
  Thread.Off = 800000 << 3 | static_cast<uint64_t>(SampleKind::Blocked);
  Thread.Wait = 1;
  S.sampling(Thread, SamplingEntryKind::Thread);
  Thread = {};
  Thread.Tid = 43;
  Thread.FromNs = 7000;
  Thread.ToNs = 500000;
  std::strcpy(Thread.Name, "worker");
  S.sampling(Thread, SamplingEntryKind::Thread);
  SampledModuleEntry Module = {};
  Module.FromNs = 6000;
  Module.Begin = 0x7f0000001000;
  Module.End = 0x7f0000009000;
  Module.Offset = 0x1000;
  Module.BuildIdSize = 20;
  for (uint8_t I = 0; I < 20; ++I)
    Module.BuildId[I] = static_cast<uint8_t>(200 + I);
  S.sampling(Module, SamplingEntryKind::Module, "/usr/lib/lib\"x\".so");
  Module = {};
  Module.FromNs = 20000; // takes a part of the first one's place
  Module.Begin = 0x7f0000004000;
  Module.End = 0x7f0000005000;
  S.sampling(Module, SamplingEntryKind::Module, "//anon");
  Module.Begin = 0xffffffffff600000; // larger than an int64
  Module.End = 0xffffffffff601000;
  S.sampling(Module, SamplingEntryKind::Module, "[vsyscall]");
  SampledWaitEntry Wait = {};
  Wait.Id = 1;
  Wait.SystemCall = 202;
  Wait.Arguments[0] = UINT64_MAX;
  Wait.Sp = 0x7ffe0000;
  Wait.Pc = 0x7f0000004010;
  Wait.StackBytes = 3;
  S.sampling(Wait, SamplingEntryKind::Wait, std::string("a\0\xff", 3));
  S.addSampling();
  const auto Off = [](SampleKind Kind, uint32_t Wait) {
    return static_cast<uint32_t>(Kind) | Wait << 8;
  };
  const uint32_t Sample = Off(SampleKind::Sample, 0);
  S.add(BlockKind::Samples,
        std::vector<SampleRecord>{{10000, 42, Sample, 0x7f0000004500},
                                  {30000, 42, Sample, 0x7f0000004500},
                                  {31000, 43, Sample, 0x7f0000003fff},
                                  {32000, 43, Sample, 0xffffffffff600010},
                                  {33000, 43, Sample, 7},
                                  {40000, 42, Off(SampleKind::Blocked, 1), 1000},
                                  {50000, 42, Off(SampleKind::Preempted, 0), 6000000000},
                                  {40000, 43, Off(SampleKind::BlockedSum, 0), 400ull << 32 | 5000},
                                  {60000, 43, Off(SampleKind::Unknown, 0), 10}});
  return S;
}

TEST(SpoolSinks, Samples) {
  Spool S = sampledSpool();
  expectSinksAgree(S, 19);
  const auto File = opened(S);
  const Trace T = readSpool(*File, "a.spool");
  ASSERT_EQ(T.Samples.size(), 5u);
  EXPECT_EQ(T.Samples.Ns[0], 5000);
  EXPECT_EQ(T.Samples.Module, (std::vector<int64_t>{0, 1, 0, 2, -1}));
  ASSERT_EQ(T.OffCpu.size(), 4u);
  // The open stretch lies within the long one, which ends later.
  EXPECT_EQ(T.OffCpu.EndNs[1] - T.OffCpu.BeginNs[1], 6000000000);
  EXPECT_EQ(T.OffCpu.Wait, (std::vector<int64_t>{0, -1, -1, -1}));
  EXPECT_EQ(T.OffCpu.OffNs[2], 400);
  EXPECT_EQ(T.text(T.Tracks[T.SampledSpans[1].Track].ThreadName), "worker");
}

TEST(SpoolSinks, OpenStretchLastsUntilTheLastReading) {
  Spool S = someSpool();
  S.header().Samples = {SamplesOn, 100, 100, 0, 0, 0, 6000, 9000, 0, 0, 0, 0, ""};
  SampledThreadEntry Thread = {};
  Thread.Tid = 42;
  Thread.FromNs = 6000;
  Thread.Off = 7000 << 3 | static_cast<uint64_t>(SampleKind::Preempted);
  S.sampling(Thread, SamplingEntryKind::Thread);
  S.addSampling();
  const Trace T = readSpool(*opened(S), "a.spool");
  ASSERT_EQ(T.OffCpu.size(), 1u);
  EXPECT_EQ(T.OffCpu.BeginNs[0], 2000);
  EXPECT_EQ(T.OffCpu.EndNs[0], 4000);
  EXPECT_EQ(T.OffCpu.Kind[0], static_cast<int64_t>(OffKind::Preempted));
}

TEST(SpoolSinks, RefusedSamples) {
  Spool S = someSpool();
  S.header().Samples.State = SamplesRefused;
  std::strcpy(S.header().Samples.Why, "perf_event_open: EACCES");
  S.add(BlockKind::Events, std::vector<Record>{{1500, 100, 1}});
  expectSinksAgree(S, 3);
}

/// The model's own text says the same as the runtime's.
TEST(SpoolSinks, SamplesOfAConvertedTrace) {
  const Spool S = sampledSpool();
  const Trace Direct = readSpool(*opened(S), "a.spool");
  std::string Text;
  writeChrome(Direct, [&](std::string_view Piece) { Text += Piece; });
  const TestFolder Folder;
  const auto Json = readTrace(Folder.file("a.json", Text), {});
  ASSERT_TRUE(Json) << Json.error().message();
  EXPECT_EQ(Json->Samples.Ns, Direct.Samples.Ns);
  EXPECT_EQ(Json->Samples.Address, Direct.Samples.Address);
  EXPECT_EQ(Json->Samples.Module, Direct.Samples.Module);
  EXPECT_EQ(Json->OffCpu.BeginNs, Direct.OffCpu.BeginNs);
  EXPECT_EQ(Json->OffCpu.OffNs, Direct.OffCpu.OffNs);
  EXPECT_EQ(Json->OffCpu.Kind, Direct.OffCpu.Kind);
  EXPECT_EQ(Json->OffCpu.Wait, Direct.OffCpu.Wait);
  EXPECT_EQ(Json->Waits[0].Stack, Direct.Waits[0].Stack);
  EXPECT_EQ(Json->text(Json->Modules[0].BuildId), Direct.text(Direct.Modules[0].BuildId));
  EXPECT_EQ(Json->Sampling[0].Rate, 250);
}

/// What \p Entry, an entry of seamscope_samples, gives.
Trace tracesOf(const std::string &Entry) {
  const TestFolder Folder;
  auto Json = readTrace(Folder.file("a.json", "{\"seamscope_samples\":" + Entry +
                                                  ",\"traceEvents\":[{\"ph\":\"X\",\"name\":\"k\","
                                                  "\"ts\":1,\"dur\":1,\"pid\":1,\"tid\":1}]}"),
                        {});
  EXPECT_TRUE(Json) << Json.error().message();
  return std::move(*Json);
}

TEST(SampleColumns, WhatMakesNoSenseIsLeftOutAndSaid) {
  for (
      const char *Entry :
      {R"(7)", R"([7])", R"([{"format":2}])", R"([{"format":1,"samples":{"tid":[1],"ns":[1]}}])",
       R"([{"format":1,"samples":{"tid":[1],"ns":[1,2],"address":[3]}}])",
       R"([{"format":1,"samples":{"tid":[1],"ns":["x"],"address":[3]}}])",
       R"([{"format":1,"samples":{"tid":[1],"ns":[9223372036854775807],"address":[3]}}])",
       R"([{"format":1,"off":{"tid":[1],"begin_ns":[5],"length_ns":[-3],"off_ns":[0],"kind":[2],"wait":[0]}}])",
       R"([{"format":1,"off":{"tid":[1],"begin_ns":[5],"length_ns":[3],"off_ns":[4],"kind":[2],"wait":[0]}}])",
       R"([{"format":1,"off":{"tid":[1],"begin_ns":[5],"length_ns":[3],"off_ns":[3],"kind":[1],"wait":[0]}}])",
       R"([{"format":1,"waits":[{"id":1,"stack":"abc"}]}])",
       R"([{"format":1,"modules":[{"path":"a","begin":5,"end":5}]}])",
       R"([{"format":1,"threads":[{"tid":5,"from_ns":7,"to_ns":6}]}])"}) {
    const Trace T = tracesOf(Entry);
    EXPECT_EQ(T.Info.Notes.size(), 1u) << Entry;
    EXPECT_EQ(T.Samples.size() + T.OffCpu.size() + T.Modules.size() + T.Waits.size() +
                  T.SampledSpans.size(),
              0u)
        << Entry;
  }
}

TEST(SampleColumns, StretchesOfAThreadDoNotOverlap) {
  const Trace T = tracesOf(
      R"([{"format":1,"pid":1,"state":"on","off":{"tid":[1,0,1,-1],"begin_ns":[10,5,0,85],)"
      R"("length_ns":[10,10,10,5],"off_ns":[10,10,10,1],"kind":[2,3,2,2],"wait":[9,0,0,0]}}])");
  EXPECT_EQ(T.OffCpu.BeginNs, (std::vector<int64_t>{10, 20, 100, 15}));
  EXPECT_EQ(T.OffCpu.EndNs, (std::vector<int64_t>{20, 25, 105, 25}));
  EXPECT_EQ(T.OffCpu.OffNs, (std::vector<int64_t>{10, 5, 1, 10}));
  EXPECT_EQ(T.OffCpu.Wait, (std::vector<int64_t>{-1, -1, -1, -1}));
}

} // namespace
