//===- FileUse.h - the files that this process reads and writes -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows everything that a verb reads, however deep in a folder: no output may
// replace an input, and no output may be written as if complete if an input
// could not be read. Readers register here, and OutputFile asks.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_IO_FILEUSE_H
#define SEAMSCOPE_TOOLS_TRACE_IO_FILEUSE_H

#include "trace/io/Error.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// Remembers the regular file behind \p Descriptor, or at \p Path, as one that is read.
void noteInput(int Descriptor, const std::string &Path);
void noteInput(const std::string &Path);

/// Whether the process reads, or has read, this very file, under any name.
bool isInput(int Descriptor);
bool isInput(const std::string &Path);

/// Remembers that \p Path could not be read, with the errno \p Why, if it is the first. The reader
/// itself handles a file that does not exist, cannot be reached, or is not permitted to this user.
void noteUnread(const std::string &Path, int Why);

/// What could not be read so far. takeUnread() also forgets it: its caller reports it.
std::optional<Error> unreadInput();
std::optional<Error> takeUnread();

/// Whether \p Path is a file, not a folder or a device; remembered as unread if it cannot be
/// inspected.
bool isRegularFile(const std::string &Path);

/// Whether anything has this name, even a dangling link; errors are remembered as above.
bool isThere(const std::string &Path);

/// The entries of \p Folder, in no order; none if it does not exist. A folder that cannot be read
/// completely is remembered as unread.
std::vector<std::filesystem::path> entriesIn(const std::string &Folder);

/// Remembers that \p Path is being written.
void noteOutput(const std::string &Path);

/// What the process did last, "cannot be read" or "cannot be written", and with which file; an
/// empty path: neither. For errors that do not name their file.
struct FileWork {
  std::string Path;
  const char *CannotBe = "";
};
FileWork lastFileWork();

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_IO_FILEUSE_H
