//===- OutputFolder.h - a folder in which no link is followed -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_OUTPUTFOLDER_H
#define SEAMSCOPE_TOOLS_TRACE_OUTPUTFOLDER_H

#include "trace/io/Descriptor.h"
#include "trace/io/Error.h"
#include "trace/io/OutputFile.h"

#include <memory>
#include <string>

namespace seamscope::tools {

/// A folder that may come from another user, held open: what is created in it stays in it, whatever
/// links it contains or gets meanwhile. Names are names of its entries, never paths.
class OutputFolder {
public:
  /// The folder that \p Path names; links on the way are trusted like \p Path.
  static Result<OutputFolder> open(const std::string &Path);

  /// The folder \p Name in it, created if it does not exist; a link in its place is refused.
  Result<OutputFolder> folder(const std::string &Name) const;

  /// A file in it. An existing entry is replaced; for a link, the link itself, not its target.
  Result<std::unique_ptr<OutputFile>> create(const std::string &Name,
                                             OutputFile::Terms Given = {}) const;

private:
  OutputFolder(std::string Path, Descriptor Held) : Path(std::move(Path)), Held(std::move(Held)) {}

  std::string Path; ///< for messages
  Descriptor Held;
};

/// Whether a name from a file can be used here: letters, digits and "_-.", not hidden, and short
/// enough for every file system.
bool isOwnName(const std::string &Name);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_OUTPUTFOLDER_H
