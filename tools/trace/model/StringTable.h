//===- StringTable.h - strings stored once, named by a number -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_STRINGTABLE_H
#define SEAMSCOPE_TOOLS_TRACE_STRINGTABLE_H

#include "trace/io/SeededHash.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace seamscope::tools {

/// Number of a string in a StringTable. 0 is the empty string, which also stands for "not known".
using StringId = uint32_t;

/// A dictionary of strings. Its views stay valid as long as it lives, even if it is moved; it
/// cannot be copied.
class StringTable {
public:
  StringTable() { intern({}); }
  StringTable(StringTable &&) = default;
  StringTable &operator=(StringTable &&) = default;

  /// The id of \p Text, which is copied if it is new.
  StringId intern(std::string_view Text) {
    if (const auto Found = Ids.find(Text); Found != Ids.end())
      return Found->second;
    const std::string &Stored = Strings.emplace_back(Text);
    const auto Id = static_cast<StringId>(Strings.size() - 1);
    Ids.emplace(Stored, Id);
    return Id;
  }

  size_t size() const { return Strings.size(); }

  /// The string for an id from intern().
  std::string_view operator[](StringId Id) const { return Strings[Id]; }

private:
  std::deque<std::string> Strings; // a deque never moves its elements
  std::unordered_map<std::string_view, StringId, SeededHash> Ids;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_STRINGTABLE_H
