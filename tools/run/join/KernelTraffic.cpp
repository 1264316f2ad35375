//===- KernelTraffic.cpp - memory traffic of compiled kernels -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/KernelTraffic.h"
#include "analysis/compare/Parts.h"
#include "run/join/NodeWork.h"
#include "torch/EagerOps.h"
#include "work/OpCall.h"

#include <algorithm>
#include <array>
#include <map>

namespace seamscope::tools {
namespace {

/// Operators that read no more of their first input than they return.
bool picks(const FxNode &Node) {
  return std::ranges::any_of(
      std::to_array<std::string_view>({"aten.embedding.", "aten.index.", "aten.index_select.",
                                       "aten.gather.", "aten._unsafe_index."}),
      [&](std::string_view Name) { return Node.Target.find(Name) != Node.Target.npos; });
}

std::optional<int64_t> lesser(std::optional<int64_t> A, std::optional<int64_t> B) {
  return A && B ? std::optional(std::min(*A, *B)) : std::nullopt;
}

} // namespace

bool isViewNode(const FxGraph &Graph, uint32_t Node) {
  if (Graph.Nodes[Node].Kind == FxNodeKind::Placeholder)
    return false;
  const std::vector<std::string> Ops = eagerOps(Graph, Node);
  return std::ranges::all_of(Ops, [](const std::string &Name) { return isView(Name); });
}

std::optional<int64_t> bytesOfType(std::string_view Type) {
  const std::optional<GraphTensor> Tensor = tensorOfType(Type);
  const int64_t Size = Tensor ? sizeOf(Tensor->Type) : 0;
  if (!Size || !Tensor->Symbol.empty())
    return std::nullopt;
  // Of all its places, also those that share memory.
  return (elementsOf(Tensor->Dims) * Size).value();
}

KernelTraffic::KernelTraffic(const FxGraph &Graph, const std::vector<std::vector<uint32_t>> &Work)
    : Graph(Graph), Work(Work), View(Graph.Nodes.size()), Users(Graph.Nodes.size()),
      Makers(Graph.Nodes.size()), Returned(Graph.Nodes.size()) {
  for (uint32_t Node = 0; Node < Graph.Nodes.size(); ++Node) {
    View[Node] = isViewNode(Graph, Node);
    for (const uint32_t Input : Graph.Nodes[Node].Inputs)
      Users[Input].push_back(Node);
  }
  for (size_t Call = 0; Call < Work.size(); ++Call)
    for (const uint32_t Node : Work[Call])
      Makers[Node].push_back(Call);
  for (const std::string &Name : Graph.Outputs)
    if (const auto Node = Graph.find(Name))
      Returned[*Node] = true;
}

/// Views resolve to what they show, entries of tuples to themselves.
KernelTraffic::Tensor KernelTraffic::held(uint32_t Node) const {
  std::optional<int64_t> Bytes = bytesOfType(Graph.Nodes[Node].Type);
  while (View[Node] && Graph.Nodes[Node].Kind != FxNodeKind::Item &&
         !Graph.Nodes[Node].Inputs.empty()) {
    Node = Graph.Nodes[Node].Inputs[0];
    Bytes = lesser(Bytes, bytesOfType(Graph.Nodes[Node].Type));
  }
  return {Node, Bytes};
}

uint32_t KernelTraffic::makerOf(uint32_t Node) const {
  const FxNode &Value = Graph.Nodes[Node];
  return Value.Kind == FxNodeKind::Item && !Value.Inputs.empty() ? Value.Inputs[0] : Node;
}

bool KernelTraffic::computes(size_t Call, uint32_t Node) const {
  return std::ranges::binary_search(Makers[makerOf(Node)], Call);
}

std::vector<KernelTraffic::Tensor> KernelTraffic::inputsOf(uint32_t Node) const {
  const FxNode &Of = Graph.Nodes[Node];
  std::vector<Tensor> Inputs;
  for (size_t I = 0; I < Of.Inputs.size(); ++I) {
    Tensor Input = held(Of.Inputs[I]);
    if (I == 0 && picks(Of))
      Input.Bytes = lesser(Input.Bytes, bytesOfType(Of.Type));
    // An overwritten tensor is not read.
    if (I > 0 || Of.Target.find("aten.copy") == Of.Target.npos)
      Inputs.push_back(Input);
  }
  return Inputs;
}

/// Whether a node, or a view of it, is returned or used by a call that does not compute it.
bool KernelTraffic::isNeededElsewhere(size_t Call, uint32_t Node) const {
  if (Returned[Node])
    return true;
  for (const uint32_t User : Users[Node]) {
    if (View[User]) {
      if (isNeededElsewhere(Call, User))
        return true;
      continue;
    }
    const auto Lacks = [&](size_t Other) {
      return Other != Call && !computes(Other, held(Node).Node);
    };
    if (Makers[User].empty() || std::ranges::any_of(Makers[User], Lacks))
      return true;
  }
  return false;
}

std::optional<int64_t> KernelTraffic::bytesOf(size_t Call) const {
  std::map<uint32_t, int64_t> Read;
  int64_t Sum = 0;
  const auto Add = [&](std::optional<int64_t> Bytes) {
    return Bytes && !__builtin_add_overflow(Sum, *Bytes, &Sum);
  };
  for (const uint32_t Node : Work[Call]) {
    const FxNode &Of = Graph.Nodes[Node];
    if (Of.Kind == FxNodeKind::Placeholder || View[Node])
      continue;
    for (const Tensor &Input : inputsOf(Node)) {
      if (computes(Call, Input.Node))
        continue;
      if (!Input.Bytes)
        return std::nullopt;
      int64_t &Known = Read[Input.Node];
      Known = std::max(Known, *Input.Bytes);
    }
    // If several calls compute a node, the first one passes it on.
    if (Makers[Node].front() != Call)
      continue;
    if (Of.Type.empty() || Of.Type[0] == '(') { // a tuple: its entries
      for (const uint32_t Entry : Users[Node])
        if (isNeededElsewhere(Call, Entry) && !Add(bytesOfType(Graph.Nodes[Entry].Type)))
          return std::nullopt;
    } else if ((isNeededElsewhere(Call, Node) || Of.Target.find("aten.copy_") != Of.Target.npos) &&
               !Add(bytesOfType(Of.Type))) {
      return std::nullopt;
    }
  }
  for (const auto &[Node, Bytes] : Read)
    if (!Add(Bytes))
      return std::nullopt;
  return Sum;
}

} // namespace seamscope::tools
