//===- Work.cpp - FLOPs and bytes of the calls of a trace -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/Work.h"

#include "analysis/core/Order.h"
#include "analysis/devices/OpInputs.h"
#include "kernels/Category.h"

namespace seamscope::tools {
namespace {

uint64_t kernelKey(StringId Name, int32_t Device) {
  return uint64_t{Name} << 32 | static_cast<uint32_t>(Device);
}

bool isProductKind(OpWorkKind Kind) {
  return Kind == OpWorkKind::MatMul || Kind == OpWorkKind::Convolution ||
         Kind == OpWorkKind::Attention;
}

bool isProductKernel(std::string_view Name) {
  // cuBLAS adds up the parts of a product in a separate kernel.
  if (Name.find("splitKreduce") != Name.npos)
    return false;
  switch (categorize(Name)) {
  case KernelCategory::Template:
  case KernelCategory::ExternMM:
  case KernelCategory::Convolution:
  case KernelCategory::Attention:
    return true;
  default:
    return false;
  }
}

/// \p Value times \p Part over \p Whole; none is negative.
int64_t shareOf(int64_t Value, int64_t Part, int64_t Whole) {
  return Whole ? static_cast<int64_t>(static_cast<__int128>(Value) * Part / Whole) : 0;
}

} // namespace

void WorkSum::Figure::add(int64_t Value, int64_t DurationNs) {
  ++Calls;
  Overflowed |= __builtin_add_overflow(Sum, Value, &Sum);
  Ns += DurationNs;
}

std::optional<int64_t> WorkSum::Figure::value() const {
  return Calls && !Overflowed ? std::optional(Sum) : std::nullopt;
}

std::optional<double> WorkSum::Figure::perSecond() const {
  if (!value() || !Ns)
    return std::nullopt;
  return static_cast<double>(Sum) * 1e9 / static_cast<double>(Ns);
}

void WorkSum::add(const CallWork &Call, int64_t DurationNs) {
  if (Call.Flop) {
    FlopSource = std::max(FlopSource, Call.FlopSource);
    // A launch that computed nothing used no unit.
    if (*Call.Flop || Call.FlopSource != WorkSource::Counted) {
      Compute = !HasUnit || Compute == Call.Compute ? Call.Compute : DType::Unknown;
      Kind = !HasUnit || Kind == Call.Kind ? Call.Kind : OpWorkKind::Unknown;
      HasUnit = true;
    }
    Flop.add(*Call.Flop, DurationNs);
  }
  if (Call.Bytes) {
    BytesSource = std::max(BytesSource, Call.BytesSource);
    BytesAtLeast |= Call.BytesAtLeast;
    CountsBytes |= Call.BytesSource == WorkSource::Counted;
    Bytes.add(*Call.Bytes, DurationNs);
  }
  if (Call.Flop && Call.Bytes) {
    BothFlop.add(*Call.Flop, DurationNs);
    BothBytes.add(*Call.Bytes, DurationNs);
  }
}

std::optional<double> WorkSum::intensity() const {
  const std::optional<int64_t> F = BothFlop.value(), B = BothBytes.value();
  if (!F || !B || !*B)
    return std::nullopt;
  return static_cast<double>(*F) / static_cast<double>(*B);
}

TraceWork::TraceWork(const Trace &Input, const std::vector<Origin> &Links, DType Fallback,
                     FusedWorkBySite FromGraphs)
    : Input(Input), Links(Links), Sites(Input.Sites.size()), Counted(launchWork(Input)),
      Fused(std::move(FromGraphs)) {
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id) {
    const Site &What = Input.Sites[Id];
    if (!isHostOperator(What))
      continue;
    const std::string_view Name = Input.text(What.Name);
    Sites[Id] = workOf(Name, hasFormula(Name) ? argumentsOf(Input, What) : OpArguments(), Fallback);
    if (const auto Known = Fused.find(Id); Known != Fused.end())
      addFused(Id, Known->second);
    else if (What.Kind == SiteKind::Operator && isFusedTritonLoop(Name))
      addFused(Id, Called.emplace(Id, fusedCallWork(Name, argumentsOf(Input, What))).first->second);
    if (What.Flop >= 0)
      Sites[Id].Flop = What.Flop;
    if (What.Bytes >= 0)
      Sites[Id].Bytes = What.Bytes;
    if (What.Flop >= 0 || What.Bytes >= 0)
      Sites[Id].Composite = false;
    if (Sites[Id].Kind != OpWorkKind::Unknown)
      Kinds.emplace(What.Name, Sites[Id].Kind);
  }
  findOwners();
  findLacking();
  shareOut();
  sumUp();
}

