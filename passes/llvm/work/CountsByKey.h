//===- CountsByKey.h - counts of operations and bytes -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_COUNTSBYKEY_H
#define SEAMSCOPE_PASSES_COUNTSBYKEY_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <string>

namespace llvm {
class Type;
class Value;
} // namespace llvm

namespace seamscope {

/// Counts by key: "f32.add", "call.expf", and bytes as "read" and "write"; those of a GPU's shared
/// memory as "shared_read" and "shared_write". "masked_read" and "masked_write" are bytes of lanes
/// that a mask selects at run time: the most that may be moved.
class WorkCounts {
public:
  void add(llvm::StringRef Key, uint64_t Count) {
    if (Count)
      Counts[Key.str()] += Count;
  }
  void add(const WorkCounts &Other, uint64_t Times = 1) {
    for (const auto &[Key, Count] : Other.Counts)
      add(Key, Count * Times);
  }
  bool empty() const { return Counts.empty(); }
  auto begin() const { return Counts.begin(); }
  auto end() const { return Counts.end(); }

private:
  std::map<std::string, uint64_t> Counts; ///< sorted, so that a compiler's output is reproducible
};

/// "f32", "i8": the type of the elements; empty: neither a number nor a vector of numbers.
std::string typeName(const llvm::Type *Ty);

/// Whether \p Pointer is to a value on the stack of this function: a register that was spilled, or
/// an array that the optimiser could not split up. Its bytes are no traffic of the kernel's data.
bool isOnStack(const llvm::Value *Pointer);

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_COUNTSBYKEY_H
