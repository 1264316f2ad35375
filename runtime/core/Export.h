//===- Export.h - writes the trace of the process -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_EXPORT_H
#define SEAMSCOPE_CORE_EXPORT_H

#include "seamscope/seamscope.h"

namespace seamscope {

/// The calls to write: those that began in one of the windows. Null: all.
struct ExportWindows {
  const SeamscopeWindow *First = nullptr;
  uint32_t Count = 0;
};

/// Writes a trace of the spool to \p Path; null: to the path from the environment. On failure,
/// prints one line to stderr.
bool exportTrace(const char *Path, ExportWindows Windows = {});

/// Called in a fork's child, in which no export is running.
void forgetExport();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_EXPORT_H
