//===- OutputFolder.cpp - a folder in which no link is followed -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/OutputFolder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr int FolderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

/// Whether \p Name is an entry of a folder that does not lead outside.
bool isEntry(const std::string &Name) {
  return !Name.empty() && Name != "." && Name != ".." && Name.find('/') == Name.npos &&
         Name.find('\0') == Name.npos;
}

Error noEntry(const std::string &Folder, const std::string &Name) {
  return {Folder, {}, fmt::format("'{}' is not the name of a file in it", Name)};
}

} // namespace

Result<OutputFolder> OutputFolder::open(const std::string &Path) {
  Descriptor Held(::open(Path.c_str(), FolderFlags));
  if (!Held)
    return Error{Path, {}, std::strerror(errno)};
  return OutputFolder(Path, std::move(Held));
}

Result<OutputFolder> OutputFolder::folder(const std::string &Name) const {
  if (!isEntry(Name))
    return noEntry(Path, Name);
  const std::string Inner = Path + "/" + Name;
  if (mkdirat(Held.number(), Name.c_str(), 0777) != 0 && errno != EEXIST)
    return Error{Inner, {}, std::string("cannot be made: ") + std::strerror(errno)};
  Descriptor Opened(openat(Held.number(), Name.c_str(), FolderFlags | O_NOFOLLOW));
  if (!Opened)
    return Error{Inner,
                 {},
                 errno == ENOTDIR || errno == ELOOP
                     ? "is not a folder itself: nothing is written there"
                     : std::strerror(errno)};
  return OutputFolder(Inner, std::move(Opened));
}

Result<std::unique_ptr<OutputFile>> OutputFolder::create(const std::string &Name,
                                                         OutputFile::Terms Given) const {
  if (!isEntry(Name))
    return noEntry(Path, Name);
  return OutputFile::createInside(Held.number(), Name, Path + "/" + Name, Given);
}

bool isOwnName(const std::string &Name) {
  // A file is first written under a temporary name, which is longer.
  constexpr size_t Longest = 200;
  return !Name.empty() && Name.size() <= Longest && Name[0] != '.' &&
         std::ranges::all_of(Name, [](char C) {
           return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || (C >= '0' && C <= '9') ||
                  C == '_' || C == '-' || C == '.';
         });
}

} // namespace seamscope::tools
