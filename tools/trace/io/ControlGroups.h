//===- ControlGroups.h - control groups of this process -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_IO_CONTROLGROUPS_H
#define SEAMSCOPE_TOOLS_TRACE_IO_CONTROLGROUPS_H

#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Where the kernel may have the files of a group; it may not exist.
struct ControlGroup {
  std::string Folder; ///< with a slash at its end
  bool IsVersion2 = false;
};

/// This process's groups with \p Controller ("cpu"), of both versions, each before its parents. \p
/// Root: where to look for /proc and /sys.
std::vector<ControlGroup> controlGroups(std::string_view Controller, const std::string &Root = "");

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_IO_CONTROLGROUPS_H
