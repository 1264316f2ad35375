//===- OutputFile.h - writes a file whole or not at all -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_OUTPUTFILE_H
#define SEAMSCOPE_TOOLS_TRACE_OUTPUTFILE_H

#include "trace/io/Descriptor.h"
#include "trace/io/Error.h"

#include <zlib.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// Writes to a temporary file beside the file to write and renames it at commit(), when it is safe
/// on the disk: nobody sees half of it, and an old file survives a failure and a crash of the
/// machine. A symbolic link is followed, as open(2) does; a file that is replaced keeps its mode.
/// The path "-" is standard output. What is written is compressed when the path ends in ".gz".
class OutputFile {
public:
  static Result<std::unique_ptr<OutputFile>> create(const std::string &Path);

  /// The same of the entry \p Name of an open folder, whatever that folder's path is now. What has
  /// the name is replaced, also a link or a pipe. \p Path is what errors call it.
  static Result<std::unique_ptr<OutputFile>> createInside(int Folder, const std::string &Name,
                                                          const std::string &Path);

  /// Removes what was not committed.
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// Whether nobody sees anything before commit(); else what is written may be gone at once, as it
  /// is with a pipe.
  bool isHeld() const { return !Temporary.empty(); }

  /// Adds bytes. After a failure it does nothing; commit() tells.
  void write(std::string_view Bytes);

  /// Finishes the file and gives it its name. Nothing, or why it could not be written.
  std::optional<Error> commit();

private:
  enum class Existing { Follow, Replace };
  static Result<std::unique_ptr<OutputFile>> create(const std::string &Path, Existing What);
  OutputFile(std::string Path, std::string Target, std::string Temporary, int Descriptor,
             gzFile Compressor)
      : Path(std::move(Path)), Target(std::move(Target)), Temporary(std::move(Temporary)),
        Descriptor(Descriptor), Compressor(Compressor) {}
  void flush();
  void fail(std::string Reason);
  void replaceTarget();

  std::string Path;        ///< as given
  std::string Target;      ///< where it leads, through symbolic links
  std::string Temporary;   ///< empty: standard output, or committed
  int Descriptor;          ///< -1: closed
  class Descriptor Folder; ///< that Target lies in, of createInside()
  gzFile Compressor;       ///< null: plain
  std::string Pending;
  std::optional<Error> Failure;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_OUTPUTFILE_H
