//===- Wanted.h - values of options that several verbs have ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_WANTED_H
#define SEAMSCOPE_TOOLS_CLI_WANTED_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace seamscope::tools {

/// The value of --top.
struct RowsWanted {
  size_t Count = 0; ///< 0: not given; SIZE_MAX: all

  bool all() const { return Count == SIZE_MAX; }
  /// Rows to show if \p Usual is the number without the option.
  size_t orUsual(size_t Usual) const { return Count ? Count : Usual; }
};

/// The part of a trace that --window or --step names.
struct WantedPart {
  std::string Window;          ///< "10ms..1.5s"; empty: not given
  std::optional<int64_t> Step; ///< of ProfilerStep#N

  bool isWhole() const { return Window.empty() && !Step; }
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_WANTED_H
