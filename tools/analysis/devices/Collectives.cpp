//===- Collectives.cpp - the collectives of a trace -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/devices/Collectives.h"

#include "analysis/core/HostNesting.h"
#include "analysis/devices/OpInputs.h"
#include "kernels/Category.h"
#include "work/DType.h"
#include "work/OpArguments.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <utility>

namespace seamscope::tools {
namespace {

std::string lowered(std::string_view Text) {
  std::string Result(Text.substr(0, 256)); // the part that decides is near the beginning
  for (char &C : Result)
    C = static_cast<char>(std::tolower(static_cast<unsigned char>(C)));
  return Result;
}

std::optional<int64_t> product(std::optional<int64_t> A, std::optional<int64_t> B) {
  int64_t Result;
  if (!A || !B || __builtin_mul_overflow(*A, *B, &Result))
    return std::nullopt;
  return Result;
}

/// Of an element, by c10::ScalarType's name ("Float", "Byte").
std::optional<int64_t> elementBytes(std::string_view ScalarType) {
  const std::string Name = lowered(ScalarType);
  if (Name == "byte" || Name == "char")
    return 1;
  const int64_t Size = sizeOf(typeOfTorchName(Name));
  return Size ? std::optional(Size) : std::nullopt;
}

/// torch's scope of a collective is called "nccl:all_reduce" or "gloo:all_reduce". Returns the part
/// after the colon; empty if it is not such a name.
std::string_view behindBackend(std::string_view Name, std::initializer_list<std::string_view> Of) {
  for (const std::string_view Backend : Of)
    if (Name.size() > Backend.size() && Name.starts_with(Backend) && Name[Backend.size()] == ':' &&
        Name[Backend.size() + 1] != ':')
      return Name.substr(Backend.size() + 1);
  return {};
}

/// Bytes of all tensors of a site's inputs; nothing if the size of one is not known.
std::optional<int64_t> bytesOfInputs(const Trace &Input, const Site &What) {
  const OpArguments Arguments = argumentsOf(Input, What);
  std::optional<int64_t> Sum;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    if (Arguments.kind(I) == ArgumentKind::TensorList)
      return std::nullopt; // types are not recorded
    if (Arguments.kind(I) != ArgumentKind::Tensor)
      continue;
    const TensorRef Tensor = Arguments.tensor(I);
    std::optional<int64_t> Bytes = sizeOf(Tensor.Type);
    for (const int64_t Size : Tensor.Dims)
      Bytes = product(Bytes, Size);
    int64_t With;
    if (!Bytes || !sizeOf(Tensor.Type) || __builtin_add_overflow(Sum.value_or(0), *Bytes, &With))
      return std::nullopt;
    Sum = With;
  }
  return Sum;
}

} // namespace

std::string_view collectiveKindName(CollectiveKind Kind) {
  static constexpr std::string_view Names[] = {
      "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "reduce",
      "gather",     "scatter",    "send_recv",      "barrier",    "other"};
  return Names[static_cast<size_t>(Kind)];
}

CollectiveKind collectiveKindOf(std::string_view Name) {
  using enum CollectiveKind;
  // The first match decides: no other name contains "all_gather", but some contain "gather".
  static constexpr std::pair<std::string_view, CollectiveKind> Words[] = {
      {"allreduce", AllReduce},
      {"allgather", AllGather},
      {"reducescatter", ReduceScatter},
      {"alltoall", AllToAll},
      {"broadcast", Broadcast},
      {"barrier", Barrier},
      {"crossdevicereduce", AllReduce},
      {"sendrecv", SendReceive},
      {"gather", Gather},
      {"scatter", Scatter},
      {"reduce", Reduce},
      {"send", SendReceive},
      {"recv", SendReceive}};
  std::string Text = lowered(Name);
  // The arguments of NCCL kernels name other things.
  if (Text.starts_with("nccl") || Text.starts_with("rccl"))
    Text.resize(std::min(Text.find('('), Text.size()));
  std::erase(Text, '_');
  for (const auto &[Word, Kind] : Words)
    if (Text.find(Word) != Text.npos)
      return Kind;
  return Other;
}

