//===- EventTextTest.cpp - an event's text is changed in place ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/EventText.h"
#include "TestFile.h"
#include "trace/chrome/ChromeReader.h"
#include "trace/io/ByteSource.h"

#include <functional>

using namespace seamscope::tools;

namespace {

std::string changed(std::string_view Text, const std::function<void(EventText &)> &Change) {
  EventText Event;
  EXPECT_TRUE(Event.parse(Text)) << Text;
  Change(Event);
  std::string Out;
  Event.write(Out);
  return Out;
}

std::string withArgument(std::string_view Text) {
  return changed(Text, [](EventText &Event) { Event.addArgument("k", "1"); });
}

TEST(EventText, UnchangedTextStaysWhatItIs) {
  for (const char *Text :
       {"{}", "{ }", R"({"a":{"b":[1,{"c":"}"}]}  , "args" : {  } })", "{\r\n\"a\"\t: 1e5\r\n}",
        R"({"args": {"a": inf, "b": "\"\\"}, "args": 3})"})
    EXPECT_EQ(changed(Text, [](EventText &) {}), Text);
}

TEST(EventText, AddsArgumentsAtTheirEnd) {
  EXPECT_EQ(withArgument(R"({"args": {"a": 1}})"), R"({"args": {"a": 1, "k": 1}})");
  EXPECT_EQ(withArgument("{\"args\": {\n  \"a\": {}\n } , \"b\": 2 }"),
            "{\"args\": {\n  \"a\": {}, \"k\": 1\n } , \"b\": 2 }");
  EXPECT_EQ(withArgument(R"({"args": {}})"), R"({"args": {"k": 1}})");
  EXPECT_EQ(withArgument(R"({"args": { }})"), R"({"args": {"k": 1 }})");
  EXPECT_EQ(withArgument(R"({"\u0061rgs":{"a":"}"}})"), R"({"\u0061rgs":{"a":"}", "k": 1}})");
  EXPECT_EQ(withArgument(R"({"args": {"a": 1}, "args": {}})"),
            R"({"args": {"a": 1}, "args": {"k": 1}})");
  EXPECT_EQ(withArgument(R"({"a": {"args": {}} })"), R"({"a": {"args": {}}, "args": {"k": 1} })");
  EXPECT_EQ(withArgument("{}"), R"({"args": {"k": 1}})");
}

TEST(EventText, AddsMembersBesideArguments) {
  EXPECT_EQ(changed(R"({"a": 1})",
                    [](EventText &Event) {
                      Event.addArgument("k", "1");
                      Event.addMember("pid", "2");
                      Event.addArgument("l", "[]");
                    }),
            R"({"a": 1, "pid": 2, "args": {"k": 1, "l": []}})");
}

TEST(EventText, ReplacesValuesOfAnyKind) {
  for (const char *Value : {"1", "-1.5e3", "\"a\\\"}\"", "true", "null", "inf", "-nan", "[1, {}]",
                            "{\"b\": \"}\"}", "\"\""}) {
    const std::string Text = std::string("{\"x\": ") + Value + " , \"args\":{\"y\":" + Value + "}}";
    EXPECT_EQ(changed(Text,
                      [](EventText &Event) {
                        Event.replace(*Event.argument("y"), "7");
                        Event.replace(*Event.member("x"), "6");
                        Event.replace(*Event.member("x"), "8");
                      }),
              "{\"x\": 8 , \"args\":{\"y\":7}}");
  }
}

TEST(EventText, TellsMembersApart) {
  EventText Event;
  ASSERT_TRUE(Event.parse(R"({"pid": 1, "pid": "2", "args": {"id": -3}, "args": {"x": 4},
                              "big": 18446744073709551615, "point": 1.0})"));
  EXPECT_EQ(Event.member("pid")->Text, "2");
  EXPECT_EQ(Event.members().size(), 4u);
  EXPECT_TRUE(Event.argument("id")->integer() == -3);
  EXPECT_EQ(Event.lastArguments().size(), 1u);
  EXPECT_TRUE(Event.member("big")->integer() == UINT64_MAX);
  EXPECT_FALSE(Event.member("point")->integer());
  EXPECT_TRUE(Event.isWhole());
  EXPECT_TRUE(Event.takesArguments());
  ASSERT_TRUE(Event.parse(R"({"args": [inf]})"));
  EXPECT_FALSE(Event.isWhole());
  EXPECT_FALSE(Event.takesArguments());
  EXPECT_FALSE(Event.parse(R"({"a" 1})"));
  EXPECT_FALSE(Event.parse("[]"));
}

/// Also of windows that are parsed on several threads, of begins and ends, and of events behind
/// broken ones.
TEST(ChromeReader, TellsWhereEventsStand) {
  std::string Text = "\xEF\xBB\xBF{\"traceEvents\": [ ";
  for (int I = 0; I < 60000; ++I) {
    Text += I % 7 == 0   ? R"({"ph": "B", "name": "b", "cat": "cpu_op", "ts": )"
            : I % 7 == 1 ? R"({"ph": "E", "ts": )"
                         : R"({"ph": "X", "name": "x", "cat": "cpu_op", "dur": 1, "ts": )";
    Text += std::to_string(I) + (I == 30000 ? ", oops},\n" : "} ,\n\t");
  }
  Text += "17]}";
  const TestFolder Folder;
  const std::string Path = Folder.file("trace.json", Text);
  for (const unsigned Threads : {1u, 3u}) {
    auto Source = ByteSource::open(Path);
    ASSERT_TRUE(Source);
    ReadOptions Keep;
    Keep.Offsets = true;
    Keep.Threads = Threads;
    auto Read = readChromeTrace(**Source, Path, Keep);
    ASSERT_TRUE(Read);
    EXPECT_EQ(Read->Info.SkippedEvents, 2u);
    const EventColumns &Events = Read->Events;
    ASSERT_GT(Events.size(), 50000u);
    ASSERT_EQ(Events.Offset.size(), Events.size());
    for (size_t I = 0; I < Events.size(); ++I) {
      const std::string_view Event = std::string_view(Text).substr(Events.Offset[I]);
      ASSERT_TRUE(Event.starts_with(R"({"ph": "X")") || Event.starts_with(R"({"ph": "B")"));
      const std::string Ts = "\"ts\": " + std::to_string(Events.BeginNs[I] / 1000) + "}";
      ASSERT_EQ(Event.substr(Event.find("\"ts\""), Ts.size()), Ts);
    }
  }
  EXPECT_TRUE(traceOf(R"([{"ph": "X", "name": "x", "ts": 1}])").Events.Offset.empty());
}

} // namespace
