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

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

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
    const uint64_t Hash = hash(What);
    size_t At = Hash & Mask;
    for (; Slots[At].Used; At = (At + 1) & Mask)
      if (Slots[At].Hash == Hash && Keys[Slots[At].Key].is(What))
        return Slots[At].Number;
    const uint32_t Number = Make();
    Slots[At] = {Hash, static_cast<uint32_t>(Keys.size()), Number, true};
    Keys.emplace_back(What);
    if (2 * Keys.size() > Slots.size())
      enlarge();
    return Number;
  }

private:
  /// A key that owns its texts.
  class Stored {
  public:
    explicit Stored(const Key &What) : Numbers(What.Numbers) {
      for (size_t I = 0; I < TextCount; ++I) {
        Sizes[I] = static_cast<uint32_t>(What.Texts[I].size());
        Characters += What.Texts[I];
      }
    }
    bool is(const Key &What) const {
      const char *From = Characters.data();
      for (size_t I = 0; I < TextCount; From += Sizes[I++])
        if (What.Texts[I] != std::string_view(From, Sizes[I]))
          return false;
      return Numbers == What.Numbers;
    }

  private:
    std::array<int64_t, NumberCount> Numbers;
    std::array<uint32_t, TextCount> Sizes;
    std::string Characters;
  };

  struct Slot {
    uint64_t Hash = 0;
    uint32_t Key = 0;
    uint32_t Number = 0;
    bool Used = false;
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

  void enlarge() {
    std::vector<Slot> Old(2 * Slots.size());
    std::swap(Old, Slots);
    Mask = Slots.size() - 1;
    for (const Slot &Known : Old) {
      if (!Known.Used)
        continue;
      size_t At = Known.Hash & Mask;
      while (Slots[At].Used)
        At = (At + 1) & Mask;
      Slots[At] = Known;
    }
  }

  std::vector<Slot> Slots = std::vector<Slot>(1024);
  size_t Mask = 1023;
  std::deque<Stored> Keys;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_KEYINDEX_H
