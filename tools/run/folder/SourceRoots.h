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

/// The folders from which files named by traces and logs are read. The author of a trace chose
/// these names: files elsewhere are not opened, also not through symbolic links.
class SourceRoots {
public:
  /// The folder of the run, the Inductor caches of this user, and \p Given. The cache in the run's
  /// manifest is not one of them: it comes from the author of the trace.
  SourceRoots(const std::string &RunFolder, const std::vector<std::string> &Given);

  /// The text of the file at \p Path, or why it is not read, such as that it lies outside of all
  /// folders. A relative path is looked up in the working directory, then in the folders.
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
