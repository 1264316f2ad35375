//===- Processors.cpp - how many threads can run at once ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/Processors.h"

#include "trace/io/ControlGroups.h"

#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>
#include <vector>

namespace seamscope::tools {
namespace {

unsigned ofAffinity() {
  // EINVAL means that the mask is too small.
  for (size_t Count = 1024; Count <= 1 << 20; Count *= 2) {
    std::vector<cpu_set_t> Mask(Count / CPU_SETSIZE);
    const size_t Bytes = Mask.size() * sizeof(cpu_set_t);
    if (sched_getaffinity(0, Bytes, Mask.data()) == 0)
      return static_cast<unsigned>(std::max(1, CPU_COUNT_S(Bytes, Mask.data())));
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

/// The number of processors that "QUOTA PERIOD" in microseconds means; nothing: no limit, or not
/// such numbers.
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

} // namespace

unsigned availableProcessors(const std::string &Root) {
  unsigned Count = ofAffinity();
  for (const ControlGroup &Group : controlGroups("cpu", Root))
    if (const auto Quota =
            quotaOf(Group.IsVersion2 ? firstLine(Group.Folder + "cpu.max")
                                     : firstLine(Group.Folder + "cpu.cfs_quota_us") + ' ' +
                                           firstLine(Group.Folder + "cpu.cfs_period_us")))
      Count = std::min(Count, *Quota);
  return std::max(1u, Count);
}

} // namespace seamscope::tools
