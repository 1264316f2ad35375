//===- ColumnStream.h - tables of numbers and texts from a pipe -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runtime/python/seamscope/_columns.py writes: for each batch of rows of a
// table one line of JSON, {"table": "event", "rows": 3, "columns": [["ts", "number"],
// ["dur", "number"]]}, and the values of its columns, one after the other:
//
//   number   int64 each; the least one stands for null
//   real     double each; NaN stands for null
//   text     int32 each, their lengths, and their bytes
//
// The last line is {"end": true}, or {"error": "why"}.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_COLUMNS_COLUMNSTREAM_H
#define SEAMSCOPE_TOOLS_TRACE_COLUMNS_COLUMNSTREAM_H

#include "trace/io/Error.h"

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

struct StreamColumn {
  static constexpr int64_t Null = INT64_MIN;

  std::string Name;
  std::vector<int64_t> Numbers;   ///< of a column of numbers
  std::vector<double> Reals;      ///< of real numbers
  std::vector<std::string> Texts; ///< of texts
};

/// Some rows of a table.
struct StreamBatch {
  std::string Table;
  size_t Rows = 0;
  std::vector<StreamColumn> Columns;

  /// Null: it has no such column.
  const StreamColumn *find(std::string_view Name) const;
};

class ColumnStream {
public:
  /// Reads \p From, which it does not close. \p Path is what errors name.
  ColumnStream(FILE *From, std::string Path) : From(From), Path(std::move(Path)) {}

  /// Reads the next batch; false: that was the last one, or error() says why there are no more.
  bool next(StreamBatch &Into);

  const std::optional<Error> &error() const { return Failed; }

private:
  bool fail(std::string Why);
  bool cutOff() { return fail("ends too early: what reads it was stopped"); }
  bool readColumn(StreamColumn &Into, const std::string &Kind, size_t Rows);
  template <typename T> bool read(std::vector<T> &Into, size_t Count);

  FILE *From;
  std::string Path;
  std::optional<Error> Failed;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_COLUMNS_COLUMNSTREAM_H
