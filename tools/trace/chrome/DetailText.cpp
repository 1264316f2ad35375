//===- DetailText.cpp - what only some events have, as Chrome trace JSON --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/DetailText.h"

#include "trace/chrome/SiteText.h"
#include "trace/io/JsonText.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace seamscope::tools {
namespace {

using Json = nlohmann::ordered_json;

/// The texts and the place of a site that stands in an event of another one.
Json placeOf(const Trace &Source, const Site &What) {
  Json Place = Json::object();
  Place["name"] = Source.text(What.Name);
  addFields(Place, Source, What);
  return Place;
}

void addTriple(const char *Key, const std::array<int64_t, 3> &Of, EventArguments &To) {
  if (std::ranges::min(Of) >= 0)
    To.add(Key, fmt::format("[{},{},{}]", Of[0], Of[1], Of[2]));
}

} // namespace

void EventArguments::addText(std::string_view Key, std::string_view Text) {
  add(Key, quotedText(Text));
}

void DetailTexts::addOf(uint32_t Event, EventArguments &To) {
  const auto Text = [&](const char *Key, StringId Id) {
    if (Id)
      To.addText(Key, Source.text(Id));
  };
  if (const LaunchShape *const Of = Launches.of(Event)) {
    addTriple("grid", Of->Grid, To);
    addTriple("block", Of->Block, To);
    To.addKnown("registers per thread", Of->Registers);
    To.addKnown("shared memory", Of->SharedBytes);
    To.addKnown("stream", Of->Stream);
  }
  if (const CopySize *const Of = Copies.of(Event))
    To.add("bytes", Of->Bytes);
  if (const SequenceNumber *const Of = Sequences.of(Event)) {
    To.add("Sequence number", Of->Number);
    if (Of->ForwardThread)
      To.add("Fwd thread id", Of->ForwardThread);
  }
  if (const PythonFrame *const Of = Frames.of(Event)) {
    To.add("Python id", Of->Id);
    if (Of->Parent)
      To.add("Python parent id", *Of->Parent);
  }
  if (const CallStack *const Of = Stacks.of(Event))
    Text("Call stack", Of->Frames);
  if (const CollectiveCall *const Of = Collectives.of(Event)) {
    Text("Collective name", Of->Name);
    Text("dtype", Of->Type);
    Text("Process Group Name", Of->Group);
    Text("Process Group Ranks", Of->Ranks);
    To.addKnown("Group size", Of->GroupSize);
    To.addKnown("In msg nelems", Of->InElements);
    To.addKnown("Out msg nelems", Of->OutElements);
  }
  if (const DeviceSync *const Of = Syncs.of(Event)) {
    To.addKnown("correlation", Of->Correlation);
    To.addKnown("stream", Of->Stream);
    To.addKnown("wait_on_stream", Of->OtherStream);
    To.addKnown("wait_on_cuda_event_record_corr_id", Of->Record);
    To.addKnown("device", Of->Device);
  }
  if (const KernelInside *const Of = Insides.of(Event))
    To.add("inside", insideText(*Of));
  if (const LaunchCounters *const Of = Counters.of(Event))
    To.add("work", countersText(*Of));
  if (const KernelCapture *const Of = Captures.of(Event))
    To.add("captured at", captureText(*Of));
}

std::string DetailTexts::countersText(const LaunchCounters &Of) const {
  const auto Text = [&](StringId Id) { return jsonText(Json(Source.text(Id))); };
  if (Of.Unknown)
    return "{\"unknown\":" + Text(Of.Unknown) + "}";
  return "{\"counts\":" + Text(Of.Counts) + ",\"words\":" + std::string(Source.text(Of.Words)) +
         "}";
}

std::string DetailTexts::insideText(const KernelInside &Of) {
  Json Inside = {{"sms", Of.Sms}, {"blocks", Of.Blocks}, {"warps", Of.Warps}};
  for (const auto &[Key, Count] : {std::pair("open_warps", Of.OpenWarps),
                                   {"lost_warps", Of.LostWarps},
                                   {"resident_blocks", Of.ResidentBlocks}})
    if (Count)
      Inside[Key] = Count;
  for (const auto &[Key, Ratio] : {std::pair("share", Of.Share),
                                   {"waves", Of.Waves},
                                   {"tail_percent", Of.TailPercent},
                                   {"sm_imbalance", Of.SmImbalance},
                                   {"warp_imbalance", Of.WarpImbalance}})
    if (Ratio)
      Inside[Key] = *Ratio;
  for (const KernelLoop *Loop = Loops.of(Of.Event); Loop; Loop = Loops.more()) {
    Inside["kernel_clocks"] = Loop->KernelClocks;
    Inside["loop_threads"] = Loop->Threads;
    Json Entry = placeOf(Source, Source.Sites[Loop->Site]);
    if (Loop->Parent)
      Entry["parent"] = Loop->Parent;
    Entry["entries"] = Loop->Entries;
    Entry["clocks"] = Loop->Clocks;
    Inside["loops"].push_back(std::move(Entry));
  }
  return jsonText(Inside);
}

std::string DetailTexts::captureText(const KernelCapture &Of) const {
  return jsonText(placeOf(Source, Source.Sites[Of.Site]));
}

void addMemory(const MemoryChange &Change, EventArguments &To) {
  To.add("Bytes", Change.Bytes);
  To.add("Device Type", Change.DeviceType);
  To.addKnown("Device Id", Change.Device);
  To.addKnown("Total Allocated", Change.Allocated);
  To.addKnown("Total Reserved", Change.Reserved);
  if (Change.Address)
    To.add("Addr", Change.Address);
}

const char *linkArgument(std::string_view Category) {
  return Category == EnqueueCategory || Category == DequeueCategory ? "connection_id"
                                                                    : "correlation";
}

} // namespace seamscope::tools
