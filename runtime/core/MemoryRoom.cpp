//===- MemoryRoom.cpp - memory that this process may still take ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/MemoryRoom.h"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace seamscope {
namespace {

constexpr uint64_t Unlimited = UINT64_MAX;

/// The first bytes of a kernel file, as text; empty if there is no such file.
struct SmallFile {
  char Text[4096];

  explicit SmallFile(const char *Path) {
    const int Fd = open(Path, O_RDONLY | O_CLOEXEC);
    const ssize_t Size = Fd < 0 ? 0 : read(Fd, Text, sizeof(Text) - 1);
    if (Fd >= 0)
      close(Fd);
    Text[Size > 0 ? Size : 0] = 0;
  }

  /// The number after \p Key at the begin of a line, or \p Otherwise.
  uint64_t number(const char *Key, uint64_t Otherwise) const {
    const size_t Length = strlen(Key);
    for (const char *Line = Text; Line; Line = strchr(Line, '\n')) {
      Line += *Line == '\n';
      if (!strncmp(Line, Key, Length)) {
        char *End;
        const uint64_t Number = strtoull(Line + Length, &End, 10);
        return End == Line + Length ? Otherwise : Number;
      }
    }
    return Otherwise;
  }
};

/// Differences between the two versions of control groups.
struct Version {
  const char *Line; ///< start of the group's line in /proc/self/cgroup, after the first colon
  const char *Mount, *Limit, *Usage, *Inactive;
};
constexpr Version Versions[] = {
    {":", "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "},
    {"memory:", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file "}};

uint64_t roomOfGroup(const Version &V, const char *Group) {
  char Path[PATH_MAX];
  const auto Read = [&](const char *Name) {
    snprintf(Path, sizeof(Path), "%s%s/%s", V.Mount, Group, Name);
    return SmallFile(Path);
  };
  const uint64_t Limit = Read(V.Limit).number("", Unlimited); // "max": none
  if (Limit == Unlimited)
    return Unlimited;
  // The kernel drops cached files before it kills a process.
  const uint64_t Usage = Read(V.Usage).number("", 0);
  const uint64_t Cached = Read("memory.stat").number(V.Inactive, 0);
  const uint64_t Used = Usage > Cached ? Usage - Cached : 0;
  return Limit > Used ? Limit - Used : 0;
}

/// The least room of the group and of all groups around it. A container may see its own group as
/// the root, whatever its path says.
uint64_t roomOfGroups(const Version &V, const char *Groups) {
  const char *Line = Groups;
  for (; Line; Line = strchr(Line, '\n')) {
    Line += *Line == '\n';
    const char *Colon = strchr(Line, ':');
    if (Colon && !strncmp(Colon + 1, V.Line, strlen(V.Line))) {
      Line = Colon + 1 + strlen(V.Line);
      break;
    }
  }
  if (!Line)
    return Unlimited;
  char Group[PATH_MAX];
  snprintf(Group, sizeof(Group), "%.*s", static_cast<int>(strcspn(Line, "\n")), Line);
  uint64_t Least = roomOfGroup(V, "");
  while (char *Slash = strrchr(Group, '/')) {
    if (Slash[1])
      if (const uint64_t Room = roomOfGroup(V, Group); Room < Least)
        Least = Room;
    *Slash = 0;
  }
  return Least;
}

} // namespace

uint64_t memoryRoom() {
  const uint64_t Kilobytes = SmallFile("/proc/meminfo").number("MemAvailable:", Unlimited);
  uint64_t Least = Kilobytes == Unlimited ? Unlimited : Kilobytes << 10;
  const SmallFile Groups("/proc/self/cgroup");
  for (const Version &V : Versions)
    if (const uint64_t Room = roomOfGroups(V, Groups.Text); Room < Least)
      Least = Room;
  return Least;
}

uint64_t addressRoom() {
  rlimit Limit;
  if (getrlimit(RLIMIT_AS, &Limit) || Limit.rlim_cur == RLIM_INFINITY)
    return Unlimited;
  const uint64_t Used =
      SmallFile("/proc/self/statm").number("", 0) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return Limit.rlim_cur > Used ? Limit.rlim_cur - Used : 0;
}

} // namespace seamscope