void TraceWork::addFused(SiteId Id, const FusedWork &Of) {
  OpWork &To = Sites[Id];
  To.Flop = Of.Flop;
  To.Bytes = Of.Bytes;
  To.Compute = Of.Compute;
  To.Kind = OpWorkKind::Pointwise;
  To.Composite = false;
}

/// Operators some of whose launched work is not in the trace: neither their host time nor the time
/// of the remaining kernels is the time that their work took.
void TraceWork::findLacking() {
  if (Owner.empty() || Input.Details.Unserved.empty())
    return;
  std::vector<uint32_t> Calls;
  for (const MarkedEvent &Launch : Input.Details.Unserved)
    Calls.push_back(Launch.Event);
  std::vector<bool> IsOperator(Input.Sites.size());
  for (SiteId Id = 0; Id < Input.Sites.size(); ++Id)
    IsOperator[Id] = isHostOperator(Input.Sites[Id]);
  const std::vector<uint32_t> Around = innermostAround(Input, Calls, IsOperator, Within::Whole);
  for (const uint32_t Call : Calls)
    if (const uint32_t By = Around[Call] == NoEvent ? NoEvent : Owner[Around[Call]];
        By != NoEvent) {
      Lacking.insert(By);
      LackingNames.insert(Input.Sites[Input.Events.Site[By]].Name);
    }
}

/// The outermost operator whose figures include all inside it has the work; without one, the
/// innermost of the operators that usually only call others.
void TraceWork::findOwners() {
  const EventColumns &Events = Input.Events;
  if (std::ranges::none_of(Sites, [](const OpWork &W) { return W.Flop || W.Bytes; }))
    return;
  Owner.assign(Events.size(), NoEvent);
  const std::vector<uint32_t> Order = orderedByTrack(
      Input,
      eventsWhere(Input, [&](uint32_t I) { return isHostOperator(Input.Sites[Events.Site[I]]); }));
  struct OpenCall {
    uint32_t Event;
    size_t Position;    ///< in the order of the events
    bool Owned = false; ///< something inside has an owner
  };
  std::vector<OpenCall> Open;
  const auto Close = [&](size_t Past) {
    OpenCall Last = Open.back();
    Open.pop_back();
    const OpWork &Work = Sites[Events.Site[Last.Event]];
    if (!Last.Owned && Owner[Last.Event] == NoEvent && Work.Composite && (Work.Flop || Work.Bytes))
      for (size_t At = Last.Position; At < Past; ++At) {
        Owner[Order[At]] = Last.Event;
        Last.Owned = true;
      }
    if (!Open.empty())
      Open.back().Owned |= Last.Owned || Owner[Last.Event] != NoEvent;
  };
  for (size_t At = 0; At < Order.size(); ++At) {
    const uint32_t I = Order[At];
    while (!Open.empty() && (Events.Track[Open.back().Event] != Events.Track[I] ||
                             Events.endNs(Open.back().Event) <= Events.BeginNs[I]))
      Close(At);
    if (!Open.empty() && Owner[Open.back().Event] != NoEvent)
      Owner[I] = Owner[Open.back().Event];
    else if (Sites[Events.Site[I]].ownsWork())
      Owner[I] = I;
    Open.push_back({I, At});
  }
  while (!Open.empty())
    Close(Order.size());
}

uint32_t TraceWork::ownerOf(const Origin &Link) const {
  return Link.Operator == NoEvent || Owner.empty() ? NoEvent : Owner[Link.Operator];
}

