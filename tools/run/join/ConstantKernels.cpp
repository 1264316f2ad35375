//===- ConstantKernels.cpp - kernels that compute the same at each call ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/ConstantKernels.h"
#include "analysis/compare/PairedSteps.h"
#include "run/join/AttributionPlan.h"
#include "run/join/StepShare.h"
#include "torch/EagerOps.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

std::vector<uint32_t> inputsOf(const FxGraph &Graph) {
  std::vector<uint32_t> Inputs;
  for (uint32_t Node = 0; Node < Graph.Nodes.size(); ++Node)
    if (Graph.Nodes[Node].Kind == FxNodeKind::Placeholder && Graph.Nodes[Node].Text.empty())
      Inputs.push_back(Node);
  return Inputs;
}

bool isOfModule(std::string_view Name) {
  return Name.find("_parameters_") != Name.npos || Name.find("_buffers_") != Name.npos;
}

/// Operators that write to their first input, or return another value at each call.
bool isImpure(std::string_view Target) {
  constexpr auto Words = std::to_array<std::string_view>(
      {"copy_", "rand", "seed", "bernoulli", "normal", "dropout", "empty", "mutate", "philox"});
  const size_t Dot = Target.rfind('.');
  const std::string_view Operator = Target.substr(0, Dot);
  return Operator.ends_with('_') || std::ranges::any_of(Words, [&](std::string_view Word) {
           return Target.find(Word) != Target.npos;
         });
}

} // namespace

std::vector<bool> constantNodes(const CompiledGraph &Graph) {
  if (Graph.Code.Direction != GraphDirection::Inference || !Graph.PreGrad)
    return {};
  const FxGraph &Captured = *Graph.PreGrad, &Post = Graph.PostGrad;
  const std::vector<uint32_t> Before = inputsOf(Captured), After = inputsOf(Post);
  // Both have the same inputs in the same order, except those that autograd adds or drops.
  if (!std::ranges::equal(Before, After, [&](uint32_t L, uint32_t R) {
        return Captured.Nodes[L].Type == Post.Nodes[R].Type;
      }))
    return {};
  std::vector<bool> Constant(Post.Nodes.size());
  for (size_t I = 0; I < After.size(); ++I)
    Constant[After[I]] = isOfModule(Captured.Nodes[Before[I]].Name);
  for (const FxNode &Node : Post.Nodes)
    if (isImpure(Node.Target) && !Node.Inputs.empty())
      Constant[Node.Inputs[0]] = false; // a buffer that is written, such as a cache of keys
  for (uint32_t I = 0; I < Post.Nodes.size(); ++I) {
    const FxNode &Node = Post.Nodes[I];
    if (Node.Kind != FxNodeKind::Placeholder)
      Constant[I] = !Node.Inputs.empty() && !isImpure(Node.Target) &&
                    std::ranges::all_of(Node.Inputs, [&](uint32_t In) { return Constant[In]; });
  }
  return Constant;
}

std::optional<Advice> adviseOnConstants(const TorchRun &Torch, const Attribution &All) {
  size_t Places = 0;
  int64_t Ns = 0, PartlyNs = 0, LongestNs = 0;
  std::string Longest;
  for (uint32_t Number = 0; Number < Torch.Graphs.log().Graphs.size(); ++Number) {
    const CompiledGraph &Graph = Torch.Graphs.log().Graphs[Number];
    const std::vector<bool> Constant = constantNodes(Graph);
    if (Constant.empty())
      continue;
    for (const KernelUse &Use : Torch.Graphs.usesIn(Number)) {
      const CallTimes *const Times = All.find(Number, Use.Call);
      const bool Computes = std::ranges::any_of(
          Use.PostNodes, [&](uint32_t Node) { return !eagerOps(Graph.PostGrad, Node).empty(); });
      const auto IsConstant = [&](uint32_t Node) { return Constant[Node]; };
      if (!Times || !Computes)
        continue;
      if (!Use.Unknown.empty() || !std::ranges::all_of(Use.PostNodes, IsConstant)) {
        if (std::ranges::any_of(Use.PostNodes, [&](uint32_t Node) {
              const std::vector<std::string> Ops = eagerOps(Graph.PostGrad, Node);
              return Constant[Node] && !std::ranges::all_of(Ops, isView);
            }))
          PartlyNs += Times->usualNs();
        continue;
      }
      ++Places;
      Ns += Times->usualNs();
      if (Times->usualNs() > LongestNs) {
        LongestNs = Times->usualNs();
        Longest = Torch.Graphs.callOf(Use).Kernel;
      }
    }
  }
  const auto WholeNs = static_cast<double>(usualNs(All));
  if (WholeNs <= 0 || static_cast<double>(Ns) < LeastOfSteps * WholeNs)
    return std::nullopt;
  return Advice{
      "constant-kernels",
      fmt::format("{} call{} of kernels, {} the longest, compute{} from parameters and "
                  "buffers alone, the same in each step: {:.1f} % of the compiled steps{}",
                  Places, Places == 1 ? "" : "s", Longest, Places == 1 ? "s" : "",
                  100 * static_cast<double>(Ns) / WholeNs,
                  PartlyNs ? fmt::format("; kernels that do this in part take {:.1f} %",
                                         100 * static_cast<double>(PartlyNs) / WholeNs)
                           : ""),
      "compute it once outside of the compiled function, or set "
      "torch._inductor.config.freezing = True where the weights do not change",
      Ns + PartlyNs};
}

} // namespace seamscope::tools
