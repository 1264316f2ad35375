//===- Memory.h - memory that the program's malloc knows nothing of --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a recorder allocates between a program's own blocks decides where these lie and which of
// them malloc gives back to the kernel: a few bytes of ours above a temporary of 2 MB, and each
// call faults its pages in anew. So nothing here comes from malloc.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TORCH_MEMORY_H
#define SEAMSCOPE_TORCH_MEMORY_H

#include <cstddef>
#include <functional>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace seamscope::bridge::memory {

/// \p Bytes from the kernel, on a 16-byte boundary; throws std::bad_alloc. Any thread may give
/// them back, with the same size.
void *take(size_t Bytes);
void give(void *Block, size_t Bytes);

/// Another thread may have been in here when the process forked.
void afterForkInChild();

} // namespace seamscope::bridge::memory

namespace seamscope::bridge {

/// For the containers of the standard library.
template <typename T> struct Mapped {
  using value_type = T;

  Mapped() = default;
  template <typename U> Mapped(const Mapped<U> &) {}

  T *allocate(size_t Count) { return static_cast<T *>(memory::take(Count * sizeof(T))); }
  void deallocate(T *Block, size_t Count) { memory::give(Block, Count * sizeof(T)); }

  friend bool operator==(const Mapped &, const Mapped &) { return true; }
  friend bool operator!=(const Mapped &, const Mapped &) { return false; }
};

template <typename T, typename... Args> T *make(Args &&...Arguments) {
  void *Place = memory::take(sizeof(T));
  try {
    return new (Place) T(std::forward<Args>(Arguments)...);
  } catch (...) {
    memory::give(Place, sizeof(T));
    throw;
  }
}

/// What make() made, or null.
template <typename T> void destroy(T *Made) {
  if (!Made)
    return;
  Made->~T();
  memory::give(Made, sizeof(T));
}

using String = std::basic_string<char, std::char_traits<char>, Mapped<char>>;
using StringStream = std::basic_ostringstream<char, std::char_traits<char>, Mapped<char>>;
template <typename T> using Vector = std::vector<T, Mapped<T>>;

struct HashString {
  size_t operator()(const String &Text) const {
    return std::hash<std::string_view>()({Text.data(), Text.size()});
  }
};

template <typename K, typename V, typename Hash = std::hash<K>>
using Map = std::unordered_map<K, V, Hash, std::equal_to<K>, Mapped<std::pair<const K, V>>>;

} // namespace seamscope::bridge
#endif // SEAMSCOPE_TORCH_MEMORY_H
