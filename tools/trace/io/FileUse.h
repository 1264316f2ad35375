//===- FileUse.h - the files that this process reads and writes -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever a verb reads, and however deep in a folder: no output may take its place, and no output
// may be written as if it were whole when one of them could not be read. Readers say here what they
// read, and OutputFile asks.
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

/// Whether the process reads, or has read, this very file: by whatever name.
bool isInput(int Descriptor);
bool isInput(const std::string &Path);

/// Remembers that \p Path could not be read, by the errno \p Why: of the first. A file that is not
/// there, that its name does not lead to, or that is not for this user is the reader's to judge.
void noteUnread(const std::string &Path, int Why);

/// What could not be read so far. takeUnread() forgets it: its caller reports it.
std::optional<Error> unreadInput();
std::optional<Error> takeUnread();

/// Whether a file, and not a folder or a device, is at \p Path; one that cannot be looked at is
/// noted.
bool isRegularFile(const std::string &Path);

/// Whether anything has this name, be it a link that leads nowhere; noted as above.
bool isThere(const std::string &Path);

/// What is in \p Folder, in no order; nothing in one that is not there. One that cannot be read, or
/// not to its end, is noted.
std::vector<std::filesystem::path> entriesIn(const std::string &Folder);

/// Remembers that \p Path is being written.
void noteOutput(const std::string &Path);

/// What the process was doing last, "cannot be read" or "cannot be written", and to which file; an
/// empty path: neither. For a failure that does not know.
struct FileWork {
  std::string Path;
  const char *CannotBe = "";
};
FileWork lastFileWork();

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_IO_FILEUSE_H
