//===- Schema.h - what the JSON of documents can hold --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_SCHEMA_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_SCHEMA_H

#include "report/render/Render.h"

#include <span>

namespace seamscope::tools {

/// A JSON Schema (2020-12) that the JSON of all documents meets which have the facts and tables of
/// one of \p Examples, at least one. No row of these is looked at. A key that one of them lacks may
/// be missing, and a fact that one of them does not know may be null.
void renderSchema(std::span<const Document> Examples, const WriteText &Write);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_SCHEMA_H
