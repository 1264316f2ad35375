//===- KeyTable.h - finds what belongs to a key ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_KEYTABLE_H
#define SEAMSCOPE_TOOLS_TRACE_KEYTABLE_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace seamscope::tools {

/// Entries with a member Key, found by it. They are sorted by the key's size, which tells most of
/// them apart.
template <typename EntryT, size_t Count> class KeyTable {
public:
  constexpr explicit KeyTable(const EntryT (&List)[Count]) {
    std::copy_n(List, Count, Entries.begin());
    std::ranges::sort(Entries, {}, [](const EntryT &Entry) { return Entry.Key.size(); });
    for (const EntryT &Entry : Entries)
      for (size_t Size = Entry.Key.size() + 1; Size < FirstOfSize.size(); ++Size)
        ++FirstOfSize[Size];
  }

  /// Null: none has this key.
  constexpr const EntryT *find(std::string_view Key) const {
    if (Key.size() + 1 >= FirstOfSize.size())
      return nullptr;
    for (size_t I = FirstOfSize[Key.size()]; I < FirstOfSize[Key.size() + 1]; ++I)
      if (Entries[I].Key[0] == Key[0] && Entries[I].Key == Key)
        return &Entries[I];
    return nullptr;
  }

private:
  std::array<EntryT, Count> Entries{};
  /// Entry N: how many have a shorter key than N characters.
  std::array<uint8_t, 48> FirstOfSize{};
  static_assert(Count < 256);
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_KEYTABLE_H
