//===- ChromeDetails.cpp - what only some events of a Chrome trace have ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A detail is a struct of Trace.h with its column in details.def. Here stand the keys of `args`
// that fill it, and which events may have it.
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/ChromeEvent.h"
#include "trace/chrome/KeyTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace seamscope::tools {
namespace {

/// The row of a detail, which its first argument makes.
template <typename RowT> RowT &row(std::optional<RowT> &Row) { return Row ? *Row : Row.emplace(); }

/// A number that is 0 or more; others leave the field as it is.
template <typename RowT>
void setCount(const JsonScalar &Value, std::optional<RowT> &Row, int64_t RowT::*Field) {
  if (const auto Number = Value.wholeNumber(); Number && *Number >= 0)
    row(Row).*Field = *Number;
}

template <typename RowT>
void setSmall(const JsonScalar &Value, std::optional<RowT> &Row, int32_t RowT::*Field) {
  if (const auto Number = Value.wholeNumber();
      Number && *Number >= 0 && *Number <= std::numeric_limits<int32_t>::max())
    row(Row).*Field = static_cast<int32_t>(*Number);
}

template <typename RowT>
void setNumber(const JsonScalar &Value, std::optional<RowT> &Row, int64_t RowT::*Field) {
  if (const auto Number = Value.wholeNumber())
    row(Row).*Field = *Number;
}

/// "[1, 2, 3]"; what is not that leaves the field as it is.
void setTriple(std::string_view Json, std::optional<LaunchShape> &Row,
               std::array<int64_t, 3> LaunchShape::*Field) {
  std::array<int64_t, 3> Numbers;
  const auto SkipTo = [&](char Wanted) {
    const size_t At = Json.find_first_not_of(" \t\r\n");
    if (At == Json.npos || Json[At] != Wanted)
      return false;
    Json.remove_prefix(At + 1);
    Json.remove_prefix(std::min(Json.find_first_not_of(" \t\r\n"), Json.size()));
    return true;
  };
  for (size_t I = 0; I < 3; ++I) {
    if (!SkipTo(I ? ',' : '['))
      return;
    const auto [Stop, Error] = std::from_chars(Json.data(), Json.data() + Json.size(), Numbers[I]);
    if (Error != std::errc() || Numbers[I] < 0)
      return;
    Json.remove_prefix(static_cast<size_t>(Stop - Json.data()));
  }
  if (SkipTo(']'))
    row(Row).*Field = Numbers;
}

} // namespace

const ChromeEvent::Argument *ChromeEvent::detailArgument(std::string_view Key) {
  using Event = ChromeEvent;
  using Scalar = const JsonScalar &;
  using Text = std::string_view;
  static constexpr Argument List[] = {
      {"Sequence number",
       [](Event &E, Scalar Value) {
         setCount(Value, E.Details.Sequences, &SequenceNumber::Number);
       },
       nullptr, WantAutograd},
      {"Fwd thread id",
       [](Event &E, Scalar Value) {
         setNumber(Value, E.Details.Sequences, &SequenceNumber::ForwardThread);
       },
       nullptr, WantAutograd},
      {"Python id",
       [](Event &E, Scalar Value) { setCount(Value, E.Details.Frames, &PythonFrame::Id); }, nullptr,
       WantStacks},
      {"Python parent id",
       [](Event &E, Scalar Value) {
         if (const auto Number = Value.wholeNumber())
           row(E.Details.Frames).Parent = Number;
       },
       nullptr, WantStacks},
      {"Call stack",
       [](Event &E, Scalar Value) {
         if (const Text Frames = Value.string(); !Frames.empty())
           row(E.Details.Stacks).Frames = E.intern(Frames);
       },
       nullptr, WantStacks},
      {"grid", nullptr,
       [](Event &E, Text Json) { setTriple(Json, E.Details.Launches, &LaunchShape::Grid); },
       WantLaunches},
      {"block", nullptr,
       [](Event &E, Text Json) { setTriple(Json, E.Details.Launches, &LaunchShape::Block); },
       WantLaunches},
      {"shared memory",
       [](Event &E, Scalar Value) {
         setCount(Value, E.Details.Launches, &LaunchShape::SharedBytes);
       },
       nullptr, WantLaunches},
      {"registers per thread",
       [](Event &E, Scalar Value) { setCount(Value, E.Details.Launches, &LaunchShape::Registers); },
       nullptr, WantLaunches},
      {"stream",
       [](Event &E, Scalar Value) {
         setCount(Value, E.Details.Launches, &LaunchShape::Stream);
         setCount(Value, E.Details.Syncs, &DeviceSync::Stream);
       },
       nullptr, WantLaunches | WantSyncs},
      {"wait_on_stream",
       [](Event &E, Scalar Value) { setCount(Value, E.Details.Syncs, &DeviceSync::OtherStream); },
       nullptr, WantSyncs},
      {"wait_on_cuda_event_record_corr_id",
       [](Event &E, Scalar Value) { setCount(Value, E.Details.Syncs, &DeviceSync::Record); },
       nullptr, WantSyncs},
      {"Collective name",
       [](Event &E, Scalar Value) {
         if (const Text Name = Value.string(); !Name.empty())
           row(E.Details.Collectives).Name = E.intern(Name);
       },
       nullptr, WantCollectives},
      {"dtype",
       [](Event &E, Scalar Value) { row(E.Details.Collectives).Type = E.intern(Value.string()); },
       nullptr, WantCollectives},
      {"Process Group ID",
       [](Event &E, Scalar Value) { row(E.Details.Collectives).Group = E.intern(Value.label()); },
       nullptr, WantCollectives},
      {"Process Group Name",
       [](Event &E, Scalar Value) { row(E.Details.Collectives).Group = E.intern(Value.label()); },
       nullptr, WantCollectives},
      {"Process Group Ranks",
       [](Event &E, Scalar Value) { row(E.Details.Collectives).Ranks = E.intern(Value.string()); },
       nullptr, WantCollectives},
      {"Group size",
       [](Event &E, Scalar Value) {
         setCount(Value, E.Details.Collectives, &CollectiveCall::GroupSize);
       },
       nullptr, WantCollectives},
      {"In msg nelems",
       [](Event &E, Scalar Value) {
         setCount(Value, E.Details.Collectives, &CollectiveCall::InElements);
       },
       nullptr, WantCollectives},
      {"Out msg nelems",
       [](Event &E, Scalar Value) {
         setCount(Value, E.Details.Collectives, &CollectiveCall::OutElements);
       },
       nullptr, WantCollectives},
      {"bytes", [](Event &E, Scalar Value) { setCount(Value, E.Details.Copies, &CopySize::Bytes); },
       nullptr, WantMemory},
      {"Bytes",
       [](Event &E, Scalar Value) { setNumber(Value, E.Details.Memory, &MemoryChange::Bytes); },
       nullptr, WantMemory},
      {"Addr",
       [](Event &E, Scalar Value) { setNumber(Value, E.Details.Memory, &MemoryChange::Address); },
       nullptr, WantMemory},
      {"Total Allocated",
       [](Event &E, Scalar Value) { setCount(Value, E.Details.Memory, &MemoryChange::Allocated); },
       nullptr, WantMemory},
      {"Total Reserved",
       [](Event &E, Scalar Value) { setCount(Value, E.Details.Memory, &MemoryChange::Reserved); },
       nullptr, WantMemory},
      {"Device Type",
       [](Event &E, Scalar Value) { setSmall(Value, E.Details.Memory, &MemoryChange::DeviceType); },
       nullptr, WantMemory},
      {"Device Id",
       [](Event &E, Scalar Value) { setSmall(Value, E.Details.Memory, &MemoryChange::Device); },
       nullptr, WantMemory},
  };
  static constexpr KeyTable Table(List);
  return Table.find(Key);
}

