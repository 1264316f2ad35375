//===- OutputFile.cpp - writes a file completely or not at all ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/OutputFile.h"

#include "trace/io/FileUse.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstring>

namespace seamscope::tools {
namespace {

constexpr size_t PendingBytes = 1 << 16;
/// Window bits for deflateInit2(), plus a flag to write gzip streams; its usual memory.
constexpr int GzipWindowBits = 15 + 16, UsualMemory = 8;

/// The descriptor that \p Path is a name of, such as /dev/stdout; -1: none.
int descriptorNamed(std::string_view Path) {
  for (const std::string_view Folder : {"/dev/fd/", "/proc/self/fd/"}) {
    int Number = -1;
    if (Path == "-")
      return STDOUT_FILENO;
    if (!Path.starts_with(Folder))
      continue;
    const char *End = Path.data() + Path.size();
    if (const auto Read = std::from_chars(Path.data() + Folder.size(), End, Number);
        Read.ec == std::errc() && Read.ptr == End)
      return Number;
  }
  return -1;
}

/// The path after following symbolic links, whether or not the file exists; empty, with errno set:
/// it cannot be determined.
std::string followed(std::string Path) {
  for (int Links = 0; Links < 40; ++Links) {
    if (descriptorNamed(Path) >= 0)
      return Path;
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

/// Repeats calls that a signal interrupts.
template <typename CallT> auto retried(CallT Call) {
  decltype(Call()) Result;
  do
    Result = Call();
  while (Result < 0 && errno == EINTR);
  return Result;
}

/// Writes the contents of the file or folder to the disk; false: errno has the reason.
bool sync(int Descriptor) {
  // Some file systems have nothing to sync.
  return retried([&] { return fsync(Descriptor); }) == 0 || errno == EINVAL || errno == ENOTSUP ||
         errno == EROFS;
}

std::string folderOf(const std::string &Path) {
  const size_t Slash = Path.rfind('/');
  return Slash == Path.npos ? "." : Path.substr(0, Slash + 1);
}

/// The name by which linkat() finds the file of a descriptor without a name.
std::string linkOf(int Descriptor) { return "/proc/self/fd/" + std::to_string(Descriptor); }

} // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::opened(std::unique_ptr<OutputFile> Out,
                                                       const std::string &Where) {
  noteOutput(Out->Path);
  if (auto Failure = Out->open(Where))
    return *Failure;
  return Out;
}

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::string &Path, Terms Given) {
  return opened(std::unique_ptr<OutputFile>(new OutputFile(Path, Given)), followed(Path));
}

Result<std::unique_ptr<OutputFile>> OutputFile::createInside(int Folder, const std::string &Name,
                                                             const std::string &Path, Terms Given) {
  std::unique_ptr<OutputFile> Out(new OutputFile(Path, Given));
  Out->Folder = seamscope::tools::Descriptor(fcntl(Folder, F_DUPFD_CLOEXEC, 0));
  if (!Out->Folder)
    return Error{Path, {}, std::string("cannot be written: ") + std::strerror(errno)};
  const std::string Where = linkOf(Out->Folder.number()) + "/" + Name;
  return opened(std::move(Out), Where);
}

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::string &Path) {
  return create(Path, {});
}

std::optional<Error> OutputFile::refusal(const struct stat &File, bool IsRead) const {
  if (S_ISDIR(File.st_mode))
    return Error{Path, {}, "is a directory; name a file to write"};
  if (!Given.OverInput && IsRead)
    return Error{Path, {}, "is the file that is read, or one of them; name another file to write"};
  return std::nullopt;
}

