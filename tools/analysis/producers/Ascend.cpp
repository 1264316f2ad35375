//===- Ascend.cpp - traces of torch_npu ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/producers/Producers.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace seamscope::tools {
namespace {

/// What a process of the trace is, by its name.
enum class Part : uint8_t { None, Hardware, Communication, Sums };

Part partOf(std::string_view Process) {
  static constexpr std::pair<std::string_view, Part> Known[] = {
      {"Ascend Hardware", Part::Hardware},
      {"HCCL", Part::Communication},
      {"Communication", Part::Communication},
      {ProducerSums, Part::Sums}};
  const auto *const Found =
      std::ranges::find(Known, Process, &std::pair<std::string_view, Part>::first);
  return Found == std::end(Known) ? Part::None : Found->second;
}

/// A task of a stream that computes nothing: waits, stamps, the steps of a collective. Those of
/// operators have names of operators.
bool isTask(std::string_view Name) {
  static constexpr std::string_view Begins[] = {
      "EVENT_",  "NOTIFY_",    "Notify",       "Write Value",   "WRITE_VALUE",   "SDMA",
      "RDMA",    "PROFILING_", "PLACE_HOLDER", "Reduce_Inline", "Reduce Inline", "Memcpy",
      "Capture", "MODEL_",     "STREAM_",      "LABEL_"};
  return std::ranges::any_of(Begins, [&](std::string_view Each) { return Name.starts_with(Each); });
}

} // namespace

void recogniseAscend(Trace &Source) {
  std::map<StringId, Part> Parts; // by pid
  std::map<StringId, int32_t> DeviceOf;
  int32_t Hardware = 0, Communication = 0;
  for (const Process &Each : Source.Processes) {
    const Part Is = partOf(Source.text(Each.Name));
    Parts[Each.Pid] = Is;
    if (Is == Part::Hardware)
      DeviceOf[Each.Pid] = Hardware++;
    else if (Is == Part::Communication)
      DeviceOf[Each.Pid] = Communication++;
  }
  if (!Hardware)
    return;
  std::map<std::tuple<SiteId, StringId, int32_t>, SiteId> Made;
  /// The site of that one's events as what they are.
  const auto Get = [&](SiteId Old, std::string_view Category, SiteKind Kind, int32_t Device) {
    Site New = Source.Sites[Old];
    New.Category = Source.Strings.intern(Category);
    New.Kind = Kind;
    New.Device = Kind == SiteKind::Other ? -1 : Device;
    const auto [Place, IsNew] =
        Made.try_emplace({Old, New.Category, New.Device}, static_cast<SiteId>(Source.Sites.size()));
    if (IsNew)
      Source.Sites.push_back(New);
    return Place->second;
  };
  const auto SiteOf = [&](SiteId Old, const Track &Where) {
    const std::string_view Name = Source.text(Source.Sites[Old].Name);
    const auto Of = Parts.find(Where.Process);
    switch (Of == Parts.end() ? Part::None : Of->second) {
    case Part::Hardware:
      if (Name.starts_with("MEMCPY"))
        return Get(Old, "gpu_memcpy", SiteKind::Copy, DeviceOf[Where.Process]);
      return isTask(Name) ? Get(Old, "task", SiteKind::Other, -1)
                          : Get(Old, "kernel", SiteKind::Kernel, DeviceOf[Where.Process]);
    case Part::Communication:
      // Whole collectives have tracks of their own; planes have the steps that they are made of.
      return Source.text(Where.ThreadName).ends_with("Communication")
                 ? Get(Old, "kernel", SiteKind::Kernel, DeviceOf[Where.Process])
                 : Get(Old, "task", SiteKind::Other, -1);
    case Part::Sums:
      return Get(Old, ProducerSums, SiteKind::Other, -1);
    default:
      return Get(Old, "host", SiteKind::Other, -1);
    }
  };
  for (size_t I = 0; I < Source.Events.size(); ++I)
    if (SiteId &Of = Source.Events.Site[I]; !Source.Sites[Of].Category)
      Of = SiteOf(Of, Source.Tracks[Source.Events.Track[I]]);
}

} // namespace seamscope::tools
