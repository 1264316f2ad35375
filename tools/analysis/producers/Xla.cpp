//===- Xla.cpp - traces of XLA, under JAX and TensorFlow ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Reclassify.h"
#include "analysis/producers/Producers.h"

#include <algorithm>
#include <map>
#include <set>

namespace seamscope::tools {
namespace {

constexpr std::string_view OfDevice = "/device:", OfHost = "/host:";

/// A frame of Python code: "$file.py:12 name".
bool isPython(std::string_view Name) { return Name.starts_with('$'); }

bool isStream(std::string_view Thread) { return Thread.starts_with("Stream #"); }

/// Driver calls that share a number with device work.
bool isDriverCall(std::string_view Name) {
  return Name.starts_with("cu") || Name.starts_with("hip");
}

bool isCopy(std::string_view Name) {
  return Name.starts_with("Memcpy") || Name.starts_with("Memset");
}

} // namespace

/// The processes are devices and the host. Device work is on its streams, and repeated on tracks of
/// operations, modules, steps and scopes; a TPU has no streams, and its operations are the work. On
/// the host, an event with an operation of the program (Site::Ops) is a kernel.
void recogniseXla(Trace &Source) {
  std::map<StringId, int32_t> DeviceOf; // by pid; the host's is -1
  int32_t Devices = 0;
  bool IsHere = false;
  for (const Process &Each : Source.Processes) {
    const std::string_view Name = Source.text(Each.Name);
    if (Name.starts_with(OfDevice)) {
      IsHere = true;
      DeviceOf[Each.Pid] = Devices;
      Source.Devices.push_back({Devices, Each.Name, {}});
      ++Devices;
    } else if (Name.starts_with(OfHost)) {
      IsHere = true;
      DeviceOf[Each.Pid] = -1;
    }
  }
  if (!IsHere)
    return;
  Source.Info.Producer = "XLA";
  std::set<StringId> Streams; // processes that have streams
  for (const Track &Where : Source.Tracks)
    if (isStream(Source.text(Where.ThreadName)))
      Streams.insert(Where.Process);
  Reclassifier To(Source);
  for (uint32_t I = 0; I < Source.Events.size(); ++I) {
    const Track &Where = To.trackOf(I);
    const auto Of = DeviceOf.find(Where.Process);
    if (To.siteOf(I).Category || Of == DeviceOf.end())
      continue;
    const std::string_view Name = To.nameOf(I), Thread = Source.text(Where.ThreadName);
    if (Of->second >= 0) {
      const bool IsWork = Streams.contains(Where.Process) ? isStream(Thread) : Thread == "XLA Ops";
      if (!IsWork)
        To.set(I, XlaSums, SiteKind::Other);
      else if (isCopy(Name))
        To.set(I, "gpu_memcpy", SiteKind::Copy, Of->second);
      else
        To.set(I, "kernel", SiteKind::Kernel, Of->second);
    } else if (isPython(Name)) {
      To.set(I, "python_function", SiteKind::Python);
    } else if (To.siteOf(I).Operators) {
      To.set(I, "kernel", SiteKind::Kernel);
    } else if (isDriverCall(Name)) {
      To.set(I, "cuda_driver", SiteKind::Launch);
    } else {
      To.set(I, XlaHost, SiteKind::Span);
    }
  }
}

} // namespace seamscope::tools