/// \p Where: its path after symbolic links; empty, with errno set: none.
std::optional<Error> OutputFile::open(const std::string &Where) {
  const auto CannotBe = [&](const char *Why) {
    return Error{Path, {}, std::string("cannot be written: ") + Why};
  };
  if (Where.empty())
    return CannotBe(std::strerror(errno));
  struct stat Status;
  if (const int Named = descriptorNamed(Where); Named >= 0) {
    // Opened again, the file would be written from its beginning, without the opener's flags.
    Descriptor = fcntl(Named, F_DUPFD_CLOEXEC, 0);
    if (Descriptor < 0 || fstat(Descriptor, &Status))
      return CannotBe(std::strerror(errno));
    if (auto Refused = refusal(Status, isInput(Descriptor)))
      return Refused;
  } else {
    // In a folder that may come from another user, a link itself is replaced, and so is a pipe.
    const bool Exists = lstat(Where.c_str(), &Status) == 0;
    const bool Replaces = Folder || !Exists || S_ISREG(Status.st_mode);
    if (!Exists && errno != ENOENT)
      return CannotBe(std::strerror(errno));
    if (auto Refused = Exists ? refusal(Status, isInput(Where)) : std::nullopt)
      return Refused;
    if (!Replaces) {
      // Pipes and devices are written directly; a rename would replace them.
      Descriptor = retried([&] { return ::open(Where.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY); });
    } else {
      Target = Where;
      Descriptor = openHeld(Exists && S_ISREG(Status.st_mode) ? &Status : nullptr);
    }
    if (Descriptor < 0)
      return CannotBe(std::strerror(errno));
  }
  if (!Path.ends_with(".gz"))
    return std::nullopt;
  auto Stream = std::make_unique<z_stream>();
  *Stream = {};
  if (deflateInit2(Stream.get(), Z_DEFAULT_COMPRESSION, Z_DEFLATED, GzipWindowBits, UsualMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return CannotBe("out of memory");
  Compressor = std::move(Stream);
  return std::nullopt;
}

/// A file to write to until it is complete; -1, with errno set: impossible.
int OutputFile::openHeld(const struct stat *Replaced) {
  int Opened = retried(
      [&] { return ::open(folderOf(Target).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666); });
  if (Opened >= 0 && access(linkOf(Opened).c_str(), F_OK)) {
    close(Opened); // without /proc it could not get a name
    Opened = -1;
  }
  if (Opened < 0)
    Beside = NamedTemporary::create(
        Target,
        [](const char *Name) {
          return ::open(Name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        },
        Opened);
  // If only the owner could read the old file, others must not be able to read the new one.
  if (Opened >= 0 && Replaced && fchmod(Opened, Replaced->st_mode & 0777)) {
    const int Why = errno;
    close(Opened);
    errno = Why;
    return -1;
  }
  return Opened;
}

OutputFile::~OutputFile() {
  if (Compressor)
    deflateEnd(Compressor.get());
  if (Descriptor >= 0)
    close(Descriptor);
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
  if (!Failure && !Given.DespiteUnread)
    Failure = unreadInput();
  if (Compressor)
    compress(Pending, Z_NO_FLUSH);
  else
    writeOut(Pending);
  Pending.clear();
}

void OutputFile::compress(std::string_view Bytes, int How) {
  unsigned char Piece[1 << 14];
  Compressor->next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Bytes.data()));
  Compressor->avail_in = static_cast<uInt>(Bytes.size());
  do {
    Compressor->next_out = Piece;
    Compressor->avail_out = sizeof(Piece);
    deflate(Compressor.get(), How);
    writeOut({reinterpret_cast<const char *>(Piece), sizeof(Piece) - Compressor->avail_out});
  } while (!Compressor->avail_out && !Failure);
}

void OutputFile::writeOut(std::string_view Bytes) {
  while (!Bytes.empty() && !Failure) {
    const ssize_t Count = ::write(Descriptor, Bytes.data(), Bytes.size());
    if (Count >= 0) {
      Bytes.remove_prefix(static_cast<size_t>(Count));
    } else if (errno == EAGAIN) {
      // The other end made this pipe non-blocking.
      pollfd Room = {Descriptor, POLLOUT, 0};
      poll(&Room, 1, -1);
    } else if (errno != EINTR) {
      fail(std::strerror(errno));
    }
  }
}

std::optional<Error> OutputFile::commit() {
  flush();
  if (Compressor)
    compress({}, Z_FINISH);
  if (!Failure && isHeld()) {
    if (!sync(Descriptor))
      fail(std::strerror(errno));
    else
      nameFile();
  }
  // A file is closed even if a signal interrupts close().
  if (close(Descriptor) != 0 && errno != EINTR && !isHeld())
    fail(std::strerror(errno));
  Descriptor = -1;
  return Failure;
}

void OutputFile::nameFile() {
  struct stat Status;
  if (stat(Target.c_str(), &Status) == 0)
    if (auto Refused = refusal(Status, isInput(Target))) {
      Failure = Refused;
      return;
    }
  const auto Link = [&](const char *Name) {
    return linkat(AT_FDCWD, linkOf(Descriptor).c_str(), AT_FDCWD, Name, AT_SYMLINK_FOLLOW);
  };
  if (!Beside && Link(Target.c_str()) != 0) {
    // Only a file with a name can replace another.
    int Linked = -1;
    if (errno == EEXIST)
      Beside = NamedTemporary::create(Target, Link, Linked);
    if (!Beside)
      return fail(std::strerror(errno));
  }
  if (Beside && std::rename(Beside->name().c_str(), Target.c_str()) != 0)
    return fail(std::strerror(errno));
  if (Beside)
    Beside->forget();
  // Also syncs the new name; the file is complete even if that fails.
  const int Opened = ::open(folderOf(Target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (Opened >= 0) {
    sync(Opened);
    close(Opened);
  }
}

} // namespace seamscope::tools
