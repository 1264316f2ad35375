//===- TemporaryFile.h - a file without a name ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_IO_TEMPORARYFILE_H
#define SEAMSCOPE_TOOLS_TRACE_IO_TEMPORARYFILE_H

#include <functional>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// A file without a name, usually in TMPDIR or /tmp: it disappears with its owner, however the
/// process ends.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &Folder = folder());
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  /// Adds bytes. After a failure it does nothing.
  void write(std::string_view Bytes);

  /// Passes what was written to \p Take, piece by piece; not after a failure.
  void read(const std::function<void(std::string_view)> &Take);

  /// Why the file could not be created, written or read, as errno; 0: no error.
  int error() const { return Why; }

  int descriptor() const { return Descriptor; }

  /// Where such files usually are: TMPDIR, or /tmp.
  static std::string folder();

private:
  int Descriptor;
  int Why = 0;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_IO_TEMPORARYFILE_H
