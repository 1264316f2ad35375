//===- InlinedFunctions.cpp - inlined functions, by their loops -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/InlinedFunctions.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace seamscope::tools {
namespace {

/// The functions between a loop and its kernel: the one that has the loop in the source, then its
/// callers. Empty: the loop is in the kernel itself.
std::vector<std::string_view> functionsOf(const Trace &Input, const Site &Loop) {
  std::vector<std::string_view> Names, Calls = inlinedFrom(Input, Loop);
  if (Calls.empty())
    return Names;
  const std::string_view Name = Input.text(Loop.Name);
  Names.push_back(Name.substr(0, Name.rfind(" [loop ")));
  Calls.pop_back(); // is in the kernel
  for (const std::string_view Call : Calls)
    if (const std::string_view Caller = Call.substr(0, Call.rfind(" at "));
        std::ranges::find(Names, Caller) == Names.end())
      Names.push_back(Caller);
  return Names;
}

} // namespace

std::vector<InlinedFunction> inlinedFunctions(const Trace &Input, const LoopTree &Tree) {
  std::vector<std::vector<std::string_view>> Functions(Tree.Nodes.size());
  std::map<std::string_view, InlinedFunction> Found;
  std::map<std::string_view, std::set<std::tuple<StringId, uint32_t, uint32_t>>> Loops;
  for (uint32_t I = 0; I < Tree.Nodes.size(); ++I) {
    const LoopNode &Node = Tree.Nodes[I];
    const Site &What = Input.Sites[Node.Site];
    if (What.Kind != SiteKind::Loop)
      continue;
    Functions[I] = functionsOf(Input, What);
    for (const std::string_view Name : Functions[I]) {
      bool IsInner = false;
      for (uint32_t Up = Node.Parent; Up != LoopNode::None && !IsInner; Up = Tree.Nodes[Up].Parent)
        IsInner = std::ranges::find(Functions[Up], Name) != Functions[Up].end();
      if (IsInner)
        continue;
      const auto [Entry, New] = Found.try_emplace(Name);
      InlinedFunction &Its = Entry->second;
      if (New) {
        Its.Name = Name;
        Its.Place = Node.Site;
      }
      Its.Loops += Loops[Name].insert({What.File, What.Line, What.Column}).second;
      Its.Calls += Node.Calls;
      Its.TotalNs += Node.TotalNs;
      Its.Kernels.emplace(Input.text(What.Kernel));
    }
  }
  std::vector<InlinedFunction> Rows;
  for (auto &[Name, Row] : Found)
    Rows.push_back(std::move(Row));
  std::ranges::stable_sort(Rows, std::greater(), &InlinedFunction::TotalNs);
  return Rows;
}

} // namespace seamscope::tools
