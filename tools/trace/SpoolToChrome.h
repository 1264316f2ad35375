//===- SpoolToChrome.h - writes a spool as a Chrome trace -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_SPOOLTOCHROME_H
#define SEAMSCOPE_TOOLS_TRACE_SPOOLTOCHROME_H

#include "trace/SpoolFile.h"

namespace seamscope::tools {

/// Writes \p File as the runtime would have at exit. Nothing, or why it could not be written.
std::optional<Error> writeChrome(const SpoolFile &File, const std::string &Out, bool Recovered);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_SPOOLTOCHROME_H