/// Gives each kernel its part of its operator's work.
void TraceWork::shareOut() {
  const EventColumns &Events = Input.Events;
  Shares.resize(Links.size());
  IsPart.resize(Links.size());
  struct Member {
    uint32_t Owner;
    size_t Link;
    auto operator<=>(const Member &) const = default;
  };
  std::vector<Member> Members;
  const auto Recorded = [](int64_t Value) {
    return Figure{Value, Value < 0 ? WorkSource::None : WorkSource::Recorded};
  };
  for (size_t I = 0; I < Links.size(); ++I) {
    const Site &What = Input.Sites[Events.Site[Links[I].Work]];
    Shares[I] = {Recorded(What.Flop), Recorded(What.Bytes)};
    if (const auto Of = Counted.find(Links[I].Work); Of != Counted.end()) {
      if (Of->second.Flop)
        Shares[I].Flop = {*Of->second.Flop, WorkSource::Counted};
      if (Of->second.Bytes)
        Shares[I].Bytes = {*Of->second.Bytes, WorkSource::Counted};
    }
    if (const auto Known = Fused.find(Events.Site[Links[I].Work]); Known != Fused.end()) {
      if (Shares[I].Flop.Value < 0 && Known->second.Flop)
        Shares[I].Flop = {*Known->second.Flop, WorkSource::Graph};
      if (Shares[I].Bytes.Value < 0 && Known->second.Bytes)
        Shares[I].Bytes = {*Known->second.Bytes, WorkSource::Graph};
    }
    if (const uint32_t By = ownerOf(Links[I]); By != NoEvent)
      Members.push_back({By, I});
  }
  if (!std::ranges::is_sorted(Members))
    std::ranges::sort(Members);
  std::vector<size_t> All, Products;
  for (size_t First = 0, Past; First < Members.size(); First = Past) {
    All.clear();
    Products.clear();
    const bool Lacks = Lacking.contains(Members[First].Owner);
    const CallWork Whole = Lacks ? CallWork() : siteWork(Events.Site[Members[First].Owner]);
    for (Past = First; Past < Members.size() && Members[Past].Owner == Members[First].Owner;
         ++Past) {
      const size_t Link = Members[Past].Link;
      All.push_back(Link);
      if (isProductKind(Whole.Kind) &&
          isProductKernel(Input.text(Input.Sites[Events.Site[Links[Link].Work]].Name)))
        Products.push_back(Link);
    }
    // A fused kernel has the name of its call. Of others in it, such as those that a tuner tries,
    // the arguments say nothing.
    if (const SiteId Caller = Events.Site[Members[First].Owner]; Called.contains(Caller)) {
      std::erase_if(All, [&](size_t Link) {
        return Input.Sites[Events.Site[Links[Link].Work]].Name != Input.Sites[Caller].Name;
      });
      if (All.size() > 1)
        All.clear();
    }
    shareAmong(Whole, Products.empty() ? All : Products);
  }
}

void TraceWork::shareAmong(const CallWork &Whole, const std::vector<size_t> &Kernels) {
  const auto Duration = [&](size_t Link) { return Input.Events.DurationNs[Links[Link].Work]; };
  // A kernel with a recorded figure gets no part.
  const auto Split = [&](int64_t Value, WorkSource Source, Figure Share::*Part) {
    std::vector<size_t> Sharing;
    int64_t TotalNs = 0;
    for (const size_t Link : Kernels)
      if ((Shares[Link].*Part).Value < 0) {
        Sharing.push_back(Link);
        TotalNs += Duration(Link);
      }
    int64_t Left = Value;
    for (const size_t Link : Sharing) {
      IsPart[Link] = IsPart[Link] || Sharing.size() > 1;
      // The last one gets the rounding remainder.
      const int64_t Mine = Link == Sharing.back() ? Left : shareOf(Value, Duration(Link), TotalNs);
      Shares[Link].*Part = {Mine, Source};
      Left -= Mine;
    }
  };
  if (Whole.Flop)
    Split(*Whole.Flop, Whole.FlopSource, &Share::Flop);
  if (Whole.Bytes && Whole.BytesAtLeast)
    for (const size_t Link : Kernels)
      Shares[Link].BytesAtLeast |= Shares[Link].Bytes.Value < 0;
  if (Whole.Bytes)
    Split(*Whole.Bytes, Whole.BytesSource, &Share::Bytes);
}

CallWork TraceWork::kernelWork(size_t Link) const {
  CallWork Work;
  const auto &[Flop, Bytes, AtLeast] = Shares[Link];
  if (Flop.Value >= 0)
    Work.Flop = Flop.Value;
  if (Bytes.Value >= 0)
    Work.Bytes = Bytes.Value;
  Work.FlopSource = Flop.Source;
  Work.BytesSource = Bytes.Source;
  Work.BytesAtLeast = AtLeast;
  if (const uint32_t By = ownerOf(Links[Link]); By != NoEvent) {
    const OpWork &Of = Sites[Input.Events.Site[By]];
    Work.Compute = Of.Compute;
    Work.Kind = Of.Kind;
  }
  if (const auto Known = Fused.find(Input.Events.Site[Links[Link].Work]); Known != Fused.end()) {
    Work.Compute = Known->second.Compute;
    Work.Kind = OpWorkKind::Pointwise;
  }
  if (const auto Of = Counted.find(Links[Link].Work); Of != Counted.end() && Of->second.Flop) {
    Work.Compute = Of->second.Compute;
    Work.Kind = Of->second.Kind;
  }
  return Work;
}

