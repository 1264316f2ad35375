//===- Processors.cpp - how many threads can run at once ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/Processors.h"

#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>
#include <vector>

namespace seamscope::tools {
namespace {

unsigned ofAffinity() {
  // A mask that is too small is refused with EINVAL.
  for (size_t Count = 1024; Count <= 1 << 20; Count *= 2) {
    std::vector<cpu_set_t> Mask(Count / CPU_SETSIZE);
    const size_t Bytes = Mask.size() * sizeof(cpu_set_t);
    if (sched_getaffinity(0, Bytes, Mask.data()) == 0)
      return static_cast<unsigned>(std::max(1, CPU_COUNT_S(Bytes, Mask.data())));
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

/// Processors that "QUOTA PERIOD" microseconds amount to; nothing: no limit, or no such numbers.
std::optional<unsigned> quotaOf(const std::string &Text) {
  std::istringstream Words(Text);
  int64_t Quota = 0, Period = 0;
  if (!(Words >> Quota >> Period) || Quota <= 0 || Period <= 0)
    return std::nullopt; // "max 100000", "-1 100000"
  return static_cast<unsigned>(std::min<int64_t>((Quota - 1) / Period + 1, 1 << 20));
}

std::string firstLine(const std::string &Path) {
  std::string Line;
  std::ifstream File(Path);
  std::getline(File, Line);
  return Line;
}

/// The least quota in the folder \p Group below \p Mount and in those above it. In a container
/// \p Group may be a path of the host that is not there: the mount itself then is the group.
std::optional<unsigned> leastQuota(const std::string &Mount, std::string Group, bool Version2) {
  std::optional<unsigned> Least;
  for (;;) {
    const std::string Folder = Mount + Group + '/';
    const auto Quota = quotaOf(Version2 ? firstLine(Folder + "cpu.max")
                                        : firstLine(Folder + "cpu.cfs_quota_us") + ' ' +
                                              firstLine(Folder + "cpu.cfs_period_us"));
    if (Quota)
      Least = std::min(Least.value_or(*Quota), *Quota);
    if (Group.empty())
      return Least;
    Group.resize(Group.rfind('/') == Group.npos ? 0 : Group.rfind('/'));
  }
}

/// Whether \p Word is one of those that commas separate in \p List.
bool lists(std::string_view List, std::string_view Word) {
  while (!List.empty()) {
    const size_t End = std::min(List.find(','), List.size());
    if (List.substr(0, End) == Word)
      return true;
    List.remove_prefix(std::min(End + 1, List.size()));
  }
  return false;
}

} // namespace

unsigned availableProcessors(const std::string &Root) {
  unsigned Count = ofAffinity();
  // NUMBER:CONTROLLERS:PATH; version 2 is the number 0 without controllers.
  std::ifstream Groups(Root + "/proc/self/cgroup");
  for (std::string Line; std::getline(Groups, Line);) {
    const size_t First = Line.find(':');
    const size_t Second = First == Line.npos ? First : Line.find(':', First + 1);
    if (Second == Line.npos)
      continue;
    const std::string Controllers = Line.substr(First + 1, Second - First - 1);
    std::string Group = Line.substr(Second + 1);
    if (Group == "/")
      Group.clear();
    const bool Version2 = Controllers.empty();
    if (!Version2 && !lists(Controllers, "cpu"))
      continue;
    const std::string Mount = Root + "/sys/fs/cgroup";
    for (const std::string &Place : Version2
                                        ? std::vector{Mount, Mount + "/unified"}
                                        : std::vector{Mount + "/" + Controllers, Mount + "/cpu"})
      if (const auto Quota = leastQuota(Place, Group, Version2))
        Count = std::min(Count, *Quota);
  }
  return std::max(1u, Count);
}

} // namespace seamscope::tools
