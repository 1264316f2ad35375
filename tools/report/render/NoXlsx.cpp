//===- NoXlsx.cpp - replaces Xlsx.cpp without libxlsxwriter ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/render/Render.h"

namespace seamscope::tools {

const bool HasXlsx = false;

std::optional<Error> renderXlsx(const Document &, const WriteText &) {
  return Error{{}, {}, "this seamscope was built without libxlsxwriter"};
}

} // namespace seamscope::tools
