//===- Checks.h - what must hold of every trace, however hostile ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TEST_FUZZ_CHECKS_H
#define SEAMSCOPE_TEST_FUZZ_CHECKS_H

#include "trace/Trace.h"

#include <cstdio>
#include <cstdlib>

/// Ends the program when a property does not hold: the fuzzer then keeps the input.
#define SEAMSCOPE_CHECK(CONDITION)                                                                 \
  do {                                                                                             \
    if (!(CONDITION)) {                                                                            \
      std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #CONDITION);          \
      std::abort();                                                                                \
    }                                                                                              \
  } while (false)

namespace seamscope::fuzz {

/// What a reader promises: columns of one length, numbers that name something, times that do not
/// overflow.
void checkTrace(const tools::Trace &Read);

/// Runs every analysis and report on it. Each table's total equals what the table splits.
void checkAnalyses(const tools::Trace &Read);

/// Both say the same in everything but the file's name.
void checkSame(const tools::Trace &A, const tools::Trace &B);
void checkSame(const tools::Result<tools::Trace> &A, const tools::Result<tools::Trace> &B);

} // namespace seamscope::fuzz
#endif // SEAMSCOPE_TEST_FUZZ_CHECKS_H
