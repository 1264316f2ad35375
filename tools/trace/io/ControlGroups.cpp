//===- ControlGroups.cpp - control groups of this process -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/ControlGroups.h"

#include <algorithm>
#include <fstream>

namespace seamscope::tools {
namespace {

/// Whether \p Word is in the comma-separated \p List.
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

std::vector<ControlGroup> controlGroups(std::string_view Controller, const std::string &Root) {
  std::vector<ControlGroup> All;
  // NUMBER:CONTROLLERS:PATH; version 2 is the number 0 without controllers.
  std::ifstream Groups(Root + "/proc/self/cgroup");
  for (std::string Line; std::getline(Groups, Line);) {
    const size_t First = Line.find(':');
    const size_t Second = First == Line.npos ? First : Line.find(':', First + 1);
    if (Second == Line.npos)
      continue;
    const std::string Controllers = Line.substr(First + 1, Second - First - 1);
    const std::string Path = Line.substr(Second + 1);
    const bool IsVersion2 = Controllers.empty();
    if (!IsVersion2 && !lists(Controllers, Controller))
      continue;
    const std::string Mount = Root + "/sys/fs/cgroup";
    for (const std::string &Place :
         IsVersion2 ? std::vector{Mount, Mount + "/unified"}
                    : std::vector{Mount + "/" + Controllers, Mount + "/" + std::string(Controller)})
      // In a container it may be a path of the host that does not exist here: then the mount is the
      // group.
      for (std::string Group = Path == "/" ? "" : Path;;
           Group.resize(Group.rfind('/') == Group.npos ? 0 : Group.rfind('/'))) {
        All.push_back({Place + Group + '/', IsVersion2});
        if (Group.empty())
          break;
      }
  }
  return All;
}

} // namespace seamscope::tools
