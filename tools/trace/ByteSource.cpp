//===- ByteSource.cpp - the bytes of a plain or gzipped file --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/ByteSource.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace seamscope::tools {
namespace {
constexpr size_t ChunkBytes = 1 << 18;
}

Result<std::unique_ptr<ByteSource>> ByteSource::open(const std::string &Path) {
  const bool StandardInput = Path == "-";
  const int Descriptor =
      StandardInput ? dup(STDIN_FILENO) : ::open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  if (Descriptor < 0)
    return Error{Path, {}, std::strerror(errno)};
  struct stat Status;
  if (fstat(Descriptor, &Status) == 0 && S_ISDIR(Status.st_mode)) {
    close(Descriptor);
    return Error{Path, {}, "is a directory; name a trace file"};
  }
  const gzFile File = gzdopen(Descriptor, "rb");
  if (!File) {
    close(Descriptor);
    return Error{Path, {}, "out of memory"};
  }
  gzbuffer(File, ChunkBytes);
  const uint64_t Size = S_ISREG(Status.st_mode) ? static_cast<uint64_t>(Status.st_size) : 0;
  return std::unique_ptr<ByteSource>(new ByteSource(Path, File, StandardInput ? 0 : Size));
}

Result<std::unique_ptr<ByteSource>> ByteSource::ofDescriptor(int Descriptor,
                                                             const std::string &Path) {
  // A descriptor of its own position.
  auto Source = open("/proc/self/fd/" + std::to_string(Descriptor));
  if (!Source)
    return Error{Path, {}, Source.error().Reason};
  (*Source)->Path = Path;
  return Source;
}

ByteSource::ByteSource(std::string Path, gzFile File, uint64_t Size)
    : Path(std::move(Path)), File(File), FileBytes(Size), Buffer(ChunkBytes) {}

ByteSource::~ByteSource() { gzclose_r(File); }

uint64_t ByteSource::storedBytes() const {
  if (FileBytes)
    return FileBytes;
  const z_off_t Read = gzoffset(File);
  return Read < 0 ? 0 : static_cast<uint64_t>(Read);
}

void ByteSource::refill() {
  Before += Filled;
  Position = Filled = 0;
  if (Ended)
    return;
  const int Count = gzread(File, Buffer.data(), static_cast<unsigned>(Buffer.size()));
  if (Count > 0)
    Filled = static_cast<size_t>(Count);
  if (Copy && Filled)
    Copy({Buffer.data(), Filled});
  if (Count == static_cast<int>(Buffer.size()))
    return;
  Ended = true;
  // zlib gives what it could inflate and tells of a cut or broken stream here.
  int Code = Z_OK;
  const char *Message = gzerror(File, &Code);
  if (Code == Z_OK || Code == Z_STREAM_END)
    return;
  Failed = true;
  const char *Why = Code == Z_ERRNO       ? std::strerror(errno)
                    : Code == Z_BUF_ERROR ? "the gzip stream is cut off"
                                          : Message;
  Failure = {Path, Before + Filled, Why};
}

} // namespace seamscope::tools
