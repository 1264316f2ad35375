//===- SlotTable.h - finds numbers by the hash of what they stand for ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of the standard library takes an allocation for each key and follows two pointers to
// find it.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_MODEL_SLOTTABLE_H
#define SEAMSCOPE_TOOLS_TRACE_MODEL_SLOTTABLE_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// A hash table of the numbers 0, 1, 2 ... in the order in which they were added. What they stand
/// for is elsewhere. Hashes must be SeededHasher's.
class SlotTable {
public:
  static constexpr uint32_t None = UINT32_MAX;

  /// The number with this hash for which \p Is is true, or the next one, which is added once \p
  /// Make has made what it stands for. Whatever throws leaves the table as it was.
  template <typename IsFn, typename MakeFn>
  std::pair<uint32_t, bool> add(uint64_t Hash, IsFn Is, MakeFn Make) {
    if (4 * (Hashes.size() + 1) > 3 * Slots.size())
      enlarge();
    if (Hashes.size() == Hashes.capacity())
      Hashes.reserve(2 * Hashes.size() + 16);
    size_t At = Hash & Mask;
    for (; Slots[At].Number != None; At = (At + 1) & Mask)
      if (Slots[At].Part == part(Hash) && Is(Slots[At].Number))
        return {Slots[At].Number, false};
    const auto Number = static_cast<uint32_t>(Hashes.size());
    Make();
    Hashes.push_back(Hash);
    Slots[At] = {part(Hash), Number};
    return {Number, true};
  }

  /// Takes note that add() comes soon.
  void expect(uint64_t Hash) const {
    if (!Slots.empty())
      __builtin_prefetch(&Slots[Hash & Mask]);
  }

private:
  struct Slot {
    uint32_t Part = 0; ///< of the hash, which tells nearly all apart
    uint32_t Number = None;
  };
  static uint32_t part(uint64_t Hash) { return static_cast<uint32_t>(Hash >> 32); }

  void enlarge() {
    Slots.assign(Slots.empty() ? 64 : 2 * Slots.size(), Slot());
    Mask = Slots.size() - 1;
    for (uint32_t Number = 0; Number < Hashes.size(); ++Number) {
      size_t At = Hashes[Number] & Mask;
      while (Slots[At].Number != None)
        At = (At + 1) & Mask;
      Slots[At] = {part(Hashes[Number]), Number};
    }
  }

  std::vector<Slot> Slots;
  size_t Mask = 0;
  std::vector<uint64_t> Hashes; ///< by number
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_MODEL_SLOTTABLE_H
