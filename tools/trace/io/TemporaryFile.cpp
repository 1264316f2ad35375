//===- TemporaryFile.cpp - a file without a name --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/TemporaryFile.h"

#include "trace/io/NamedTemporary.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

namespace seamscope::tools {

std::string TemporaryFile::folder() {
  const char *Folder = std::getenv("TMPDIR");
  return Folder && *Folder ? Folder : "/tmp";
}

TemporaryFile::TemporaryFile(const std::string &Where) {
  Descriptor = open(Where.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  // Some file systems do not support files without a name.
  if (Descriptor < 0)
    NamedTemporary::create(
        Where + "/seamscope",
        [](const char *Name) { return open(Name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600); },
        Descriptor);
  if (Descriptor < 0)
    Why = errno;
}

TemporaryFile::~TemporaryFile() {
  if (Descriptor >= 0)
    close(Descriptor);
}

void TemporaryFile::write(std::string_view Bytes) {
  while (!Bytes.empty() && !Why) {
    const ssize_t Count = ::write(Descriptor, Bytes.data(), Bytes.size());
    if (Count >= 0)
      Bytes.remove_prefix(static_cast<size_t>(Count));
    else if (errno != EINTR)
      Why = errno;
  }
}

void TemporaryFile::read(const std::function<void(std::string_view)> &Take) {
  std::vector<char> Piece(1 << 18);
  off_t Offset = 0;
  while (!Why) {
    const ssize_t Count = pread(Descriptor, Piece.data(), Piece.size(), Offset);
    if (Count == 0)
      return;
    if (Count > 0) {
      Offset += Count;
      Take({Piece.data(), static_cast<size_t>(Count)});
    } else if (errno != EINTR) {
      Why = errno;
    }
  }
}

} // namespace seamscope::tools
