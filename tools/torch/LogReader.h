//===- LogReader.h - the records of a structured log of torch -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// torch writes these files to the folder TORCH_TRACE. A record is one line, and may have a payload
// of lines that begin with a tab:
//
//   V0130 08:26:16.891000 28899 torch/_inductor/graph.py:27] {"artifact": {...}, "frame_id": 0}
//   	first line of the payload
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TORCH_LOGREADER_H
#define SEAMSCOPE_TOOLS_TORCH_LOGREADER_H

#include "trace/io/ByteSource.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// Reads the records of one file in order. Skips other lines, so that messages mixed into a log do
/// not harm.
class LogReader {
public:
  /// The limit of a line or payload in bytes; longer ones are dropped.
  static constexpr size_t Limit = size_t(64) << 20;

  static Result<LogReader> open(const std::string &Path);

  /// Goes to the next record; false at the end, or on an error, which error() returns.
  bool next();

  /// The record's JSON, the process that wrote it (0: unknown), and its rank.
  std::string_view json() const { return Json; }
  uint32_t process() const { return Process; }
  std::optional<uint32_t> rank() const { return Rank; }

  /// The JSON's first key, which is the kind of record; empty if malformed.
  std::string_view kind() const;

  /// Reads the payload without the tabs. False if there is none or it exceeds the limit. Call it at
  /// most once per record; otherwise next() skips the payload.
  bool payload(std::string &Text);

  const Error *error() const { return Source->error(); }

private:
  explicit LogReader(std::unique_ptr<ByteSource> Source) : Source(std::move(Source)) {}
  /// Reads a line into Line, without its newline; false at the end. Line is empty if it exceeds the
  /// limit.
  bool readLine();
  /// Parses Line; returns whether it begins a record.
  bool isRecord();
  /// The first byte of the next line, or 0 at the end.
  char peek();

  std::unique_ptr<ByteSource> Source;
  std::string Line;
  std::string Json;
  uint32_t Process = 0;
  std::optional<uint32_t> Rank;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TORCH_LOGREADER_H
