//===- OutputFile.cpp - writes a file whole or not at all -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/OutputFile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace seamscope::tools {
namespace {

constexpr size_t PendingBytes = 1 << 16;

/// The mode that open(2) would give a new file. mkstemp() leaves it readable by its owner alone.
mode_t newFileMode() {
  const mode_t Mask = umask(0);
  umask(Mask);
  return 0666 & ~Mask;
}

/// Where \p Path leads, through symbolic links, whether or not there is a file; empty, with errno
/// set: it cannot be determined.
std::string followed(std::string Path) {
  for (int Links = 0; Links < 40; ++Links) {
    char Link[PATH_MAX];
    const ssize_t Size = readlink(Path.c_str(), Link, sizeof(Link));
    if (Size < 0 && (errno == EINVAL || errno == ENOENT))
      return Path;
    if (Size < 0)
      return {};
    const size_t Folder = Link[0] == '/' ? 0 : Path.rfind('/') + 1;
    Path.replace(Folder, Path.npos, Link, static_cast<size_t>(Size));
  }
  errno = ELOOP;
  return {};
}

/// What stands in the file, or in the folder, gets onto the disk; false: errno tells why not.
bool sync(int Descriptor) {
  // Some file systems have nothing to sync.
  return fsync(Descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

} // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::string &Path) {
  return create(Path, Existing::Follow);
}

Result<std::unique_ptr<OutputFile>> OutputFile::createInside(int Folder, const std::string &Name,
                                                             const std::string &Path) {
  class Descriptor Held(fcntl(Folder, F_DUPFD_CLOEXEC, 0));
  if (!Held)
    return Error{Path, {}, std::string("cannot be written: ") + std::strerror(errno)};
  auto File =
      create("/proc/self/fd/" + std::to_string(Held.number()) + "/" + Name, Existing::Replace);
  if (!File)
    return Error{Path, {}, File.error().Reason};
  (*File)->Path = Path;
  (*File)->Folder = std::move(Held);
  return File;
}

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::string &Path, Existing What) {
  const bool Gzip = Path.ends_with(".gz");
  if (Path == "-")
    return std::unique_ptr<OutputFile>(new OutputFile(Path, {}, {}, STDOUT_FILENO, nullptr));
  struct stat Status;
  const auto Look = What == Existing::Follow ? stat : lstat;
  if (Look(Path.c_str(), &Status) == 0 && S_ISDIR(Status.st_mode))
    return Error{Path, {}, "is a directory; name a file to write"};
  std::string Target, Temporary;
  int Descriptor = -1;
  const bool Exists = Look(Path.c_str(), &Status) == 0;
  const bool Regular = Exists && S_ISREG(Status.st_mode);
  if (Exists && !Regular && What == Existing::Follow) {
    // A pipe or a device is written to; a rename would replace it.
    Descriptor = ::open(Path.c_str(), O_WRONLY | O_CLOEXEC);
  } else if (Target = What == Existing::Follow ? followed(Path) : Path; !Target.empty()) {
    Temporary = Target + ".XXXXXX";
    Descriptor = mkostemp(Temporary.data(), O_CLOEXEC);
    if (Descriptor >= 0)
      fchmod(Descriptor, Regular ? Status.st_mode & 0777 : newFileMode());
  }
  if (Descriptor < 0)
    return Error{Path, {}, std::string("cannot be written: ") + std::strerror(errno)};
  gzFile Compressor = nullptr;
  if (Gzip) {
    // The compressor closes its own, this one is for fsync.
    const int Own = fcntl(Descriptor, F_DUPFD_CLOEXEC, 0);
    Compressor = Own < 0 ? nullptr : gzdopen(Own, "wb");
    if (!Compressor) {
      if (Own >= 0)
        close(Own);
      close(Descriptor);
      if (!Temporary.empty())
        unlink(Temporary.c_str());
      return Error{Path, {}, "cannot be written: out of memory"};
    }
  }
  return std::unique_ptr<OutputFile>(
      new OutputFile(Path, Target, Temporary, Descriptor, Compressor));
}

OutputFile::~OutputFile() {
  if (Compressor)
    gzclose_w(Compressor);
  if (Descriptor >= 0 && Path != "-")
    close(Descriptor);
  if (!Temporary.empty())
    unlink(Temporary.c_str());
}

void OutputFile::fail(std::string Reason) {
  if (!Failure)
    Failure = Error{Path, {}, "cannot be written: " + std::move(Reason)};
}

void OutputFile::write(std::string_view Bytes) {
  Pending.append(Bytes);
  if (Pending.size() >= PendingBytes)
    flush();
}

void OutputFile::flush() {
  std::string_view Left = Pending;
  while (!Left.empty() && !Failure) {
    if (Compressor) {
      const int Count = gzwrite(Compressor, Left.data(), static_cast<unsigned>(Left.size()));
      if (Count <= 0) {
        int Code = 0;
        const char *Message = gzerror(Compressor, &Code);
        fail(Code == Z_ERRNO ? std::strerror(errno) : Message);
      } else {
        Left.remove_prefix(static_cast<size_t>(Count));
      }
      continue;
    }
    const ssize_t Count = ::write(Descriptor, Left.data(), Left.size());
    if (Count >= 0)
      Left.remove_prefix(static_cast<size_t>(Count));
    else if (errno != EINTR)
      fail(std::strerror(errno));
  }
  Pending.clear();
}

std::optional<Error> OutputFile::commit() {
  flush();
  if (Compressor) {
    const int Code = gzclose_w(Compressor);
    Compressor = nullptr;
    if (Code != Z_OK)
      fail(Code == Z_ERRNO ? std::strerror(errno) : "the gzip stream could not be ended");
  }
  if (Descriptor >= 0 && Path != "-") {
    if (!Failure && !Temporary.empty() && !sync(Descriptor))
      fail(std::strerror(errno));
    if (close(Descriptor) != 0)
      fail(std::strerror(errno));
    Descriptor = -1;
  }
  if (!Failure && !Temporary.empty())
    replaceTarget();
  return Failure;
}

void OutputFile::replaceTarget() {
  if (std::rename(Temporary.c_str(), Target.c_str()) != 0)
    return fail(std::strerror(errno));
  Temporary.clear();
  // The new name, too; the file is whole whether or not that can be done.
  const size_t Slash = Target.rfind('/');
  const std::string Folder = Slash == Target.npos ? "." : Target.substr(0, Slash + 1);
  const int Opened = ::open(Folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (Opened >= 0) {
    sync(Opened);
    close(Opened);
  }
}

} // namespace seamscope::tools
