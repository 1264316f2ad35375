//===- Checks.h - what must hold of every trace, however hostile ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TEST_FUZZ_CHECKS_H
#define SEAMSCOPE_TEST_FUZZ_CHECKS_H

#include "trace/model/Trace.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

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

/// Runs every analysis on it: each table's total equals what the table splits. With \p Reports also
/// writes every report, which takes several times as long: they are what they should be.
void checkAnalyses(const tools::Trace &Read, bool Reports);

/// Both say the same in everything but the file's name.
void checkSame(const tools::Trace &A, const tools::Trace &B);
void checkSame(const tools::Result<tools::Trace> &A, const tools::Result<tools::Trace> &B);

/// A number that depends on every byte of an input, for what need not be done with each.
inline uint64_t hashOf(std::span<const uint8_t> Bytes) {
  uint64_t Hash = 0xcbf29ce484222325u;
  for (const uint8_t Byte : Bytes)
    Hash = (Hash ^ Byte) * 0x100000001b3u;
  return Hash ^ Hash >> 32;
}

} // namespace seamscope::fuzz
#endif // SEAMSCOPE_TEST_FUZZ_CHECKS_H
