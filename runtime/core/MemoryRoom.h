//===- MemoryRoom.h - memory that this process may still take --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_MEMORYROOM_H
#define SEAMSCOPE_CORE_MEMORYROOM_H

#include <cstdint>

namespace seamscope {

/// Bytes that can be allocated before the kernel kills a process for it: the least of what the
/// machine and each control group around the process (cgroup v1 or v2) have left. UINT64_MAX:
/// unknown.
uint64_t memoryRoom();

/// Bytes of address space left below RLIMIT_AS; UINT64_MAX: no limit.
uint64_t addressRoom();

/// Below such a limit, 1 / AddressShares of what is left is reserved at a time.
constexpr uint64_t AddressShares = 16;

} // namespace seamscope
#endif // SEAMSCOPE_CORE_MEMORYROOM_H
