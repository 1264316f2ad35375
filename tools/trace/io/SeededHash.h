//===- SeededHash.h - hashes that the author of a file cannot foresee ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys of hash tables come from files by anybody. With a known hash, or
// std::hash, which returns a number itself, a file could make all keys collide.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_IO_SEEDEDHASH_H
#define SEAMSCOPE_TOOLS_TRACE_IO_SEEDEDHASH_H

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace seamscope::tools {

/// Words that differ between processes.
struct HashSeed {
  uint64_t Words[4];
};
const HashSeed &hashSeed();

/// Combines a hash, two words at a time: their 128-bit product with the seed, folded.
class SeededHasher {
public:
  SeededHasher() : Seed(hashSeed()), State(Seed.Words[0]) {}

  void add(uint64_t A, uint64_t B) { State = fold(A ^ Seed.Words[1], B ^ Seed.Words[2] ^ State); }

  /// The end is not marked: also add the size, or something else that shows where the text ends.
  void add(std::string_view Text) {
    const char *const From = Text.data();
    const size_t Size = Text.size();
    for (size_t I = 0; I + 16 < Size; I += 16)
      add(load<uint64_t>(From + I), load<uint64_t>(From + I + 8));
    // The last bytes are taken together with some before them, which avoids a loop.
    if (Size >= 16)
      add(load<uint64_t>(From + Size - 16), load<uint64_t>(From + Size - 8));
    else if (Size >= 8)
      add(load<uint64_t>(From), load<uint64_t>(From + Size - 8));
    else if (Size >= 4)
      add(load<uint32_t>(From), load<uint32_t>(From + Size - 4));
    else if (Size)
      add(load<uint8_t>(From) << 8 | load<uint8_t>(From + Size / 2),
          load<uint8_t>(From + Size - 1));
  }

  uint64_t value() const { return fold(State ^ Seed.Words[3], 0x9e3779b97f4a7c15u); }

private:
  template <typename T> static uint64_t load(const char *From) {
    T Word;
    std::memcpy(&Word, From, sizeof(T));
    return Word;
  }
  static uint64_t fold(uint64_t A, uint64_t B) {
    __extension__ typedef unsigned __int128 Wide;
    const Wide Product = Wide{A} * B;
    return static_cast<uint64_t>(Product) ^ static_cast<uint64_t>(Product >> 64);
  }

  const HashSeed &Seed;
  uint64_t State;
};

/// For tables of the standard library. Their order differs between runs: printed output must not
/// depend on it.
struct SeededHash {
  using is_transparent = void;
  size_t operator()(std::string_view Text) const {
    SeededHasher Hash;
    Hash.add(Text);
    Hash.add(Text.size(), 0);
    return Hash.value();
  }
  template <std::integral T> size_t operator()(T Number) const {
    SeededHasher Hash;
    Hash.add(static_cast<uint64_t>(Number), 0);
    return Hash.value();
  }
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_IO_SEEDEDHASH_H
