//===- CallsWithoutProvenance.cpp - nodes of calls without it -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "torch/CallsWithoutProvenance.h"

#include "torch/EagerOps.h"
#include "torch/LibraryCalls.h"
#include "torch/PythonText.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {
namespace {

using std::string_view;

/// Whether a node depends on all graph inputs that \p Statement, a call, names.
bool dependsOnInputsOf(const FxGraph &Graph, uint32_t Node, string_view Statement) {
  std::set<uint32_t> Taken;
  std::vector<uint32_t> Next = Graph.Nodes[Node].Inputs;
  while (!Next.empty()) {
    const uint32_t Input = Next.back();
    Next.pop_back();
    if (Taken.insert(Input).second)
      Next.insert(Next.end(), Graph.Nodes[Input].Inputs.begin(), Graph.Nodes[Input].Inputs.end());
  }
  return std::ranges::all_of(variablesIn(Statement), [&](string_view Variable) {
    const auto Input = Graph.find(Variable);
    return !Input || Graph.Nodes[*Input].Kind != FxNodeKind::Placeholder || Taken.contains(*Input);
  });
}

} // namespace

std::map<uint32_t, uint32_t> nodesWithoutProvenance(const OutputCode &Code, const FxGraph &PostGrad,
                                                    const Provenance &Map) {
  std::map<uint32_t, uint32_t> Found;
  if (!Map.known())
    return Found;
  std::set<std::string_view> Placed; // nodes computed by library calls with provenance
  std::map<string_view, std::vector<uint32_t>> Calls;
  std::vector<std::string> Operators;
  Operators.reserve(Code.Calls.size()); // the keys of Calls point into them
  for (uint32_t Number = 0; Number < Code.Calls.size(); ++Number) {
    const CodeCall &Call = Code.Calls[Number];
    if (!Call.Extern)
      continue;
    if (const auto Nodes = Map.KernelToPost.find(fmt::format("{}:{}", Call.Kernel, Call.Handle));
        Nodes != Map.KernelToPost.end())
      Placed.insert(Nodes->second.begin(), Nodes->second.end());
    else if (!Call.Handle) {
      Operators.push_back(operatorOfExtern(Call.Kernel));
      Calls[operatorFamilyOfExtern(Call.Kernel, Operators.back())].push_back(Number);
    }
  }
  for (const auto &[Family, Numbers] : Calls) {
    std::vector<uint32_t> Nodes;
    for (uint32_t Node = 0; Node < PostGrad.Nodes.size(); ++Node) {
      const std::vector<std::string> Own = eagerOps(PostGrad, Node);
      if (Own.size() == 1 && operatorFamily(Own[0]) == Family &&
          !Placed.contains(PostGrad.Nodes[Node].Name))
        Nodes.push_back(Node);
    }
    // Some of these nodes may have generated code.
    if (Nodes.size() > Numbers.size())
      std::erase_if(Nodes, [&](uint32_t Node) {
        return std::ranges::none_of(Numbers, [&](uint32_t Number) {
          return dependsOnInputsOf(PostGrad, Node, Code.Calls[Number].Statement);
        });
      });
    if (Nodes.size() == Numbers.size())
      for (size_t I = 0; I < Nodes.size(); ++I)
        Found[Numbers[I]] = Nodes[I];
  }
  return Found;
}

} // namespace seamscope::tools
