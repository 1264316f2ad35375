//===- PageChecks.h - what must hold of the page of every document --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TEST_FUZZ_PAGECHECKS_H
#define SEAMSCOPE_TEST_FUZZ_PAGECHECKS_H

#include "report/model/Document.h"

namespace seamscope::fuzz {

/// Its page is that of the build around elements of data, which hold nothing that a browser would
/// take for markup. \p Packs: all that can be is packed beside the document, which takes longer; it
/// is whole and what the document says of it.
void checkPage(const tools::Document &Made, bool Packs);

} // namespace seamscope::fuzz
#endif // SEAMSCOPE_TEST_FUZZ_PAGECHECKS_H
