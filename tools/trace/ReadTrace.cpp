//===- ReadTrace.cpp - reads a trace of any format ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/ReadTrace.h"

#include "trace/chrome/ChromeReader.h"
#include "trace/columns/ReadColumns.h"
#include "trace/cuda/NsysReader.h"
#include "trace/cuda/NvprofReader.h"
#include "trace/io/ByteSource.h"
#include "trace/io/SqliteFile.h"
#include "trace/spool/ReadSpool.h"

namespace seamscope::tools {
namespace {

Result<Trace> readSqlite(const std::string &Path, const ReadOptions &Keep) {
  auto File = SqliteFile::open(Path);
  if (!File)
    return File.error();
  if (isNsys(**File))
    return readNsys(**File, Keep);
  if (isNvprof(**File))
    return readNvprof(**File, Keep);
  return Error{Path,
               {},
               "an SQLite database without kernels or API calls of nsys or nvprof; export with "
               "nsys export --type sqlite"};
}

} // namespace

Result<Trace> readTrace(const std::string &Path, const ReadOptions &Keep) {
  if (isSpool(Path)) {
    auto File = SpoolFile::open(Path);
    if (!File)
      return File.error();
    return readSpool(**File, Path, Keep);
  }
  if (isSqlite(Path))
    return readSqlite(Path, Keep);
  if (isColumns(Path))
    return readColumns(Path, Keep);
  auto Source = ByteSource::open(Path);
  if (!Source)
    return Source.error();
  return readChromeTrace(**Source, Path, Keep);
}

} // namespace seamscope::tools
