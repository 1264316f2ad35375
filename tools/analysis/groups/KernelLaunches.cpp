//===- KernelLaunches.cpp - every kernel, and what led to it --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/KernelLaunches.h"

#include "analysis/devices/Devices.h"
#include "analysis/devices/OpInputs.h"
#include "analysis/devices/Work.h"
#include "analysis/torch/Compiled.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace seamscope::tools {
namespace {

class Builder {
public:
  Builder(const Trace &Input, KernelLaunches &Into)
      : Input(Input), Events(Input.Events), Into(Into) {}

  void run() {
    findLayers();
    selectKernels();
    for (KernelLaunch &Row : Into.Rows)
      fill(Row);
    countWithin();
    std::ranges::sort(Into.Rows, {}, [&](const KernelLaunch &Row) {
      return std::tuple(Events.BeginNs[Row.Event], Row.Event);
    });
  }

private:
  const Site &siteOf(uint32_t Event) const { return Input.Sites[Events.Site[Event]]; }

  /// What an event adds to the layer that contains it; empty: nothing.
  std::string_view layerName(uint32_t Event) const {
    constexpr std::string_view Module = "nn.Module: ";
    const Site &What = siteOf(Event);
    const std::string_view Name = Input.text(What.Name);
    if (What.Kind == SiteKind::Python)
      return Name.starts_with(Module) ? Name.substr(Module.size()) : std::string_view();
    const bool Annotates = What.Kind == SiteKind::Span || What.Kind == SiteKind::Annotation;
    return Annotates && !isStepName(Name) ? Name : std::string_view();
  }

  void findLayers() {
    const HostNesting &Nesting = Into.Parts.nesting();
    LayerOf.resize(Events.size());
    for (const uint32_t Event : Nesting.Order) {
      const PathId Outer = Nesting.Parent[Event] == NoEvent ? 0 : LayerOf[Nesting.Parent[Event]];
      const std::string_view Name = layerName(Event);
      LayerOf[Event] = Name.empty() ? Outer : Into.Layers.push(Outer, Name);
    }
  }

  void selectKernels() {
    const std::vector<Origin> Links = linkWork(Input);
    const TraceWork Work(Input, Links, DType::Unknown);
    for (const Origin &Link : Links)
      if (siteOf(Link.Work).Kind == SiteKind::Kernel)
        add(Link.Work, Link.Launch, Link.Operator, Work);
    if (!Links.empty())
      return;
    const std::vector<uint32_t> Around = Into.Parts.nesting().innermost(
        [&](uint32_t Event) { return siteOf(Event).Kind == SiteKind::Operator ? Event : NoEvent; });
    for (uint32_t I = 0; I < Events.size(); ++I)
      if (siteOf(I).Kind == SiteKind::Kernel)
        add(I, I, Around[I], Work);
  }

  void add(uint32_t Event, uint32_t Host, uint32_t Operator, const TraceWork &Work) {
    KernelLaunch &Row = Into.Rows.emplace_back();
    const CallWork Known = Work.of(Event);
    Row.Flop = Known.Flop;
    Row.Bytes = Known.Bytes;
    Row.Event = Event;
    Row.Host = Host;
    Row.Operator = Operator;
  }

  const LaunchShape *shapeOf(uint32_t Event) const {
    const auto &All = Input.Details.Launches;
    const auto Found = std::ranges::lower_bound(All, Event, {}, &LaunchShape::Event);
    return Found != All.end() && Found->Event == Event ? &*Found : nullptr;
  }

  void fill(KernelLaunch &Row) {
    const bool OfDevice = siteOf(Row.Event).Device >= 0;
    // In a trace that has operators, a compiled host kernel is one itself; a program without
    // operators does not train.
    Row.Part = Into.Parts.partOf(Row.Host, Row.Operator != NoEvent || (!OfDevice && HasOperators));
    Row.Sequence = Into.Parts.sequenceOf(Row.Host);
    Row.NodeSequence = Into.Parts.nodeSequenceOf(Row.Host);
    if (Row.Part == TrainingPart::Backward)
      Row.Forward = Into.Parts.forwardOf(Row.Host);
    // Autograd's threads run no Python, and on the user's thread the stack is the same for all
    // nodes.
    const uint32_t From = Row.Forward == NoEvent ? Row.Host : Row.Forward;
    if (From != NoEvent)
      Row.Layer = LayerOf[From];
    Row.Stack = Into.Stacks.of(From);
    if (!Row.Stack)
      Row.Stack = Into.Stacks.of(Row.Host);
    if (const LaunchShape *Known = shapeOf(Row.Event))
      Row.Shape = *Known;
    if (const LaunchShape *Known = Row.Host == NoEvent ? nullptr : shapeOf(Row.Host))
      complete(Row.Shape, *Known);
    if (OfDevice)
      Row.TensorCores = tensorCoresOf(Row);
  }

  static void complete(LaunchShape &Shape, const LaunchShape &With) {
    if (Shape.Grid[0] < 0)
      Shape.Grid = With.Grid;
    if (Shape.Block[0] < 0)
      Shape.Block = With.Block;
    if (Shape.Registers < 0)
      Shape.Registers = With.Registers;
    if (Shape.SharedBytes < 0)
      Shape.SharedBytes = With.SharedBytes;
  }

  TensorCoreVerdict tensorCoresOf(const KernelLaunch &Row) {
    DType Elements = DType::Unknown;
    if (Row.Operator != NoEvent) {
      const auto [Known, IsNew] = ElementsOf.try_emplace(Events.Site[Row.Operator]);
      if (IsNew)
        Known->second = inputsOf(Input, siteOf(Row.Operator)).Elements;
      Elements = Known->second;
    }
    const StringId Name = siteOf(Row.Event).Name;
    const auto [Verdict, New] =
        Verdicts.try_emplace(uint64_t{Name} << 8 | static_cast<uint8_t>(Elements));
    if (New)
      Verdict->second = tensorCoreUse(Input.text(Name), Elements);
    return Verdict->second;
  }

  /// Numbers the kernels of each call of an operator.
  void countWithin() {
    std::vector<uint32_t> Order(Into.Rows.size());
    for (uint32_t I = 0; I < Order.size(); ++I)
      Order[I] = I;
    std::ranges::sort(Order, {}, [&](uint32_t I) {
      const KernelLaunch &Row = Into.Rows[I];
      return std::tuple(Row.Operator, Events.BeginNs[Row.Event], Row.Event);
    });
    for (size_t First = 0, Last; First < Order.size(); First = Last) {
      const uint32_t Operator = Into.Rows[Order[First]].Operator;
      for (Last = First + 1; Last < Order.size() && Operator != NoEvent &&
                             Into.Rows[Order[Last]].Operator == Operator;
           ++Last)
        Into.Rows[Order[Last]].Sub = static_cast<uint32_t>(Last - First);
    }
  }

  const Trace &Input;
  const EventColumns &Events;
  KernelLaunches &Into;
  const bool HasOperators = std::ranges::any_of(
      Input.Sites, [](const Site &What) { return What.Kind == SiteKind::Operator; });
  std::vector<PathId> LayerOf;                              ///< by event
  std::unordered_map<SiteId, DType> ElementsOf;             ///< by operator
  std::unordered_map<uint64_t, TensorCoreVerdict> Verdicts; ///< by name and type
};

} // namespace

KernelLaunches::KernelLaunches(const Trace &Input) : Parts(Input), Stacks(Input, Parts.nesting()) {
  Builder(Input, *this).run();
}

} // namespace seamscope::tools
