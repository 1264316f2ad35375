//===- ModelTables.h - a trace as it was read, as tables --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From these and its head a trace can be read again (trace/columns/ReadColumns.h). The tables of
// EventTables are for people and queries; these have the fields of the trace model.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_COLUMNS_MODELTABLES_H
#define SEAMSCOPE_TOOLS_COLUMNS_MODELTABLES_H

#include "columns/ArrowTable.h"
#include "trace/model/Trace.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

class ModelTables {
public:
  /// \p Source was read and is as the reader left it; must outlive this, but not the tables.
  explicit ModelTables(const Trace &Source) : Source(Source) {}

  static std::vector<std::string> names();

  /// Null: no such table.
  std::shared_ptr<const ArrowTable> make(std::string_view Name) const;

private:
  const Trace &Source;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_COLUMNS_MODELTABLES_H
