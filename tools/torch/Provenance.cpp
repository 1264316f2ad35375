//===- Provenance.cpp - Inductor's map from kernels to nodes --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/Provenance.h"
#include "trace/io/JsonParse.h"

#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

using Json = nlohmann::json;

void readNames(const Json &Map, const char *Key, Provenance::Names &Into) {
  const auto Found = Map.find(Key);
  if (Found == Map.end() || !Found->is_object())
    return;
  for (const auto &[Name, List] : Found->items()) {
    if (!List.is_array())
      continue;
    std::vector<std::string> &Names = Into[Name];
    Names.clear();
    for (const Json &Each : List)
      if (Each.is_string())
        Names.push_back(Each.get<std::string>());
  }
}

void readBuffers(const Json &Map, Provenance &Into) {
  const auto Found = Map.find("seamscopeBuffers");
  if (Found == Map.end() || !Found->is_object())
    return;
  for (const auto &[Buffer, Node] : Found->items())
    if (Node.is_string())
      Into.Buffers[Buffer] = Node.get<std::string>();
}

/// Reads lists of names by number. A malformed list counts as empty, so that numbers stay valid.
void readNumbered(const Json &Map, const char *Key,
                  std::map<std::string, std::vector<std::vector<std::string>>, std::less<>> &Into) {
  const auto Found = Map.find(Key);
  if (Found == Map.end() || !Found->is_object())
    return;
  for (const auto &[Call, Lists] : Found->items()) {
    std::vector<std::vector<std::string>> &Known = Into[Call];
    Known.clear();
    if (!Lists.is_array())
      continue;
    for (const Json &Nodes : Lists) {
      std::vector<std::string> &Names = Known.emplace_back();
      if (Nodes.is_array())
        for (const Json &Name : Nodes)
          if (Name.is_string())
            Names.push_back(Name.get<std::string>());
    }
  }
}

} // namespace

bool parseNodeMappings(std::string_view Text, Provenance &Into) {
  const Json Map = parseJson(Text);
  if (!Map.is_object())
    return false;
  readNames(Map, "cppCodeToPost", Into.KernelToPost);
  readNames(Map, "postToPre", Into.PostToPre);
  readNumbered(Map, "seamscopeStatements", Into.Statements);
  readNumbered(Map, "seamscopeOperators", Into.Operators);
  readBuffers(Map, Into);
  return true;
}

bool parseStackTraces(std::string_view Text, Provenance &Into) {
  const Json Map = parseJson(Text);
  if (!Map.is_object())
    return false;
  for (const auto &[Kernel, Stacks] : Map.items()) {
    if (!Stacks.is_array())
      continue;
    auto &Known = Into.Stacks[Kernel];
    for (const Json &Stack : Stacks)
      if (Stack.is_string())
        if (auto Frames = parseTraceback(Stack.get_ref<const std::string &>()); !Frames.empty())
          Known.push_back(std::move(Frames));
  }
  return true;
}

} // namespace seamscope::tools
