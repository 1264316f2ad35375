//===- SpoolFile.h - spool files on disk ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_SPOOLFILE_H
#define SEAMSCOPE_TOOLS_TRACE_SPOOLFILE_H

#include "format/SpoolFacts.h"
#include "trace/io/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// A spool in memory: a copy, since the file of a running process changes and a truncated mapping
/// would fault.
class SpoolFile {
public:
  /// Reads \p Path. A damaged or truncated spool is opened as far as possible; damage() says what
  /// is wrong.
  static Result<std::unique_ptr<SpoolFile>> open(const std::string &Path);

  const format::SpoolReader &reader() const { return Reader; }
  uint64_t bytes() const { return FileBytes; }

  /// What is wrong after the header; null if nothing is.
  const Error *damage() const { return Damage ? &*Damage : nullptr; }

  /// How the recording ended.
  format::RecordingEnd end() const { return End; }
  /// When, in ns since the spool's start; 0: only the spool shows it.
  uint64_t endNs() const { return EndNs; }
  /// The used size of the file.
  std::string_view used() const { return {reinterpret_cast<const char *>(Data.data()), UsedBytes}; }

  /// Sets when the process was killed (CLOCK_MONOTONIC), which the spool does not show.
  void setKilled(uint64_t MonotonicNs);

private:
  std::optional<Error> readFrom(int Fd, const std::string &Path);

  std::vector<uint64_t> Data; // aligned as the records are
  uint64_t FileBytes = 0;
  size_t UsedBytes = 0;
  format::SpoolReader Reader;
  std::optional<Error> Damage;
  format::RecordingEnd End = format::RecordingEnd::LastSignOfLife;
  uint64_t EndNs = 0;
};

/// Whether the file begins as a spool does.
bool isSpool(const std::string &Path);

/// Whether no process holds the spool's lock any more: its process has ended.
bool isAbandoned(const std::string &Path);

/// What is known of a spool without reading its events.
struct SpoolSummary {
  std::string Path;
  std::string Problem; ///< why only Alive and StoredBytes of the following are known
  uint32_t Pid = 0;
  std::string Program;          ///< its command line
  uint64_t StartRealtimeNs = 0; ///< when the spool was made
  uint64_t StoredBytes = 0;     ///< memory or disk space that it takes
  uint64_t OpenCalls = 0;       ///< calls that had begun and not ended
  bool Alive = false;           ///< its process still holds the lock
  bool Exited = false;          ///< its process ended by itself, but its trace was not written
};

SpoolSummary summarizeSpool(const std::string &Path);

/// Removes an abandoned spool of this user. Nothing, or why it was not removed.
std::optional<Error> removeSpool(const std::string &Path);

/// Where spools are made, in the order that the runtime tries.
std::vector<std::string> spoolFolders();

/// This user's spools in these folders, made or changed at \p SinceNs since 1970 or later, newest
/// first.
std::vector<std::string> findSpools(int64_t SinceNs = INT64_MIN);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_SPOOLFILE_H
