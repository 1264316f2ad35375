//===- ChromeText.cpp - a trace's JSON, to be read more than once ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/ChromeText.h"

#include "format/ChromeTrace.h"
#include "trace/SpoolFile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

namespace seamscope::tools {
namespace {

struct Descriptor {
  int Fd = -1;
  Descriptor() = default;
  explicit Descriptor(int Fd) : Fd(Fd) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (Fd >= 0)
      close(Fd);
  }
  int release() { return std::exchange(Fd, -1); }
};

/// A file without a name.
int makeTemporary() {
  const char *Folder = std::getenv("TMPDIR");
  std::string Name = std::string(Folder && *Folder ? Folder : "/tmp") + "/seamscope-XXXXXX";
  const int Fd = mkostemp(Name.data(), O_CLOEXEC);
  if (Fd >= 0)
    unlink(Name.c_str());
  return Fd;
}

/// False: errno tells why not.
bool writeAll(int Fd, const char *Bytes, size_t Size) {
  while (Size) {
    const ssize_t Count = ::write(Fd, Bytes, Size);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count < 0)
      return false;
    Bytes += Count;
    Size -= static_cast<size_t>(Count);
  }
  return true;
}

Error cannotKeep(const std::string &Path) {
  return {Path, {}, std::string("cannot be kept in a temporary file: ") + std::strerror(errno)};
}

std::optional<Error> copy(int From, int To, const std::string &Path) {
  std::vector<char> Bytes(1 << 18);
  for (;;) {
    const ssize_t Count = ::read(From, Bytes.data(), Bytes.size());
    if (Count == 0)
      return std::nullopt;
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count < 0)
      return Error{Path, {}, std::strerror(errno)};
    if (!writeAll(To, Bytes.data(), static_cast<size_t>(Count)))
      return cannotKeep(Path);
  }
}

std::optional<Error> convertSpool(const std::string &Path, int To) {
  auto Spool = SpoolFile::open(Path);
  if (!Spool)
    return Spool.error();
  if (const Error *Damage = (*Spool)->damage())
    return *Damage;
  const std::string Name = std::filesystem::path(Path).filename().string();
  const format::ByteSink Sink = {[](void *Fd, const char *Text, size_t Size) {
                                   return writeAll(*static_cast<int *>(Fd), Text, Size);
                                 },
                                 &To};
  if (!format::writeChromeTrace((*Spool)->reader(), {Name.c_str(), SEAMSCOPE_VERSION, false}, Sink))
    return cannotKeep(Path);
  return std::nullopt;
}

} // namespace

Result<std::unique_ptr<ChromeText>> ChromeText::open(const std::string &Path) {
  struct stat Status;
  const bool IsInput = Path == "-";
  if (!IsInput && stat(Path.c_str(), &Status) != 0)
    return Error{Path, {}, std::strerror(errno)};
  const bool Regular = !IsInput && S_ISREG(Status.st_mode);
  const bool Spool = Regular && isSpool(Path);
  if (!Spool && (Regular || (!IsInput && S_ISDIR(Status.st_mode))))
    return std::unique_ptr<ChromeText>(new ChromeText(Path, -1));
  Descriptor To(makeTemporary());
  if (To.Fd < 0)
    return cannotKeep(Path);
  if (Spool) {
    if (const auto Failure = convertSpool(Path, To.Fd))
      return *Failure;
  } else {
    const Descriptor From(IsInput ? dup(STDIN_FILENO) : ::open(Path.c_str(), O_RDONLY | O_CLOEXEC));
    if (From.Fd < 0)
      return Error{Path, {}, std::strerror(errno)};
    if (const auto Failure = copy(From.Fd, To.Fd, Path))
      return *Failure;
  }
  return std::unique_ptr<ChromeText>(new ChromeText(Path, To.release()));
}

ChromeText::~ChromeText() {
  if (Temporary >= 0)
    close(Temporary);
}

Result<std::unique_ptr<ByteSource>> ChromeText::read() const {
  return Temporary < 0 ? ByteSource::open(Path) : ByteSource::ofDescriptor(Temporary, Path);
}

} // namespace seamscope::tools
