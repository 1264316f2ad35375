//===- Entries.h - writes GPU entries to the spool --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_ENTRIES_H
#define SEAMSCOPE_CUDA_ENTRIES_H

#include "format/DeviceEntry.h"

#include <cstdint>
#include <string_view>

namespace seamscope::cuda {

/// Fills in the head of \p Entry and appends it.
void appendEntry(format::DeviceEntry &Entry, format::DeviceEntryKind Kind, uint32_t Size);

template <typename T> void append(T &Entry, format::DeviceEntryKind Kind) {
  static_assert(sizeof(T) % 8 == 0);
  appendEntry(Entry.Head, Kind, sizeof(T));
}

/// The id of a text in the spool; 0 for an empty text. May be called from any thread.
uint32_t textId(std::string_view Text);

/// A kernel's name and number (seamscope_gpu_kernel_id).
struct KernelName {
  uint32_t Text; ///< id of the demangled name
  uint32_t Id;
};

/// \p Symbol is mangled. May be called from any thread.
KernelName kernelName(const char *Symbol);

/// Appends the properties of a device, once. May be called from any thread.
void describeDevice(int Device);

/// Adds \p Number to a count.
void count(format::DeviceCountOf What, uint64_t Number);

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_ENTRIES_H
