//===- TraceToChromeTest.cpp - a trace written and read again -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/TraceToChrome.h"
#include "TestFile.h"
#include "trace/io/OutputFile.h"
#include "trace/model/TraceBuilder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>

namespace seamscope::tools {
namespace {

std::string placeText(const Trace &Source, SiteId Id) {
  const Site &S = Source.Sites[Id];
  return fmt::format("{}|{}|{}|{}|{} {} {}", Source.text(S.Name), Source.text(S.Kernel),
                     Source.text(S.File), Source.text(S.InlinedFrom), Source.text(S.LinkageName),
                     S.Line, S.Column);
}

/// What only some events have. \p Lines: of the events.
void addDetails(const Trace &Source, std::vector<std::string> &Lines) {
  const EventDetails &Details = Source.Details;
  const auto Add = [&](const auto &Rows, const char *What, auto Text) {
    for (const auto &Row : Rows)
      Lines.push_back(fmt::format("{} of {}: {}", What, Lines[Row.Event], Text(Row)));
  };
  Add(Details.Launches, "launch", [](const LaunchShape &Of) {
    return fmt::format("{} {} {} {} {}", fmt::join(Of.Grid, ","), fmt::join(Of.Block, ","),
                       Of.Registers, Of.SharedBytes, Of.Stream);
  });
  Add(Details.Copies, "copy", [](const CopySize &Of) { return fmt::to_string(Of.Bytes); });
  Add(Details.Sequences, "sequence",
      [](const SequenceNumber &Of) { return fmt::format("{} {}", Of.Number, Of.ForwardThread); });
  Add(Details.Frames, "frame",
      [](const PythonFrame &Of) { return fmt::format("{} {}", Of.Id, Of.Parent.value_or(-1)); });
  Add(Details.Stacks, "stack",
      [&](const CallStack &Of) { return std::string(Source.text(Of.Frames)); });
  Add(Details.Collectives, "collective", [&](const CollectiveCall &Of) {
    return fmt::format("{} {} {} {} {} {} {}", Source.text(Of.Name), Source.text(Of.Type),
                       Source.text(Of.Group), Source.text(Of.Ranks), Of.InElements, Of.OutElements,
                       Of.GroupSize);
  });
  Add(Details.Syncs, "sync", [](const DeviceSync &Of) {
    return fmt::format("{} {} {} {} {}", Of.Correlation, Of.Stream, Of.OtherStream, Of.Record,
                       Of.Device);
  });
  Add(Details.Insides, "inside", [](const KernelInside &Of) {
    return fmt::format("{} {} {} {} {} {} {} {} {} {} {}", Of.Sms, Of.Blocks, Of.Warps,
                       Of.OpenWarps, Of.LostWarps, Of.ResidentBlocks, Of.Share.value_or(-1),
                       Of.Waves.value_or(-1), Of.TailPercent.value_or(-1),
                       Of.SmImbalance.value_or(-1), Of.WarpImbalance.value_or(-1));
  });
  Add(Details.KernelLoops, "loop", [&](const KernelLoop &Of) {
    return fmt::format("{} {} {} {} {} {}", placeText(Source, Of.Site), Of.Parent, Of.Entries,
                       Of.Clocks, Of.KernelClocks, Of.Threads);
  });
  Add(Details.Captures, "capture",
      [&](const KernelCapture &Of) { return placeText(Source, Of.Site); });
  const auto TrackOf = [&](TrackId Id) {
    return fmt::format("{}/{}", Source.text(Source.Tracks[Id].Process),
                       Source.text(Source.Tracks[Id].Thread));
  };
  for (const FlowEnd &End : Details.Flows)
    Lines.push_back(
        fmt::format("flow {} {} {} {}", End.Id, End.Ns, TrackOf(End.Track), End.IsTarget));
  for (const MemoryChange &Of : Details.Memory)
    Lines.push_back(fmt::format("memory {} {} {} {} {} {} {} {}", Of.Ns, TrackOf(Of.Track),
                                Of.Bytes, Of.Allocated, Of.Reserved, Of.Address, Of.DeviceType,
                                Of.Device));
}

/// All that a trace says, in an order of its own: its numbers for sites and tracks may differ.
std::vector<std::string> contents(const Trace &Source) {
  std::vector<std::string> Lines;
  const auto Place = [&](SiteId Id, TrackId Where, int32_t Team) {
    const Site &S = Source.Sites[Id];
    const Track &T = Source.Tracks[Where];
    std::string Text;
    const auto Add = [&](StringId Part) { Text += fmt::format("{}|", Source.text(Part)); };
    Site::forEachText(S, Add);
    for (const StringId Part : {T.Process, T.Thread, T.ThreadName})
      Add(Part);
    return Text + fmt::format("{} {} {} {} {} {} {}", S.Line, S.Column, S.Device, S.Flop, S.Bytes,
                              static_cast<int>(S.Kind), Team);
  };
  std::vector<std::string> Ties(Source.Events.size());
  for (const Correlation &Tie : Source.Correlations)
    Ties[Tie.Event] += fmt::format(" #{}", Tie.Id);
  const EventColumns &Events = Source.Events;
  for (size_t I = 0; I < Events.size(); ++I)
    Lines.push_back(fmt::format("{} {} {}{}", Events.BeginNs[I], Events.DurationNs[I],
                                Place(Events.Site[I], Events.Track[I], Events.teamThread(I)),
                                Ties[I]));
  for (const OpenCall &Call : Source.Open)
    Lines.push_back(fmt::format("open {}", Lines[Call.Event]));
  addDetails(Source, Lines);
  for (const Device &Known : Source.Devices)
    Lines.push_back(fmt::format("device {} {} {} {} {} {} {} {} {}", Known.Id,
                                Source.text(Known.Name), Known.Limits.Major, Known.Limits.Minor,
                                Known.Limits.Sms, Known.Limits.WarpSize, Known.Limits.Threads,
                                Known.Limits.Registers, Known.Limits.SharedBytes));
  for (const Process &Known : Source.Processes)
    Lines.push_back(fmt::format("process {} {} {}", Source.text(Known.Pid), Source.text(Known.Name),
                                Source.text(Known.Labels)));
  for (const AbandonedCalls &Calls : Source.Abandoned)
    Lines.push_back(
        fmt::format("abandoned {} {}", Source.text(Source.Sites[Calls.Site].Name), Calls.Calls));
  for (const ThrottledCalls &Calls : Source.Throttled)
    Lines.push_back(fmt::format("throttled {} {} {} {} {}", Place(Calls.Site, Calls.Track, -1),
                                Calls.Every, Calls.Timed, Calls.Untimed, Calls.SinceNs));
  const TraceInfo &Info = Source.Info;
  Lines.push_back(fmt::format("{} {} {} {} {} {} {} {}", Info.Producer, Info.CommandLine,
                              Info.HostName, Info.Rank.value_or(-1), Info.WorldSize.value_or(-1),
                              Info.LostEvents, Info.TwoOpenMP, Info.Recovered));
  Lines.push_back(fmt::format("{} {}", Info.End, Info.BaseNs.value_or(-1)));
  for (const ProcessGroup &Group : Info.Groups)
    Lines.push_back(fmt::format("group {} {}", Group.Name, Group.Size.value_or(-1)));
  std::ranges::sort(Lines);
  return Lines;
}

/// The lines of \p Of that \p Others has not; both are sorted.
std::vector<std::string> without(const std::vector<std::string> &Of,
                                 const std::vector<std::string> &Others) {
  std::vector<std::string> Left;
  std::ranges::set_difference(Of, Others, std::back_inserter(Left));
  return Left;
}

/// Details that events of the site can have.
void addDetailsTo(TraceBuilder &Builder, SiteId Id, std::string_view Category,
                  std::mt19937_64 &Random) {
  StringTable &Strings = Builder.strings();
  const auto Number = [&] { return static_cast<int64_t>(Random() >> (1 + Random() % 60)); };
  if (Category == "cuda_sync")
    return Builder.add(DeviceSync{0, 7, Random() % 2 ? 7 : -1, Random() % 2 ? 8 : -1, 12, 1});
  switch (Builder.kind(Id)) {
  case SiteKind::Launch:
    return Builder.add(LaunchShape{0, {1, 2, 3}, {128, 1, 1}, -1, 4096, 7});
  case SiteKind::Copy:
    return Builder.add(CopySize{0, Number()});
  case SiteKind::Python:
    return Builder.add(
        PythonFrame{0, Number(), Random() % 2 ? std::optional(Number()) : std::nullopt});
  case SiteKind::Span:
    return Builder.add(CallStack{0, Strings.intern("a.py(1): \"f\";b.py(2): <lambda>")});
  case SiteKind::Operator:
    return Builder.add(SequenceNumber{0, Number(), static_cast<int64_t>(Random() % 2)});
  case SiteKind::Kernel:
    break;
  default:
    return;
  }
  Builder.add(CollectiveCall{0, Strings.intern("allreduce"), Strings.intern("Float"),
                             Strings.intern("0"), Strings.intern("[0, 1]"), Number(), -1, 2});
  Builder.add(LaunchShape{0, {7, 1, 1}, {-1, -1, -1}, 64, -1, 13});
  if (Category != "kernel")
    return;
  Site Place;
  Place.Name = Strings.intern("k at x.cu:12");
  Place.File = Strings.intern("/s/x.cu");
  Place.Line = 12;
  Place.Category = Strings.intern("cuda_launch");
  Place.LinkageName = Strings.intern("_Z1kv");
  Builder.add(KernelCapture{0, Builder.site(Place)});
  Builder.add(KernelInside{0, 108, 432, 1728, 1, 2, 4, 0.75, std::nullopt, 12.5, 1.0 / 3, 1});
  Place.Category = Strings.intern("gpu_loop");
  Place.LinkageName = 0;
  Place.Column = 3;
  Place.InlinedFrom = Strings.intern("f at x.cu:3\ng at x.cu:5");
  const SiteId Loop = Builder.site(Place);
  Builder.add(KernelLoop{0, Loop, 0, 1728, 5000, 9000, 55296});
  Builder.add(KernelLoop{0, Loop, 1, 3456, 400, 9000, 55296});
}

TEST(TraceToChrome, WhatIsWrittenReadsAsWhatItWas) {
  std::mt19937_64 Random(7);
  const auto Pick = [&](auto &&From) { return From[Random() % std::size(From)]; };
  const std::string_view Names[] = {"k",         "a \"quoted\"\\ name\n\t\x01", "f<int>(void*)",
                                    "\u00fcber", "graph_0_cpp_fused_add_0",     "\u202e\u2028"};
  const std::string_view Categories[] = {"kernel",     "cpu_op",     "cuda_runtime",
                                         "gpu_memcpy", "omp_region", "user_annotation",
                                         "something",  "cuda_sync",  "python_function"};
  TraceBuilder Builder;
  StringTable &Strings = Builder.strings();
  const std::string_view Pids[] = {"0", "17", "Spans", "007", "-3", "99999999999999999999"};
  for (int I = 0; I < 500; ++I) {
    Site What;
    What.Name = Strings.intern(Pick(Names));
    What.Category = Strings.intern(Pick(Categories));
    const SiteKind Kind = kindOfCategory(Strings[What.Category]);
    if (Kind == SiteKind::Kernel || Kind == SiteKind::Copy)
      What.Device = static_cast<int32_t>(Random() % 3);
    if (Kind == SiteKind::Operator || Kind == SiteKind::Region) {
      What.Kernel = Strings.intern(Kind == SiteKind::Region || Random() % 2 ? "k" : "");
      What.Region = Strings.intern(Kind == SiteKind::Region ? "r" : "");
      What.File = Strings.intern(Random() % 2 ? "/s/\"k\".cpp" : "");
      What.Operators = Strings.intern(Random() % 2 ? "mul,add" : "");
      What.Line = static_cast<uint32_t>(Random() % 3);
      if (Random() % 2) {
        What.InputDims = Strings.intern("[[2,3],[]]");
        What.InputTypes = Strings.intern(R"(["float",""])");
      }
    }
    if (Kind == SiteKind::Operator || Kind == SiteKind::Kernel) {
      What.Flop = Random() % 3 ? -1 : static_cast<int64_t>(1 + Random() % 1000000);
      What.Bytes = Random() % 3 ? -1 : static_cast<int64_t>(1 + (Random() >> 14));
    }
    const SiteId Id = Builder.site(What);
    const TrackId Where = Builder.track(Strings.intern(Pick(Pids)), Strings.intern(Pick(Pids)));
    const int64_t Begin =
        static_cast<int64_t>(Random() >> (2 + Random() % 50)) * (Random() % 4 ? 1 : -1) / 2;
    if (Random() % 20 == 0) {
      ASSERT_TRUE(Builder.addOpen(Begin, static_cast<int64_t>(Random() % 5000), Id, Where, -1));
      continue;
    }
    ASSERT_TRUE(Builder.addCall(Begin, static_cast<int64_t>(Random() % 5000), Id, Where,
                                Kind == SiteKind::Region ? static_cast<int>(Random() % 4) : -1));
    if (Random() % 2 && (Kind == SiteKind::Kernel || Kind == SiteKind::Launch))
      Builder.correlate(static_cast<int64_t>(1 + Random() % 50) << (Random() % 2 * 33));
    // Of a wait for a device the category alone makes a row.
    if (Random() % 2 || Strings[What.Category] == "cuda_sync")
      addDetailsTo(Builder, Id, Strings[What.Category], Random);
  }
  const int64_t Large = 4'611'686'018'427'387'000; // more than a double holds
  ASSERT_TRUE(Builder.addFlow({5, 1001, 0, false}));
  ASSERT_TRUE(Builder.addFlow({5, -Large - 1, 1, true}));
  ASSERT_TRUE(Builder.addMemory({Large + 3, 0, -512, 1024, 4096, 77, 1, 0}));
  ASSERT_TRUE(Builder.addMemory({2, 1, 512, -1, -1, 0, 0, -1}));
  Builder.nameThread(0, Strings.intern("main \"1\""));
  Builder.process(Strings.intern("17")).Name = Strings.intern("python");
  Builder.addDevice(1, Strings.intern("A100"), {8, 0, 108, 32, 2048, 65536, 167936});
  Builder.addDevice(0, Strings.intern("MI300X"));
  ASSERT_TRUE(Builder.addAbandoned(Strings.intern("left"), 3));
  Site Often;
  Often.Name = Often.Kernel = Strings.intern("often");
  Often.Category = Strings.intern("cpu_op");
  const SiteId Id = Builder.site(Often);
  ASSERT_TRUE(Builder.addCall(1000, 5, Id, 0, -1));
  ASSERT_TRUE(Builder.addThrottled({Id, 0, 128, 3, 400, Large + 123, 0, 0}));
  TraceInfo &Info = Builder.info();
  Info.Producer = "nsys 1.2";
  Info.CommandLine = "python x.py --y \"z\"";
  Info.HostName = "node";
  Info.Rank = 3;
  Info.WorldSize = 8;
  Info.LostEvents = 5;
  Info.TwoOpenMP = Info.Recovered = true;
  Info.End = "last sign of life";
  Info.BaseNs = 1'790'857'026'123'456'789;
  Info.Groups = {{"0", 8}, {"7", std::nullopt}};
  const Trace Source = Builder.finish();

  const TestFolder Folder;
  const std::string Path = Folder.path("trace.json.gz");
  auto Out = OutputFile::create(Path);
  ASSERT_TRUE(Out);
  writeChrome(Source, [&](std::string_view Piece) { (*Out)->write(Piece); });
  ASSERT_FALSE((*Out)->commit());
  auto Again = readTrace(Path, detailsToWrite());
  ASSERT_TRUE(Again) << Again.error().message();
  EXPECT_FALSE(Again->Info.Damage);
  EXPECT_EQ(Again->Info.SkippedEvents, 0u);
  const std::vector<std::string> Expected = contents(Source), Read = contents(*Again);
  const std::vector<std::string> None;
  EXPECT_EQ(without(Expected, Read), None);
  EXPECT_EQ(without(Read, Expected), None);
}

TEST(TraceToChrome, ATraceOfNothingIsATrace) {
  const TestFolder Folder;
  const std::string Path = Folder.path("trace.json");
  auto Out = OutputFile::create(Path);
  ASSERT_TRUE(Out);
  writeChrome(Trace(), [&](std::string_view Piece) { (*Out)->write(Piece); });
  ASSERT_FALSE((*Out)->commit());
  auto Again = readTrace(Path);
  ASSERT_TRUE(Again) << Again.error().message();
  EXPECT_FALSE(Again->Info.Damage);
  EXPECT_EQ(Again->Events.size(), 0u);
}

} // namespace
} // namespace seamscope::tools
