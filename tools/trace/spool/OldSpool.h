//===- OldSpool.h - spools of earlier versions ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Versions 1 and 2 had a shorter header and shorter entries of sites. A tool that has a spool in
// memory rewrites it in the layout of today, so that one reader serves all, and the runtime, which
// only ever meets its own, knows nothing of it.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_OLDSPOOL_H
#define SEAMSCOPE_TOOLS_TRACE_OLDSPOOL_H

#include "format/SpoolReader.h"

#include <vector>

namespace seamscope::tools {

/// Rewrites the first \p Size bytes of a spool, a header page or less, in the layout of
/// format::OldestSpoolVersion. Returns the version that it had; 0, and nothing is changed, if that
/// is none of those versions' headers.
uint32_t upgradeSpoolHeader(void *Page, size_t Size);

/// Rewrites the first \p Size bytes of \p Data, whose header is upgraded already. \p Version: what
/// that returned. Sets \p Size; returns the first entry that is not whole, by its offset in the
/// file.
format::SpoolError upgradeSpoolBlocks(std::vector<uint64_t> &Data, size_t &Size, uint32_t Version);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_OLDSPOOL_H
