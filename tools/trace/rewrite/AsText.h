//===- AsText.h - a trace of any format as JSON ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_REWRITE_ASTEXT_H
#define SEAMSCOPE_TOOLS_TRACE_REWRITE_ASTEXT_H

#include "trace/io/Error.h"
#include "trace/model/Trace.h"
#include "trace/rewrite/ChromeText.h"

#include <memory>
#include <optional>
#include <string>

namespace seamscope::tools {

/// Whether \p Path is a trace in another form than JSON.
bool isOtherForm(const std::string &Path);

/// Why \p Source, which was read of such a one, cannot be written as JSON: sums have no events.
std::optional<Error> whyNoText(const Trace &Source);

/// What is not JSON as JSON, in a temporary file.
struct OtherForm {
  std::unique_ptr<ChromeText> Text;
  TraceInfo Info; ///< what its own reader found

  /// Adds to \p Read, of the text, what the text does not say.
  void complete(TraceInfo &Read) const;
};

/// Writes \p In as the file \p Name would be.
Result<OtherForm> writtenAsText(const std::string &In, const std::string &Name);

/// A trace with all that the model has a place for.
struct TraceWithHead {
  Trace Read;
  std::string Head; ///< for readChromeHead()
};

Result<TraceWithHead> readWithHead(const std::string &Path);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_REWRITE_ASTEXT_H
