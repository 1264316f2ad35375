//===- Refusal.h - why the kernel refuses events ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_SAMPLES_REFUSAL_H
#define SEAMSCOPE_SAMPLES_REFUSAL_H

#include <cstddef>

namespace seamscope::samples {

/// The number of filters of system calls (seccomp) of this thread.
unsigned filterCount();

/// Whether such a filter ends a process that makes the calls of this folder. If there are filters,
/// a child tries.
bool mayKill();

/// Says why in one line without an end.
void explainRefusal(int Error, char *Into, size_t Bytes);

/// Reads the first line of a file of /proc. Returns false if it cannot be read.
bool readLine(const char *Path, char *Into, size_t Bytes);

} // namespace seamscope::samples
#endif // SEAMSCOPE_SAMPLES_REFUSAL_H
