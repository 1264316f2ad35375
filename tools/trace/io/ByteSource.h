//===- ByteSource.h - the bytes of a plain or gzipped file ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_BYTESOURCE_H
#define SEAMSCOPE_TOOLS_TRACE_BYTESOURCE_H

#include "trace/io/Error.h"

#include <zlib.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// Reads a file, or standard input for "-", and inflates it if it is gzip. Keeps one chunk in
/// memory at a time.
class ByteSource {
public:
  static constexpr size_t DefaultChunkBytes = 1 << 18;

  /// Opens \p Path, which the user named and which may therefore be a pipe; refuses folders. \p
  /// ChunkBytes: size of a chunk; at least 16, so that the first one shows the format of the file.
  static Result<std::unique_ptr<ByteSource>> open(const std::string &Path,
                                                  size_t ChunkBytes = DefaultChunkBytes);

  /// Opens only a regular file: one that was found in a folder, not named by the user.
  static Result<std::unique_ptr<ByteSource>> openRegular(const std::string &Path);

  /// The same for an open file, which stays open, from its beginning; \p Path is its name in
  /// errors.
  static Result<std::unique_ptr<ByteSource>> ofDescriptor(int Descriptor, const std::string &Path);
  ~ByteSource();
  ByteSource(const ByteSource &) = delete;
  ByteSource &operator=(const ByteSource &) = delete;

  /// The rest of the current chunk, or the next one if nothing is left. Empty: the end, or error()
  /// has the reason.
  std::string_view chunk() {
    if (Position == Filled)
      refill();
    return {Buffer.data() + Position, Filled - Position};
  }

  /// The rest of a small file. Text longer than \p Limit is cut off somewhere behind that; error()
  /// is set if reading failed.
  std::string text(size_t Limit);

  /// Takes \p Count bytes of chunk().
  void take(size_t Count) { Position += Count; }

  /// From now on, also passes each chunk, after inflating, to \p Copy. Must be called before
  /// chunk().
  void copyTo(std::function<void(std::string_view)> Copy) { this->Copy = std::move(Copy); }

  /// Bytes taken so far, after decompression.
  uint64_t offset() const { return Before + Position; }

  /// Bytes of the file; for standard input, those read so far, before decompression.
  uint64_t storedBytes() const;

  /// The share of the file that was read, up to 1; 0: its size is not known.
  double fraction() const {
    return FileBytes ? static_cast<double>(ReadBytes) / static_cast<double>(FileBytes) : 0;
  }

  /// Why reading stopped before the end; null if it did not.
  const Error *error() const { return Failed ? &Failure : nullptr; }

private:
  enum class Form { NotKnown, Plain, Gzip };

  ByteSource(std::string Path, int Descriptor, uint64_t Size, size_t ChunkBytes);
  void refill();
  size_t readStored(std::vector<char> &Into, size_t Offset);
  void recognize();
  void inflateChunk();
  void fail(std::string Reason);

  std::string Path;
  int Descriptor;
  uint64_t FileBytes; ///< 0: not known
  Form Stored = Form::NotKnown;
  uint64_t ReadBytes = 0; ///< of the file
  std::vector<char> Buffer;
  size_t Position = 0;
  size_t Filled = 0;
  uint64_t Before = 0;
  bool Ended = false;
  bool Failed = false;
  Error Failure;
  std::function<void(std::string_view)> Copy;
  // For a gzip file:
  std::vector<char> Compressed;
  z_stream Inflating{};
  bool InMember = false; ///< a member has begun but not ended
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_BYTESOURCE_H
