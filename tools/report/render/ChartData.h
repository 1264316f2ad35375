//===- ChartData.h - the data of single charts, as the page reads them ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_CHARTDATA_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_CHARTDATA_H

#include "report/model/Chart.h"
#include "report/render/PageJson.h"

#include <string_view>

namespace seamscope::tools {

constexpr std::string_view chartKind(const Roofline &) { return "roofline"; }
constexpr std::string_view chartKind(const RankBars &) { return "ranks"; }
constexpr std::string_view chartKind(const Spread &) { return "spread"; }

/// The value of `data`, as docs/formats.md has it.
void writeData(PageJson &To, const Roofline &Of);
void writeData(PageJson &To, const RankBars &Of);
void writeData(PageJson &To, const Spread &Of);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_CHARTDATA_H
