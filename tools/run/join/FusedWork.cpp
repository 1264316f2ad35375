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
#include "work/Access.h"
#include "work/OpCall.h"
#include "work/OpWork.h"

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
  Finder(const GraphFusedWork &All, size_t Call)
      : All(All), Of(All.Graph), Graph(Of.Graph.PostGrad), Call(Call), Own(memoryOf(Call)) {}

  /// Finds the nodes that it runs, alone.
  const std::set<uint32_t> &runs() {
    findRun();
    return Runs;
  }

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
  const CallMemory &memoryOf(size_t Each) const { return All.Memory[Of.Uses[Each].Call]; }

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

  /// The node whose value a buffer holds; nothing: not known.
  std::optional<uint32_t> nodeOf(const std::string &Buffer) const {
    if (const auto Input = Graph.find(Buffer);
        Input && Graph.Nodes[*Input].Kind == FxNodeKind::Placeholder)
      return Input;
    const auto &Known = Of.Graph.Map.Buffers;
    const auto Found = Known.find(Buffer);
    return Found == Known.end() ? std::nullopt : Graph.find(Found->second);
  }

  /// Finds the nodes that the kernel runs. torch's map also has nodes that another kernel computed
  /// and this one only reads.
  void findRun() {
    for (const uint32_t Node : Of.work()[Call])
      if (Graph.Nodes[Node].Kind != FxNodeKind::Placeholder)
        Runs.insert(Node);
    if (!findByBuffers())
      leaveOutRead();
  }

  /// Leaves out what no result needs beyond the values that it reads. False if it is not known what
  /// a buffer holds.
  bool findByBuffers() {
    std::set<uint32_t> Read, Needed;
    for (const CallBuffer &Each : Own.Buffers) {
      const auto Node = nodeOf(Each.Held);
      if (Each.Reads && !Node)
        return false;
      for (std::optional<uint32_t> Next = Each.Reads ? Node : std::nullopt; Next;) {
        Read.insert(*Next);
        const bool IsView = isViewNode(Graph, *Next) && !Graph.Nodes[*Next].Inputs.empty();
        Next = IsView ? std::optional(Graph.Nodes[*Next].Inputs[0]) : std::nullopt;
      }
    }
    if (!Own.Why.empty())
      return false;
    std::vector<uint32_t> Next;
    for (const CallBuffer &Each : Own.Buffers)
      if (const auto Node = Each.Writes ? nodeOf(Each.Name) : std::nullopt)
        Next.push_back(*Node);
    // What no other kernel names is run here, whatever it is for.
    for (const uint32_t Node : Runs)
      if (!isNamedBefore(Node))
        Next.push_back(Node);
    while (!Next.empty()) {
      const uint32_t Node = Next.back();
      Next.pop_back();
      if (Read.contains(Node) || !Runs.contains(Node) || !Needed.insert(Node).second)
        continue;
      const auto &Inputs = Graph.Nodes[Node].Inputs;
      Next.insert(Next.end(), Inputs.begin(), Inputs.end());
    }
    Runs = std::move(Needed);
    return true;
  }

  const std::vector<size_t> &namedBy(uint32_t Node) const { return All.NamedBy.at(Node); }
  bool isNamedBefore(uint32_t Node) const { return namedBy(Node).front() < Call; }

  /// The same without the nodes of buffers: by sizes, and by what the source can compute.
  void leaveOutRead() {
    const std::string_view Source = Of.sourceOf(Call);
    const PartialReads Named(Graph, All.Users, Runs);
    std::erase_if(Runs, [&](uint32_t Node) {
      bool IsRead = false;
      if (!isViewNode(Graph, Node))
        for (const size_t Other : namedBy(Node))
          IsRead = IsRead || (Other < Call && mayRead(Other, Node));
      if (!IsRead || !canCompute(Source, Graph.Nodes[Node]))
        return IsRead;
      const std::string Why = fmt::format("it computes or reads {}", Graph.Nodes[Node].Name);
      noFlop(Made, Why);
      if (!Named.Why.empty() || !Named.Elements.empty())
        noBytes(Made, Why);
      return true;
    });
  }

  /// Whether another kernel runs a part of a node: of large reductions, one kernel adds up blocks,
  /// another one their sums. Nodes that move or compute single elements are run again as a whole.
  bool isShared(uint32_t Node) const {
    const std::string Operator = operatorOfNode(Graph.Nodes[Node]);
    switch (kindOf(Operator)) {
    case OpWorkKind::View:
    case OpWorkKind::Pointwise:
    case OpWorkKind::Copy:
    case OpWorkKind::Fill:
    case OpWorkKind::Embedding:
    case OpWorkKind::Index:
      return false;
    default:
      break;
    }
    if (onlyMoves(Operator) || Graph.Nodes[Node].Kind != FxNodeKind::Call)
      return false;
    return std::ranges::any_of(namedBy(Node), [&](size_t Other) {
      return Other != Call && !Of.isExtern(Other) && Finder(All, Other).runs().contains(Node);
    });
  }

  void addFlop() {
    Count Sum = 0;
    std::map<DType, Count> ByType;
    for (const uint32_t Node : Runs) {
      const NodeFlop Each = flopOfNode(Graph, Node);
      if (!Each.Flop)
        return noFlop(Made, Each.Why);
      if (isShared(Node))
        return noFlop(Made,
                      fmt::format("several kernels run a part of {}", Graph.Nodes[Node].Name));
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
    const PartialReads Parts(Graph, All.Users, Runs);
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

  /// Whether a buffer with the value of \p Known has that of \p Node.
  bool holds(uint32_t Known, uint32_t Node) const {
    while (Known != Node && isViewNode(Graph, Known) && !Graph.Nodes[Known].Inputs.empty())
      Known = Graph.Nodes[Known].Inputs[0];
    return Known == Node;
  }

  /// The buffers that hold the nodes of which it reads a part, with the elements that it reads.
  /// A buffer whose node is not known is found by its size.
  std::map<const CallBuffer *, int64_t> partsOf(const PartialReads &Parts) {
    std::map<const CallBuffer *, int64_t> Found;
    for (const auto &[Node, Elements] : Parts.Elements) {
      const FxNode &Held = Graph.Nodes[Node];
      const std::optional<GraphTensor> Tensor = tensorOfType(Held.Type);
      const std::optional<int64_t> All =
          Tensor && Tensor->Symbol.empty() ? elementsOf(Tensor->Dims).value() : std::nullopt;
      size_t Candidates = 0;
      for (const CallBuffer &Each : Own.Buffers)
        if (const auto Known = nodeOf(Each.Held);
            Each.Reads && (Known ? holds(*Known, Node) : Each.Elements == All)) {
          ++Candidates;
          Found[&Each] += Elements;
        }
      if (Candidates != 1)
        noBytes(Made, fmt::format("it reads a part of {}, in an unknown buffer", Held.Name));
    }
    return Found;
  }

  const GraphFusedWork &All;
  const GraphWork &Of;
  const FxGraph &Graph;
  const size_t Call;
  const CallMemory &Own;
  std::set<uint32_t> Runs;
  FusedWork Made;
};

} // namespace

