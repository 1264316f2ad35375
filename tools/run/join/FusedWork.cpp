//===- FusedWork.cpp - work of fused kernels, from their graphs -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/FusedWork.h"
#include "run/join/KernelTraffic.h"
#include "run/join/NodeWork.h"
#include "run/join/PartialReads.h"
#include "torch/Recomputed.h"
#include "work/OpCall.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

void noFlop(FusedWork &Of, std::string Why) {
  if (Of.FlopWhy.empty())
    Of.FlopWhy = std::move(Why);
}

void noBytes(FusedWork &Of, std::string Why) {
  if (Of.BytesWhy.empty())
    Of.BytesWhy = std::move(Why);
}

class Finder {
public:
  Finder(const GraphWork &Of, const std::vector<CallMemory> &Memory, size_t Call)
      : Of(Of), Graph(Of.Graph.PostGrad), Memory(Memory), Call(Call), Own(memoryOf(Call)) {}

  FusedWork run() {
    if (Of.work()[Call].empty()) {
      noFlop(Made, "torch did not log which nodes it runs");
      noBytes(Made, "torch did not log which nodes it runs");
      return Made;
    }
    findRun();
    addFlop();
    addBytes();
    if (!Made.FlopWhy.empty())
      Made.Flop.reset();
    if (!Made.BytesWhy.empty())
      Made.Bytes.reset();
    return Made;
  }

private:
  const CallMemory &memoryOf(size_t Each) const { return Memory[Of.Uses[Each].Call]; }

  /// Whether the call reads memory that call \p Other wrote, and that may hold node \p Node.
  bool mayRead(size_t Other, uint32_t Node) const {
    const std::optional<GraphTensor> Tensor = tensorOfType(Graph.Nodes[Node].Type);
    const std::optional<int64_t> Elements =
        Tensor && Tensor->Symbol.empty() ? elementsOf(Tensor->Dims).value() : std::nullopt;
    for (const CallBuffer &Read : Own.Buffers)
      if (Read.Reads && (!Elements || !Read.Bytes || Read.Elements == *Elements))
        for (const CallBuffer &Written : memoryOf(Other).Buffers)
          if (Written.Writes && Written.Storage == Read.Storage)
            return true;
    return !Own.Why.empty() || !memoryOf(Other).Why.empty();
  }

  /// Finds the nodes that the kernel runs. torch's map also has nodes that another kernel computed
  /// and this one only reads.
  void findRun() {
    const std::string_view Source = Of.sourceOf(Call);
    for (const uint32_t Node : Of.work()[Call]) {
      if (Graph.Nodes[Node].Kind == FxNodeKind::Placeholder)
        continue;
      bool IsRead = false;
      for (size_t Other = 0; Other < Call && !IsRead; ++Other)
        IsRead = !isViewNode(Graph, Node) &&
                 std::ranges::binary_search(Of.work()[Other], Node) && mayRead(Other, Node);
      if (!IsRead)
        Runs.insert(Node);
      else if (canCompute(Source, Graph.Nodes[Node]))
        noFlop(Made, fmt::format("it computes or reads {}", Graph.Nodes[Node].Name));
    }
  }

  void addFlop() {
    Count Sum = 0;
    std::map<DType, Count> ByType;
    for (const uint32_t Node : Runs) {
      const NodeFlop Each = flopOfNode(Graph, Node);
      if (!Each.Flop)
        return noFlop(Made, Each.Why);
      Sum += *Each.Flop;
      ByType[Each.Compute] += *Each.Flop;
    }
    Made.Flop = Sum.value();
    if (!Made.Flop)
      return noFlop(Made, "does not fit in 64 bits");
    int64_t Most = 0;
    for (const auto &[Type, Flop] : ByType)
      if (const int64_t Part = Flop.value().value_or(0); Part > Most) {
        Most = Part;
        Made.Compute = Type;
      }
  }

  void addBytes() {
    if (!Own.Why.empty())
      return noBytes(Made, Own.Why);
    const PartialReads Parts(Graph, Runs);
    if (!Parts.Why.empty())
      noBytes(Made, Parts.Why);
    if (!Parts.ComputesPart.empty())
      noFlop(Made, Parts.ComputesPart);
    const std::map<const CallBuffer *, int64_t> Partly = partsOf(Parts);
    Count Sum = 0;
    std::map<uint32_t, std::string> Reads; // by memory, the part that is read
    std::set<std::pair<uint32_t, std::string>> Writes;
    for (const CallBuffer &Each : Own.Buffers) {
      if (!Each.Bytes)
        return noBytes(Made, fmt::format("the size of {} is not known", Each.Name));
      if (Each.Writes && Writes.emplace(Each.Storage, Each.View).second)
        Sum += *Each.Bytes;
      if (!Each.Reads)
        continue;
      const auto [Known, New] = Reads.emplace(Each.Storage, Each.View);
      if (!New && Known->second != Each.View)
        return noBytes(Made, fmt::format("it reads parts of {} that may overlap", Each.Name));
      const auto Part = Partly.find(&Each);
      if (New && Part != Partly.end() && Each.Elements)
        Sum += Count(Part->second) * (*Each.Bytes / Each.Elements);
      else if (New)
        Sum += *Each.Bytes;
    }
    Made.Bytes = Sum.value();
    if (!Made.Bytes)
      noBytes(Made, "does not fit in 64 bits");
  }