std::optional<int64_t> Collective::sizeBytes() const {
  switch (Kind) {
  case CollectiveKind::AllGather:
    return OutBytes ? OutBytes : product(InBytes, GroupSize);
  case CollectiveKind::ReduceScatter:
    return InBytes ? InBytes : product(OutBytes, GroupSize);
  case CollectiveKind::AllReduce:
  case CollectiveKind::AllToAll:
  case CollectiveKind::Broadcast:
  case CollectiveKind::Reduce:
  case CollectiveKind::SendReceive:
    return InBytes ? InBytes : OutBytes;
  default:
    return std::nullopt;
  }
}

std::optional<double> busFactor(CollectiveKind Kind, std::optional<int64_t> GroupSize) {
  switch (Kind) {
  case CollectiveKind::Broadcast:
  case CollectiveKind::Reduce:
  case CollectiveKind::SendReceive:
    return 1;
  case CollectiveKind::AllReduce:
  case CollectiveKind::AllGather:
  case CollectiveKind::ReduceScatter:
  case CollectiveKind::AllToAll:
    break;
  default:
    return std::nullopt;
  }
  if (GroupSize.value_or(0) <= 0)
    return std::nullopt;
  const double N = static_cast<double>(*GroupSize);
  return (Kind == CollectiveKind::AllReduce ? 2 : 1) * (N - 1) / N;
}

namespace {

class Finder {
public:
  Finder(const Trace &Input, const std::vector<Origin> &Links)
      : Input(Input), Events(Input.Events), Links(Links) {}

  std::vector<Collective> run() {
    for (const Origin &Link : Links)
      if (isCollectiveKernel(Link.Work))
        Kernels.push_back(&Link);
    findAround();
    for (const Origin *Link : Kernels)
      addKernel(*Link);
    for (uint32_t I = 0; I < Events.size(); ++I)
      if (siteOf(I).Kind == SiteKind::Span &&
          !behindBackend(Input.text(siteOf(I).Name), {"gloo", "mpi"}).empty())
        addHost(I);
    std::ranges::sort(Found, {}, &Collective::Event);
    return std::move(Found);
  }

private:
  const Site &siteOf(uint32_t Event) const { return Input.Sites[Events.Site[Event]]; }

  bool isCollectiveKernel(uint32_t Event) {
    const auto [Entry, New] = OfSite.try_emplace(Events.Site[Event], false);
    if (New)
      Entry->second = siteOf(Event).Kind == SiteKind::Kernel &&
                      categorize(Input.text(siteOf(Event).Name)) == KernelCategory::Collective;
    return Entry->second;
  }

  const CollectiveCall *detailsOf(uint32_t Event) const {
    const auto &All = Input.Details.Collectives;
    const auto At = std::ranges::lower_bound(All, Event, {}, &CollectiveCall::Event);
    return At != All.end() && At->Event == Event ? &*At : nullptr;
  }

  /// The events around the launches on the host: the operator with the details, and torch's scope.
  void findAround() {
    std::vector<uint32_t> Calls;
    for (const Origin *Link : Kernels)
      if (Link->Launch != NoEvent)
        Calls.push_back(Link->Launch);
    if (Calls.empty())
      return;
    std::vector<bool> HasDetails(Input.Sites.size()), IsScope(Input.Sites.size());
    for (const CollectiveCall &Of : Input.Details.Collectives)
      HasDetails[Events.Site[Of.Event]] = siteOf(Of.Event).Device < 0;
    for (SiteId Id = 0; Id < Input.Sites.size(); ++Id)
      IsScope[Id] =
          (Input.Sites[Id].Kind == SiteKind::Span || Input.Sites[Id].Kind == SiteKind::Operator) &&
          !behindBackend(Input.text(Input.Sites[Id].Name), {"nccl", "rccl"}).empty();
    Operator = innermostAround(Input, Calls, HasDetails, Within::Begin);
    Scope = innermostAround(Input, Calls, IsScope, Within::Begin);
    for (const uint32_t Launch : Calls)
      for (const uint32_t Host : {Operator[Launch], Scope[Launch]})
        if (Host != NoEvent)
          ++KernelsOf[Host];
  }

