//===- PageChart.h - charts of the page ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_PAGECHART_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_PAGECHART_H

#include "report/model/Chart.h"
#include "report/render/PageJson.h"
#include "report/render/PageParts.h"

namespace seamscope::tools {

/// The members of a chart's item, except its type.
void writeChart(PageJson &To, const Chart &Of, const PageParts &Parts);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_PAGECHART_H
