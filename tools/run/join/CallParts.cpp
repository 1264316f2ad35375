//===- CallParts.cpp - the step part of a graph's call --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/CallParts.h"
#include "run/join/KernelTraffic.h"
#include "torch/LibraryCalls.h"

#include <algorithm>
#include <set>

namespace seamscope::tools {
namespace {

/// The operator of a library call that uses a node, directly or through views.
std::string libraryThatReads(const GraphWork &Of, uint32_t Post) {
  const FxGraph &Graph = Of.Graph.PostGrad;
  std::set<uint32_t> Values = {Post};
  for (uint32_t User = Post + 1; User < Graph.Nodes.size(); ++User) {
    if (std::ranges::none_of(Graph.Nodes[User].Inputs,
                             [&](uint32_t Input) { return Values.contains(Input); }))
      continue;
    if (isViewNode(Graph, User))
      Values.insert(User);
    else
      for (size_t I = 0; I < Of.Uses.size(); ++I)
        if (Of.isExtern(I) && std::ranges::find(Of.work()[I], User) != Of.work()[I].end())
          return operatorOfExtern(Of.code(I).Kernel);
  }
  return {};
}

/// The library operator that needs inputs in the order in which a generated kernel writes them;
/// empty if that is not most of what the kernel moves. Inductor lists the graph's inputs among what
/// a kernel computes only if it copies them.
std::string layoutFor(const GraphWork &Of, size_t Call) {
  const FxGraph &Graph = Of.Graph.PostGrad;
  std::string For;
  int64_t Copied = 0, Computed = 0;
  for (const uint32_t Post : Of.Uses[Call].PostNodes) {
    const FxNode &Node = Graph.Nodes[Post];
    const bool Copies = Node.Kind == FxNodeKind::Placeholder;
    if (!Copies && isViewNode(Graph, Post))
      continue;
    const std::optional<int64_t> Bytes = bytesOfType(Node.Type);
    if (!Bytes ||
        __builtin_add_overflow(Copies ? Copied : Computed, *Bytes, Copies ? &Copied : &Computed))
      return {};
    if (Copies && For.empty())
      For = libraryThatReads(Of, Post);
  }
  return Copied > Computed ? For : std::string();
}

bool isAttention(const GraphWork &Of, uint32_t Node) {
  return partOfNode(*Of.Graph.PreGrad, Node) == StepPart::Attention;
}

bool hasAttention(const GraphWork &Of, size_t Call) {
  return std::ranges::any_of(Of.computedBy(Call),
                             [&](const auto &Each) { return isAttention(Of, Each.first); });
}

/// Whether a library call computes whole attention with one operator.
bool madeByLibrary(const GraphWork &Of, uint32_t Node) {
  for (size_t I = 0; I < Of.Uses.size(); ++I)
    if (Of.isExtern(I) && Of.computedBy(I).contains(Node) &&
        partOfOperator(operatorOfExtern(Of.code(I).Kernel)) == StepPart::Attention)
      return true;
  return false;
}

/// Whether a generated kernel computes attention. Not if it only prepares inputs of a library call,
/// such as a mask or a repeated head, next to other work.
bool doesAttention(const GraphWork &Of, size_t Call) {
  bool Prepares = false, Other = false;
  for (const auto &[Node, Posts] : Of.computedBy(Call))
    if (!isAttention(Of, Node))
      Other = true;
    else if (madeByLibrary(Of, Node))
      Prepares = true;
    else
      return true;
  return Prepares && !Other;
}

StepPart partOfExtern(const GraphWork &Of, size_t Call, std::string_view Operator) {
  StepPart Part = partOfOperator(Operator);
  for (const uint32_t Post : Of.work()[Call])
    if (const StepPart Own = partOfNode(Of.Graph.PostGrad, Post); Own != StepPart::Other)
      Part = Own;
  return Part;
}

/// By the source: names and nodes may also belong to products that another call computes.
StepPart partOfGenerated(const GraphWork &Of, size_t Call) {
  const std::string_view Template = templateOf(Of.sourceOf(Call));
  return Template == "gemm"        ? StepPart::MatMul
         : Template == "attention" ? StepPart::Attention
                                   : StepPart::Fused;
}

} // namespace

void findPart(const GraphWork &Work, size_t Call, PlannedCall &Plan) {
  Plan.Part =
      Plan.Generated ? partOfGenerated(Work, Call) : partOfExtern(Work, Call, Plan.Operator);
  if (Plan.Part == StepPart::Fused && Plan.Generated)
    Plan.LayoutFor = layoutFor(Work, Call);
  if (!Plan.LayoutFor.empty() && partOfOperator(Plan.LayoutFor) != StepPart::Other)
    Plan.Part = partOfOperator(Plan.LayoutFor);
  // Attention that was split into products and a softmax is still attention.
  if (Plan.Generated ? doesAttention(Work, Call) : hasAttention(Work, Call))
    Plan.Part = StepPart::Attention;
}

} // namespace seamscope::tools
