//===- TextStore.h - keeps copies of texts ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trace can have millions of different names: an allocation for each would take more time to make
// and to free than the rest of reading them.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_MODEL_TEXTSTORE_H
#define SEAMSCOPE_TOOLS_TRACE_MODEL_TEXTSTORE_H

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// Characters in blocks that stay in place until the end, even if the store is moved.
class TextStore {
public:
  /// Room for \p Size characters.
  char *room(size_t Size) {
    if (Blocks.empty()) // nothing was kept yet, or the blocks were moved away
      Left = 0;
    if (Size > Left) {
      // A long text gets its own block, and the rest of the last one is used up by others.
      if (Size > NextBlock / 4)
        return Blocks.emplace_back(std::make_unique_for_overwrite<char[]>(Size)).get();
      Next = Blocks.emplace_back(std::make_unique_for_overwrite<char[]>(NextBlock)).get();
      Left = NextBlock;
      NextBlock = std::min(2 * NextBlock, LargestBlock);
    }
    Left -= Size;
    return std::exchange(Next, Next + Size);
  }

  std::string_view keep(std::string_view Text) {
    if (Text.empty())
      return {};
    char *const To = room(Text.size());
    std::memcpy(To, Text.data(), Text.size());
    return {To, Text.size()};
  }

private:
  static constexpr size_t LargestBlock = 1 << 18;
  std::vector<std::unique_ptr<char[]>> Blocks;
  char *Next = nullptr;
  size_t Left = 0;
  size_t NextBlock = 1 << 10;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_MODEL_TEXTSTORE_H
