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

/// One array each of names, parents, numbers of names, self times and calls.
void writeNodes(PageJson &To, const Flame::View &Of, const PageTexts &Texts);
/// One array each of names and their kinds.
void writeNames(PageJson &To, const Timeline &Of, const PageTexts &Texts);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_PAGECHART_H
