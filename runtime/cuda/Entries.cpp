//===- Entries.cpp - writes GPU entries to the spool ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cuda/Entries.h"

#include "cuda/Libraries.h"
#include "cuda/OwnCalls.h"
#include "seamscope/devices.h"
#include "seamscope/gpu.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace seamscope::cuda {

using namespace format;

void appendEntry(DeviceEntry &Entry, DeviceEntryKind Kind, uint32_t Size) {
  Entry.Size = Size;
  Entry.Kind = Kind;
  seamscope_device_append(&Entry, Size);
}

namespace {

struct Hash {
  using is_transparent = void;
  size_t operator()(std::string_view Text) const { return std::hash<std::string_view>()(Text); }
};
template <typename T> using ByText = std::unordered_map<std::string, T, Hash, std::equal_to<>>;

/// Never destroyed, since a thread of CUPTI may still call when destructors run.
struct Tables {
  std::mutex Lock;
  ByText<uint32_t> Texts;
  ByText<KernelName> Kernels;
  std::set<int> Devices;
};
Tables &tables() {
  static auto *const Created = new Tables;
  return *Created;
}

/// The caller holds the tables' lock.
uint32_t textIdLocked(Tables &T, std::string_view Text) {
  if (Text.empty())
    return 0;
  Text = Text.substr(0, MaxDeviceText);
  if (const auto Found = T.Texts.find(Text); Found != T.Texts.end())
    return Found->second;
  const auto Id = static_cast<uint32_t>(T.Texts.size() + 1);
  T.Texts.emplace(Text, Id);
  const size_t Size = (sizeof(DeviceText) + Text.size() + 1 + 7) / 8 * 8;
  std::vector<uint64_t> Bytes(Size / 8);
  auto *Entry = reinterpret_cast<DeviceText *>(Bytes.data());
  Entry->Id = Id;
  memcpy(Entry + 1, Text.data(), Text.size());
  appendEntry(Entry->Head, DeviceEntryKind::Text, static_cast<uint32_t>(Size));
  return Id;
}

uint32_t attribute(const Driver &Cuda, CUdevice_attribute What, CUdevice Device) {
  int Value = 0;
  return Cuda.DeviceGetAttribute(&Value, What, Device) || Value < 0 ? 0
                                                                    : static_cast<uint32_t>(Value);
}

} // namespace

uint32_t textId(std::string_view Text) {
  Tables &T = tables();
  const std::lock_guard Guard(T.Lock);
  return textIdLocked(T, Text);
}

KernelName kernelName(const char *Symbol) {
  if (!Symbol)
    return {0, 0};
  Tables &T = tables();
  const std::lock_guard Guard(T.Lock);
  if (const auto Found = T.Kernels.find(std::string_view(Symbol)); Found != T.Kernels.end())
    return Found->second;
  int Status = 0;
  char *Plain = abi::__cxa_demangle(Symbol, nullptr, nullptr, &Status);
  const KernelName Name = {textIdLocked(T, Plain ? Plain : Symbol),
                           seamscope_gpu_kernel_id(Symbol)};
  free(Plain);
  T.Kernels.emplace(Symbol, Name);
  return Name;
}

void describeDevice(int Device) {
  const Driver *const Cuda = Driver::get();
  Tables &T = tables();
  if (!Cuda)
    return;
  {
    const std::lock_guard Guard(T.Lock);
    if (!T.Devices.insert(Device).second)
      return;
  }
  const OwnCalls Own;
  DeviceProperties P = {};
  char Name[256] = "";
  size_t Bytes = 0;
  if (!Cuda->DeviceGetName(Name, sizeof(Name) - 1, Device))
    P.Name = textId(Name);
  if (!Cuda->DeviceTotalMem(&Bytes, Device))
    P.MemoryBytes = Bytes;
  P.Device = static_cast<uint32_t>(Device);
  const struct {
    uint32_t &Into;
    CUdevice_attribute What;
  } Attributes[] = {
      {P.Sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
      {P.WarpSize, CU_DEVICE_ATTRIBUTE_WARP_SIZE},
      {P.ThreadsPerSm, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR},
      {P.BlocksPerSm, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR},
      {P.RegistersPerSm, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR},
      {P.SharedPerSm, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR},
      {P.Major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR},
      {P.Minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR},
      {P.ClockKhz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE},
      {P.MemoryClockKhz, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE},
      {P.MemoryBusBits, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH},
  };
  for (const auto &[Into, What] : Attributes)
    Into = attribute(*Cuda, What, Device);
  append(P, DeviceEntryKind::Properties);
}

void count(DeviceCountOf What, uint64_t Number) {
  DeviceCount Entry = {};
  Entry.What = What;
  Entry.Number = Number;
  append(Entry, DeviceEntryKind::Count);
}

} // namespace seamscope::cuda
