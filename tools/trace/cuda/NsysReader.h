//===- NsysReader.h - reads what nsys exports as SQLite -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_NSYSREADER_H
#define SEAMSCOPE_TOOLS_TRACE_NSYSREADER_H

#include "trace/io/SqliteFile.h"
#include "trace/model/ReadOptions.h"
#include "trace/model/Trace.h"

namespace seamscope::tools {

/// Whether the database has a table of nsys that is read here.
bool isNsys(const SqliteFile &File);

/// Reads kernels, copies and fills, calls of CUDA, and NVTX ranges.
Result<Trace> readNsys(const SqliteFile &File, const ReadOptions &Keep = {});

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_NSYSREADER_H
