//===- Memory.h - memory that is not from the program's malloc -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of a recorder between the program's blocks change which memory malloc returns to the
// kernel: with a few bytes above a temporary of 2 MB, each call faults its pages in again.
// Therefore nothing here comes from malloc.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TORCH_MEMORY_H
#define SEAMSCOPE_TORCH_MEMORY_H

#include <cstddef>
#include <functional>
#include <new>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace seamscope::bridge::memory {

/// Allocates \p Bytes, 16-byte aligned; throws std::bad_alloc. Any thread may free them with
/// give(), with the same size.
void *take(size_t Bytes);
void give(void *Block, size_t Bytes);

/// Resets the lock if another thread held it at the fork.
void afterForkInChild();

} // namespace seamscope::bridge::memory

namespace seamscope::bridge {

/// Allocator for containers of the standard library.
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

/// Destroys an object of make(), or null.
template <typename T> void destroy(T *Object) {
  if (!Object)
    return;
  Object->~T();
  memory::give(Object, sizeof(T));
}

using String = std::basic_string<char, std::char_traits<char>, Mapped<char>>;
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
