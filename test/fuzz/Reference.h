//===- Reference.h - a plain reading of the same JSON ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TEST_FUZZ_REFERENCE_H
#define SEAMSCOPE_TEST_FUZZ_REFERENCE_H

#include "trace/model/Trace.h"

#include <string_view>

namespace seamscope::fuzz {

/// Parses \p Text with another JSON library into a tree, when it is valid JSON whose meaning is
/// plain (no key twice in one object), and checks that \p Read keeps the same calls in the same
/// order: their times, names, categories and threads. Says whether it could compare.
bool checkAgainstTree(std::string_view Text, const tools::Result<tools::Trace> &Read);

} // namespace seamscope::fuzz
#endif // SEAMSCOPE_TEST_FUZZ_REFERENCE_H
