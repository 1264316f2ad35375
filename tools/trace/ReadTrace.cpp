//===- ReadTrace.cpp - reads a trace of any format ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/ReadTrace.h"

#include "trace/ByteSource.h"
#include "trace/ChromeReader.h"
#include "trace/SpoolFile.h"

namespace seamscope::tools {

Result<Trace> readTrace(const std::string &Path, const ReadOptions &Keep) {
  if (isSpool(Path)) {
    auto File = SpoolFile::open(Path);
    if (!File)
      return File.error();
    if (const Error *Damage = (*File)->damage())
      return *Damage;
    return readSpool(**File, Path);
  }
  auto Source = ByteSource::open(Path);
  if (!Source)
    return Source.error();
  return readChromeTrace(**Source, Path, Keep);
}

} // namespace seamscope::tools
