//===- Blob.h - the events of a timeline, packed for the page ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_BLOB_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_BLOB_H

#include "report/model/Chart.h"
#include "report/render/Render.h"

#include <string>

namespace seamscope::tools {

/// Of each event of a lane three unsigned LEB128 numbers: begin less the begin of the one before
/// (of the first less 0), duration, and index of Timeline::Names.
std::string laneBytes(const Timeline &Of, const Timeline::Lane &Lane);

/// The bytes of all lanes, one lane after another, as base64 of gzip.
void writeBlob(const Timeline &Of, const WriteText &Write);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_BLOB_H
