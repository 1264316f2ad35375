//===- Filter.h - filters of rows -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_FILTER_H
#define SEAMSCOPE_TOOLS_REPORT_FILTER_H

#include "analysis/core/Statistics.h"
#include "analysis/devices/OperatorTimes.h"
#include "analysis/groups/GroupBy.h"
#include "analysis/samples/SampleRows.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// A POSIX extended regular expression that a name must match. Without one, all names pass.
class NameFilter {
public:
  NameFilter();
  ~NameFilter();
  NameFilter(NameFilter &&) noexcept;
  NameFilter &operator=(NameFilter &&) noexcept;

  /// An empty text, or what is wrong with \p Pattern.
  std::string set(const std::string &Pattern);
  bool passes(std::string_view Name) const;

private:
  struct Expression;
  std::unique_ptr<Expression> Held;
};

/// What a filter left out, so that tables still add up.
struct FilteredOut {
  uint64_t Rows = 0, Calls = 0;
  int64_t TotalNs = 0, SelfNs = 0;
};

FilteredOut filterRows(std::vector<KernelRow> &Rows, const Trace &Source, const NameFilter &Filter);
FilteredOut filterRows(std::vector<OperatorTimesRow> &Rows, const Trace &Source,
                       const NameFilter &Filter);
FilteredOut filterRows(std::vector<GroupRow> &Rows, const NameFilter &Filter);
FilteredOut filterRows(std::vector<SampleRow> &Rows, const NameFilter &Filter);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_FILTER_H
