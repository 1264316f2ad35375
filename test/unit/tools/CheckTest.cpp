//===- CheckTest.cpp - what `run --check` left in a folder ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/replay/CheckLog.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

using namespace seamscope::tools;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Json rightCall() {
  return Json::parse(
      R"({"process": 7, "kernel": "k0", "call": 1, "site": 0, "graph": "0", "outputs": [
    {"buffer": "buf0", "node": "add", "target": "aten.add.Tensor", "wrong": 0, "differs": 2, "dtype": "float32",
     "shape": [4, 8], "max_abs": 0.5, "max_ulp": 3.0, "max_rel_f64": 1e-7, "eager_rel_f64": 2e-7},
    {"buffer": "buf1", "unknown": "no node of the graph has its value"}]})");
}

Json wrongCall() {
  return Json::parse(
      R"({"process": 7, "kernel": "k1", "call": 3, "site": 1, "graph": "0", "outputs": [
    {"buffer": "buf2", "node": "exp", "target": "aten.exp.default", "wrong": 5, "differs": 0, "dtype": "float32",
     "shape": [8], "max_abs": 2.5, "first": {"index": [3], "value": "nan", "eager": 1.25, "inputs": {"arg0_1": true}},
     "operator": "sub", "operator_target": "aten.sub.Tensor",
     "stack": "  File \"m.py\", line 3, in f\n    return x\n"}]})");
}

CheckLog logOf(const std::vector<std::string> &Lines) {
  std::string Name = (fs::temp_directory_path() / "seamscope-check-XXXXXX").string();
  const std::string Folder = mkdtemp(Name.data());
  std::ofstream File(checkLogIn(Folder));
  for (const std::string &Each : Lines)
    File << Each << '\n';
  File.close();
  auto Log = readCheckLog(Folder);
  fs::remove_all(Folder);
  return Log ? *Log : CheckLog();
}

TEST(CheckLog, SumsUpKernels) {
  const CheckLog Log = logOf({rightCall().dump(), wrongCall().dump(), rightCall().dump(),
                              R"({"process": 7, "kernel": "k2", "call": 1, "unknown": "why"})"});
  const auto Kernels = checkedKernels(Log);
  ASSERT_EQ(Kernels.size(), 3u);
  EXPECT_EQ(Kernels[0].Calls, 2u);
  EXPECT_EQ(Kernels[0].Compared, 2u);
  EXPECT_EQ(Kernels[0].NotCompared, 2u);
  EXPECT_EQ(Kernels[0].Differs, 4u);
  EXPECT_EQ(Kernels[0].Why.size(), 1u);
  EXPECT_EQ(Kernels[0].isOk(), true);
  EXPECT_EQ(Kernels[0].MaxUlp, 3.0);
  EXPECT_EQ(Kernels[1].isOk(), false);
  EXPECT_FALSE(Kernels[1].MaxUlp);
  EXPECT_FALSE(Kernels[2].isOk());
}

TEST(CheckLog, FindsTheFirstWrongNumber) {
  const CheckLog Log = logOf({rightCall().dump(), wrongCall().dump()});
  const auto [Call, Output] = firstWrong(Log);
  ASSERT_TRUE(Call && Output);
  EXPECT_EQ(Call->Kernel, "k1");
  EXPECT_EQ(Call->Number, 3u);
  EXPECT_EQ(Output->Index, std::vector<uint64_t>{3});
  EXPECT_EQ(Output->Value, "nan");
  EXPECT_EQ(Output->Eager, "1.25");
  EXPECT_EQ(Output->F64, "");
  EXPECT_EQ(Output->Culprit, "sub");
  EXPECT_EQ(Output->Inputs.at(0).second, "true");
  EXPECT_FALSE(firstWrong(logOf({rightCall().dump()})).second);
}

TEST(CheckLog, CountsLinesThatItCannotRead) {
  const std::function<void(Json &)> Changes[] = {
      [](Json &Of) { Of.erase("kernel"); },
      [](Json &Of) { Of["call"] = -1; },
      [](Json &Of) { Of["process"] = "x"; },
      [](Json &Of) { Of.erase("outputs"); },
      [](Json &Of) { Of["outputs"] = 3; },
      [](Json &Of) { Of["outputs"][0] = nullptr; },
      [](Json &Of) { Of["outputs"][0]["wrong"] = 9; }, // of 8 numbers
      [](Json &Of) { Of["outputs"][0]["shape"] = {1, 1ull << 40, 1ull << 40}; },
      [](Json &Of) { Of["outputs"][0]["shape"] = {-1}; },
      [](Json &Of) { Of["outputs"][0].erase("first"); },
      [](Json &Of) { Of["outputs"][0]["first"]["index"] = {"a"}; },
      [](Json &Of) { Of["outputs"][0]["first"]["value"] = Json::array(); },
      [](Json &Of) { Of["outputs"][0]["first"]["inputs"] = 3; },
      [](Json &Of) { Of["outputs"][0]["max_abs"] = "big"; },
      [](Json &Of) { Of["unknown"] = 3; },
  };
  std::vector<std::string> Lines = {"", "{", "[]", "3", "null", "\xff\xfe"};
  for (const auto &Change : Changes) {
    Json Entry = wrongCall();
    Change(Entry);
    Lines.push_back(Entry.dump());
  }
  for (const std::string &Each : Lines) {
    const CheckLog Log = logOf({Each});
    EXPECT_EQ(Log.Calls.size(), 0u) << Each;
    EXPECT_EQ(Log.NotRead, 1u) << Each;
  }
}

} // namespace
