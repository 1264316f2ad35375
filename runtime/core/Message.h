//===- Message.h - lines on the program's stderr -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CORE_MESSAGE_H
#define SEAMSCOPE_CORE_MESSAGE_H

#include <csignal>

namespace seamscope {

/// While it lives, a write of this thread that fails returns an error and raises no signal: a
/// reader that went away (SIGPIPE) or a file size limit (SIGXFSZ) must not end the program.
class WriteSignalsHeld {
public:
  WriteSignalsHeld();
  ~WriteSignalsHeld();
  WriteSignalsHeld(const WriteSignalsHeld &) = delete;
  WriteSignalsHeld &operator=(const WriteSignalsHeld &) = delete;

private:
  sigset_t Held, Old;
};

/// Prints one line to stderr, "seamscope: ..." and a newline, in one write. Formats like printf.
void warn(const char *Format, ...) __attribute__((format(printf, 1, 2)));

} // namespace seamscope
#endif // SEAMSCOPE_CORE_MESSAGE_H
