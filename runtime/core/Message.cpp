//===- Message.cpp - lines on the program's stderr ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Message.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <initializer_list>
#include <unistd.h>

namespace seamscope {

WriteSignalsHeld::WriteSignalsHeld() {
  sigemptyset(&Held);
  sigaddset(&Held, SIGPIPE);
  sigaddset(&Held, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &Held, &Old);
  // A signal that was pending before belongs to the program.
  sigset_t Before;
  sigpending(&Before);
  for (const int Signal : {SIGPIPE, SIGXFSZ})
    if (sigismember(&Before, Signal))
      sigdelset(&Held, Signal);
}

WriteSignalsHeld::~WriteSignalsHeld() {
  const int Errno = errno;
  const timespec Now = {};
  while (sigtimedwait(&Held, nullptr, &Now) > 0)
    ;
  pthread_sigmask(SIG_SETMASK, &Old, nullptr);
  errno = Errno;
}

void warn(const char *Format, ...) {
  char Line[1024] = "seamscope: ";
  constexpr size_t Prefix = 11;
  va_list Arguments;
  va_start(Arguments, Format);
  int Length = vsnprintf(Line + Prefix, sizeof(Line) - Prefix - 1, Format, Arguments);
  va_end(Arguments);
  if (Length < 0)
    return;
  size_t End = Prefix + static_cast<size_t>(Length);
  if (End > sizeof(Line) - 2)
    End = sizeof(Line) - 2;
  // Paths and values come from the environment: do not print terminal escapes.
  for (size_t I = Prefix; I < End; ++I)
    if (static_cast<unsigned char>(Line[I]) < 0x20 || Line[I] == 0x7f)
      Line[I] = '?';
  Line[End] = '\n';
  const WriteSignalsHeld Held;
  ssize_t Written;
  do
    Written = write(STDERR_FILENO, Line, End + 1);
  while (Written < 0 && errno == EINTR);
}

} // namespace seamscope
