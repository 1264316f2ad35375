//===- LoopRemarks.h - which loops of a file clang vectorised, and why not -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_LOOPREMARKS_H
#define SEAMSCOPE_TOOLS_RUN_LOOPREMARKS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// The remarks of LLVM's vectoriser on an innermost loop.
struct LoopRemark {
  uint32_t Line = 0; ///< at which the loop begins, from 1
  bool Vectorized = false;
  std::string Why;           ///< why not, in LLVM's words; empty: LLVM gives no reason
  std::string File = {};     ///< as the compiler was told it; only where all files are asked for
  std::string Function = {}; ///< symbol of the code that the loop is in; as File

  bool operator==(const LoopRemark &) const = default;
};

/// Reads the output of clang's -fsave-optimization-record (YAML, in the one form that LLVM writes)
/// about loops in files called \p File, or if that is empty in all files, in the order of the
/// remarks. Other text has no loops.
std::vector<LoopRemark> loopRemarks(std::string_view Yaml, std::string_view File);

/// The name of the remarks that the compiler wrapper writes next to \p Source: HASH.main.opt.yaml.
std::string remarksBeside(std::string_view Source);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_LOOPREMARKS_H
