//===- Unwind.h - the callers of a thread, from a piece of its stack ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_SYMBOLS_UNWIND_H
#define SEAMSCOPE_TOOLS_SYMBOLS_UNWIND_H

#include "symbols/Symbols.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace seamscope::tools {

/// A stretch of addresses at which a process had a part of a file.
struct Mapping {
  uint64_t Begin = 0, End = 0;
  uint64_t FileOffset = 0; ///< of Begin
  MappedFile File;
};

/// The unwind tables of the files that a process had mapped at a time.
class Unwinder {
public:
  /// \p Finder says which files are those that were mapped.
  Unwinder(const std::vector<Mapping> &Mapped, SymbolFinder &Finder);
  Unwinder(const Unwinder &) = delete;
  Unwinder &operator=(const Unwinder &) = delete;
  ~Unwinder();

  /// Addresses of code, the innermost first: \p Pc, and then the calls that lead to it, each within
  /// the calling instruction. It ends where the piece of the stack ends, or where a caller's frame
  /// needs a register that is not known.
  std::vector<uint64_t> callers(uint64_t Pc, uint64_t Sp, std::string_view Stack) const;

private:
  struct State;
  std::unique_ptr<State> Held;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_SYMBOLS_UNWIND_H