GraphFusedWork::GraphFusedWork(const GraphWork &Of)
    : Graph(Of), Memory(callBuffers(Of.Graph.Code, Of.Graph.PostGrad)),
      Users(Of.Graph.PostGrad.Nodes.size()) {
  for (uint32_t Node = 0; Node < Users.size(); ++Node)
    for (const uint32_t Input : Of.Graph.PostGrad.Nodes[Node].Inputs)
      Users[Input].push_back(Node);
  for (size_t Call = 0; Call < Of.work().size(); ++Call)
    for (const uint32_t Node : Of.work()[Call])
      NamedBy[Node].push_back(Call);
}

FusedWork GraphFusedWork::of(size_t Call) const { return Finder(*this, Call).run(); }

FusedWorkBySite fusedWork(const TorchRun &Run) {
  std::map<uint32_t, FusedWork> ByUse;
  std::map<uint32_t, std::vector<uint32_t>> Wanted; // uses by graph
  for (const auto &[Site, Kernel] : Run.Kernels)
    for (const uint32_t Use : Kernel.Uses)
      if (const KernelUse &Each = Run.Graphs.uses()[Use]; !Run.Graphs.callOf(Each).Extern)
        Wanted[Each.Graph].push_back(Use);
  for (const auto &[Graph, Uses] : Wanted) {
    const GraphWork Of(Run.Graphs, Graph, {});
    const GraphFusedWork All(Of);
    const auto First = static_cast<uint32_t>(Of.Uses.data() - Run.Graphs.uses().data());
    for (const uint32_t Use : Uses)
      if (!ByUse.contains(Use))
        ByUse.emplace(Use, All.of(Use - First));
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

FusedWorkBySite forRows(FusedWorkBySite Fused, const Trace &Source) {
  std::map<StringId, std::set<StringId>> Files; // by name, of host kernels
  for (const Site &What : Source.Sites)
    if (What.Kind == SiteKind::Kernel && What.Device < 0)
      Files[What.Name].insert(What.File);
  std::set<std::string, std::less<>> Counted;
  for (const CountedWork &Of : Source.Work)
    for (std::string &Name : Of.shown(Of.Kernel))
      Counted.insert(std::move(Name));
  std::erase_if(Fused, [&](const auto &Each) {
    const Site &What = Source.Sites[Each.first];
    return What.Device < 0 &&
           (Counted.contains(Source.text(What.Name)) || Files.at(What.Name).size() > 1);
  });
  return Fused;
}

} // namespace seamscope::tools
