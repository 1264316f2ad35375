//===- ChromeText.h - a trace's JSON, to be read more than once -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CHROMETEXT_H
#define SEAMSCOPE_TOOLS_TRACE_CHROMETEXT_H

#include "trace/io/ByteSource.h"
#include "trace/io/TemporaryFile.h"

#include <memory>
#include <string>

namespace seamscope::tools {

/// A trace as Chrome JSON that can be read from its beginning any number of times. What cannot, a
/// pipe or standard input, is copied to a temporary file first, and a spool is converted to one.
/// These files have no name and go with the process.
class ChromeText {
public:
  static Result<std::unique_ptr<ChromeText>> open(const std::string &Path);

  /// One whose JSON was written to a temporary file, of the trace \p Path.
  static std::unique_ptr<ChromeText> ofFile(const std::string &Path,
                                            std::unique_ptr<TemporaryFile> Json) {
    return std::unique_ptr<ChromeText>(new ChromeText(Path, std::move(Json)));
  }

  /// Why there is no such file: \p Why as errno has it.
  static Error cannotKeep(const std::string &Path, int Why);

  /// As given.
  const std::string &path() const { return Path; }

  Result<std::unique_ptr<ByteSource>> read() const;

private:
  ChromeText(std::string Path, std::unique_ptr<TemporaryFile> Temporary)
      : Path(std::move(Path)), Temporary(std::move(Temporary)) {}

  std::string Path;
  std::unique_ptr<TemporaryFile> Temporary; ///< null: the file itself is read
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CHROMETEXT_H
