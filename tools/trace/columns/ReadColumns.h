//===- ReadColumns.h - reads a trace that was written as columns ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_COLUMNS_READCOLUMNS_H
#define SEAMSCOPE_TOOLS_TRACE_COLUMNS_READCOLUMNS_H

#include "trace/io/Error.h"
#include "trace/model/ReadOptions.h"
#include "trace/model/Trace.h"

#include <string>

namespace seamscope::tools {

/// Whether \p Path is a folder with the tables of one trace, as `convert` writes them.
bool isColumns(const std::string &Path);

/// Reads `model/head.json` of such a folder, and the Parquet files in `model` through a process of
/// Python with pyarrow.
Result<Trace> readColumns(const std::string &Path, const ReadOptions &Keep);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_COLUMNS_READCOLUMNS_H
