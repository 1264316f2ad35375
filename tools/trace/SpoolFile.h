//===- SpoolFile.h - spool files on disk ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_SPOOLFILE_H
#define SEAMSCOPE_TOOLS_TRACE_SPOOLFILE_H

#include "format/SpoolReader.h"
#include "trace/Error.h"
#include "trace/Trace.h"

#include <memory>
#include <string>
#include <vector>

namespace seamscope::tools {

/// A spool held in memory: a copy, since the file of a running process changes and a truncated one
/// would fault.
class SpoolFile {
public:
  /// Reads \p Path. A damaged or truncated spool opens as far as it is whole, and says so in
  /// damage().
  static Result<std::unique_ptr<SpoolFile>> open(const std::string &Path);

  const format::SpoolReader &reader() const { return Reader; }
  uint64_t bytes() const { return FileBytes; }

  /// What is wrong behind the header; null when nothing is.
  const Error *damage() const { return Damage ? &*Damage : nullptr; }

private:
  std::vector<uint64_t> Data; // aligned as the records are
  uint64_t FileBytes = 0;
  format::SpoolReader Reader;
  std::optional<Error> Damage;
};

/// Whether the file begins as a spool does.
bool isSpool(const std::string &Path);

/// The trace that a spool holds.
Trace readSpool(const SpoolFile &File, const std::string &Path);

/// Whether no process holds the spool's lock any more: it was left by one that died.
bool isAbandoned(const std::string &Path);

/// Where spools are made, in the order that the runtime tries.
std::vector<std::string> spoolFolders();

/// This user's spools in these folders, newest first.
std::vector<std::string> findSpools();

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_SPOOLFILE_H