void ChromeEvent::addDetails(SiteKind Kind) {
  const bool IsOfHost = Kind == SiteKind::Operator || Kind == SiteKind::Span ||
                        (Kind == SiteKind::Kernel && !isOfDevice(kindOfCategory(Category)));
  const auto Add = [&](const auto &Row, bool MayHaveIt) {
    if (Row && MayHaveIt)
      Builder.add(*Row);
  };
  Add(Details.Sequences, IsOfHost && Details.Sequences && Details.Sequences->Number >= 0);
  Add(Details.Stacks, IsOfHost);
  Add(Details.Frames, Kind == SiteKind::Python && Details.Frames && Details.Frames->Id >= 0);
  Add(Details.Launches, Keep.Launches && (Kind == SiteKind::Kernel || Kind == SiteKind::Launch ||
                                          Kind == SiteKind::Operator));
  Add(Details.Copies, Kind == SiteKind::Copy);
  // Others have "dtype", too.
  Add(Details.Collectives,
      Details.Collectives && Details.Collectives->Name &&
          (Kind == SiteKind::Kernel || Kind == SiteKind::Operator || Kind == SiteKind::Span));
  if (Keep.Syncs && Category == "cuda_sync") {
    DeviceSync &Sync = row(Details.Syncs);
    Sync.Correlation = Correlation.value_or(-1);
    Sync.Device = deviceOf();
    Builder.add(Sync);
  }
}

/// An instant, which is not a call.
std::string ChromeEvent::addMemory() {
  if (!Begin)
    return fmt::format("event \"{}\" has no \"ts\"", Name);
  // No device has as much: analyses need not care for overflow of a sum or difference of two.
  constexpr int64_t Most = int64_t{1} << 56;
  MemoryChange &Change = *Details.Memory;
  if (Change.Bytes > Most || Change.Bytes < -Most || Change.Allocated > Most)
    return fmt::format("event \"{}\" is of more bytes than there are", Name);
  Change.Ns = *Begin;
  Change.Track = track();
  return Builder.addMemory(Change) ? "" : farOff();
}

/// Between the operators of a forward and a backward pass; older writers have the second category.
bool ChromeEvent::isFlow() const {
  return Details.Flows && (Phase == "s" || Phase == "t" || Phase == "f") &&
         (Category == "fwdbwd" || Category == "forward_backward");
}

std::string ChromeEvent::addFlow() {
  FlowEnd &End = *Details.Flows;
  if (!Begin)
    return fmt::format("flow {} has no \"ts\"", End.Id);
  End.Ns = *Begin;
  End.Track = track();
  End.IsTarget = Phase != "s";
  return Builder.addFlow(End) ? "" : farOff();
}

} // namespace seamscope::tools
