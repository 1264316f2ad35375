//===- MemoryRoom.h - memory that this process may still take --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_MEMORYROOM_H
#define SEAMSCOPE_CORE_MEMORYROOM_H

#include <cstdint>

namespace seamscope {

/// Bytes of memory that can be taken before the kernel ends a process for it: what the machine and
/// each control group around the process (cgroup v1 or v2) have left, whichever is least.
/// UINT64_MAX where none of them says.
uint64_t memoryRoom();

/// Bytes of address space that this process has left below RLIMIT_AS; UINT64_MAX: no limit.
uint64_t addressRoom();

/// What is reserved at a time where it has one: a sixteenth of what is left.
constexpr uint64_t AddressShares = 16;

} // namespace seamscope
#endif // SEAMSCOPE_CORE_MEMORYROOM_H
