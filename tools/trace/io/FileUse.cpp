//===- FileUse.cpp - the files that this process reads and writes ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/FileUse.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <sys/stat.h>
#include <tuple>
#include <utility>

namespace seamscope::tools {
namespace {

/// Identifies a file, and distinguishes it from a later one with the same number.
struct Identity {
  std::tuple<uint32_t, uint32_t, uint64_t> Number; ///< of device and inode
  std::pair<int64_t, uint32_t> Birth;              ///< zeros: the file system does not say
};

/// Nothing: it does not exist, or is not a regular file.
std::optional<Identity> identityOf(int Folder, const char *Path) {
  struct statx File;
  if (statx(Folder, Path, *Path ? 0 : AT_EMPTY_PATH, STATX_TYPE | STATX_INO | STATX_BTIME, &File) ||
      !S_ISREG(File.stx_mode))
    return std::nullopt;
  Identity Result{{File.stx_dev_major, File.stx_dev_minor, File.stx_ino}, {}};
  if (File.stx_mask & STATX_BTIME)
    Result.Birth = {File.stx_btime.tv_sec, File.stx_btime.tv_nsec};
  return Result;
}

struct Noted {
  std::mutex Lock;
  std::map<decltype(Identity::Number), decltype(Identity::Birth)> Inputs;
  std::optional<Error> Unread;
  FileWork Last;
};

Noted &noted() {
  static Noted All;
  return All;
}

void note(const std::optional<Identity> &File, const std::string &Path) {
  Noted &All = noted();
  const std::lock_guard Held(All.Lock);
  if (File)
    All.Inputs[File->Number] = File->Birth;
  All.Last = {Path, "cannot be read"};
}

bool isNoted(const std::optional<Identity> &File) {
  Noted &All = noted();
  const std::lock_guard Held(All.Lock);
  const auto Known = File ? All.Inputs.find(File->Number) : All.Inputs.end();
  return Known != All.Inputs.end() && Known->second == File->Birth;
}

} // namespace

void noteInput(int Descriptor, const std::string &Path) { note(identityOf(Descriptor, ""), Path); }

void noteInput(const std::string &Path) { note(identityOf(AT_FDCWD, Path.c_str()), Path); }

bool isInput(int Descriptor) { return isNoted(identityOf(Descriptor, "")); }

bool isInput(const std::string &Path) { return isNoted(identityOf(AT_FDCWD, Path.c_str())); }

void noteUnread(const std::string &Path, int Why) {
  for (const int Usual : {ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG, EINVAL, ENXIO, EISDIR})
    if (Why == Usual)
      return;
  Noted &All = noted();
  const std::lock_guard Held(All.Lock);
  if (!All.Unread)
    All.Unread = Error{Path, {}, std::string("cannot be read: ") + std::strerror(Why)};
}

std::optional<Error> unreadInput() {
  Noted &All = noted();
  const std::lock_guard Held(All.Lock);
  return All.Unread;
}

std::optional<Error> takeUnread() {
  Noted &All = noted();
  const std::lock_guard Held(All.Lock);
  return std::exchange(All.Unread, std::nullopt);
}

bool isRegularFile(const std::string &Path) {
  struct stat File;
  const bool Known = stat(Path.c_str(), &File) == 0;
  if (!Known)
    noteUnread(Path, errno);
  return Known && S_ISREG(File.st_mode);
}

bool isThere(const std::string &Path) {
  struct stat File;
  const bool Known = lstat(Path.c_str(), &File) == 0;
  if (!Known)
    noteUnread(Path, errno);
  return Known;
}

std::vector<std::filesystem::path> entriesIn(const std::string &Folder) {
  namespace fs = std::filesystem;
  std::vector<fs::path> Entries;
  std::error_code Failed;
  for (auto It = fs::directory_iterator(Folder, Failed); !Failed && It != fs::directory_iterator();
       It.increment(Failed))
    Entries.push_back(It->path());
  if (Failed)
    noteUnread(Folder, Failed.value());
  return Entries;
}

void noteOutput(const std::string &Path) {
  Noted &All = noted();
  const std::lock_guard Held(All.Lock);
  All.Last = {Path, "cannot be written"};
}

FileWork lastFileWork() {
  Noted &All = noted();
  const std::lock_guard Held(All.Lock);
  return All.Last;
}

} // namespace seamscope::tools