  void addKernel(const Origin &Link) {
    Collective &New = Found.emplace_back();
    New.Event = Link.Work;
    New.Kind = collectiveKindOf(Input.text(siteOf(Link.Work).Name));
    const uint32_t From = Link.Launch == NoEvent ? NoEvent : Operator[Link.Launch];
    const uint32_t In = Link.Launch == NoEvent ? NoEvent : Scope[Link.Launch];
    const CollectiveCall *const Of = detailsOf(Link.Work) ? detailsOf(Link.Work)
                                     : From == NoEvent    ? nullptr
                                                          : detailsOf(From);
    // If one call has several kernels, it is not known which moved what.
    const bool Alone =
        (From == NoEvent || KernelsOf[From] == 1) && (In == NoEvent || KernelsOf[In] == 1);
    if (In != NoEvent)
      describe(New, In, Alone);
    if (Of)
      describe(New, *Of, Alone);
    completeGroup(New);
  }

  void addHost(uint32_t Event) {
    Collective &New = Found.emplace_back();
    New.Event = Event;
    New.OfHost = true;
    describe(New, Event, true);
    if (const CollectiveCall *const Of = detailsOf(Event))
      describe(New, *Of, true);
    completeGroup(New);
  }

  /// By torch's scope.
  void describe(Collective &To, uint32_t Span, bool Sizes) const {
    const std::string_view Name = Input.text(siteOf(Span).Name);
    if (const CollectiveKind Kind = collectiveKindOf(Name.substr(Name.find(':')));
        Kind != CollectiveKind::Other)
      To.Kind = Kind;
    // The scope has one name for both.
    To.EvenSplit = To.Kind != CollectiveKind::AllToAll;
    if (Sizes)
      To.InBytes = bytesOfInputs(Input, siteOf(Span));
  }

  /// By the arguments that torch gives operators and kernels.
  void describe(Collective &To, const CollectiveCall &Of, bool Sizes) const {
    const std::string_view Name = Input.text(Of.Name);
    if (const CollectiveKind Kind = collectiveKindOf(Name); Kind != CollectiveKind::Other)
      To.Kind = Kind;
    To.EvenSplit = To.Kind != CollectiveKind::AllToAll || !Name.ends_with("v");
    To.Group = Of.Group;
    To.Ranks = Of.Ranks;
    if (Of.GroupSize > 0)
      To.GroupSize = Of.GroupSize;
    const auto Bytes = [&](int64_t Elements) {
      return Elements < 0 ? std::nullopt : product(Elements, elementBytes(Input.text(Of.Type)));
    };
    if (!Sizes)
      return;
    if (const auto In = Bytes(Of.InElements))
      To.InBytes = In;
    To.OutBytes = Bytes(Of.OutElements);
  }

  /// If the program has only one group, it is that one.
  void completeGroup(Collective &To) const {
    if (!To.GroupSize && !To.Group && Input.Info.Groups.size() == 1 &&
        Input.Info.Groups[0].Size.value_or(0) > 0)
      To.GroupSize = Input.Info.Groups[0].Size;
  }

  const Trace &Input;
  const EventColumns &Events;
  const std::vector<Origin> &Links;
  std::vector<const Origin *> Kernels;
  std::unordered_map<SiteId, bool> OfSite;
  std::vector<uint32_t> Operator, Scope;            ///< by launch
  std::unordered_map<uint32_t, uint64_t> KernelsOf; ///< by host event
  std::vector<Collective> Found;
};

} // namespace

std::vector<Collective> findCollectives(const Trace &Input, const std::vector<Origin> &Links) {
  return Finder(Input, Links).run();
}

} // namespace seamscope::tools
