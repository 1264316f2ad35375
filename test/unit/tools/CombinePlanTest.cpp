//===- CombinePlanTest.cpp - what moves when traces are combined -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/CombinePlan.h"
#include "trace/rewrite/CombineEvent.h"
#include "trace/rewrite/CombineSamples.h"
#include "trace/rewrite/EventJson.h"

#include <gtest/gtest.h>

using namespace seamscope::tools;

namespace {

CombinePlan planOf(const std::vector<TraceSurvey> &Surveys, const CombineOptions &Options = {}) {
  auto Plan = planCombination(Surveys, std::vector<std::string>(Surveys.size(), "x.json"), Options);
  EXPECT_TRUE(Plan) << Plan.error().message();
  return std::move(*Plan);
}

TraceSurvey surveyOf(std::vector<std::string> Pids, std::set<int32_t> Devices) {
  TraceSurvey Survey;
  for (const std::string &Pid : Pids)
    Survey.Pids[Pid];
  Survey.Devices = std::move(Devices);
  return Survey;
}

TEST(CombinePlan, PidsMoveOnlyWhereTheyCollide) {
  const CombinePlan Plan = planOf({surveyOf({"0", "10", "Spans"}, {}), surveyOf({"0", "11"}, {}),
                                   surveyOf({"", "0", "12", "Spans"}, {}), surveyOf({""}, {})});
  EXPECT_EQ(Plan.Inputs[0].Pids.at("Spans"), "Spans");
  EXPECT_EQ(Plan.Inputs[1].Pids.at("0"), "13");
  EXPECT_EQ(Plan.Inputs[1].Pids.at("11"), "11");
  EXPECT_EQ(Plan.Inputs[2].Pids.at("0"), "14");
  EXPECT_EQ(Plan.Inputs[2].Pids.at("12"), "12");
  EXPECT_EQ(Plan.Inputs[2].Pids.at("Spans"), "Spans [3]");
  EXPECT_EQ(Plan.Inputs[2].Pids.at(""), "");
  EXPECT_EQ(Plan.Inputs[3].Pids.at(""), "15");
}

TEST(CombinePlan, DevicesOfAnInputMoveTogether) {
  const std::vector<TraceSurvey> Surveys = {surveyOf({}, {0, 1}), surveyOf({}, {2, 3}),
                                            surveyOf({}, {1, 9}), surveyOf({}, {})};
  const CombinePlan Plan = planOf(Surveys);
  EXPECT_EQ(Plan.Inputs[1].Devices, (std::map<int32_t, int32_t>{{2, 2}, {3, 3}}));
  EXPECT_EQ(Plan.Inputs[2].Devices, (std::map<int32_t, int32_t>{{1, 4}, {9, 5}}));
  CombineOptions Same;
  Same.SameDevices = true;
  EXPECT_EQ(planOf(Surveys, Same).Inputs[2].Devices, (std::map<int32_t, int32_t>{{1, 1}, {9, 9}}));
  EXPECT_FALSE(
      planCombination({surveyOf({}, {INT32_MAX}), surveyOf({}, {INT32_MAX})}, {"a", "b"}, {}));
}

TEST(CombinePlan, IdsOfInputsDoNotMeet) {
  std::vector<TraceSurvey> Surveys(4);
  Surveys[0].FirstId = 5, Surveys[0].LastId = 100;
  Surveys[1].FirstId = -3, Surveys[1].LastId = 7;
  Surveys[3].FirstId = 1000, Surveys[3].LastId = 1000;
  const CombinePlan Plan = planOf(Surveys);
  EXPECT_EQ(Plan.Inputs[0].IdShift, 0);
  EXPECT_EQ(Plan.Inputs[1].IdShift, 104);
  EXPECT_EQ(Plan.Inputs[3].IdShift, 0);
  // Hashes: the first keeps them, and a number and its like stay two.
  const __int128 Hash = (__int128{1} << 63) + 12345;
  EXPECT_TRUE(Plan.Inputs[0].id(Hash) == Hash);
  EXPECT_FALSE(Plan.Inputs[1].id(Hash) == Hash);
  EXPECT_FALSE(Plan.Inputs[1].id(Hash) == Plan.Inputs[2].id(Hash));
  EXPECT_FALSE(Plan.Inputs[1].id(Hash) == Plan.Inputs[1].id(Hash + 1));
  EXPECT_TRUE(Plan.Inputs[1].id(Hash) >= HashNumbers);
  Surveys[1].LastId = HashNumbers - 1;
  EXPECT_FALSE(planCombination(Surveys, {"a", "b", "c", "d"}, {}));
}

TEST(CombinePlan, ClocksAreAlignedWhereAllTellOfThem) {
  std::vector<TraceSurvey> Surveys(3);
  Surveys[0].FirstNs = 100, Surveys[0].BaseNs = 1'700'000'000'000'000'500;
  Surveys[1].FirstNs = 50, Surveys[1].BaseNs = 1'700'000'000'000'000'000;
  Surveys[2].FirstNs = 1'700'000'000'000'000'123; // since 1970
  CombinePlan Plan = planOf(Surveys);
  EXPECT_EQ(Plan.NotAligned, "");
  EXPECT_EQ(Plan.BaseNs, 1'700'000'000'000'000'000);
  EXPECT_EQ(Plan.Inputs[0].Time.ShiftNs, 500);
  EXPECT_EQ(Plan.Inputs[1].Time.ShiftNs, 0);
  EXPECT_EQ(Plan.Inputs[2].Time.ShiftNs, -1'700'000'000'000'000'000);
  Surveys[2].FirstNs = 77;
  Plan = planOf(Surveys);
  EXPECT_NE(Plan.NotAligned, "");
  EXPECT_FALSE(Plan.BaseNs);
  EXPECT_EQ(Plan.Inputs[0].Time.ShiftNs, 0);
  CombineOptions Start;
  Start.Align = Alignment::Start;
  Plan = planOf(Surveys, Start);
  EXPECT_EQ(Plan.Inputs[1].Time.ShiftNs, 50);
  EXPECT_EQ(Plan.Inputs[2].Time.ShiftNs, 23);
  Surveys[2].FirstNs = INT64_MIN;
  EXPECT_FALSE(planCombination(Surveys, {"a", "b", "c"}, Start));
}

TEST(CombineSamples, MovesTimesByOffsetAndRate) {
  InputPlan Plan;
  Plan.Time = {.ShiftNs = 10, .OriginNs = 0, .Rate = 50 * TimeMap::RateUnit / 1'000'000};
  EXPECT_EQ(nlohmann::json::parse(movedSamples(
                R"([{"pid": 1, "begin_ns": 0, "until_ns": 100000,
                     "samples": {"ns": [20000, 20000, 40000]},
                     "off": {"begin_ns": [0, 40000], "length_ns": [20000, 5], "off_ns": [20000, 5]}}])",
                Plan)),
            nlohmann::json::parse(
                R"({"pid": 1, "begin_ns": 10, "until_ns": 100015,
                    "samples": {"ns": [20011, 20001, 40002]},
                    "off": {"begin_ns": [10, 40002], "length_ns": [20001, 5], "off_ns": [20001, 5]}})"));
}

