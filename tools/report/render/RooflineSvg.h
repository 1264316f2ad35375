//===- RooflineSvg.h - rooflines as an image ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_ROOFLINESVG_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_ROOFLINESVG_H

#include "report/render/Render.h"

namespace seamscope::tools {

/// The rooflines of \p Of as one SVG image that needs no script, font or network, below each other
/// and among the sentences of their sections. Other items are not drawn.
void renderRooflineSvg(const Document &Of, const WriteText &Write);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_ROOFLINESVG_H
