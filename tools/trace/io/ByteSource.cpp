//===- ByteSource.cpp - the bytes of a plain or gzipped file --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// zlib's own functions for files lose what they inflated if the stream is
// damaged further on. As much as possible of a damaged trace is wanted, so this
// uses inflate().
//
//===----------------------------------------------------------------------===//
#include "trace/io/ByteSource.h"

#include "trace/io/FileUse.h"
#include "trace/io/InputFile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

constexpr unsigned char GzipMagic[] = {0x1f, 0x8b};
/// The first bytes of a file show its format: so many of them, if it has them, are in one chunk.
constexpr size_t FirstBytes = 16;
/// A gzip stream of any size may inflate to this many bytes.
constexpr uint64_t InflatedUnquestioned = 256 << 20;
/// Beyond that, it must not inflate to more than this many times its size.
constexpr uint64_t MostInflation = 200;
/// Window bits for inflate(), plus a flag to accept only gzip streams.
constexpr int GzipWindowBits = 15 + 16;

/// Whether a chunk is in a hole; a file can have holes of any length without using disk space. No
/// text has so many zeros.
bool onlyZeros(std::string_view Chunk) {
  constexpr size_t Many = 1 << 14;
  return Chunk.size() >= Many && !Chunk[0] &&
         std::memcmp(Chunk.data(), Chunk.data() + 1, Chunk.size() - 1) == 0;
}

} // namespace

Result<std::unique_ptr<ByteSource>> ByteSource::open(const std::string &Path, size_t ChunkBytes) {
  const bool StandardInput = Path == "-";
  int Descriptor;
  do
    Descriptor =
        StandardInput ? dup(STDIN_FILENO) : ::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  while (Descriptor < 0 && errno == EINTR);
  if (Descriptor < 0) {
    noteUnread(Path, errno);
    return Error{Path, {}, std::strerror(errno)};
  }
  struct stat Status;
  noteInput(Descriptor, Path);
  const bool Known = fstat(Descriptor, &Status) == 0;
  if (Known && S_ISDIR(Status.st_mode)) {
    close(Descriptor);
    return Error{Path, {}, "is a directory; name a trace file"};
  }
  const uint64_t Size = Known && S_ISREG(Status.st_mode) && !StandardInput
                            ? static_cast<uint64_t>(Status.st_size)
                            : 0;
  return std::unique_ptr<ByteSource>(new ByteSource(Path, Descriptor, Size, ChunkBytes));
}

std::string ByteSource::text(size_t Limit) {
  std::string Text;
  for (std::string_view Chunk; Text.size() <= Limit && !(Chunk = chunk()).empty();) {
    Text += Chunk;
    take(Chunk.size());
  }
  return Text;
}

Result<std::unique_ptr<ByteSource>> ByteSource::openRegular(const std::string &Path) {
  auto File = seamscope::tools::openRegular(Path);
  return File ? ofDescriptor(File->number(), Path) : File.error();
}

Result<std::unique_ptr<ByteSource>> ByteSource::ofDescriptor(int Descriptor,
                                                             const std::string &Path) {
  // A descriptor with its own position.
  auto Source = open("/proc/self/fd/" + std::to_string(Descriptor));
  if (!Source)
    return Error{Path, {}, Source.error().Reason};
  noteInput(Descriptor, Path);
  (*Source)->Path = Path;
  return Source;
}

ByteSource::ByteSource(std::string Path, int Descriptor, uint64_t Size, size_t ChunkBytes)
    : Path(std::move(Path)), Descriptor(Descriptor), FileBytes(Size),
      Buffer(std::max(ChunkBytes, FirstBytes)) {}

ByteSource::~ByteSource() {
  if (Stored == Form::Gzip)
    inflateEnd(&Inflating);
  close(Descriptor);
}

uint64_t ByteSource::storedBytes() const { return FileBytes ? FileBytes : ReadBytes; }

void ByteSource::fail(std::string Reason) {
  Ended = Failed = true;
  Failure = {Path, Before + Filled, std::move(Reason)};
}

