//===- SpoolToChrome.h - writes a spool as a Chrome trace -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_SPOOLTOCHROME_H
#define SEAMSCOPE_TOOLS_TRACE_SPOOLTOCHROME_H

#include "trace/io/TemporaryFile.h"
#include "trace/spool/SpoolFile.h"

#include <functional>
#include <string>

namespace seamscope::tools {

/// How a spool is written.
struct SpoolWriting {
  uint64_t MaxBytes = 0;    ///< of text; later calls are then written as sums. 0: no limit
  std::string KeepIn;       ///< a copy of the spool is made there if calls are left out
  bool FollowsLinks = true; ///< follow links in place of either file; otherwise replace them
  std::function<void(double Fraction)> Progress;
  uint64_t *LeftOut = nullptr; ///< if not null, set to the number of calls left out
};

/// Writes \p File as the runtime would at exit. Returns nothing, or why it could not be written.
std::optional<Error> writeChrome(const SpoolFile &File, const std::string &Out,
                                 const SpoolWriting &How = {});

/// Writes all of \p File to \p Out, as the file \p Name.
std::optional<Error> writeChrome(const SpoolFile &File, TemporaryFile &Out,
                                 const std::string &Name);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_SPOOLTOCHROME_H