void TraceWork::sumUp() {
  const EventColumns &Events = Input.Events;
  for (const auto &[Id, Of] : Fused)
    if (Input.Sites[Id].Device < 0)
      addReasons(Id, siteWork(Id), NoEvent);
  for (uint32_t I = 0; I < Events.size(); ++I) {
    const Site &What = Input.Sites[Events.Site[I]];
    if (Owner.empty() || Owner[I] != I)
      continue;
    const CallWork Work = siteWork(Events.Site[I]);
    // If a device did the work, the device's time counts. If the time of some calls is not known,
    // neither is the rate.
    const bool IsOfHost = Links.empty() && !LackingNames.contains(What.Name);
    ByOperator[What.Name].add(Work, IsOfHost ? Events.DurationNs[I] : 0);
    if (What.Kind == SiteKind::Kernel)
      ByKernel[kernelKey(What.Name, What.Device)].add(Work, Events.DurationNs[I]);
    if (Links.empty() && LackingNames.empty())
      Total.add(Work, Events.DurationNs[I]);
  }
  for (size_t I = 0; I < Links.size(); ++I) {
    const Site &What = Input.Sites[Events.Site[Links[I].Work]];
    const CallWork Work = kernelWork(I);
    addReasons(Events.Site[Links[I].Work], Work, Links[I].Operator);
    if (const auto Of = Counted.find(Links[I].Work);
        Of != Counted.end() && !Of->second.Unknown.empty())
      Reasons[kernelKey(What.Name, What.Device)].insert(Of->second.Unknown.begin(),
                                                        Of->second.Unknown.end());
    if (!Work.Flop && !Work.Bytes)
      continue;
    ByKernel[kernelKey(What.Name, What.Device)].add(Work, Events.DurationNs[Links[I].Work]);
    Total.add(Work, Events.DurationNs[Links[I].Work]);
  }
}

CallWork TraceWork::siteWork(SiteId Id) const {
  const OpWork &Work = Sites[Id];
  const Site &What = Input.Sites[Id];
  const WorkSource Else = Fused.contains(Id) ? WorkSource::Graph : WorkSource::Formula;
  const auto Call = Called.find(Id);
  CallWork Made = {
      .Flop = Work.Flop, .Bytes = Work.Bytes, .Compute = Work.Compute, .Kind = Work.Kind};
  if (Work.Flop)
    Made.FlopSource = What.Flop >= 0 ? WorkSource::Recorded : Else;
  if (Work.Bytes)
    Made.BytesSource = What.Bytes >= 0 ? WorkSource::Recorded : Else;
  Made.BytesAtLeast = What.Bytes < 0 && Call != Called.end() && Call->second.BytesAtLeast;
  return Made;
}

/// Notes why figures of a fused kernel are not known. \p Operator: the event that called it.
void TraceWork::addReasons(SiteId Id, const CallWork &Known, uint32_t Operator) {
  const Site &What = Input.Sites[Id];
  const auto Add = [&](const FusedWorkBySite &From, SiteId By) {
    const auto Of = From.find(By);
    if (Of == From.end())
      return;
    auto &To = Reasons[kernelKey(What.Name, What.Device)];
    if (!Known.Flop && !Of->second.FlopWhy.empty())
      To.insert("FLOPs: " + Of->second.FlopWhy);
    if (!Known.Bytes && !Of->second.BytesWhy.empty())
      To.insert("bytes: " + Of->second.BytesWhy);
  };
  if (Known.Flop && Known.Bytes)
    return;
  Add(Fused, Id);
  if (Operator != NoEvent)
    Add(Called, Input.Events.Site[Operator]);
}

const std::set<std::string> *TraceWork::unknownOf(StringId Name, int32_t Device) const {
  const auto Found = Reasons.find(kernelKey(Name, Device));
  return Found == Reasons.end() || Found->second.empty() ? nullptr : &Found->second;
}

CallWork TraceWork::of(size_t Event) const {
  const auto Link = std::ranges::lower_bound(Links, Event, {}, &Origin::Work);
  if (Link != Links.end() && Link->Work == Event)
    return kernelWork(static_cast<size_t>(Link - Links.begin()));
  const bool Owns = !Owner.empty() && Owner[Event] == Event;
  return Owns ? siteWork(Input.Events.Site[Event]) : CallWork{};
}

bool TraceWork::isSplit(size_t Event) const {
  const auto Link = std::ranges::lower_bound(Links, Event, {}, &Origin::Work);
  return Link != Links.end() && Link->Work == Event &&
         IsPart[static_cast<size_t>(Link - Links.begin())];
}

const WorkSum *TraceWork::ofOperator(StringId Name) const {
  const auto Found = ByOperator.find(Name);
  return Found == ByOperator.end() ? nullptr : &Found->second;
}

const WorkSum *TraceWork::ofKernel(StringId Name, int32_t Device) const {
  const auto Found = ByKernel.find(kernelKey(Name, Device));
  return Found == ByKernel.end() ? nullptr : &Found->second;
}

OpWorkKind TraceWork::kindOf(StringId Operator) const {
  const auto Found = Kinds.find(Operator);
  return Found == Kinds.end() ? OpWorkKind::Unknown : Found->second;
}

} // namespace seamscope::tools
