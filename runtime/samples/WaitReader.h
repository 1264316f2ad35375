//===- WaitReader.h - the thread that looks what blocked threads wait in ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_SAMPLES_WAITREADER_H
#define SEAMSCOPE_SAMPLES_WAITREADER_H

#include "format/SampleEntry.h"

#include <cstddef>

namespace seamscope::samples {

/// A thread that may be blocked, and what it waits in.
struct BlockedThread {
  uint32_t Tid;
  bool IsRead;
  uint64_t Ns, EndNs; ///< it was seen to wait from then to then
  format::SampledWaitEntry Wait;
  unsigned char Stack[format::MaxWaitStack];
};

/// What the thread asks for, again and again.
struct BlockedThreads {
  /// Sets Tid of up to \p Most threads, and returns their number.
  unsigned (*Find)(BlockedThread *Into, unsigned Most);
  /// Takes those with IsRead.
  void (*Store)(const BlockedThread *From, unsigned Count);
};

/// Starts the thread, once. Only with all signals blocked.
void startWaitReader(BlockedThreads Of);
/// Called in a fork's child, which does not have the thread.
void forgetWaitReader();

/// How many threads run: 0 or 1.
unsigned waitReaders();

} // namespace seamscope::samples
#endif // SEAMSCOPE_SAMPLES_WAITREADER_H
