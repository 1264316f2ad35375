//===- InputFile.cpp - opens files of unknown kind ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/InputFile.h"

#include "trace/io/FileUse.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

Error notRegular(const std::string &Path) { return {Path, {}, "is not a regular file"}; }

Error unread(const std::string &Path) {
  const int Why = errno;
  noteUnread(Path, Why);
  return {Path, {}, std::strerror(Why)};
}

} // namespace

Result<Descriptor> openRegular(const std::string &Path, int Flags) {
  struct stat Status;
  // Inspects the file before opening it: opening and closing a FIFO gives its writer a SIGPIPE, and
  // a device may act.
  if (stat(Path.c_str(), &Status) == 0 && !S_ISREG(Status.st_mode))
    return notRegular(Path);
  int Opened;
  do
    Opened = open(Path.c_str(), Flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  while (Opened < 0 && errno == EINTR);
  Descriptor File(Opened);
  if (!File || fstat(File.number(), &Status) != 0)
    return unread(Path);
  if (!S_ISREG(Status.st_mode))
    return notRegular(Path);
  noteInput(File.number(), Path);
  return File;
}

int64_t readUpTo(int Descriptor, void *Into, size_t Size) {
  size_t Done = 0;
  while (Done < Size) {
    const ssize_t Got = read(Descriptor, static_cast<char *>(Into) + Done, Size - Done);
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got < 0)
      return -1;
    if (Got == 0)
      break;
    Done += static_cast<size_t>(Got);
  }
  return static_cast<int64_t>(Done);
}

bool beginsWith(const std::string &Path, std::string_view Bytes) {
  const auto File = openRegular(Path);
  if (!File)
    return false;
  std::string Begin(Bytes.size(), '\0');
  const int64_t Got = readUpTo(File->number(), Begin.data(), Begin.size());
  if (Got < 0)
    noteUnread(Path, errno);
  return Got == static_cast<int64_t>(Bytes.size()) && Begin == Bytes;
}

Result<std::string> readRegular(const std::string &Path, uint64_t Limit, int Flags) {
  const auto File = openRegular(Path, Flags);
  if (!File)
    return File.error();
  struct stat Status;
  if (fstat(File->number(), &Status) != 0)
    return unread(Path);
  const auto Size = static_cast<uint64_t>(Status.st_size);
  if (Size > Limit)
    return Error{Path, {}, fmt::format("has more than {} MB", Limit >> 20)};
  std::string Text(static_cast<size_t>(Size), '\0');
  const int64_t Got = readUpTo(File->number(), Text.data(), Text.size());
  if (Got < 0)
    return unread(Path);
  Text.resize(static_cast<size_t>(Got));
  return Text;
}

} // namespace seamscope::tools
