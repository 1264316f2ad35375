//===- TraceToChromeTest.cpp - a trace written and read again -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/TraceToChrome.h"
#include "TestFile.h"
#include "trace/model/TraceBuilder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace seamscope::tools {
namespace {

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
    return Text + fmt::format("{} {} {} {} {}", S.Line, S.Column, S.Device,
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
  for (const Device &Known : Source.Devices)
    Lines.push_back(fmt::format("device {} {}", Known.Id, Source.text(Known.Name)));
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
  Lines.push_back(Info.End);
  std::ranges::sort(Lines);
  return Lines;
}

TEST(TraceToChrome, WhatIsWrittenReadsAsWhatItWas) {
  std::mt19937_64 Random(7);
  const auto Pick = [&](auto &&From) { return From[Random() % std::size(From)]; };
  const std::string_view Names[] = {"k",         "a \"quoted\"\\ name\n\t\x01", "f<int>(void*)",
                                    "\u00fcber", "graph_0_cpp_fused_add_0",     "\u202e\u2028"};
  const std::string_view Categories[] = {"kernel",     "cpu_op",     "cuda_runtime",
                                         "gpu_memcpy", "omp_region", "user_annotation",
                                         "something"};
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
      Builder.correlate(static_cast<int64_t>(Random() % 50) << (Random() % 2 * 33));
  }
  Builder.nameThread(0, Strings.intern("main \"1\""));
  Builder.process(Strings.intern("17")).Name = Strings.intern("python");
  Builder.addDevice(1, Strings.intern("A100"));
  ASSERT_TRUE(Builder.addAbandoned(Strings.intern("left"), 3));
  Site Often;
  Often.Name = Often.Kernel = Strings.intern("often");
  Often.Category = Strings.intern("cpu_op");
  const SiteId Id = Builder.site(Often);
  ASSERT_TRUE(Builder.addCall(1000, 5, Id, 0, -1));
  ASSERT_TRUE(Builder.addThrottled({Id, 0, 128, 3, 400, 123456789012345, 0, 0}));
  TraceInfo &Info = Builder.info();
  Info.Producer = "nsys 1.2";
  Info.CommandLine = "python x.py --y \"z\"";
  Info.HostName = "node";
  Info.Rank = 3;
  Info.WorldSize = 8;
  Info.LostEvents = 5;
  Info.TwoOpenMP = Info.Recovered = true;
  Info.End = "last sign of life";
  const Trace Source = Builder.finish();

  const TestFolder Folder;
  const std::string Path = Folder.path("trace.json.gz");
  auto Out = OutputFile::create(Path);
  ASSERT_TRUE(Out);
  writeChrome(Source, **Out);
  ASSERT_FALSE((*Out)->commit());
  auto Again = readTrace(Path);
  ASSERT_TRUE(Again) << Again.error().message();
  EXPECT_FALSE(Again->Info.Damage);
  EXPECT_EQ(Again->Info.SkippedEvents, 0u);
  EXPECT_EQ(contents(Source), contents(*Again));
}

TEST(TraceToChrome, ATraceOfNothingIsATrace) {
  const TestFolder Folder;
  const std::string Path = Folder.path("trace.json");
  auto Out = OutputFile::create(Path);
  ASSERT_TRUE(Out);
  writeChrome(Trace(), **Out);
  ASSERT_FALSE((*Out)->commit());
  auto Again = readTrace(Path);
  ASSERT_TRUE(Again) << Again.error().message();
  EXPECT_FALSE(Again->Info.Damage);
  EXPECT_EQ(Again->Events.size(), 0u);
}

} // namespace
} // namespace seamscope::tools
