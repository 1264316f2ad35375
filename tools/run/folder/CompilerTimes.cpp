//===- CompilerTimes.cpp - how long the compiler took for each file -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/folder/CompilerTimes.h"
#include "trace/io/FileUse.h"
#include "trace/io/InputFile.h"
#include "trace/io/JsonParse.h"

#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// One line for each compiled file: a longer file is something else.
constexpr uint64_t LargestList = 64u << 20;

/// Adds the compilation that \p Line describes; false if it does not describe one.
bool add(CompilerTimes &To, std::string_view Line) {
  const Json Found = parseJson(Line);
  if (!Found.is_object())
    return false;
  const auto Source = Found.find("source"), Ns = Found.find("ns"), Exit = Found.find("exit");
  if (Source == Found.end() || !Source->is_string() || Ns == Found.end() ||
      !Ns->is_number_unsigned() || Exit == Found.end() || !Exit->is_number_integer())
    return false;
  // A year: no compilation takes that long, and sums of them fit.
  constexpr uint64_t Longest = 366ull * 24 * 3600 * 1'000'000'000;
  const uint64_t Took = Ns->get<uint64_t>();
  if (Took > Longest)
    return false;
  CompilerTime &File = To.Files[fs::path(Source->get<std::string>()).filename().string()];
  ++File.Calls;
  File.Failed += *Exit != 0;
  File.Ns += static_cast<int64_t>(Took);
  return true;
}

} // namespace

const CompilerTime *CompilerTimes::of(std::string_view Path) const {
  const auto Found = Files.find(Path.substr(Path.rfind('/') + 1));
  return Found == Files.end() ? nullptr : &Found->second;
}

std::string compilerTimesIn(const std::string &Folder) {
  return (fs::path(Folder) / "compiler-times.jsonl").string();
}

CompilerTimes readCompilerTimes(const std::string &Folder) {
  CompilerTimes Result;
  const std::string Path = compilerTimesIn(Folder);
  if (!isThere(Path))
    return Result;
  const auto Text = readRegular(Path, LargestList);
  if (!Text) {
    Result.NotRead = Text.error();
    return Result;
  }
  for (std::string_view Rest = *Text; !Rest.empty();) {
    const size_t End = std::min(Rest.find('\n'), Rest.size());
    Result.Unread += !add(Result, Rest.substr(0, End));
    Rest.remove_prefix(std::min(End + 1, Rest.size()));
  }
  return Result;
}

} // namespace seamscope::tools
