//===- ValidText.h - a trace's text, as JSON for other programs -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_VALIDTEXT_H
#define SEAMSCOPE_TOOLS_TRACE_VALIDTEXT_H

#include "trace/io/Error.h"
#include "trace/model/ReadOptions.h"
#include "trace/model/Trace.h"
#include "trace/rewrite/ChromeText.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// A trace, and its text, which is JSON to the last byte unless the trace is damaged.
struct ValidText {
  std::unique_ptr<ChromeText> Text;
  Trace Read; ///< of that text
  /// Whether the text is that of the file. Else it was made of it: elements of the events that are
  /// no JSON are left out, and counted in TraceInfo::SkippedEvents.
  bool AsWritten = true;
  /// What else is not as in the file, a sentence each.
  std::vector<std::string> Changes;
};

/// Reads a trace that is to be written for other programs. \p Copy gets the bytes of the file as
/// they are read.
Result<ValidText> readValid(const std::string &Path, const ReadOptions &Keep,
                            const std::function<void(std::string_view)> &Copy = {});

/// The same of a text. Of one that is damaged a text is made, too, of what stands before that; what
/// TraceInfo says is that of the text as given.
Result<ValidText> readWhole(std::unique_ptr<ChromeText> Text, const ReadOptions &Keep);

/// Reads the text of \p Of once more, with other details.
std::optional<Error> readAgain(ValidText &Of, const ReadOptions &Keep);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_VALIDTEXT_H
