//===- SeededHashTest.cpp - hashes that nobody can foresee --------------------- ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/SeededHash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

using namespace seamscope::tools;

namespace {

/// Strings of 16 bytes that collide under the hash of libstdc++ (MurmurHash64A of a known seed):
/// the second word makes up for what the first did to the state, since all steps can be undone.
std::vector<std::string> collidingStrings(size_t Count) {
  constexpr uint64_t Multiplier = 0xc6a4a7935bd1e995u;
  uint64_t Inverse = 1;
  for (int I = 0; I < 6; ++I)
    Inverse *= 2 - Multiplier * Inverse;
  const auto Mix = [](uint64_t Word) {
    Word *= Multiplier;
    return (Word ^ Word >> 47) * Multiplier;
  };
  const auto Unmix = [&](uint64_t Word) {
    Word *= Inverse;
    return (Word ^ Word >> 47) * Inverse;
  };
  const uint64_t Start = 0xc70f6907u ^ 16 * Multiplier;
  std::vector<std::string> Strings;
  for (uint64_t I = 0; I < Count; ++I) {
    const uint64_t Words[2] = {I, Unmix((Start ^ Mix(I)) * Multiplier)};
    Strings.emplace_back(reinterpret_cast<const char *>(Words), sizeof(Words));
  }
  return Strings;
}

TEST(SeededHash, WhatCollidesUnderTheStandardHashDoesNot) {
  constexpr size_t Count = 10000;
  std::set<size_t> Seeded, Standard;
  for (const std::string &Text : collidingStrings(Count)) {
    Seeded.insert(SeededHash()(Text));
    Standard.insert(std::hash<std::string>()(Text));
  }
  EXPECT_EQ(Seeded.size(), Count);
#ifdef __GLIBCXX__
  EXPECT_EQ(Standard.size(), 1u); // or they prove nothing
#endif
}

TEST(SeededHash, NumbersThatShareTheirLowBitsDoNotShareABucket) {
  std::set<size_t> Buckets;
  constexpr size_t Count = 1 << 16;
  for (uint64_t I = 0; I < Count; ++I)
    Buckets.insert(SeededHash()(I << 40) % Count);
  // Of so many balls in as many bins 63 % of the bins get one.
  EXPECT_GT(Buckets.size(), Count / 2);
}

TEST(SeededHash, EveryByteAndTheLengthCount) {
  std::set<size_t> Hashes;
  size_t Texts = 0;
  for (size_t Size = 0; Size < 70; ++Size) {
    std::string Text(Size, 'a');
    Hashes.insert(SeededHash()(Text));
    ++Texts;
    for (size_t I = 0; I < Size; ++I) {
      Text[I] = 'b';
      Hashes.insert(SeededHash()(Text));
      ++Texts;
      Text[I] = 'a';
    }
  }
  EXPECT_EQ(Hashes.size(), Texts);
}

} // namespace