TEST(CombineEvent, MovesWhatThePlanSays) {
  InputPlan Plan;
  Plan.Label = "input 2";
  Plan.Pids = {{"1", "20"}, {"", "21"}, {"w", "w [2]"}};
  Plan.Devices = {{0, 3}, {1, 4}};
  Plan.IdShift = 100;
  Plan.Time.ShiftNs = -1500;
  const auto Moved = [&](std::string_view Text) {
    EventText Event;
    EXPECT_TRUE(Event.parse(Text) && makeJson(Event)) << Text;
    moveEvent(Event, Plan);
    std::string Out;
    Event.write(Out);
    return Out;
  };
  EXPECT_EQ(Moved(R"({"ph":"X","pid":1,"ts":1,"dur":2})"),
            R"({"ph":"X","pid":20,"ts":-0.500,"dur":2})");
  EXPECT_EQ(Moved(R"({"ph":"X","pid":"1"})"), R"({"ph":"X","pid":"20"})");
  EXPECT_EQ(Moved(R"({"ph":"C","pid":"w"})"), R"({"ph":"C","pid":"w [2]"})");
  EXPECT_EQ(Moved(R"({"ph":"X"})"), R"({"ph":"X", "pid": 21})");
  // A device of the host is none; memory of the host, too.
  EXPECT_EQ(Moved(R"({"pid":1,"args":{"device":-1,"Device Id":0,"Device Type":0,"stream":0}})"),
            R"({"pid":20,"args":{"device":-1,"Device Id":0,"Device Type":0,"stream":0}})");
  EXPECT_EQ(Moved(R"({"pid":1,"args":{"Device Id":1,"Device Type":1}})"),
            R"({"pid":20,"args":{"Device Id":4,"Device Type":1}})");
  EXPECT_EQ(Moved(R"({"cat":"kernel","pid":1,"args":{"device":"0"}})"),
            R"({"cat":"kernel","pid":20,"args":{"device":3}})");
  EXPECT_EQ(Moved(R"({"cat":"gpu_memcpy","pid":1})"),
            R"({"cat":"gpu_memcpy","pid":20, "args": {"device": 4}})");
  // A number of -1 links nothing.
  EXPECT_EQ(Moved(R"({"pid":1,"id":5,"bind_id":"0xF","id2":{"global":"ff"},
"args":{"correlation":-1,"External id":-1,"Ev Idx":3,"x":4}})"),
            R"({"pid":20,"id":105,"bind_id":"0x73","id2":{"global":"0x163"},
"args":{"correlation":-1,"External id":-1,"Ev Idx":103,"x":4}})");
  EXPECT_EQ(Moved(R"({"ph":"M","name":"process_name","pid":1,"ts":7,"args":{"name":"a\"b"}})"),
            R"({"ph":"M","name":"process_name","pid":20,"ts":7,"args":{"name":"[input 2] a\"b"}})");
  Plan.Time = {.ShiftNs = 1000, .OriginNs = 0, .Rate = 50 * TimeMap::RateUnit / 1'000'000};
  EXPECT_EQ(Moved(R"({"ph":"X","pid":1,"ts":1000000,"dur":20000})"),
            R"({"ph":"X","pid":20,"ts":1000051.000,"dur":20001.000})");
  EventText Event;
  EXPECT_TRUE(Event.parse(R"({"ts": inf})"));
  EXPECT_FALSE(makeJson(Event));
}

} // namespace
