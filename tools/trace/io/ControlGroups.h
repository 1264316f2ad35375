//===- ControlGroups.h - the groups whose limits hold for this process ----===//
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

/// Where the kernel may keep what it says of a group; it need not be there.
struct ControlGroup {
  std::string Folder; ///< with a slash at its end
  bool IsVersion2 = false;
};

/// This process's groups of \p Controller ("cpu"), of both versions, each before those above it.
/// \p Root: where /proc and /sys are looked for.
std::vector<ControlGroup> controlGroups(std::string_view Controller, const std::string &Root = "");

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_IO_CONTROLGROUPS_H
