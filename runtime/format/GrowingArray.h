//===- GrowingArray.h - an array without the C++ library -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_GROWINGARRAY_H
#define SEAMSCOPE_FORMAT_GROWINGARRAY_H

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace seamscope::format {

/// An array of malloc'ed T that grows to the requested index, filled with zeros.
template <typename T> class GrowingArray {
public:
  GrowingArray() = default;
  ~GrowingArray() { free(Data); }
  GrowingArray(const GrowingArray &) = delete;
  GrowingArray &operator=(const GrowingArray &) = delete;

  size_t size() const { return Count; }
  T &operator[](size_t I) { return Data[I]; }
  const T &operator[](size_t I) const { return Data[I]; }

  /// The element; null: no memory.
  T *at(size_t I) {
    if (I >= Count) {
      size_t Bigger = Count ? Count * 2 : 64;
      while (Bigger <= I)
        Bigger *= 2;
      auto *New = static_cast<T *>(realloc(static_cast<void *>(Data), Bigger * sizeof(T)));
      if (!New)
        return nullptr;
      memset(static_cast<void *>(New + Count), 0, (Bigger - Count) * sizeof(T));
      Data = New;
      Count = Bigger;
    }
    return Data + I;
  }

private:
  T *Data = nullptr;
  size_t Count = 0;
};

/// A list of malloc'ed T.
template <typename T> class GrowingList {
public:
  size_t size() const { return Used; }
  T &operator[](size_t I) { return Items[I]; }
  const T &operator[](size_t I) const { return Items[I]; }
  T *begin() { return Used ? &Items[0] : nullptr; }
  T *end() { return begin() + Used; }
  const T *begin() const { return Used ? &Items[0] : nullptr; }
  const T *end() const { return begin() + Used; }

  /// Returns false if there is no memory.
  bool add(const T &Item) {
    T *To = Items.at(Used);
    if (!To)
      return false;
    *To = Item;
    ++Used;
    return true;
  }

  /// Keeps only the first \p Size items.
  void shrink(size_t Size) { Used = Size; }

private:
  GrowingArray<T> Items;
  size_t Used = 0;
};

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_GROWINGARRAY_H