/// Reads more of the file after \p Offset bytes; 0: its end, or a read error.
size_t ByteSource::readStored(std::vector<char> &Into, size_t Offset) {
  ssize_t Count;
  do
    Count = read(Descriptor, Into.data() + Offset, Into.size() - Offset);
  while (Count < 0 && errno == EINTR);
  if (Count < 0) {
    noteUnread(Path, errno);
    fail(std::strerror(errno));
    return 0;
  }
  ReadBytes += static_cast<uint64_t>(Count);
  return static_cast<size_t>(Count);
}

/// Reads the first bytes and determines the format.
void ByteSource::recognize() {
  std::vector<char> First(Buffer.size());
  size_t Size = 0;
  while (Size < FirstBytes) {
    const size_t Count = readStored(First, Size);
    if (!Count)
      break;
    Size += Count;
  }
  Stored = Form::Plain;
  if (Size >= sizeof(GzipMagic) && std::memcmp(First.data(), GzipMagic, sizeof(GzipMagic)) == 0) {
    if (inflateInit2(&Inflating, GzipWindowBits) != Z_OK)
      return fail("out of memory");
    Stored = Form::Gzip;
    InMember = true;
  }
  // In a plain file they are the first chunk; in a gzip file the first to inflate.
  Filled = Stored == Form::Plain ? Size : 0;
  Compressed = std::move(First);
  if (Stored == Form::Plain) {
    std::swap(Buffer, Compressed);
    return;
  }
  Inflating.next_in = reinterpret_cast<Bytef *>(Compressed.data());
  Inflating.avail_in = static_cast<uInt>(Size);
}

/// Fills the buffer, or a part of it at the end of the stream or at damage.
void ByteSource::inflateChunk() {
  Inflating.next_out = reinterpret_cast<Bytef *>(Buffer.data());
  Inflating.avail_out = static_cast<uInt>(Buffer.size());
  bool AtEnd = false; // of the file; inflating what was read may still give output
  while (Inflating.avail_out && !Ended) {
    if (!Inflating.avail_in && !AtEnd) {
      Inflating.next_in = reinterpret_cast<Bytef *>(Compressed.data());
      Inflating.avail_in = static_cast<uInt>(readStored(Compressed, 0));
      AtEnd = !Inflating.avail_in;
      if (Failed)
        return;
    }
    if (!InMember) {
      // Members may follow each other. Anything else is padding, as in gzip.
      if (AtEnd || *Inflating.next_in != GzipMagic[0]) {
        Ended = true;
        break;
      }
      inflateReset(&Inflating);
      InMember = true;
    }
    const uInt Room = Inflating.avail_out;
    const int Code = inflate(&Inflating, Z_NO_FLUSH);
    Filled = Buffer.size() - Inflating.avail_out;
    if (Code == Z_STREAM_END)
      InMember = false;
    else if (Code != Z_OK && Code != Z_BUF_ERROR)
      return fail(fmt::format("the gzip stream is damaged: {}",
                              Inflating.msg ? Inflating.msg : zError(Code)));
    else if (AtEnd && Inflating.avail_out == Room)
      return fail("the gzip stream is cut off");
  }
  Filled = Buffer.size() - Inflating.avail_out;
  // Digits alone keep a trace from compressing that well: this file was made to fill memory.
  if (const uint64_t Inflated = Before + Filled;
      Inflated > InflatedUnquestioned && Inflated / MostInflation > ReadBytes)
    fail(fmt::format("the gzip stream inflates to more than {} times its size, which no trace "
                     "does; gunzip it first if it is a trace",
                     MostInflation));
}

void ByteSource::refill() {
  Before += Filled;
  Position = Filled = 0;
  if (Ended)
    return;
  if (Stored == Form::NotKnown)
    recognize();
  else if (Stored == Form::Plain)
    Filled = readStored(Buffer, 0);
  if (Stored == Form::Gzip && !Ended)
    inflateChunk();
  if (onlyZeros({Buffer.data(), Filled})) {
    Filled = 0;
    return fail("zeros begin here: the file was not written or copied completely");
  }
  if (!Filled)
    Ended = true;
  if (Copy && Filled)
    Copy({Buffer.data(), Filled});
}

} // namespace seamscope::tools
