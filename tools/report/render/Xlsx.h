//===- Xlsx.h - a document as a workbook ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_XLSX_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_XLSX_H

#include "report/render/Render.h"
#include "trace/io/Error.h"

#include <optional>

namespace seamscope::tools {

/// Whether this was built with what renderXlsx needs.
extern const bool HasXlsx;

/// A workbook of Office Open XML: a sheet of facts, sentences and findings, then one a table with
/// all rows of data and no text a formula. Nothing, or why it could not be made.
std::optional<Error> renderXlsx(const Document &Of, const WriteText &Write);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_XLSX_H
