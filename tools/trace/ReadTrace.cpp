//===- ReadTrace.cpp - reads a trace of any format ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/ReadTrace.h"

#include "trace/ByteSource.h"
#include "trace/ChromeReader.h"
#include "trace/NsysReader.h"
#include "trace/NvprofReader.h"
#include "trace/SpoolFile.h"
#include "trace/SqliteFile.h"

namespace seamscope::tools {
namespace {

Result<Trace> readSqlite(const std::string &Path) {
  auto File = SqliteFile::open(Path);
  if (!File)
    return File.error();
  if (isNsys(**File))
    return readNsys(**File);
  if (isNvprof(**File))
    return readNvprof(**File);
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
    if (const Error *Damage = (*File)->damage())
      return *Damage;
    return readSpool(**File, Path);
  }
  if (isSqlite(Path))
    return readSqlite(Path);
  auto Source = ByteSource::open(Path);
  if (!Source)
    return Source.error();
  return readChromeTrace(**Source, Path, Keep);
}

} // namespace seamscope::tools
