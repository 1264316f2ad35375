//===- MemoryFile.h - bytes that can be opened as a file ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TEST_FUZZ_MEMORYFILE_H
#define SEAMSCOPE_TEST_FUZZ_MEMORYFILE_H

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace seamscope::fuzz {

/// A file without a place on a disk, as long as it lives.
class MemoryFile {
public:
  explicit MemoryFile(std::span<const uint8_t> Bytes)
      : Descriptor(memfd_create("seamscope-fuzz", MFD_CLOEXEC)) {
    if (Descriptor < 0)
      std::abort();
    while (!Bytes.empty()) {
      const ssize_t Count = write(Descriptor, Bytes.data(), Bytes.size());
      if (Count <= 0)
        std::abort();
      Bytes = Bytes.subspan(static_cast<size_t>(Count));
    }
  }
  ~MemoryFile() { close(Descriptor); }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  /// Each open of it begins at the first byte.
  std::string path() const { return "/proc/self/fd/" + std::to_string(Descriptor); }

private:
  int Descriptor;
};

} // namespace seamscope::fuzz
#endif // SEAMSCOPE_TEST_FUZZ_MEMORYFILE_H
