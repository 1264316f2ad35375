//===- PartialReads.cpp - tensors of which a kernel reads a part ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/PartialReads.h"
#include "run/join/KernelTraffic.h"
#include "run/join/NodeWork.h"
#include "torch/PythonText.h"
#include "torch/SourceLine.h"
#include "work/Access.h"
#include "work/OpCall.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// How a node reads what it is given.
OpAccess accessOfNode(const FxNode &Node) {
  const std::string Operator = operatorOfNode(Node);
  if (Operator.empty())
    return OpAccess::Whole; // inputs, entries of tuples, arithmetic of sizes
  // Negative padding crops.
  if (Operator == "aten::constant_pad_nd")
    return Node.Text.find("[-") == Node.Text.npos && Node.Text.find(" -") == Node.Text.npos
               ? OpAccess::Whole
               : OpAccess::Unknown;
  return accessOf(Operator);
}

std::optional<int64_t> elementsOfNode(const FxNode &Node) {
  const std::optional<GraphTensor> Tensor = tensorOfType(Node.Type);
  if (!Tensor || !Tensor->Symbol.empty())
    return std::nullopt;
  return storedElements({Tensor->Dims, {}, Tensor->Type}).value();
}

/// The numbers among the arguments of "torch.ops.aten.slice.Tensor(arg0_1, 1, 0, 64)".
std::vector<int64_t> numbersOf(const FxNode &Node) {
  std::vector<int64_t> Made;
  for (const std::string_view Text : callArguments(Node.Text)) {
    int64_t Number = 0;
    if (std::from_chars(Text.data(), Text.data() + Text.size(), Number).ec == std::errc())
      Made.push_back(Number);
  }
  return Made;
}

/// Whether two views of one tensor have no element in common, as far as their texts say.
bool areDisjoint(const FxNode &A, const FxNode &B) {
  if (A.Target != B.Target || A.Inputs != B.Inputs)
    return false;
  const std::vector<int64_t> Of = numbersOf(A), To = numbersOf(B);
  const std::string Operator = operatorOfNode(A);
  if (Of.size() < 2 || To.size() < 2 || Of[0] != To[0])
    return false;
  if (Operator == "aten::select")
    return Of[1] != To[1] && (Of[1] < 0) == (To[1] < 0);
  return Operator == "aten::slice" && Of.size() >= 3 && To.size() >= 3 && Of[1] >= 0 &&
         To[1] >= 0 && Of[2] >= 0 && To[2] >= 0 && (Of[2] <= To[1] || To[2] <= Of[1]);
}

} // namespace

PartialReads::PartialReads(const FxGraph &Graph, const std::vector<std::vector<uint32_t>> &Users,
                           const std::set<uint32_t> &Runs)
    : Graph(Graph), Users(Users), Used(Runs) {
  addViews();
  std::set<uint32_t> Bases;
  for (const uint32_t Node : Used) {
    const FxNode &Of = Graph.Nodes[Node];
    const OpAccess Access = accessOfNode(Of);
    if (Access == OpAccess::Whole)
      continue;
    if (Access == OpAccess::Unknown) {
      Why = fmt::format("{}: shapes do not say what it reads and writes", operatorOfNode(Of));
      return;
    }
    if (Of.Inputs.empty())
      continue;
    const uint32_t Base = baseOf(Of.Inputs[0]);
    if (!Runs.contains(Base)) {
      Bases.insert(Base);
      continue;
    }
    if (std::set<uint32_t> Parts; !findParts(Base, Parts))
      Why = ComputesPart =
          fmt::format("{} takes a part of {}", operatorOfNode(Of), Graph.Nodes[Base].Name);
  }
  for (const uint32_t Base : Bases)
    add(Base);
}

/// Adds the views through which the nodes read.
void PartialReads::addViews() {
  std::vector<uint32_t> Next(Used.begin(), Used.end());
  while (!Next.empty()) {
    const uint32_t Node = Next.back();
    Next.pop_back();
    for (const uint32_t Input : Graph.Nodes[Node].Inputs)
      if (isViewNode(Graph, Input) && Used.insert(Input).second)
        Next.push_back(Input);
  }
}

/// The node whose data a view shows.
uint32_t PartialReads::baseOf(uint32_t Node) const {
  while (isViewNode(Graph, Node) && !Graph.Nodes[Node].Inputs.empty())
    Node = Graph.Nodes[Node].Inputs[0];
  return Node;
}

/// Finds the parts of \p Node that the kernel reads. Returns whether it reads all of it.
bool PartialReads::findParts(uint32_t Node, std::set<uint32_t> &Parts) const {
  std::vector<uint32_t> Next = {Node};
  std::set<uint32_t> Seen = {Node};
  bool Whole = false;
  while (!Next.empty()) {
    const uint32_t Each = Next.back();
    Next.pop_back();
    for (const uint32_t User : Users[Each]) {
      const FxNode &Of = Graph.Nodes[User];
      if (!Used.contains(User))
        continue;
      const OpAccess Access = accessOfNode(Of);
      if (Access == OpAccess::Part || (Access == OpAccess::Lookup && Of.Inputs[0] == Each))
        Parts.insert(User);
      else if (!isViewNode(Graph, User))
        Whole = true;
      else if (Seen.insert(User).second)
        Next.push_back(User);
    }
  }
  return Whole;
}

/// Elements of a part; of a split, those of the entries that are used.
std::optional<int64_t> PartialReads::sizeOfPart(uint32_t Node) const {
  if (const auto Own = elementsOfNode(Graph.Nodes[Node]))
    return Own;
  Count Sum = 0;
  bool Any = false;
  for (const uint32_t User : Users[Node]) {
    if (!Used.contains(User))
      continue;
    const auto Entry = elementsOfNode(Graph.Nodes[User]);
    if (Graph.Nodes[User].Kind != FxNodeKind::Item || !Entry)
      return std::nullopt;
    Sum += *Entry;
    Any = true;
  }
  return Any ? Sum.value() : std::nullopt;
}

void PartialReads::add(uint32_t Base) {
  std::set<uint32_t> Parts;
  if (findParts(Base, Parts))
    return;
  const std::string &Name = Graph.Nodes[Base].Name;
  Count Sum = 0;
  std::vector<uint32_t> Counted;
  for (const uint32_t Part : Parts) {
    const FxNode &Of = Graph.Nodes[Part];
    const std::optional<int64_t> Size = sizeOfPart(Part);
    if (!Size) {
      Why = fmt::format("the size of {} is not known", Of.Name);
      return;
    }
    if (std::ranges::any_of(Counted,
                            [&](uint32_t Each) { return Graph.Nodes[Each].Text == Of.Text; }))
      continue;
    if (accessOfNode(Of) == OpAccess::Part && !std::ranges::all_of(Counted, [&](uint32_t Each) {
          return areDisjoint(Graph.Nodes[Each], Of);
        })) {
      Why = fmt::format("it reads parts of {} that may overlap", Name);
      return;
    }
    Sum += *Size;
    Counted.push_back(Part);
  }
  if (const auto All = Sum.value())
    Elements.emplace(Base, *All);
  else
    Why = "does not fit in 64 bits";
}

} // namespace seamscope::tools
