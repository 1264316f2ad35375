//===- CudaActivity.cpp - rows of NVIDIA's profilers as a trace -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/cuda/CudaActivity.h"

#include "format/DeviceNames.h"
#include "trace/cuda/NvtxText.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace seamscope::tools {
void CudaActivity::skip(const Row &What, std::string_view Why) {
  Builder.skip(static_cast<uint64_t>(What.Number),
               fmt::format("row {} of {}: {}", What.Number, What.Table, Why));
}

bool CudaActivity::add(const Row &What, SiteId Site, TrackId Track,
                       std::optional<int64_t> Correlation) {
  int64_t DurationNs;
  std::string_view Wrong;
  if (!What.BeginNs || !What.EndNs)
    Wrong = "its begin or end is not a whole number";
  else if (*What.EndNs < *What.BeginNs)
    Wrong = "it ends before it begins";
  else if (__builtin_sub_overflow(*What.EndNs, *What.BeginNs, &DurationNs) ||
           !Builder.addCall(*What.BeginNs, DurationNs, Site, Track, -1))
    Wrong = "its time is out of range, or the durations add up to too much";
  if (!Wrong.empty()) {
    skip(What, Wrong);
    return false;
  }
  if (Correlation)
    Builder.correlate(*Correlation);
  return true;
}

std::span<const SqliteColumn> CudaActivity::launchColumns() {
  static constexpr SqliteColumn Columns[] = {{"gridX"},
                                             {"gridY"},
                                             {"gridZ"},
                                             {"blockX"},
                                             {"blockY"},
                                             {"blockZ"},
                                             {"registersPerThread"},
                                             {"staticSharedMemory"},
                                             {"dynamicSharedMemory"}};
  return Columns;
}

void CudaActivity::addLaunch(const SqliteRows &Row, int First, std::optional<int64_t> Stream) {
  const auto Known = [](std::optional<int64_t> Number) {
    return Number && *Number >= 0 ? *Number : -1;
  };
  LaunchShape Shape;
  for (int I = 0; I < 3; ++I) {
    Shape.Grid[static_cast<size_t>(I)] = Known(Row.integer(First + I));
    Shape.Block[static_cast<size_t>(I)] = Known(Row.integer(First + 3 + I));
  }
  Shape.Registers = Known(Row.integer(First + 6));
  // One of the two kinds of shared memory may be unknown, which is not zero.
  const int64_t Static = Known(Row.integer(First + 7)), Dynamic = Known(Row.integer(First + 8));
  if (Static < 0 || Dynamic < 0 || __builtin_add_overflow(Static, Dynamic, &Shape.SharedBytes))
    Shape.SharedBytes = -1;
  Shape.Stream = Known(Stream);
  Builder.add(Shape);
}

std::optional<int32_t> CudaActivity::device(std::optional<int64_t> Id) {
  if (!Id || *Id < 0 || *Id > std::numeric_limits<int32_t>::max())
    return std::nullopt;
  return static_cast<int32_t>(*Id);
}

SiteId CudaActivity::siteOf(std::string_view Name, std::string_view Category, int32_t Device) {
  Site What;
  What.Name = Builder.strings().intern(Name);
  What.Category = Builder.strings().intern(Category);
  What.Device = Device;
  return Builder.site(What);
}

SiteId CudaActivity::kernel(std::string_view Name, int32_t Device) {
  return siteOf(Name.empty() ? "[no name]" : Name, "kernel", Device);
}

SiteId CudaActivity::copy(std::optional<int64_t> Kind, std::string_view From, std::string_view To,
                          int32_t Device) {
  std::string Name = "Memcpy";
  if (const std::string_view Way = format::copyName(static_cast<uint64_t>(Kind.value_or(0)));
      !Way.empty())
    Name.append(" ").append(Way);
  if (!From.empty() && !To.empty())
    Name += fmt::format(" ({} -> {})", From, To);
  return siteOf(Name, "gpu_memcpy", Device);
}

SiteId CudaActivity::fill(std::string_view Of, int32_t Device) {
  return siteOf(Of.empty() ? "Memset" : fmt::format("Memset ({})", Of), "gpu_memset", Device);
}

SiteId CudaActivity::call(std::string_view Name) {
  Name = format::withoutVersion(Name);
  const bool Runtime = Name.starts_with("cuda") || Name.starts_with("CUDA runtime");
  return siteOf(Name.empty() ? "[no name]" : Name, Runtime ? "cuda_runtime" : "cuda_driver", -1);
}

SiteId CudaActivity::range(std::string_view Text, std::string_view Domain) {
  if (!Domain.empty())
    return siteOf(fmt::format("{}:{}", Domain, Text), "user_annotation", -1);
  const NvtxText Parts = parseNvtxText(Text);
  if (!Parts.IsOperator)
    return siteOf(Parts.Name, "user_annotation", -1);
  Site What;
  What.Name = Builder.strings().intern(Parts.Name);
  What.Category = Builder.strings().intern("cpu_op");
  if (!Parts.Sizes.empty()) {
    std::string Sizes(Parts.Sizes);
    std::erase(Sizes, ' ');
    What.InputDims = Builder.strings().intern(Sizes);
  }
  return Builder.site(What);
}

TrackId CudaActivity::stream(int32_t Device, std::optional<int64_t> Stream, int64_t Owner) {
  StringTable &Strings = Builder.strings();
  std::string Name = Stream ? fmt::to_string(*Stream) : "stream not known";
  if (Owner)
    Name += fmt::format(" of process {}", Owner);
  const TrackId Track = Builder.track(Strings.intern(fmt::to_string(Device)), Strings.intern(Name));
  if (Stream)
    Builder.nameThread(Track, Strings.intern("stream " + Name));
  return Track;
}

TrackId CudaActivity::thread(int64_t Process, int64_t Thread) {
  StringTable &Strings = Builder.strings();
  return Builder.track(Strings.intern(fmt::to_string(Process)),
                       Strings.intern(fmt::to_string(Thread)));
}

} // namespace seamscope::tools
