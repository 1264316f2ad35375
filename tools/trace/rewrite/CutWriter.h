//===- CutWriter.h - writes a part of a trace's text ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CUTWRITER_H
#define SEAMSCOPE_TOOLS_TRACE_CUTWRITER_H

#include "trace/io/ByteSource.h"
#include "trace/io/OutputFile.h"
#include "trace/rewrite/CutPlan.h"

#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// Members of the part that are not those of the whole.
struct CutMembers {
  std::string Cut;       ///< what "seamscope_cut" is
  std::string Throttled; ///< what "throttled" in "seamscope" is; empty: it stays
};

/// Writes the events \p Kept of \p Source, which is JSON, to \p Out, and what stands around them:
/// all as it stands but for times that are others in \p Part. One event is held in memory, and
/// those of KeptEvents::Last.
std::optional<Error> writeCut(ByteSource &Source, const std::string &Path, OutputFile &Out,
                              const Trace &Part, const KeptEvents &Kept, const CutMembers &Members);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CUTWRITER_H
