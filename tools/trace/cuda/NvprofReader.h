//===- NvprofReader.h - reads the databases of nvprof ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_NVPROFREADER_H
#define SEAMSCOPE_TOOLS_TRACE_NVPROFREADER_H

#include "trace/io/SqliteFile.h"
#include "trace/model/ReadOptions.h"
#include "trace/model/Trace.h"

namespace seamscope::tools {

/// Whether the database has a table of nvprof that is read here.
bool isNvprof(const SqliteFile &File);

/// Reads kernels, copies and fills, calls of CUDA, and markers of NVTX.
Result<Trace> readNvprof(const SqliteFile &File, const ReadOptions &Keep = {});

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_NVPROFREADER_H
