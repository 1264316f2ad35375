//===- Samples.h - samples and switches of the process's threads ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_SAMPLES_SAMPLES_H
#define SEAMSCOPE_SAMPLES_SAMPLES_H

#include <cstdint>

namespace seamscope {

/// Begins for an open spool. The next thread that this thread creates is the helper, which is not
/// recorded. Only under SignalBlocker.
void startSamples();

/// Puts what the kernel recorded into the spool. For the helper thread. Returns after which time,
/// in ns, it should be called again; 0: nothing is recorded.
uint64_t readSamples();

/// Called in a fork's child, which has no events.
void forgetSamples();

/// Reads all records up to now, and while it lives no more are read, so that two walks over the
/// spool find the same.
class SamplesHeld {
public:
  SamplesHeld();
  ~SamplesHeld();
  SamplesHeld(const SamplesHeld &) = delete;
  SamplesHeld &operator=(const SamplesHeld &) = delete;
};

} // namespace seamscope
#endif // SEAMSCOPE_SAMPLES_SAMPLES_H
