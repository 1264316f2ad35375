//===- OutputFile.h - writes a file completely or not at all --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_OUTPUTFILE_H
#define SEAMSCOPE_TOOLS_TRACE_OUTPUTFILE_H

#include "trace/io/Descriptor.h"
#include "trace/io/Error.h"
#include "trace/io/NamedTemporary.h"

#include <zlib.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>

namespace seamscope::tools {

/// Writes a file that gets its name at commit(), after it is safely on the disk: nobody sees a
/// half-written file, an old file survives a failure and a crash of the machine, and nothing else
/// stays however the process ends. On file systems without nameless files, it has a temporary name
/// next to the file. A symbolic link is followed, as by open(2); a replaced file keeps its mode.
/// The path "-" is standard output, and /dev/fd/N a descriptor. The output is compressed if the
/// path ends in ".gz". Refuses to replace a file that this process reads, and to commit output if
/// an input could not be read (FileUse.h).
class OutputFile {
public:
  struct Terms {
    bool OverInput = false;     ///< may replace a file that was read to its end
    bool DespiteUnread = false; ///< its writer reports what could not be read
  };

  static Result<std::unique_ptr<OutputFile>> create(const std::string &Path, Terms Given);
  static Result<std::unique_ptr<OutputFile>> create(const std::string &Path);

  /// The same for the entry \p Name of an open folder, whatever that folder's path is now. An
  /// existing entry is replaced, also a link or a pipe. \p Path is the name in errors.
  static Result<std::unique_ptr<OutputFile>> createInside(int Folder, const std::string &Name,
                                                          const std::string &Path, Terms Given);

  /// Removes what was not committed.
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// Whether readers see nothing before commit(); otherwise, as for a pipe, what is written may be
  /// read at once.
  bool isHeld() const { return !Target.empty(); }

  /// Adds bytes. After a failure it does nothing; commit() reports the failure.
  void write(std::string_view Bytes);

  /// Finishes the file and gives it its name. Nothing, or why it could not be written.
  std::optional<Error> commit();

private:
  OutputFile(std::string Path, Terms Given) : Path(std::move(Path)), Given(Given) {}
  static Result<std::unique_ptr<OutputFile>> opened(std::unique_ptr<OutputFile> Out,
                                                    const std::string &Where);
  std::optional<Error> open(const std::string &Where);
  int openHeld(const struct stat *Replaced);
  std::optional<Error> refusal(const struct stat &File, bool IsRead) const;
  void flush();
  void compress(std::string_view Bytes, int How);
  void writeOut(std::string_view Bytes);
  void fail(std::string Reason);
  void nameFile();

  const std::string Path; ///< as given
  const Terms Given;
  std::string Target;                     ///< after following links; empty: written directly
  std::unique_ptr<NamedTemporary> Beside; ///< null: nameless, or committed
  int Descriptor = -1;                    ///< -1: closed
  class Descriptor Folder;                ///< the folder of Target, for createInside()
  std::unique_ptr<z_stream> Compressor;   ///< null: plain
  std::string Pending;
  std::optional<Error> Failure;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_OUTPUTFILE_H
