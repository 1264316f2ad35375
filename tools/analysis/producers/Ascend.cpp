//===- Ascend.cpp - traces of torch_npu ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Reclassify.h"
#include "analysis/producers/Producers.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace seamscope::tools {
namespace {

/// The kind of a process in the trace, by its name.
enum class Part : uint8_t { None, Hardware, Communication, Runtime, Sums };

Part partOf(std::string_view Process) {
  static constexpr std::pair<std::string_view, Part> Known[] = {
      {"Ascend Hardware", Part::Hardware},
      {"HCCL", Part::Communication},
      {"Communication", Part::Communication},
      {"CANN", Part::Runtime},
      {AscendSums, Part::Sums}};
  const auto *const Found =
      std::ranges::find(Known, Process, &std::pair<std::string_view, Part>::first);
  return Found == std::end(Known) ? Part::None : Found->second;
}

/// A task of a stream that does not compute: waits, stamps, steps of collectives. Tasks of
/// operators have the names of operators.
bool isTask(std::string_view Name) {
  static constexpr std::string_view Begins[] = {
      "EVENT_",  "NOTIFY_",    "Notify",       "Write Value",   "WRITE_VALUE",   "SDMA",
      "RDMA",    "PROFILING_", "PLACE_HOLDER", "Reduce_Inline", "Reduce Inline", "Memcpy",
      "Capture", "MODEL_",     "STREAM_",      "LABEL_"};
  return std::ranges::any_of(Begins, [&](std::string_view Each) { return Name.starts_with(Each); });
}

/// The \p Launches that came out of a queue: a thread of torch_npu takes what others put in. Both
/// ends have a number; \p Launches run inside the second.
std::vector<QueuedLaunch> queuedLaunches(const Trace &Source,
                                         const std::vector<uint32_t> &Launches) {
  const EventColumns &Events = Source.Events;
  std::map<int64_t, uint32_t> PutBy; // by number
  std::map<StringId, std::map<int64_t, std::pair<int64_t, int64_t>>>
      Taken; // thread, begin: end, number
  for (const Correlation &Of : Source.Correlations) {
    const std::string_view Category = Source.text(Source.Sites[Events.Site[Of.Event]].Category);
    if (Category == EnqueueCategory)
      PutBy.emplace(Of.Id, Of.Event);
    else if (Category == DequeueCategory)
      Taken[Source.Tracks[Events.Track[Of.Event]].Thread][Events.BeginNs[Of.Event]] = {
          Events.endNs(Of.Event), Of.Id};
  }
  std::vector<QueuedLaunch> Result;
  for (const uint32_t Launch : Launches) {
    const auto Thread = Taken.find(Source.Tracks[Events.Track[Launch]].Thread);
    if (Thread == Taken.end())
      continue;
    const auto Next = Thread->second.upper_bound(Events.BeginNs[Launch]);
    if (Next == Thread->second.begin())
      continue;
    const auto &[EndNs, Number] = std::prev(Next)->second;
    const auto By = PutBy.find(Number);
    if (EndNs >= Events.endNs(Launch) && By != PutBy.end())
      Result.push_back({Launch, By->second});
  }
  return Result;
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
  Source.Info.Producer = "torch_npu";
  const StringId DeviceName = Source.Strings.intern("Ascend NPU");
  for (int32_t Id = 0; Id < std::max(Hardware, Communication); ++Id)
    Source.Devices.push_back({Id, DeviceName, {}});
  Reclassifier To(Source);
  std::vector<uint32_t> Launches;
  for (uint32_t I = 0; I < Source.Events.size(); ++I) {
    if (To.siteOf(I).Category)
      continue;
    const Track &Where = To.trackOf(I);
    const std::string_view Name = To.nameOf(I);
    const auto Of = Parts.find(Where.Process);
    switch (Of == Parts.end() ? Part::None : Of->second) {
    case Part::Hardware:
      if (Name.starts_with("MEMCPY"))
        To.set(I, "gpu_memcpy", SiteKind::Copy, DeviceOf[Where.Process]);
      else if (isTask(Name))
        To.set(I, "task", SiteKind::Other);
      else
        To.set(I, "kernel", SiteKind::Kernel, DeviceOf[Where.Process]);
      break;
    case Part::Communication:
      // Whole collectives have their own tracks; planes have their steps.
      if (Source.text(Where.ThreadName).ends_with("Communication"))
        To.set(I, "kernel", SiteKind::Kernel, DeviceOf[Where.Process]);
      else
        To.set(I, "task", SiteKind::Other);
      break;
    case Part::Runtime:
      // Their connection_id is that of the work that they launch.
      To.set(I, "CANN", SiteKind::Launch);
      Launches.push_back(I);
      break;
    case Part::Sums:
      To.set(I, AscendSums, SiteKind::Other);
      break;
    case Part::None:
      To.set(I, "host", SiteKind::Other);
      break;
    }
  }
  Source.Details.Queued = queuedLaunches(Source, Launches);
}

} // namespace seamscope::tools
