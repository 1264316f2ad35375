//===- DataItems.h - what the JSON of a document has -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_DATAITEMS_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_DATAITEMS_H

#include "report/model/Document.h"

#include <vector>

namespace seamscope::tools {

/// The facts and tables of data, in the order of the keys.
std::vector<const Item *> dataItems(const Document &Of);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_DATAITEMS_H
