//===- Symbols.h - what the code at an address is ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names are read from the files that a process had mapped, by elfutils. No
// server of debug information is asked.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_SYMBOLS_SYMBOLS_H
#define SEAMSCOPE_TOOLS_SYMBOLS_SYMBOLS_H

#include "symbols/DebugLines.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// A file that a process had mapped.
struct MappedFile {
  std::string Path;
  std::string BuildId; ///< hexadecimal; empty: not known
  auto operator<=>(const MappedFile &) const = default;
};

/// What is at an address.
struct CodePlace {
  /// The functions inlined there, the innermost first, and last the one whose code it is; empty:
  /// not known.
  std::vector<CodeFrame> Frames;
};

/// Finds names. Each file is opened once, each address looked up once.
class SymbolFinder {
public:
  /// \p RecordedNs: when the recording ended, in ns since 1970. Without a recorded build-id, a file
  /// that was written later is another one.
  explicit SymbolFinder(std::optional<int64_t> RecordedNs = std::nullopt)
      : RecordedNs(RecordedNs) {}

  /// The code at an offset of a file. The reference is valid as long as this.
  const CodePlace &at(const MappedFile &Of, uint64_t FileOffset);

  /// The file, if it is the one that was mapped; null: complaints() says why not.
  const ElfFile *fileOf(const MappedFile &Of);

  /// Files that could not be used, a sentence each.
  const std::vector<std::string> &complaints() const { return Complaints; }

private:
  struct Opened {
    std::unique_ptr<ElfFile> File, Debug; ///< null: not used, none
    std::unique_ptr<DebugLines> Lines;
    std::unordered_map<uint64_t, CodePlace> Places; ///< by offset of the file
  };
  Opened &open(const MappedFile &Of);
  std::unique_ptr<ElfFile> openDebug(const ElfFile &Of) const;

  const std::optional<int64_t> RecordedNs;
  std::map<MappedFile, Opened> Files;
  std::pair<const MappedFile *, Opened *> Last{nullptr, nullptr};
  std::vector<std::string> Complaints;
};

/// The names that a process gave to code that it made (/tmp/perf-PID.map).
class JitNames {
public:
  /// Reads the map of the process \p Pid; empty if there is none, or if it was written before \p
  /// SinceNs (ns since 1970), by another process.
  explicit JitNames(const std::string &Pid, std::optional<int64_t> SinceNs = std::nullopt,
                    const std::string &Folder = "/tmp");

  /// Empty: not known.
  const std::string &at(uint64_t Address) const;

private:
  struct Named {
    uint64_t Begin, End;
    std::string Name;
  };
  std::vector<Named> All; ///< by begin
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_SYMBOLS_SYMBOLS_H
