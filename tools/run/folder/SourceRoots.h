//===- SourceRoots.h - where sources that a trace names are read from -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_SOURCEROOTS_H
#define SEAMSCOPE_TOOLS_RUN_SOURCEROOTS_H

#include "trace/io/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace seamscope::tools {

/// The folders that files named by traces and logs are read from. Whoever wrote a trace chose these
/// names: a file elsewhere is not opened, nor one that a symbolic link leads to.
class SourceRoots {
public:
  /// The folder of the run, the Inductor caches of this user, and \p Given. The cache that the
  /// run's manifest names is none of them: it comes from the same hands as the trace.
  SourceRoots(const std::string &RunFolder, const std::vector<std::string> &Given);

  /// The text of the file at \p Path, or why it is not read. Of a file outside of all
  /// folders that is the reason. A relative path is one of the working directory, or else of a
  /// folder.
  Result<std::string> read(const std::string &Path) const;

  /// Whether \p Path exists and lies, links resolved, in none of the folders.
  bool isOutside(const std::string &Path) const;

private:
  std::string locate(const std::string &Path) const;
  bool contains(const std::string &Resolved) const;

  std::vector<std::string> Roots; ///< resolved
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_SOURCEROOTS_H
