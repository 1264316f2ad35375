//===- ColumnProcess.h - the process that reads Parquet files -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_COLUMNS_COLUMNPROCESS_H
#define SEAMSCOPE_TOOLS_TRACE_COLUMNS_COLUMNPROCESS_H

#include "trace/io/Error.h"

#include <cstdio>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace seamscope::tools {

/// `python -m seamscope._columns FOLDER TABLE...`, which ends with its owner.
class ColumnProcess {
public:
  ColumnProcess(const std::string &Folder, const std::vector<std::string> &Tables);
  ~ColumnProcess();
  ColumnProcess(const ColumnProcess &) = delete;
  ColumnProcess &operator=(const ColumnProcess &) = delete;

  /// Why it could not be started.
  const std::optional<Error> &error() const { return Failed; }

  /// What it writes: see ColumnStream.
  FILE *output() const { return Output; }

  /// Waits for its end; an error if it ended by a signal or could not run its Python.
  std::optional<Error> whyEnded();

private:
  std::string Python;
  std::optional<Error> Failed;
  FILE *Output = nullptr;
  pid_t Child = -1;
};

/// Sets the Python that is started; empty: SEAMSCOPE_PYTHON, else python3.
void setColumnPython(std::string Program);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_COLUMNS_COLUMNPROCESS_H