  /// The buffers that hold the nodes of which it reads a part, with the elements that it reads.
  /// An input has its node's name; other buffers are found by size.
  std::map<const CallBuffer *, int64_t> partsOf(const PartialReads &Parts) {
    std::map<const CallBuffer *, int64_t> Found;
    for (const auto &[Node, Elements] : Parts.Elements) {
      const FxNode &Held = Graph.Nodes[Node];
      const bool IsInput = Held.Kind == FxNodeKind::Placeholder;
      const std::optional<GraphTensor> Tensor = tensorOfType(Held.Type);
      const std::optional<int64_t> All =
          Tensor && Tensor->Symbol.empty() ? elementsOf(Tensor->Dims).value() : std::nullopt;
      size_t Candidates = 0;
      for (const CallBuffer &Each : Own.Buffers)
        if (Each.Reads &&
            (IsInput ? Each.Name == Held.Name
                     : Each.Elements == All && !Graph.find(Each.Name).has_value())) {
          ++Candidates;
          Found[&Each] += Elements;
        }
      if (Candidates != 1)
        noBytes(Made, fmt::format("it reads a part of {}, in an unknown buffer", Held.Name));
    }
    return Found;
  }

  const GraphWork &Of;
  const FxGraph &Graph;
  const std::vector<CallMemory> &Memory;
  const size_t Call;
  const CallMemory &Own;
  std::set<uint32_t> Runs;
  FusedWork Made;
};

} // namespace

FusedWork fusedWorkOf(const GraphWork &Of, const std::vector<CallMemory> &Memory, size_t Call) {
  return Finder(Of, Memory, Call).run();
}

FusedWorkBySite fusedWork(const TorchRun &Run) {
  std::map<uint32_t, FusedWork> ByUse;
  std::map<uint32_t, std::vector<uint32_t>> Wanted; // uses by graph
  for (const auto &[Site, Kernel] : Run.Kernels)
    for (const uint32_t Use : Kernel.Uses)
      if (const KernelUse &Each = Run.Graphs.uses()[Use]; !Run.Graphs.callOf(Each).Extern)
        Wanted[Each.Graph].push_back(Use);
  for (const auto &[Graph, Uses] : Wanted) {
    const GraphWork Of(Run.Graphs, Graph, {});
    const auto Memory = callBuffers(Of.Graph.Code, Of.Graph.PostGrad);
    const auto First = static_cast<uint32_t>(Of.Uses.data() - Run.Graphs.uses().data());
    for (const uint32_t Use : Uses)
      if (!ByUse.contains(Use))
        ByUse.emplace(Use, fusedWorkOf(Of, Memory, Use - First));
  }
  FusedWorkBySite Made;
  for (const auto &[Site, Kernel] : Run.Kernels)
    for (const uint32_t Use : Kernel.Uses) {
      const auto Known = ByUse.find(Use);
      if (Known == ByUse.end())
        continue;
      const auto [To, New] = Made.emplace(Site, Known->second);
      if (New)
        continue;
      FusedWork &All = To->second;
      const FusedWork &Each = Known->second;
      if (All.Flop != Each.Flop) {
        All.Flop.reset();
        noFlop(All, Each.FlopWhy.empty() ? "its calls in graphs differ" : Each.FlopWhy);
      }
      if (All.Bytes != Each.Bytes) {
        All.Bytes.reset();
        noBytes(All, Each.BytesWhy.empty() ? "its calls in graphs differ" : Each.BytesWhy);
      }
    }
  return Made;
}

FusedWorkBySite withoutCounted(FusedWorkBySite Fused, const Trace &Source) {
  std::set<std::string_view> Counted;
  for (const CountedWork &Of : Source.Work)
    Counted.insert(Of.ShownKernel.empty() ? Of.Kernel : Of.ShownKernel);
  std::erase_if(Fused, [&](const auto &Each) {
    const Site &What = Source.Sites[Each.first];
    return What.Device < 0 && Counted.contains(Source.text(What.Name));
  });
  return Fused;
}

} // namespace seamscope::tools
