//===- CompileTimes.cpp - time of the phases of compilation ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/CompileTimes.h"
#include "trace/io/JsonParse.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

using Json = nlohmann::json;

/// Real logs do not have more open phases at once.
constexpr size_t MostOpen = 4096;

} // namespace

bool CompileTimes::add(std::string_view Text) {
  const Json Event = parseJson(Text);
  if (!Event.is_object())
    return false;
  const auto Name = Event.find("name"), Phase = Event.find("ph"), Time = Event.find("ts");
  if (Name == Event.end() || !Name->is_string() || Phase == Event.end() || !Phase->is_string() ||
      Time == Event.end() || !Time->is_number())
    return false;
  // torch computes these microseconds in double precision, so no digits are lost.
  const double Ns = Time->get<double>() * 1e3;
  if (!(Ns >= 0 && Ns < 9e18))
    return false;
  const auto Now = static_cast<int64_t>(std::llround(Ns));
  const auto &Kind = Phase->get_ref<const std::string &>();
  const auto &Title = Name->get_ref<const std::string &>();
  if (Kind == "B") {
    advance(Now);
    if (Open.size() < MostOpen)
      Open.push_back(Title);
  } else if (Kind == "E") {
    advance(Now);
    const auto Found = std::find(Open.rbegin(), Open.rend(), Title);
    if (Found != Open.rend())
      Open.erase(std::next(Found).base());
  }
  return true;
}

void CompileTimes::advance(int64_t Now) {
  if (!Open.empty() && Now > LastNs) {
    SelfNs[Open.back()] += Now - LastNs;
    TotalNs += Now - LastNs;
  }
  // Do not count time twice if the clock was set back.
  LastNs = std::max(LastNs, Now);
}

std::vector<CompilePhase> CompileTimes::phases() const {
  std::vector<CompilePhase> Phases;
  for (const auto &[Name, Ns] : SelfNs)
    if (Ns)
      Phases.push_back({Name, Ns});
  std::ranges::stable_sort(Phases, std::ranges::greater(), &CompilePhase::Ns);
  return Phases;
}

} // namespace seamscope::tools
