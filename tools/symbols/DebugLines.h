//===- DebugLines.h - functions and lines of addresses, from DWARF ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_SYMBOLS_DEBUGLINES_H
#define SEAMSCOPE_TOOLS_SYMBOLS_DEBUGLINES_H

#include "symbols/ElfFile.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Dwarf;

namespace seamscope::tools {

/// A function at an address: one that was inlined there, or the one that has the code.
struct CodeFrame {
  std::string Function; ///< readable; empty: not known
  std::string File;     ///< of the line; empty: not known
  uint32_t Line = 0, Column = 0;

  bool operator==(const CodeFrame &) const = default;
};

/// The debug information of one file. It is read for the units that are asked about.
class DebugLines {
public:
  /// \p Of holds the sections and must outlive this.
  explicit DebugLines(const ElfFile &Of);
  DebugLines(const DebugLines &) = delete;
  DebugLines &operator=(const DebugLines &) = delete;
  ~DebugLines();

  bool any() const { return !Units.empty(); }
  /// The functions at an address of the file's own numbering, the innermost first; empty: not
  /// known.
  std::vector<CodeFrame> at(uint64_t Address);

private:
  struct Range {
    uint64_t Begin, End;
    uint64_t Die; ///< offset of the unit or function
  };
  void readUnits();
  const std::vector<Range> &functionsOf(uint64_t Unit);

  Dwarf *Handle = nullptr;
  std::vector<Range> Units;                         ///< by begin
  std::map<uint64_t, std::vector<Range>> Functions; ///< by unit; by begin
};

/// A name of the linker as the source has it, and as the pass writes it; others unchanged.
std::string demangled(const std::string &Name);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_SYMBOLS_DEBUGLINES_H
