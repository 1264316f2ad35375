//===- KernelRows.h - which calls belong to one kernel --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_KERNELROWS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_KERNELROWS_H

#include "trace/model/Trace.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// The rows of a report's kernel table: kernels and scopes marked by hand. Sites that differ only
/// in the inputs of their calls share a row.
struct KernelRows {
  static constexpr uint32_t None = UINT32_MAX;

  std::vector<uint32_t> OfSite; ///< by site; None: no row
  std::vector<SiteId> Sites;    ///< by row: its first site
};

KernelRows kernelRows(const Trace &Input);

/// What all sites of one row have in common.
inline auto rowKey(const Site &Of) {
  return std::tuple(Of.Name, Of.Category, Of.File, Of.Operators, Of.Group, Of.Line, Of.Column,
                    Of.Device);
}

/// Finds the row for a region or loop: that of the kernel that it names. If several have the name,
/// it is one of the same file, the last that begins before the part, or for a part in another file
/// the one at the place that it names; else the first.
class KernelsByName {
public:
  KernelsByName(const Trace &Input, const KernelRows &Rows);

  /// A trace has a kernel for each region and loop.
  uint32_t rowOf(const Site &Part) const;

private:
  std::unordered_map<StringId, uint32_t> First;
  std::map<std::tuple<StringId, StringId, uint32_t>, uint32_t> ByPlace; ///< name, file, line
};

/// The calls inside another call of their row on the same thread of the host: their time is part of
/// that call's. By event; empty if there is none.
std::vector<bool> recursiveCalls(const Trace &Input, const KernelRows &Rows);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_KERNELROWS_H
