//===- SeededHash.cpp - hashes that the author of a file cannot foresee ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/io/SeededHash.h"

#include <sys/random.h>

#include <chrono>

namespace seamscope::tools {

const HashSeed &hashSeed() {
  static const HashSeed Seed = [] {
    HashSeed New{};
    if (getrandom(New.Words, sizeof(New.Words), GRND_NONBLOCK) != sizeof(New.Words)) {
      // Not available early at boot, or not permitted: values that differ between processes must
      // do.
      uint64_t State =
          static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()) ^
          reinterpret_cast<uintptr_t>(&New) << 16;
      for (uint64_t &Word : New.Words) {
        State += 0x9e3779b97f4a7c15u;
        Word = (State ^ State >> 30) * 0xbf58476d1ce4e5b9u;
        Word ^= Word >> 31;
      }
    }
    return New;
  }();
  return Seed;
}

} // namespace seamscope::tools
