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

/// Reads lists of names by buffer number. A malformed list counts as empty, so that numbers stay
/// valid.
void readStatements(const Json &Map, Provenance &Into) {
  const auto Found = Map.find("seamscopeStatements");
  if (Found == Map.end() || !Found->is_object())
    return;
  for (const auto &[Call, Buffers] : Found->items()) {
    std::vector<std::vector<std::string>> &Known = Into.Statements[Call];
    Known.clear();
    if (!Buffers.is_array())
      continue;
    for (const Json &Nodes : Buffers) {
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
  readStatements(Map, Into);
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
