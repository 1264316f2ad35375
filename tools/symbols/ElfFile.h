//===- ElfFile.h - an ELF file, its build-id and symbols --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_SYMBOLS_ELFFILE_H
#define SEAMSCOPE_TOOLS_SYMBOLS_ELFFILE_H

#include "trace/io/Error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct Elf;

namespace seamscope::tools {

/// A function's name as a file has it; empty: there is none.
struct FunctionName {
  std::string_view Text;
  bool IsExported = false; ///< other files know it by this name
};

/// A file, open for reading and mapped where it is read.
class ElfFile {
public:
  ElfFile() = default;
  ElfFile(const ElfFile &) = delete;
  ElfFile &operator=(const ElfFile &) = delete;
  ~ElfFile();

  /// Opens a regular file that is in ELF. Nothing that the path names is waited for.
  static Result<std::unique_ptr<ElfFile>> open(const std::string &Path);

  Elf *elf() const { return Handle; }
  int descriptor() const { return Descriptor; }
  const std::string &path() const { return Path; }
  /// Hexadecimal; empty: it has none.
  const std::string &buildId() const { return BuildId; }
  /// When the file was last written, in ns since 1970.
  int64_t writtenNs() const { return WrittenNs; }

  /// The address that the code at an offset of the file has in the file's own numbering; nothing:
  /// it is not in a loaded segment of code.
  std::optional<uint64_t> addressOf(uint64_t FileOffset) const;
  /// The function that contains this address; an address behind the end of one belongs to none.
  FunctionName functionAt(uint64_t Address) const;
  /// The name of the file with debug information that this file names (.gnu_debuglink); empty:
  /// none.
  std::string debugLink() const;

private:
  struct Segment {
    uint64_t Offset, Address, Bytes;
    uint64_t Before; ///< bytes of its first page that lie before it
  };
  struct Symbol {
    uint64_t Begin, End;
    size_t Table, Name; ///< section of its names, and offset there
    bool IsExported;
  };
  void readSegments();
  void readSymbols() const;
  std::string_view nameOf(const Symbol &Of) const;

  std::string Path, BuildId;
  int Descriptor = -1;
  Elf *Handle = nullptr;
  int64_t WrittenNs = 0;
  std::vector<Segment> Code;
  mutable bool HasSymbols = false;
  mutable std::vector<Symbol> Symbols;     ///< by begin; read at the first question
  mutable std::vector<uint64_t> EndBefore; ///< by symbol, the largest end of it and those before
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_SYMBOLS_ELFFILE_H
