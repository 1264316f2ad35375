//===- KeyIndex.h - numbers of keys that are made of several texts --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One look-up of this is made for each event of a trace: it copies nothing.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_KEYINDEX_H
#define SEAMSCOPE_TOOLS_TRACE_KEYINDEX_H

#include "trace/io/SeededHash.h"
#include "trace/model/SlotTable.h"
#include "trace/model/TextStore.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <string_view>

namespace seamscope::tools {

/// A hash table from keys, each so many texts and whole numbers, to numbers. It only grows.
template <size_t TextCount, size_t NumberCount> class KeyIndex {
public:
  struct Key {
    std::array<std::string_view, TextCount> Texts;
    std::array<int64_t, NumberCount> Numbers;
  };

  /// The number of a key; \p Make gives it to one that is new.
  template <typename F> uint32_t of(const Key &What, F &&Make) {
    const auto IsIt = [&](uint32_t Other) { return Keys[Other].is(What); };
    const auto [At, New] = Known.add(hash(What), IsIt, [&] {
      const uint32_t Number = Make();
      Keys.emplace_back(What, Characters).Number = Number;
    });
    return Keys[At].Number;
  }

private:
  /// A key whose texts are kept, one behind the other.
  class Stored {
  public:
    uint32_t Number = 0;

    Stored(const Key &What, TextStore &Store) : Numbers(What.Numbers) {
      size_t Size = 0;
      for (size_t I = 0; I < TextCount; ++I)
        Size += Sizes[I] = static_cast<uint32_t>(What.Texts[I].size());
      char *To = Store.room(Size);
      Characters = To;
      for (const std::string_view Text : What.Texts)
        To = std::ranges::copy(Text, To).out;
    }
    bool is(const Key &What) const {
      const char *From = Characters;
      for (size_t I = 0; I < TextCount; From += Sizes[I++])
        if (What.Texts[I] != std::string_view(From, Sizes[I]))
          return false;
      return Numbers == What.Numbers;
    }

  private:
    std::array<int64_t, NumberCount> Numbers;
    std::array<uint32_t, TextCount> Sizes;
    const char *Characters;
  };

  static uint64_t hash(const Key &What) {
    SeededHasher Of;
    for (size_t I = 0; I < TextCount; ++I) {
      if (What.Texts[I].empty())
        continue;
      Of.add(I, What.Texts[I].size());
      Of.add(What.Texts[I]);
    }
    for (const int64_t Number : What.Numbers)
      Of.add(static_cast<uint64_t>(Number), 0);
    return Of.value();
  }

  SlotTable Known;
  std::deque<Stored> Keys;
  TextStore Characters;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_KEYINDEX_H
