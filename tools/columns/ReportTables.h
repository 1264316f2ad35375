//===- ReportTables.h - the tables of a report as columns -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table for each table of the JSON, with the same names and values:
//
//   - the values outside of tables are the only row of the table `report`;
//   - an object within a row is columns whose names begin with its key: gap.total_ns is
//   gap_total_ns;
//   - an array of objects within a row is a table of its own, `kernels_regions`, each of whose rows
//     names the row around it: kernels_row is the number of a row of `kernels`;
//   - other arrays are texts, as JSON;
//   - true and false are 1 and 0; what is null or absent in the JSON is null.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_COLUMNS_REPORTTABLES_H
#define SEAMSCOPE_TOOLS_COLUMNS_REPORTTABLES_H

#include "columns/ArrowTable.h"
#include "report/model/Document.h"

#include <memory>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// The tables of \p Of, outer ones before what is in their rows. \p Example has all tables, columns
/// and values that such a document can have, so that each trace has the same: what \p Of lacks has
/// no rows, and is null.
std::vector<std::shared_ptr<const ArrowTable>> reportTables(const Document &Of,
                                                            const Document &Example);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_COLUMNS_REPORTTABLES_H
