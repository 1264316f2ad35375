//===- DetailChecks.h - what must hold of analyses of details -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TEST_FUZZ_DETAILCHECKS_H
#define SEAMSCOPE_TEST_FUZZ_DETAILCHECKS_H

#include "trace/model/Trace.h"

namespace seamscope::fuzz {

/// Of a trace that was read with all details: these name events, tracks and texts that are there,
/// and what is computed from them adds up.
void checkDetails(const tools::Trace &Read);

} // namespace seamscope::fuzz
#endif // SEAMSCOPE_TEST_FUZZ_DETAILCHECKS_H
