//===- Replay.h - the document of `seamscope replay` -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_REPLAY_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_REPLAY_H

#include "report/model/Document.h"
#include "run/replay/ReplayResult.h"

namespace seamscope::tools {

/// `seamscope.replay/1`. \p Of must outlive it.
Document replayDocument(const Replayed &Of);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_REPLAY_H
