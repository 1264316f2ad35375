//===- Processor.cpp - this machine's processors and caches ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "machine/Processor.h"

#include "machine/Kernels.h"
#include "trace/io/ControlGroups.h"
#include "trace/io/Processors.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

std::string firstLine(const std::string &Path) {
  std::string Line;
  std::ifstream File(Path);
  std::getline(File, Line);
  return Line;
}

/// "48K" as bytes; 0: not such a text.
uint64_t bytesOf(const std::string &Text) {
  uint64_t Number = 0;
  const auto [End, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), Number);
  if (Error != std::errc() || Number > (uint64_t{1} << 40))
    return 0;
  const char Scale = End == Text.data() + Text.size() ? ' ' : *End;
  return Scale == 'K' ? Number << 10 : Scale == 'M' ? Number << 20 : Number;
}

std::vector<unsigned> allowedProcessors() {
  for (size_t Count = 1024; Count <= 1 << 20; Count *= 2) {
    std::vector<cpu_set_t> Mask(Count / CPU_SETSIZE);
    const size_t Bytes = Mask.size() * sizeof(cpu_set_t);
    if (sched_getaffinity(0, Bytes, Mask.data()) != 0)
      continue;
    std::vector<unsigned> Allowed;
    for (unsigned I = 0; I < Count; ++I)
      if (CPU_ISSET_S(I, Bytes, Mask.data()))
        Allowed.push_back(I);
    return Allowed;
  }
  return {0};
}

/// The model as /proc/cpuinfo names it, with what tells models of one name apart.
std::pair<std::string, std::string> modelOf(const std::string &Root) {
  std::ifstream File(Root + "/proc/cpuinfo");
  std::string Name, Details;
  for (std::string Line; std::getline(File, Line) && !(Line.empty() && !Details.empty());) {
    const size_t Colon = Line.find(':');
    if (Colon == Line.npos || Colon + 2 > Line.size())
      continue;
    const std::string Key = Line.substr(0, Line.find_last_not_of(" \t", Colon - 1) + 1);
    const std::string Value = Line.substr(Colon + 2);
    if (Key == "model name")
      Name = Value;
    for (const char *Known : {"cpu family", "model", "stepping", "CPU implementer", "CPU variant",
                              "CPU part", "CPU revision"})
      if (Key == Known)
        Details += fmt::format("{}{} {}", Details.empty() ? "" : ", ", Key, Value);
  }
  return {Name.empty() ? Details.empty() ? "unknown" : Details : Name, Details};
}

struct Cache {
  uint64_t Bytes = 0;
  unsigned First = 0; ///< of the processors that share it
};

/// The caches for data of a processor, by level.
std::map<unsigned, Cache> cachesOf(unsigned Number, const std::string &Root) {
  std::map<unsigned, Cache> Found;
  for (unsigned I = 0; I < 16; ++I) {
    const std::string Folder =
        fmt::format("{}/sys/devices/system/cpu/cpu{}/cache/index{}/", Root, Number, I);
    const std::string Type = firstLine(Folder + "type");
    if (Type.empty())
      break;
    const auto Level = static_cast<unsigned>(bytesOf(firstLine(Folder + "level")));
    const uint64_t Bytes = bytesOf(firstLine(Folder + "size"));
    const std::vector<unsigned> Sharing = numbersOf(firstLine(Folder + "shared_cpu_list"));
    if (Type != "Instruction" && Level >= 1 && Level <= 4 && Bytes)
      Found[Level] = {Bytes, Sharing.empty() ? Number : Sharing.front()};
  }
  if (!Found.empty() || !Root.empty())
    return Found;
  // Sharing is not known then: L1 and L2 are taken for those of a processor, L3 for that of all.
  for (const auto &[Level, Name] :
       {std::pair(1u, _SC_LEVEL1_DCACHE_SIZE), std::pair(2u, _SC_LEVEL2_CACHE_SIZE),
        std::pair(3u, _SC_LEVEL3_CACHE_SIZE)})
    if (const long Bytes = sysconf(Name); Bytes > 0)
      Found[Level] = {static_cast<uint64_t>(Bytes), Level == 3 ? 0 : Number};
  return Found;
}

/// FNV-1a, 64 bits.
uint64_t hashOf(std::string_view Text) {
  uint64_t Hash = 0xcbf29ce484222325;
  for (const char C : Text)
    Hash = (Hash ^ static_cast<unsigned char>(C)) * 0x100000001b3;
  return Hash;
}

} // namespace

std::string kernelCompiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

std::string rangesOf(std::span<const unsigned> Numbers) {
  std::string Text;
  for (size_t I = 0; I < Numbers.size();) {
    size_t End = I + 1;
    while (End < Numbers.size() && Numbers[End] == Numbers[End - 1] + 1)
      ++End;
    Text += fmt::format("{}{}", Text.empty() ? "" : ",", Numbers[I]);
    if (End - I > 1)
      Text += fmt::format("-{}", Numbers[End - 1]);
    I = End;
  }
  return Text;
}

