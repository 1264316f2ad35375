// How call.h describes the memory of a call. Part of a folder that `seamscope replay` wrote; see
// README.md there.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef STORAGE_H
#define STORAGE_H

#include <cstddef>
#include <cstdint>

enum class Type { F64, F32, F16, BF16, I64, I32, I16, I8, U8, Bool };

/// Memory of one tensor or several, or a part of the program's memory. Its integers lie between Low
/// and High.
struct Storage {
  std::size_t Bytes;
  Type Holds;
  bool Reads, Writes;
  std::int64_t Low, High;
  const char *File;              ///< null: made up
  std::uintptr_t Address = 0;    ///< 0: anywhere
  std::uint64_t PlaceInFile = 0; ///< bytes
};

/// Where a tensor begins.
struct Place {
  std::size_t Storage, Offset;
};

/// A function, and its address in the program: memory may have pointers to it.
struct FunctionAt {
  std::uintptr_t Address; ///< 0: the end of the list
  const void *Code;
};

#endif // STORAGE_H
