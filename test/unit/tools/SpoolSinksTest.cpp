//===- SpoolSinksTest.cpp - the model and the JSON of a spool agree ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSpool.h"
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
  const TraceInfo &Info = T.Info;
  Add("{} {} {} {} {} {} {} {} {} {} {} {}", Info.Mode, Info.CommandLine, Info.HostName,
      Info.Rank.value_or(-1), Info.WorldSize.value_or(-1), Info.BaseNs.value_or(-1),
      Info.LostEvents, Info.CallCostNs, Info.StampBiasNs, Info.TwoOpenMP, Info.Recovered, Info.End);
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

} // namespace