std::vector<unsigned> numbersOf(const std::string &Ranges) {
  std::vector<unsigned> Numbers;
  const char *At = Ranges.data(), *const End = At + Ranges.size();
  while (At != End) {
    unsigned First = 0, Last = 0;
    auto Read = std::from_chars(At, End, First);
    if (Read.ec != std::errc())
      break;
    Last = First;
    if (Read.ptr != End && *Read.ptr == '-') {
      Read = std::from_chars(Read.ptr + 1, End, Last);
      if (Read.ec != std::errc())
        break;
    }
    for (uint64_t I = First; I <= Last && Numbers.size() < 65536; ++I)
      Numbers.push_back(static_cast<unsigned>(I));
    if (Read.ptr == End || *Read.ptr != ',')
      break;
    At = Read.ptr + 1;
  }
  return Numbers;
}

Processor thisProcessor(const std::vector<unsigned> &Given, const std::string &Root) {
  Processor This;
  const std::vector<unsigned> Allowed = Given.empty() ? allowedProcessors() : Given;
  This.Affinity = rangesOf(Allowed);
  const auto [Name, Details] = modelOf(Root);
  This.Cpu = Name;

  // A core's second thread comes after the first threads of all cores.
  std::map<unsigned, std::map<unsigned, Cache>> Caches;
  std::map<unsigned, unsigned> OfCore;
  std::vector<std::pair<unsigned, unsigned>> Order;
  for (const unsigned Each : Allowed) {
    Caches[Each] = cachesOf(Each, Root);
    const std::vector<unsigned> Core = numbersOf(firstLine(
        fmt::format("{}/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", Root, Each)));
    Order.emplace_back(OfCore[Core.empty() ? Each : Core.front()]++, Each);
  }
  std::ranges::sort(Order);
  Order.resize(
      std::min<size_t>(Order.size(), Given.empty() ? availableProcessors(Root) : Order.size()));
  const auto Place = [&](unsigned Each) {
    const auto First = [&](unsigned Level) {
      const auto Found = Caches[Each].find(Level);
      return Found == Caches[Each].end() ? 0 : Found->second.First;
    };
    return std::tuple(First(4), First(3), First(2), First(1), Each);
  };
  for (const auto &[Turn, Each] : Order)
    This.Used.push_back(Each);
  std::ranges::sort(This.Used, {}, Place);

  for (unsigned Level = 1; Level <= 4; ++Level) {
    std::map<unsigned, unsigned> Sharing;
    CacheLevel New{Level, UINT64_MAX, 0, 0, 0};
    std::optional<unsigned> OfFirst;
    for (const unsigned Each : This.Used) {
      const auto Found = Caches[Each].find(Level);
      if (Found == Caches[Each].end())
        continue;
      New.Bytes = std::min(New.Bytes, Found->second.Bytes);
      New.Sharing = std::max(New.Sharing, ++Sharing[Found->second.First]);
      OfFirst = OfFirst.value_or(Found->second.First);
    }
    if (!OfFirst)
      continue;
    New.Caches = static_cast<unsigned>(Sharing.size());
    New.OfFirst = Sharing[*OfFirst];
    This.Caches.push_back(New);
  }

  This.Sets.push_back(&BaselineKernels);
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    This.Sets.push_back(&Avx2Kernels);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq"))
      This.Sets.push_back(&Avx512Kernels);
  }
#endif
  // The first number is that of the method: figures of another one are not taken for these.
  std::string All = fmt::format("2\n{}\n{}\n{}\n{}\n{}\n", This.Cpu, Details, This.Affinity,
                                This.Used.size(), kernelCompiler());
  for (const CacheLevel &Each : This.Caches)
    All += fmt::format("L{} {}\n", Each.Level, Each.Bytes);
  for (const KernelSet *Each : This.Sets)
    All += fmt::format("{}\n", Each->Name);
  This.Key = fmt::format("{:016x}", hashOf(All));
  return This;
}

uint64_t availableMemory(const std::string &Root) {
  uint64_t Least = 0;
  const auto Limit = [&](uint64_t Bytes) { Least = Least ? std::min(Least, Bytes) : Bytes; };
  std::ifstream File(Root + "/proc/meminfo");
  for (std::string Word; File >> Word;)
    if (Word == "MemAvailable:") {
      uint64_t Kilobytes = 0;
      if (File >> Kilobytes)
        Limit(Kilobytes << 10);
      break;
    }
  for (const ControlGroup &Group : controlGroups("memory", Root)) {
    const auto Read = [&](const char *Version2, const char *Version1) {
      return bytesOf(firstLine(Group.Folder + (Group.IsVersion2 ? Version2 : Version1)));
    };
    const uint64_t Most = Read("memory.max", "memory.limit_in_bytes");
    const uint64_t Taken = Read("memory.current", "memory.usage_in_bytes");
    if (Most)
      Limit(Most > Taken ? Most - Taken : 1);
  }
  return Least;
}

} // namespace seamscope::tools
