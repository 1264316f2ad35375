//===- EagerNodes.cpp - what a kernel computes, in eager mode -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/replay/EagerNodes.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

/// The numbers of a list "[64, 1]" at the begin of \p Text, which is cut off; false: there is no
/// list of numbers, as with symbolic sizes.
bool takeNumbers(std::string_view &Text, std::vector<int64_t> &Found) {
  if (!Text.starts_with('['))
    return false;
  const size_t End = Text.find(']');
  if (End == Text.npos)
    return false;
  std::string_view List = Text.substr(1, End - 1);
  Text.remove_prefix(End + 1);
  while (!List.empty()) {
    int64_t Number = 0;
    const auto [Stop, Failed] = std::from_chars(List.data(), List.data() + List.size(), Number);
    if (Failed != std::errc())
      return false;
    Found.push_back(Number);
    List.remove_prefix(static_cast<size_t>(Stop - List.data()));
    if (!List.empty() && !List.starts_with(", "))
      return false;
    List.remove_prefix(std::min<size_t>(2, List.size()));
  }
  return true;
}

/// Takes "f32[64, 64][64, 1]cpu" apart. False if \p Text is not such a type.
bool readType(std::string_view Text, EagerNodes::Input &Found) {
  const size_t Open = std::min(Text.find('['), Text.size());
  Found.Type = Text.substr(0, Open);
  Text.remove_prefix(Open);
  return takeNumbers(Text, Found.Sizes) && takeNumbers(Text, Found.Strides) &&
         Found.Sizes.size() == Found.Strides.size() && Text == "cpu";
}

} // namespace

EagerNodes eagerNodes(const FxGraph &Graph, std::span<const uint32_t> Nodes) {
  EagerNodes Result;
  const std::set<uint32_t> Own(Nodes.begin(), Nodes.end());
  std::set<uint32_t> Inputs, Kept;
  std::map<uint32_t, uint32_t> Last; // by value, the node that uses it last
  for (const uint32_t Number : Own) {
    const FxNode &Node = Graph.Nodes[Number];
    if (!Node.Within.empty() || !Node.Apart.empty() || Node.Text.empty()) {
      Result.Problem = fmt::format("{} is no plain call", Node.Name);
      return Result;
    }
    for (const uint32_t Input : Node.Inputs) {
      Last[Input] = Number;
      if (!Own.contains(Input))
        Inputs.insert(Input);
    }
  }
  for (const uint32_t Number : Inputs) {
    EagerNodes::Input &Each = Result.Inputs.emplace_back();
    Each.Name = Graph.Nodes[Number].Name;
    if (!readType(Graph.Nodes[Number].Type, Each)) {
      Result.Problem = fmt::format("{} has no size that is known", Each.Name);
      return Result;
    }
  }
  // What others use, or what nothing uses, is a result.
  for (uint32_t Number = 0; Number < Graph.Nodes.size(); ++Number)
    if (!Own.contains(Number))
      Kept.insert(Graph.Nodes[Number].Inputs.begin(), Graph.Nodes[Number].Inputs.end());
  for (const uint32_t Number : Own) {
    const std::string &Name = Graph.Nodes[Number].Name;
    const bool IsReturned = std::ranges::any_of(
        Graph.Outputs, [&](const std::string &Output) { return Output == Name; });
    if (Kept.contains(Number) || IsReturned || !Last.contains(Number)) {
      Kept.insert(Number);
      Result.Outputs.push_back(Name);
    }
  }
  for (const uint32_t Number : Own) {
    const FxNode &Node = Graph.Nodes[Number];
    std::string Statement = fmt::format("{} = {}", Node.Name, Node.Text);
    for (const auto &[Value, By] : Last)
      if (By == Number && Own.contains(Value) && !Kept.contains(Value))
        Statement += "; del " + Graph.Nodes[Value].Name;
    Result.Statements.push_back(std::move(Statement));
  }
  return Result;
}

std::string callText(const EagerNodes &Of) {
  nlohmann::json Inputs = nlohmann::json::array();
  for (const EagerNodes::Input &Each : Of.Inputs)
    Inputs.push_back({{"name", Each.Name},
                      {"type", Each.Type},
                      {"dims", Each.Sizes},
                      {"strides", Each.Strides}});
  return nlohmann::json{{"operator", fmt::format("{} nodes of a graph", Of.Statements.size())},
                        {"nodes", Of.Statements},
                        {"inputs", Inputs},
                        {"outputs", Of.Outputs}}
      .dump(1);
}

} // namespace seamscope::tools
