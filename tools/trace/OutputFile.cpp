//===- OutputFile.cpp - writes a file whole or not at all -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/OutputFile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
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

} // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::string &Path) {
  const bool Gzip = Path.ends_with(".gz");
  if (Path == "-")
    return std::unique_ptr<OutputFile>(new OutputFile(Path, {}, STDOUT_FILENO, nullptr));
  struct stat Status;
  if (stat(Path.c_str(), &Status) == 0 && S_ISDIR(Status.st_mode))
    return Error{Path, {}, "is a directory; name a file to write"};
  std::string Temporary;
  int Descriptor;
  if (stat(Path.c_str(), &Status) == 0 && !S_ISREG(Status.st_mode)) {
    // A pipe or a device is written to; a rename would replace it.
    Descriptor = ::open(Path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    Temporary = Path + ".XXXXXX";
    Descriptor = mkostemp(Temporary.data(), O_CLOEXEC);
    if (Descriptor >= 0)
      fchmod(Descriptor, newFileMode());
  }
  if (Descriptor < 0)
    return Error{Path, {}, std::string("cannot be written: ") + std::strerror(errno)};
  gzFile Compressor = nullptr;
  if (Gzip) {
    Compressor = gzdopen(Descriptor, "wb");
    if (!Compressor) {
      close(Descriptor);
      if (!Temporary.empty())
        unlink(Temporary.c_str());
      return Error{Path, {}, "cannot be written: out of memory"};
    }
    Descriptor = -1;
  }
  return std::unique_ptr<OutputFile>(new OutputFile(Path, Temporary, Descriptor, Compressor));
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
    if (close(Descriptor) != 0)
      fail(std::strerror(errno));
    Descriptor = -1;
  }
  if (!Failure && !Temporary.empty()) {
    if (std::rename(Temporary.c_str(), Path.c_str()) != 0)
      fail(std::strerror(errno));
    else
      Temporary.clear();
  }
  return Failure;
}

} // namespace seamscope::tools
