//===- Export.h - writes the trace of the process -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_EXPORT_H
#define SEAMSCOPE_CORE_EXPORT_H

#include "seamscope/seamscope.h"

namespace seamscope {

/// What of the spool is written: the calls that began in one of the windows. Null: all.
struct ExportWindows {
  const SeamscopeWindow *First = nullptr;
  uint32_t Count = 0;
};

/// Writes the trace of what is in the spool. \p Path null: where the environment says. One line on
/// stderr on failure.
bool exportTrace(const char *Path, ExportWindows Windows = {});

/// In a fork's child: no export is under way.
void forgetExport();

} // namespace seamscope
#endif // SEAMSCOPE_CORE_EXPORT_H
