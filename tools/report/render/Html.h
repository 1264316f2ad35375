//===- Html.h - a document as one page -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_HTML_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_HTML_H

#include "report/render/Render.h"

namespace seamscope::tools {

/// One file that needs no network: the page (tools/report/page) with the document as data, in the
/// form that docs/formats.md describes. \p Verb: the command that made it. \p MostInline: a table
/// with more rows, or a chart with more nodes or names, is packed and stored next to the document.
void renderHtml(const Document &Of, std::string_view Verb, const WriteText &Write,
                size_t MostInline = 2000);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_HTML_H
